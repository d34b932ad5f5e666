import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import styles from './Pick.module.css';

const words = texts.pick.hasty;

type Props = {
  places: readonly string[];
  /** Attributes that show whether touches are ignored. */
  state: { 'data-inert'?: true | undefined; 'data-refused'?: true | undefined };
  close(): void;
  undoAll(): void;
};

/** Asks about confirmations by Enter or Space in quick succession. No button has the focus, so that another Enter answers nothing. */
export function HastyDialog({ places, state, close, undoAll }: Props) {
  return (
    <Dialog title={words.title} isOpen onClose={close} size="gloves">
      <p className={styles.says}>{words.says(places)}</p>
      <div className={styles.choices} {...state}>
        <BigButton look="main" onPress={close}>
          {words.yes}
        </BigButton>
        <BigButton onPress={undoAll}>{words.undoAll}</BigButton>
      </div>
    </Dialog>
  );
}
