import { Play, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useFoot } from '../../ui/foot.ts';
import { Progress } from '../../ui/Progress.tsx';
import { texts } from '../../ui/texts.ts';
import styles from '../station/choose/ChooseBar.module.css';
import type { WorkBulk } from './useWorkBulk.ts';

const ICON = 16;
const words = texts.work.bulk;

type Props = {
  said: typeof texts.orders.bulk | typeof texts.sequences.bulk;
  keys: readonly string[];
  /** How many of them filter and search leave out. */
  hidden: number;
  bulk: WorkBulk;
  askRemove(): void;
  clear(): void;
};

/** How many are chosen, what to do with all of them, and how far that is. */
export function WorkBulkBar({ said, keys, hidden, bulk, askRemove, clear }: Props) {
  const bar = useRef<HTMLElement>(null);
  useFoot(bar);
  const { running } = bulk;
  return (
    <section ref={bar} className={styles.bar} aria-label={said.bar}>
      <div className={styles.words}>
        <p role="status" className={styles.count}>
          {keys.length > 0 && said.count(keys.length)}
        </p>
        {hidden > 0 && <p>{words.hidden(hidden)}</p>}
      </div>
      {running === undefined ? (
        <div className={styles.actions}>
          <Button look="quiet" onPress={clear}>
            {words.clear}
          </Button>
          <Button onPress={() => void bulk.run('launch', keys)}>
            <Play size={ICON} aria-hidden="true" />
            {words.launch}
          </Button>
          <Button onPress={askRemove}>
            <Trash2 size={ICON} aria-hidden="true" />
            {words.remove}
          </Button>
        </div>
      ) : (
        <div className={styles.progress}>
          <Progress
            label={said.running[running.kind](running.all)}
            value={running.done}
            max={running.all}
            onCancel={bulk.cancel}
          />
        </div>
      )}
    </section>
  );
}
