import { useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Failure } from '../../ui/EmptyState.tsx';
import { texts } from '../../ui/texts.ts';
import { BigButton } from './BigButton.tsx';
import styles from './Pick.module.css';

const words = texts.pick.join;

/** Asks whether to share an order that others pick. */
export function useJoin(joined: (orderNumber: string) => void) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [asked, setAsked] = useState<{ orderNumber: string; says: string }>();
  const [failure, setFailure] = useState('');

  function close(): void {
    setAsked(undefined);
    setFailure('');
  }

  async function join(orderNumber = asked?.orderNumber): Promise<void> {
    if (orderNumber === undefined) return;
    try {
      await api.joinOrder(orderNumber, me);
      close();
      joined(orderNumber);
    } catch (error) {
      setFailure(`${words.failed} ${sentenceOf(error)}`);
    }
  }

  return {
    asked,
    failure,
    close,
    join,
    /** `says`: who picks the order. Its number, scanned again while this is asked, joins. */
    ask(orderNumber: string, says: string): void {
      if (asked?.orderNumber === orderNumber) void join(orderNumber);
      else setAsked({ orderNumber, says });
    },
  };
}

/** Others pick this order: share it, or leave it to them. */
export function JoinDialog({ join: { asked, failure, close, join } }: { join: ReturnType<typeof useJoin> }) {
  return (
    <Dialog title={words.title(asked?.orderNumber ?? '')} isOpen={asked !== undefined} onClose={close} size="gloves">
      <p className={styles.says}>{asked?.says.replace(/ POST \S+.*$/, '')}</p>
      <Failure>{failure}</Failure>
      <div className={styles.choices}>
        <BigButton look="main" autoFocus hint={words.confirmHint} onPress={() => void join()}>
          {words.confirm}
        </BigButton>
        <BigButton onPress={close}>{words.leave}</BigButton>
      </div>
    </Dialog>
  );
}
