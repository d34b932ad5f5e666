import { graphemesOf } from '#shared/lib/text/locale.ts';
import { TriangleAlert } from 'lucide-react';
import { isTooLong } from '#shared/lib/text/text.ts';
import { MAX_BARCODE_CHARACTERS } from '#shared/screen/barcode.ts';
import { MAX_LINE_CHARACTERS } from '#shared/screen/content.ts';
import { readLineEncoding } from '#shared/screen/lineEncoding.ts';
import { MAX_QR_BYTES } from '#shared/screen/qrcode.ts';
import { LineField } from '../../kit/field/fields.tsx';
import * as texts from '../../words/texts.ts';
import styles from './CountedFields.module.css';

/** Shows how much of a field is used. The count is decorative, because the messages say the same in words. */
export function CharacterCount({ count, most, isOver }: { count: number; most: number; isOver: boolean }) {
  return (
    <span className={styles.used} data-over={isOver || undefined} aria-hidden="true">
      {isOver && <TriangleAlert size={14} />}
      {count}/{most}
    </span>
  );
}

/** Counts characters in the same way as people and the station do. */
export function countCharacters(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of graphemesOf(text.normalize('NFC'))) count += 1;
  return count;
}

type LineInputProps = {
  name: string;
  label: string;
  value: string;
  onChange(value: string): void;
  autoFocus?: boolean;
};

/** A field for a line of a screen. It shows how much of the line is used, or what the line means. */
export function LineInput(props: LineInputProps) {
  return (
    <LineField {...props} autoComplete="off">
      <End text={props.value} />
    </LineField>
  );
}

function End({ text }: { text: string }) {
  if (text === '') return null;
  const encoded = readLineEncoding(text);
  if (encoded === undefined)
    return <CharacterCount count={countCharacters(text)} most={MAX_LINE_CHARACTERS} isOver={isTooLong(text)} />;
  return (
    <span className={styles.used} aria-hidden="true">
      {texts.form.standsFor[encoded.element]}
    </span>
  );
}

type CodeInputProps = { code: keyof typeof ROOM; value: string; onChange(value: string): void; autoFocus?: boolean };

/** Capacity of each code, in the unit in which `countOf` counts. */
const ROOM = {
  barcode: { most: MAX_BARCODE_CHARACTERS, countOf: countCharacters },
  qrcode: { most: MAX_QR_BYTES, countOf: (text: string) => new TextEncoder().encode(text).length },
};

/** A field for the text of a code, which shows how much of the code's capacity is used. */
export function CodeInput({ code, value, onChange, autoFocus = false }: CodeInputProps) {
  const { most, countOf } = ROOM[code];
  const count = countOf(value);
  return (
    <LineField
      name={code}
      label={texts.form[code]}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      autoComplete="off"
    >
      {count > 0 && <CharacterCount count={count} most={most} isOver={count > most} />}
    </LineField>
  );
}
