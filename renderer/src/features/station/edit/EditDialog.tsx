import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../../../words/apiError.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';

type Props = {
  title: string;
  /** Why it cannot be saved; empty if it can. */
  problem(): string;
  /** Rejects where the station refuses; the dialog says so and keeps what was typed. */
  save(): Promise<void>;
  close(): void;
  children: ReactNode;
};

/** A part of the map with its fields: it is saved and closed, or says why not. */
export function EditDialog({ title, problem, save, close, children }: Props) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function submit(): Promise<void> {
    if (busy) return;
    const wrong = problem();
    setFailure(wrong);
    if (wrong !== '') return;
    setBusy(true);
    try {
      await save();
      close();
    } catch (error) {
      setFailure(`${texts.map.failed} ${sentenceOf(error)}`);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{texts.frame.cancel}</Button>
          <Button look="primary" busy={busy} onPress={() => void submit()}>
            {busy ? texts.map.saving : texts.map.save}
          </Button>
        </>
      }
    >
      <form
        className={parts.stack4}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <Failure>{failure}</Failure>
        {/* Enter in a field saves. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
