import { Label, ProgressBar } from 'react-aria-components';
import styles from './Busy.module.css';

/** At work, for as long as the station takes: one step of its own, of which nobody knows the middle. */
export function Busy({ label }: { label: string }) {
  return (
    <ProgressBar className={styles.busy ?? ''} isIndeterminate>
      <Label>{label}</Label>
      <div className={styles.track}>
        <div className={styles.bar} />
      </div>
    </ProgressBar>
  );
}
