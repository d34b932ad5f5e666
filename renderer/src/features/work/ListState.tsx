import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './ListState.module.css';

type Props = { failure: string; reload(): void; failed?: string };

/** Nothing is there yet: it is asked for, or could not be read. */
export function ListState({ failure, reload, failed = texts.work.failed }: Props) {
  if (failure === '') return <p className={styles.quiet}>{texts.work.loading}</p>;
  return (
    <div role="alert" className={styles.failure}>
      <p>
        {failed} {failure}
      </p>
      <Button onPress={reload}>{texts.work.again}</Button>
    </div>
  );
}
