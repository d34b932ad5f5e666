import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import * as texts from '../../words/texts.ts';
import { LateButton } from './BigButton.tsx';
import styles from './Pick.module.css';

const words = texts.pick.join;

export type JoinAsked = { orderNumber: string; says: string; failure: string };

type Props = { asked: JoinAsked | undefined; isRefused?: boolean; join(): void; close(): void };

/**
 * Asks whether to join an order that others are picking. Only a button or a printed command answers the question; scanning an article or a
 * place does not.
 */
export function JoinDialog({ asked, isRefused = false, join, close }: Props) {
  return (
    <Dialog title={words.title(asked?.orderNumber ?? '')} isOpen={asked !== undefined} onClose={close} size="gloves">
      <p className={styles.says}>{asked?.says}</p>
      <Failure>{asked?.failure ?? ''}</Failure>
      <div className={styles.choices} data-refused={isRefused || undefined}>
        <LateButton look="main" autoFocus hint={words.confirmHint} onPress={join}>
          {words.confirm}
        </LateButton>
        <LateButton onPress={close}>{words.leave}</LateButton>
      </div>
    </Dialog>
  );
}
