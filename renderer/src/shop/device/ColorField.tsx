import { type LedColor, parseColor } from '#shared/led/color.ts';
import type { Choice } from '../../kit/field/choiceFields.tsx';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
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
  /** The parsed color, undefined if the text is not a color, or null for an empty field without a swatch. */
  led: LedColor | undefined | null;
};

/** Field for a color name, hex code or letter, with a swatch. */
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

/** LED in a color, or with a question mark if the color is undefined. */
function Swatch({ color }: { color: LedColor | undefined }) {
  const led = color === undefined ? undefined : ({ mode: 'steady', hex: color.hex, letter: color.letter } as const);
  // The dot is decorative, because the words are next to it.
  return (
    <span aria-hidden="true">
      <LedDot led={led} />
    </span>
  );
}
