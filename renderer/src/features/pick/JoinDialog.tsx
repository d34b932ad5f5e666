import { useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Failure } from '../../ui/EmptyState.tsx';
import { texts } from '../../ui/texts.ts';
import { BigButton } from './BigButton.tsx';
import styles from './Pick.module.css';

const words = texts.pick.join;

type Props = {
  /** The order that others pick, and who. */
  asked: { orderNumber: string; says: string } | undefined;
  close(): void;
  joined(orderNumber: string): void;
};

/** Others pick this order: share it, or leave it to them. */
export function JoinDialog({ asked, close, joined }: Props) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [failure, setFailure] = useState('');

  async function join(): Promise<void> {
    if (asked === undefined) return;
    try {
      await api.joinOrder(asked.orderNumber, me);
      close();
      joined(asked.orderNumber);
    } catch (error) {
      setFailure(`${words.failed} ${sentenceOf(error)}`);
    }
  }

  return (
    <Dialog title={words.title(asked?.orderNumber ?? '')} isOpen={asked !== undefined} onClose={close} size="gloves">
      <p className={styles.says}>{asked?.says.replace(/ POST \S+.*$/, '')}</p>
      <Failure>{failure}</Failure>
      <div className={styles.choices}>
        <BigButton look="main" autoFocus onPress={() => void join()}>
          {words.confirm}
        </BigButton>
        <BigButton onPress={close}>{words.leave}</BigButton>
      </div>
    </Dialog>
  );
}
