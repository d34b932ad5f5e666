import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WorkLine } from '#shared/api/picking.ts';
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
  const { api } = useStationContext();
  const [, navigate] = useLocation();
  const [isHanding, setIsHanding] = useState(false);
  const pickers = useStationQuery(['pickers'], () => api.loadPickers());
  const others = (pickers.value ?? []).filter(({ name }) => name !== pick.me);

  /** Closes the dialog, and goes on to the choice of an order where nothing of this one is left to me. */
  function act(run: () => unknown, isOver = false): void {
    close();
    setIsHanding(false);
    void pick
      .attempt(words.failed.order, async () => {
        await run();
        return true;
      })
      .then((done) => done === true && isOver && open(undefined));
  }

  function leave(): void {
    setIsHanding(false);
    close();
  }

  return (
    <Dialog
      title={isHanding ? words.handOver.title : words.moreDialog.title(placeOf(line))}
      isOpen={isOpen}
      onClose={leave}
      size="large"
    >
      <div className={styles.choices}>
        {isHanding ? (
          <>
            {others.length === 0 && <p className={styles.says}>{words.handOver.nobody}</p>}
            {others.map(({ name, color }) => (
              <BigButton key={name} onPress={() => act(() => api.handOverOrder(orderNumber, name), true)}>
                {color !== null && <Disc color={color} />}
                {name}
              </BigButton>
            ))}
          </>
        ) : (
          <>
            <BigButton onPress={() => act(pick.skip)}>{words.moreDialog.skip}</BigButton>
            <BigButton onPress={() => act(() => api.identify(line.deviceid))}>{words.moreDialog.identify}</BigButton>
            <BigButton onPress={() => act(() => api.pauseOrder(orderNumber))}>{words.moreDialog.pause}</BigButton>
            <BigButton onPress={() => setIsHanding(true)}>{words.moreDialog.handOver}</BigButton>
            <BigButton onPress={() => act(() => api.leaveOrder(orderNumber), true)}>{words.moreDialog.leave}</BigButton>
            <BigButton onPress={() => navigate('/scanner')}>{words.moreDialog.scanner}</BigButton>
          </>
        )}
      </div>
    </Dialog>
  );
}
