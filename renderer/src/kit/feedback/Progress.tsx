import { Label, ProgressBar } from 'react-aria-components';
import { Button } from '../button/Button.tsx';
import styles from './Progress.module.css';
import * as texts from '../../words/texts.ts';

type Props = {
  /** The work in progress: `Importing 400 aliases`. */
  label: string;
  value: number;
  max: number;
  /** The progress in words, replacing a text such as `30 of 400`. */
  said?: string;
  /** Cancels the work; completed parts remain. Undefined if the work cannot be canceled. */
  onCancel?(): void;
};

/** Progress of long work, with a Cancel button. */
export function Progress({ label, value, max, said, onCancel }: Props) {
  return (
    <div className={styles.place}>
      <ProgressBar
        className={styles.progress ?? ''}
        value={value}
        maxValue={Math.max(max, 1)}
        valueLabel={said ?? texts.frame.progress(value, max)}
      >
        {({ percentage, valueText }) => (
          <>
            <div className={styles.words}>
              <Label>{label}</Label>
              <span>{valueText}</span>
            </div>
            <div className={styles.track}>
              <div className={styles.done} style={{ width: `${percentage ?? 0}%` }} />
            </div>
          </>
        )}
      </ProgressBar>
      {onCancel !== undefined && <Button onPress={onCancel}>{texts.frame.cancel}</Button>}
    </div>
  );
}
