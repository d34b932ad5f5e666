import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import styles from './dialogs.module.css';
import type { NotArranged } from './mapEdits.ts';

/** Lists devices that could not be arranged by their labels, each with the reason. */
export function LeftDialog({ left, close }: { left: readonly NotArranged[]; close(): void }) {
  return (
    <Dialog
      title={texts.map.notArranged(left.length)}
      isOpen
      onClose={close}
      actions={<Button words={texts.frame.close} look="primary" onPress={close} />}
    >
      <ul className={styles.zones}>
        {left.map(({ deviceid, message }) => (
          <li key={deviceid} className={styles.left}>
            <span className={parts.strong}>{deviceid}</span> {message}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
