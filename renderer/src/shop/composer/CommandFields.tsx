import { Play, Plus, Square, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton, Label, Radio, RadioGroup } from 'react-aria-components';
import { flushSync } from 'react-dom';
import type { Station } from '#shared/api/station.ts';
import type { LedColor } from '#shared/led/color.ts';
import { LINE_NAMES } from '#shared/screen/content.ts';
import { SOUND_NAMES } from '#shared/sound/sound.ts';
import { ColorField } from '../device/ColorField.tsx';
import { useSoundPreview } from '../../sound/playSound.ts';
import { Button } from '../../kit/button/Button.tsx';
import type { Choice } from '../../kit/field/choiceFields.tsx';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
import fields from '../../kit/field/fields.module.css';
import { LineField, fieldsOf } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { ArrowField } from './ArrowField.tsx';
import { type CommandDraft, withLine } from './commandDraft.ts';
import styles from './CommandFields.module.css';
import { CodeInput, LineInput } from './CountedFields.tsx';
import { IconField, SignDialog } from './SignField.tsx';

type Props = {
  draft: CommandDraft;
  change(next: Partial<CommandDraft>): void;
  defaults: Station['defaults'] | undefined;
  led: LedColor | undefined;
  /** The encoding of the sound; empty if the command is silent. */
  encoding: string;
  problems: Readonly<Record<string, string>>;
};

/** Fields that are hidden until a button adds them, because most commands need only two lines. */
const ADDABLE = ['line3', 'line4', 'line5', 'icon', 'barcode', 'qrcode', 'sound', 'nonce'] as const;
type Addable = (typeof ADDABLE)[number];

const LABELS: Record<Addable, string> = {
  line3: texts.form.line(3),
  line4: texts.form.line(4),
  line5: texts.form.line(5),
  icon: texts.form.icon,
  barcode: texts.form.barcode,
  qrcode: texts.form.qrcode,
  sound: texts.form.sound,
  nonce: texts.form.nonce,
};

/** The fields of a command, named as in the API. */
export function CommandFields({ draft, change, defaults, led, encoding, problems }: Props) {
  const [added, setAdded] = useState<readonly Addable[]>([]);
  const [removed, setRemoved] = useState<Addable>();
  const [picking, setPicking] = useState(false);
  const value = (field: Addable) => valueOf(draft, field);
  const isThere = (field: Addable) => added.includes(field) || field in problems || value(field) !== '';
  const missing = ADDABLE.filter((field) => !isThere(field));

  function add(field: Addable): void {
    setRemoved(undefined);
    // Add the field before opening the dialog, because the dialog returns the focus to the field.
    flushSync(() => setAdded([...added, field]));
    if (field === 'icon') setPicking(true);
  }

  function remove(field: Addable): void {
    setAdded(added.filter((each) => each !== field));
    setRemoved(field);
    change(withValue(draft, field, ''));
  }

  const field = fieldsOf(draft, change);
  /** Returns the props of an added field, which takes the focus and can be removed. */
  const extra = (field: Addable) => ({
    name: field,
    label: LABELS[field],
    value: value(field),
    onChange: (text: string) => change(withValue(draft, field, text)),
    autoFocus: added.includes(field),
  });
  const line = (place: number) => (
    <LineInput
      key={place}
      name={LINE_NAMES[place] ?? ''}
      label={texts.form.line(place + 1)}
      value={draft.lines[place] ?? ''}
      onChange={(text) => change({ lines: withLine(draft.lines, place, text) })}
    />
  );

  return (
    <div className={parts.column4}>
      <RadioGroup
        className={`${parts.stack1} ${styles.kinds}`}
        value={draft.command}
        onChange={(command) => change({ command: command === 'flash' ? 'flash' : 'pick' })}
        orientation="horizontal"
      >
        <Label className="visuallyHidden">{texts.form.kind}</Label>
        <Kind value="pick" name={texts.form.pick} hint={texts.form.pickHint} />
        <Kind value="flash" name={texts.form.flash} hint={texts.form.flashHint} />
      </RadioGroup>
      {[0, 1].map(line)}
      {(['line3', 'line4', 'line5'] as const).filter(isThere).map((field) => (
        <AddedField key={field} label={LABELS[field]} remove={() => remove(field)}>
          <LineInput {...extra(field)} />
        </AddedField>
      ))}
      <div className={styles.pair}>
        <NumberLine {...field('quantity')} label={texts.form.quantity} />
        <ArrowField value={draft.arrow} onChange={(arrow) => change({ arrow })} />
        <ColorField {...field('color')} label={texts.form.color} placeholder={defaults?.color ?? ''} led={led} />
        <NumberLine
          {...field('seconds')}
          label={texts.form.seconds}
          hint={texts.form.never}
          placeholder={defaults === undefined ? '' : texts.form.secondsHint(defaults.seconds)}
          step={10}
        />
      </div>
      {isThere('icon') && (
        <AddedField label={LABELS.icon} remove={() => remove('icon')}>
          <IconField value={draft.icon} pick={() => setPicking(true)} autoFocus={added.includes('icon')} />
        </AddedField>
      )}
      {(['barcode', 'qrcode'] as const).filter(isThere).map((field) => (
        <AddedField key={field} label={LABELS[field]} remove={() => remove(field)}>
          <CodeInput {...extra(field)} code={field} />
        </AddedField>
      ))}
      {isThere('sound') && (
        <AddedField label={LABELS.sound} remove={() => remove('sound')}>
          <SoundField {...extra('sound')} encoding={encoding} />
        </AddedField>
      )}
      {isThere('nonce') && (
        <AddedField label={LABELS.nonce} remove={() => remove('nonce')}>
          <LineField {...extra('nonce')} hint={texts.form.nonceHint} autoComplete="off" />
        </AddedField>
      )}
      <AddRow fields={missing.map((id) => ({ id, word: LABELS[id] }))} removed={removed} add={add} />
      <SignDialog
        isOpen={picking}
        value={draft.icon}
        choose={(icon) => change({ icon })}
        close={() => setPicking(false)}
      />
    </div>
  );
}

