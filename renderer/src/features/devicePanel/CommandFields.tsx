import { ArrowUp, ChevronsDown } from 'lucide-react';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { Station } from '#shared/api/station.ts';
import { parseColor, type LedColor } from '#shared/led/color.ts';
import { ARROWS, LINE_NAMES, type Arrow } from '#shared/screen/content.ts';
import { ledStyle } from '../../device/Led.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChoiceField, LineField, SuggestionField, WholeNumberField, type Choice } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './CommandFields.module.css';
import type { CommandDraft } from './commandDraft.ts';

type Props = {
  draft: CommandDraft;
  change(next: Partial<CommandDraft>): void;
  defaults: Station['defaults'] | undefined;
  led: LedColor | undefined;
  problems: Readonly<Record<string, string>>;
};

/** Most commands need two lines; the others are one click away. */
const USUAL_LINES = 2;
const NO_ARROW = 'none';
const SUGGESTED_COLORS = ['red', 'green', 'blue', 'yellow', 'cyan', 'magenta', 'white', 'orange'];

/** Clockwise degrees from up. */
const DEGREES: Record<Arrow, number> = {
  top: 0,
  topright: 45,
  right: 90,
  bottomright: 135,
  bottom: 180,
  bottomleft: 225,
  left: 270,
  topleft: 315,
};

const ARROW_CHOICES: readonly Choice[] = [
  { id: NO_ARROW, text: texts.form.noArrow },
  ...ARROWS.map((arrow) => ({
    id: arrow,
    text: texts.arrows[arrow],
    picture: <ArrowUp size={16} aria-hidden="true" style={{ rotate: `${DEGREES[arrow]}deg` }} />,
  })),
];

const COLOR_CHOICES: readonly Choice[] = SUGGESTED_COLORS.map((color) => ({
  id: color,
  text: color,
  picture: <Swatch color={parseColor(color)} />,
}));

/** The fields of a command, by the names of the API. */
export function CommandFields({ draft, change, defaults, led, problems }: Props) {
  const [allLines, setAllLines] = useState(false);
  const needsAll = LINE_NAMES.some(
    (name, place) => place >= USUAL_LINES && (name in problems || draft.lines[place] !== ''),
  );
  const names = allLines || needsAll ? LINE_NAMES : LINE_NAMES.slice(0, USUAL_LINES);

  return (
    <>
      <RadioGroup
        className={styles.kinds ?? ''}
        value={draft.command}
        onChange={(command) => change({ command: command === 'flash' ? 'flash' : 'pick' })}
        orientation="horizontal"
      >
        <Label className="visuallyHidden">{texts.form.kind}</Label>
        <Kind value="pick" name={texts.form.pick} hint={texts.form.pickHint} />
        <Kind value="flash" name={texts.form.flash} hint={texts.form.flashHint} />
      </RadioGroup>
      {names.map((name, place) => (
        <LineField
          key={name}
          name={name}
          label={texts.form.line(place + 1)}
          value={draft.lines[place] ?? ''}
          onChange={(line) => change({ lines: withLine(draft.lines, place, line) })}
        />
      ))}
      {names.length === USUAL_LINES && (
        <div className={styles.more}>
          <Button look="quiet" onPress={() => setAllLines(true)}>
            <ChevronsDown size={16} aria-hidden="true" />
            {texts.form.moreLines}
          </Button>
        </div>
      )}
      <div className={styles.pair}>
        <WholeNumberField
          name="quantity"
          label={texts.form.quantity}
          value={draft.quantity}
          onChange={(quantity) => change({ quantity })}
        />
        <ChoiceField
          name="arrow"
          label={texts.form.arrow}
          choices={ARROW_CHOICES}
          value={draft.arrow === '' ? NO_ARROW : draft.arrow}
          onChange={(id) => change({ arrow: ARROWS.find((arrow) => arrow === id) ?? '' })}
        />
        <SuggestionField
          name="color"
          label={texts.form.color}
          choices={COLOR_CHOICES}
          value={draft.color}
          onChange={(color) => change({ color })}
          placeholder={defaults?.color ?? ''}
        >
          <span className={styles.boxSwatch}>
            <Swatch color={led} />
          </span>
        </SuggestionField>
        <WholeNumberField
          name="seconds"
          label={texts.form.seconds}
          value={draft.seconds}
          onChange={(seconds) => change({ seconds })}
          placeholder={defaults === undefined ? '' : texts.form.secondsHint(defaults.seconds)}
        />
      </div>
      <LineField
        name="nonce"
        label={texts.form.nonce}
        hint={texts.form.nonceHint}
        value={draft.nonce}
        onChange={(nonce) => change({ nonce })}
      />
    </>
  );
}

function Kind({ value, name, hint }: { value: CommandDraft['command']; name: string; hint: string }) {
  return (
    <Radio value={value} className={styles.kind ?? ''}>
      {name}
      <span className={styles.kindHint}>{hint}</span>
    </Radio>
  );
}

/** A colour as a LED shows it, with its letter; crossed out where it is no colour. */
function Swatch({ color }: { color: LedColor | undefined }) {
  const led = color === undefined ? undefined : ({ mode: 'steady', hex: color.hex, letter: color.letter } as const);
  return (
    <span className={styles.swatch} style={ledStyle(led)} aria-hidden="true">
      {led?.letter ?? '?'}
    </span>
  );
}

function withLine(lines: CommandDraft['lines'], place: number, line: string): CommandDraft['lines'] {
  const [a, b, c, d, e] = lines.with(place, line);
  return [a ?? '', b ?? '', c ?? '', d ?? '', e ?? ''];
}
