import { Eraser, PowerOff, SlidersHorizontal, SunMedium, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { useFoot } from '../../ui/foot.ts';
import { Progress } from '../../ui/Progress.tsx';
import { texts } from '../../ui/texts.ts';
import styles from '../station/choose/ChooseBar.module.css';
import type { Bulk, BulkKind } from './useBulk.ts';

const ICON = 16;
const words = texts.devices.bulk;

type Props = {
  chosen: readonly string[];
  /** How many of them filter and search leave out. */
  hidden: number;
  bulk: Bulk;
  /** What asks before it is done. */
  ask(kind: Exclude<BulkKind, 'identify'>): void;
  clear(): void;
};

/** How many devices are chosen, what to do with all of them, and how far that is. */
export function BulkBar({ chosen, hidden, bulk, ask, clear }: Props) {
  const bar = useRef<HTMLElement>(null);
  useFoot(bar);
  const isAdmin = useStationState(({ station }) => station?.user.scope === 'admin');
  const { running } = bulk;
  return (
    <section ref={bar} className={styles.bar} aria-label={words.bar}>
      <div className={styles.words}>
        <p role="status" className={styles.count}>
          {chosen.length > 0 && words.count(chosen.length)}
        </p>
        {hidden > 0 && <p>{words.hidden(hidden)}</p>}
      </div>
      {running === undefined ? (
        <div className={styles.actions}>
          <Button look="quiet" onPress={clear}>
            {words.clear}
          </Button>
          <Button onPress={() => void bulk.run('identify', chosen)}>
            <SunMedium size={ICON} aria-hidden="true" />
            {words.identify}
          </Button>
          <Button onPress={() => ask('settings')}>
            <SlidersHorizontal size={ICON} aria-hidden="true" />
            {words.settings}
          </Button>
          <Button onPress={() => ask('kill')}>
            <PowerOff size={ICON} aria-hidden="true" />
            {words.kill}
          </Button>
          <Button onPress={() => ask('statics')}>
            <Eraser size={ICON} aria-hidden="true" />
            {words.statics}
          </Button>
          {isAdmin && (
            <Button onPress={() => ask('remove')}>
              <Trash2 size={ICON} aria-hidden="true" />
              {words.remove}
            </Button>
          )}
        </div>
      ) : (
        <div className={styles.progress}>
          <Progress
            label={words.running[running.kind](running.all)}
            value={running.done}
            max={running.all}
            onCancel={bulk.cancel}
          />
        </div>
      )}
    </section>
  );
}