function valueOf(draft: CommandDraft, field: Addable): string {
  const place = lineOf(field);
  return place === undefined ? draft[field as Exclude<Addable, `line${string}`>] : (draft.lines[place] ?? '');
}

function withValue(draft: CommandDraft, field: Addable, text: string): Partial<CommandDraft> {
  const place = lineOf(field);
  return place === undefined ? { [field]: text } : { lines: withLine(draft.lines, place, text) };
}

function lineOf(field: Addable): number | undefined {
  const place = LINE_NAMES.findIndex((name) => name === field);
  return place < 0 ? undefined : place;
}

function Kind({ value, name, hint }: { value: CommandDraft['command']; name: string; hint: string }) {
  return (
    <Radio value={value} className={styles.kind ?? ''}>
      {name}
      <span className={styles.kindHint}>{hint}</span>
    </Radio>
  );
}

type AddedFieldProps = {
  label: string;
  /** Removes the field and clears its value. */
  remove(): void;
  children: ReactNode;
};

/** An added field with a button to remove it. */
function AddedField({ label, remove, children }: AddedFieldProps) {
  return (
    <div className={styles.row}>
      {children}
      <Button look="icon" aria-label={texts.form.remove(label)} onPress={remove}>
        <X size={16} aria-hidden="true" />
      </Button>
    </div>
  );
}

type AddRowProps<K extends string> = {
  fields: readonly { id: K; word: string }[];
  /** The field that was just removed. The focus moves to the button that adds it again. */
  removed: K | undefined;
  add(field: K): void;
};

/** Buttons that add optional fields. */
function AddRow<K extends string>({ fields, removed, add }: AddRowProps<K>) {
  if (fields.length === 0) return null;
  return (
    <div role="group" aria-label={texts.form.add} className={`${parts.row} ${styles.addRowRow}`}>
      {fields.map(({ id, word }) => (
        <Button key={id} autoFocus={id === removed} aria-label={texts.form.addField(word)} onPress={() => add(id)}>
          <Plus size={14} aria-hidden="true" />
          {word}
        </Button>
      ))}
    </div>
  );
}

type SoundFieldProps = {
  value: string;
  onChange(sound: string): void;
  /** The encoding of the sound; empty if the sound is silent or invalid. */
  encoding: string;
  autoFocus?: boolean;
};

const CHOICES: readonly Choice[] = SOUND_NAMES.map((name) => ({ id: name, text: name }));

/** A field for a sound, as the name of a tune or as an encoding, with playback. */
function SoundField({ value, onChange, encoding, autoFocus = false }: SoundFieldProps) {
  const { isPlaying, play, stop } = useSoundPreview();
  const [played, setPlayed] = useState('');
  useEffect(() => {
    if (isPlaying && played !== encoding) stop();
  });

  return (
    <SuggestionField
      name="sound"
      label={texts.form.sound}
      hint={texts.form.soundHint}
      choices={CHOICES}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      placeholder={SOUND_NAMES[0] ?? ''}
    >
      {/* Without `slot={null}`, this button would open the list of suggestions. */}
      <AriaButton
        slot={null}
        className={fields.step ?? ''}
        aria-label={isPlaying ? texts.form.stop : texts.form.play}
        isDisabled={encoding === ''}
        onPress={() => {
          setPlayed(encoding);
          if (isPlaying) stop();
          else play(encoding);
        }}
      >
        {isPlaying ? <Square size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
      </AriaButton>
    </SuggestionField>
  );
}
