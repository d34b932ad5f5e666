import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useAct } from '../../useAct.ts';
import { Button } from '../button/Button.tsx';
import styles from './Dialog.module.css';
import { Failure } from '../feedback/EmptyState.tsx';
import parts from '../parts.module.css';
import * as texts from '../../words/texts.ts';

type Props = {
  title: string;
  isOpen: boolean;
  /** Called on Escape, the close button, or a click outside. */
  onClose(): void;
  children?: ReactNode;
  /** Buttons at the bottom, the main one last. */
  actions?: ReactNode;
  /** The role `alertdialog` is for a question that interrupts the person and must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** The size `wide` is for a table; `gloves` is large, with targets of 80 px. */
  size?: 'small' | 'large' | 'wide' | 'gloves';
};

/** A modal dialog. It takes the focus, keeps it, and returns it to the previous element. */
export function Dialog({ title, isOpen, onClose, children, actions, role = 'dialog', size = 'small' }: Props) {
  return (
    <ModalOverlay
      className={styles.veil ?? ''}
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={role === 'dialog'}
    >
      <Modal className={`${parts.card} ${styles.modal}`} data-size={size}>
        <AriaDialog className={styles.dialog ?? ''} role={role}>
          <header className={`${parts.middle3} ${styles.head}`}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            {role === 'dialog' && (
              <Button look="icon" aria-label={texts.frame.close} onPress={onClose}>
                <X size={20} aria-hidden="true" />
              </Button>
            )}
          </header>
          <div className={`${parts.stack4} ${styles.body}`}>{children}</div>
          {actions !== undefined && <footer className={`${parts.row} ${styles.actions}`}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps = {
  title: string;
  body: ReactNode;
  /** Text of the confirming button, as a verb: `Remove device`. */
  confirm: string;
  /** Text of the button that closes the dialog, if "Cancel" would be ambiguous. */
  cancel?: string;
  /** Whether the action cannot be undone. */
  danger?: boolean;
  isOpen: boolean;
  /** Runs the action. The dialog closes once it succeeds; if it fails, the dialog stays open and shows the error. */
  onConfirm(): void | Promise<unknown>;
  onClose(): void;
};

/** A dialog that asks for confirmation before an action. */
export function ConfirmDialog({
  title,
  body,
  confirm,
  cancel = texts.frame.cancel,
  danger = false,
  isOpen,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const confirmed = useAct(async () => {
    await onConfirm();
    onClose();
  });

  function close(): void {
    confirmed.clear();
    onClose();
  }

  return (
    <Dialog
      title={title}
      role="alertdialog"
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button words={cancel} onPress={close} autoFocus={danger} />
          <Button
            look={danger ? 'danger' : 'primary'}
            busy={confirmed.busy}
            onPress={() => confirmed.run()}
            autoFocus={!danger}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {typeof body === 'string' ? <p>{body}</p> : body}
      <Failure>{confirmed.status === 'failed' && confirmed.failure}</Failure>
    </Dialog>
  );
}
