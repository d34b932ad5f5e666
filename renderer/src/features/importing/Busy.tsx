import { Label, ProgressBar } from 'react-aria-components';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './Busy.module.css';

/** At work, for as long as the station takes: one step of its own, of which nobody knows the middle. */
export function Busy({ label, cancel }: { label: string; cancel(): void }) {
  return (
    <div className={styles.place}>
      <ProgressBar className={styles.busy ?? ''} isIndeterminate>
        <Label>{label}</Label>
        <div className={styles.track}>
          <div className={styles.bar} />
        </div>
      </ProgressBar>
      <Button onPress={cancel} autoFocus>
        {texts.frame.cancel}
      </Button>
    </div>
  );
}
