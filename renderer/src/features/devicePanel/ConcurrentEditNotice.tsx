import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './ConcurrentEditNotice.module.css';

type Props = {
  label: string;
  /** What somebody else has made of the field; undefined where nobody has. */
  theirs: string | undefined;
  take(): void;
};

/** Below a field that is being edited: what somebody else has made of it meanwhile, and the way to use that. */
export function ConcurrentEditNotice({ label, theirs, take }: Props) {
  return (
    <div role="status" className={styles.note}>
      {theirs !== undefined && (
        <>
          <p>{theirs === '' ? texts.edited.meanwhileEmpty : texts.edited.meanwhile(theirs)}</p>
          <Button look="quiet" aria-label={`${texts.edited.take}: ${label}`} onPress={take}>
            {texts.edited.take}
          </Button>
        </>
      )}
    </div>
  );
}
