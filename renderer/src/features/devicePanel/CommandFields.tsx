import { ChevronsDown } from 'lucide-react';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { Station } from '#shared/api/station.ts';
import { parseColor, type LedColor } from '#shared/led/color.ts';
import { LINE_NAMES } from '#shared/screen/content.ts';
import { SOUND_NAMES } from '#shared/sound/sound.ts';
import { Button } from '../../ui/Button.tsx';
import { SuggestionField, type Choice } from '../../ui/choiceFields.tsx';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { ArrowField } from './ArrowField.tsx';
import styles from './CommandFields.module.css';
import type { CommandDraft } from './commandDraft.ts';
import { LedDot } from './LedDot.tsx';
import { NumberLine } from './NumberLine.tsx';

type Props = {
  draft: CommandDraft;
  change(next: Partial<CommandDraft>): void;
  defaults: Station['defaults'] | undefined;
  led: LedColor | undefined;
  problems: Readonly<Record<string, string>>;
};

/** Most commands need two lines; the rest is one click away. */
const USUAL_LINES = 2;
const RARE_FIELDS = ['barcode', 'qrcode', 'sound'] as const;
const SUGGESTED_COLORS = ['red', 'green', 'blue', 'yellow', 'cyan', 'magenta', 'white', 'orange'];

const COLOR_CHOICES: readonly Choice[] = SUGGESTED_COLORS.map((color) => ({
  id: color,
  text: color,
  picture: <Swatch color={parseColor(color)} />,
}));
const SOUND_CHOICES: readonly Choice[] = SOUND_NAMES.map((name) => ({ id: name, text: name }));

/** The fields of a command, by the names of the API. */
export function CommandFields({ draft, change, defaults, led, problems }: Props) {
  const [all, setAll] = useState(false);
  const needsAll =
    LINE_NAMES.some((name, place) => place >= USUAL_LINES && (name in problems || draft.lines[place] !== '')) ||
    RARE_FIELDS.some((name) => name in problems || draft[name] !== '');
  const isOpen = all || needsAll;
  const line = (place: number) => (
    <LineField
      key={place}
      name={LINE_NAMES[place] ?? ''}
      label={texts.form.line(place + 1)}
      value={draft.lines[place] ?? ''}
      onChange={(text) => change({ lines: withLine(draft.lines, place, text) })}
      autoComplete="off"
    />
  );

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
      {[0, 1].map(line)}
      <div className={styles.pair}>
        <NumberLine
          name="quantity"
          label={texts.form.quantity}
          value={draft.quantity}
          onChange={(quantity) => change({ quantity })}
        />
        <ArrowField value={draft.arrow} onChange={(arrow) => change({ arrow })} />
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
        <NumberLine
          name="seconds"
          label={texts.form.seconds}
          value={draft.seconds}
          onChange={(seconds) => change({ seconds })}
          placeholder={defaults === undefined ? '' : texts.form.secondsHint(defaults.seconds)}
          step={10}
        />
      </div>
      <LineField
        name="nonce"
        label={texts.form.nonce}
        hint={texts.form.nonceHint}
        value={draft.nonce}
        onChange={(nonce) => change({ nonce })}
        autoComplete="off"
      />
      {isOpen ? (
        <>
          {[2, 3, 4].map(line)}
          <div className={styles.pair}>
            <LineField
              name="barcode"
              label={texts.form.barcode}
              value={draft.barcode}
              onChange={(barcode) => change({ barcode })}
              autoComplete="off"
            />
            <LineField
              name="qrcode"
              label={texts.form.qrcode}
              value={draft.qrcode}
              onChange={(qrcode) => change({ qrcode })}
              autoComplete="off"
            />
          </div>
          <SuggestionField
            name="sound"
            label={texts.form.sound}
            choices={SOUND_CHOICES}
            value={draft.sound}
            onChange={(sound) => change({ sound })}
            placeholder={SOUND_NAMES[0] ?? ''}
          />
        </>
      ) : (
        <div className={styles.more}>
          <Button look="quiet" onPress={() => setAll(true)}>
            <ChevronsDown size={16} aria-hidden="true" />
            {texts.form.moreLines}
          </Button>
        </div>
      )}
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

/** A colour as a LED shows it, with its letter; a question mark where it is no colour. */
function Swatch({ color }: { color: LedColor | undefined }) {
  const led = color === undefined ? undefined : ({ mode: 'steady', hex: color.hex, letter: color.letter } as const);
  // The words stand beside it.
  return (
    <span aria-hidden="true">
      <LedDot led={led} />
    </span>
  );
}

function withLine(lines: CommandDraft['lines'], place: number, line: string): CommandDraft['lines'] {
  const [a, b, c, d, e] = lines.with(place, line);
  return [a ?? '', b ?? '', c ?? '', d ?? '', e ?? ''];
}
