import { type LedColor, parseColor } from '#shared/led/color.ts';
import { type Choice, SuggestionField } from '../ui/choiceFields.tsx';
import styles from './ColorField.module.css';
import { LedDot } from './Led.tsx';

const SUGGESTED = ['red', 'green', 'blue', 'yellow', 'cyan', 'magenta', 'white', 'orange'];
const CHOICES: readonly Choice[] = SUGGESTED.map((color) => ({
  id: color,
  text: color,
  picture: <Swatch color={parseColor(color)} />,
}));

type Props = {
  name: string;
  label: string;
  value: string;
  onChange(color: string): void;
  placeholder: string;
  /** What a LED makes of it; undefined: it is no color. Null: nothing is typed, and nothing is shown. */
  led: LedColor | undefined | null;
};

/** A color by its name, hex or letter, with how a LED shows it. */
export function ColorField({ led, ...field }: Props) {
  return (
    <SuggestionField {...field} choices={CHOICES}>
      {led !== null && (
        <span className={styles.swatch}>
          <Swatch color={led} />
        </span>
      )}
    </SuggestionField>
  );
}

/** A color as a LED shows it, with its letter; a question mark where it is no color. */
function Swatch({ color }: { color: LedColor | undefined }) {
  const led = color === undefined ? undefined : ({ mode: 'steady', hex: color.hex, letter: color.letter } as const);
  // The words are beside it.
  return (
    <span aria-hidden="true">
      <LedDot led={led} />
    </span>
  );
}
