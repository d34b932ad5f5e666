import { useState } from 'react';
import { ScannerLinks } from '../../scan/ScannerLinks.tsx';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { BigButton } from './BigButton.tsx';
import { Disc } from './Disc.tsx';
import { placeOf } from './lines.ts';
import styles from './Pick.module.css';
import type { PickLine } from './sessionTypes.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;
const TITLES = { handOver: words.handOver.title, scanner: words.moreDialog.scanner };

/** What is done less often: skip, flash, pause, hand over, leave. */
export function MoreDialog({ line, pick }: { line: PickLine; pick: PickState }) {
  const { api } = useStationContext();
  const [part, setPart] = useState<'handOver' | 'scanner'>();
  const pickers = useStationQuery(['pickers'], () => api.loadPickers());
  const others = (pickers.value ?? []).filter(({ name }) => name !== pick.me);
  const { touch } = pick;
  return (
    <Dialog
      title={part === undefined ? words.moreDialog.title(placeOf(line)) : TITLES[part]}
      isOpen
      onClose={() => touch({ touch: 'close' })}
      size="gloves"
    >
      <div className={styles.choices} data-refused={pick.isRefused || undefined} data-deaf={pick.isDeaf || undefined}>
        {part === 'scanner' && <ScannerLinks />}
        {part === 'handOver' && (
          <>
            {others.length === 0 && <p className={styles.says}>{words.handOver.nobody}</p>}
            {others.map(({ name, color }) => (
              <BigButton key={name} onPress={() => touch({ touch: 'handOver', picker: name })}>
                {color !== null && <Disc color={color} />}
                {name}
              </BigButton>
            ))}
          </>
        )}
        {part === undefined && (
          <>
            <BigButton onPress={() => touch({ touch: 'skip' })}>{words.moreDialog.skip}</BigButton>
            {line.deviceid === null ? (
              <BigButton onPress={() => touch({ touch: 'relight' })}>{words.moreDialog.relight}</BigButton>
            ) : (
              <BigButton onPress={() => touch({ touch: 'identify' })}>{words.moreDialog.identify}</BigButton>
            )}
            <BigButton onPress={() => touch({ touch: 'pause' })}>{words.moreDialog.pause}</BigButton>
            <BigButton onPress={() => setPart('handOver')}>{words.moreDialog.handOver}</BigButton>
            <BigButton onPress={() => touch({ touch: 'leave' })}>{words.moreDialog.leave}</BigButton>
            <BigButton onPress={() => setPart('scanner')}>{words.moreDialog.scanner}</BigButton>
          </>
        )}
      </div>
    </Dialog>
  );
}
