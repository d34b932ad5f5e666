import { isTooLong } from '#shared/lib/text.ts';
import { MAX_LINE_CHARACTERS } from '#shared/screen/content.ts';
import { readLineEncoding } from '#shared/screen/lineEncoding.ts';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { countCharacters } from './countCharacters.ts';
import { CharacterCount } from './CharacterCount.tsx';
import styles from './CharacterCount.module.css';

type Props = { name: string; label: string; value: string; onChange(value: string): void; autoFocus?: boolean };

/** A line of a screen, with how much of it is used, or what it stands for. */
export function LineInput(props: Props) {
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
