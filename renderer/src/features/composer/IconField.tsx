import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { Button } from 'react-aria-components';
import { findIcon } from '#shared/screen/icons.ts';
import fields from '../../ui/fields.module.css';
import { useProblem } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './IconField.module.css';
import { SignPicture } from './SignPicture.tsx';
import { signName } from './signWords.ts';

type Props = {
  /** The sign by the name that callers give it; empty where there is none. */
  value: string;
  pick(): void;
  autoFocus?: boolean;
};

/** The sign of a screen, with its picture; a press opens all of them. */
export function IconField({ value, pick, autoFocus = false }: Props) {
  const { isInvalid, error } = useProblem('icon');
  const label = useId();
  const words = useId();
  const sign = findIcon(value);
  return (
    <div className={fields.field} data-field data-invalid={isInvalid || undefined}>
      <span id={label} className={fields.label}>
        {texts.form.icon}
      </span>
      <Button
        className={`${fields.trigger ?? ''} ${styles.trigger ?? ''}`}
        aria-labelledby={`${label} ${words}`}
        autoFocus={autoFocus}
        onPress={pick}
      >
        {sign !== undefined && <SignPicture char={sign.char} size={44} />}
        <span id={words} className={fields.value}>
          {value === '' ? texts.signs.none : signName(value)}
        </span>
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {error}
    </div>
  );
}
