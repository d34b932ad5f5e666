import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.tsx';
import styles from '../../ui/FormDialog.module.css';

type Props = { title: string; lead: string; done: string; onDone(): void; children: ReactNode };

/**
 * What the station tells only once. Nothing but its one button closes it: no click beside it, no Escape; and who leaves the
 * page is asked first.
 */
export function ShownOnce({ title, lead, done, onDone, children }: Props) {
  useLeaveGuard(true);
  return (
    <Dialog
      title={title}
      role="alertdialog"
      size="large"
      isOpen
      onClose={() => undefined}
      actions={
        <Button look="primary" onPress={onDone}>
          {done}
        </Button>
      }
    >
      <div className={styles.form}>
        <p>{lead}</p>
        {children}
      </div>
    </Dialog>
  );
}
