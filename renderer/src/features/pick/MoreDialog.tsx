import { useState } from 'react';
import type { WorkLine } from '#shared/api/picking.ts';
import { ScannerLinks } from '../../scan/ScannerLinks.tsx';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { BigButton } from './BigButton.tsx';
import { placeOf } from './lines.ts';
import { Disc } from './Disc.tsx';
import styles from './Pick.module.css';
import type { PickState } from './usePick.ts';

const words = texts.pick;
const TITLES = { handOver: words.handOver.title, scanner: words.moreDialog.scanner };

type Props = {
  line: WorkLine;
  pick: PickState;
  orderNumber: string;
  isOpen: boolean;
  close(): void;
  open(orderNumber: string | undefined): void;
};

/** What is done less often: skip, flash, pause, hand over, leave. */
export function MoreDialog({ line, pick, orderNumber, isOpen, close, open }: Props) {
  const { deviceid: lit } = line;
  const { api } = useStationContext();
  const [part, setPart] = useState<'handOver' | 'scanner'>();
  const pickers = useStationQuery(['pickers'], () => api.loadPickers());
  const others = (pickers.value ?? []).filter(({ name }) => name !== pick.me);

  /** Closes the dialog, and goes on to the choice of an order where nothing of this one is left to me. */
  function act(run: () => unknown, isOver = false): void {
    close();
    setPart(undefined);
    void pick
      .attempt(words.failed.order, async () => {
        await run();
        return true;
      })
      .then((done) => done === true && isOver && open(undefined));
  }

  function leave(): void {
    setPart(undefined);
    close();
  }

  return (
    <Dialog
      title={part === undefined ? words.moreDialog.title(placeOf(line)) : TITLES[part]}
      isOpen={isOpen}
      onClose={leave}
      size="gloves"
    >
      <div className={styles.choices}>
        {part === 'scanner' && <ScannerLinks />}
        {part === 'handOver' && (
          <>
            {others.length === 0 && <p className={styles.says}>{words.handOver.nobody}</p>}
            {others.map(({ name, color }) => (
              <BigButton key={name} onPress={() => act(() => api.handOverOrder(orderNumber, name), true)}>
                {color !== null && <Disc color={color} />}
                {name}
              </BigButton>
            ))}
          </>
        )}
        {part === undefined && (
          <>
            <BigButton onPress={() => act(pick.skip)}>{words.moreDialog.skip}</BigButton>
            {lit !== null && (
              <BigButton onPress={() => act(() => api.identify(lit))}>{words.moreDialog.identify}</BigButton>
            )}
            <BigButton onPress={() => act(() => api.pauseOrder(orderNumber))}>{words.moreDialog.pause}</BigButton>
            <BigButton onPress={() => setPart('handOver')}>{words.moreDialog.handOver}</BigButton>
            <BigButton onPress={() => act(() => api.leaveOrder(orderNumber), true)}>{words.moreDialog.leave}</BigButton>
            <BigButton onPress={() => setPart('scanner')}>{words.moreDialog.scanner}</BigButton>
          </>
        )}
      </div>
    </Dialog>
  );
}
