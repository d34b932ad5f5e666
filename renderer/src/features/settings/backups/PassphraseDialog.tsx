import { useState } from 'react';
import { useAct } from '../../../useAct.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import { LineField } from '../../../kit/field/fields.tsx';
import * as texts from '../../../words/texts.ts';

type Props = {
  title: string;
  label: string;
  help?: string;
  confirm: string;
  autoComplete: 'new-password' | 'off';
  /** The dialog closes when this resolves. If it rejects, the dialog shows the error and stays open. */
  onConfirm(passphrase: string): Promise<void>;
  onClose(): void;
};

export function PassphraseDialog({ title, label, help, confirm, autoComplete, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const confirming = useAct(async () => {
    await onConfirm(typed);
    onClose();
  });
  const { busy } = confirming;

  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{texts.frame.cancel}</Button>
          <Button look="primary" busy={busy} onPress={() => confirming.run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) confirming.run();
        }}
      >
        <LineField
          name="passphrase"
          label={label}
          {...(help === undefined ? {} : { help })}
          value={typed}
          onChange={setTyped}
          type="password"
          autoComplete={autoComplete}
          autoFocus
        />
      </form>
      <Failure>{confirming.status === 'failed' && confirming.failure}</Failure>
    </Dialog>
  );
}
