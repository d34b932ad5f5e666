import { MAX_QR_CHARACTERS } from '#shared/lib/screenElements.ts';
import { MAX_BARCODE_CHARACTERS } from '#shared/screen/barcode.ts';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { countCharacters } from './countCharacters.ts';
import { CharacterCount } from './CharacterCount.tsx';

type Props = { code: keyof typeof MAX; value: string; onChange(value: string): void; autoFocus?: boolean };

const MAX = { barcode: MAX_BARCODE_CHARACTERS, qrcode: MAX_QR_CHARACTERS };

/** What a code says, with how much of it is used. */
export function CodeInput({ code, value, onChange, autoFocus = false }: Props) {
  const count = countCharacters(value);
  return (
    <LineField
      name={code}
      label={texts.form[code]}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      autoComplete="off"
    >
      {count > 0 && <CharacterCount count={count} most={MAX[code]} isOver={count > MAX[code]} />}
    </LineField>
  );
}
