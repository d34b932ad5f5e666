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
  /** Somebody tried to save: from then on the dialog shows each error until its cause is gone. */
  const [isAsked, setAsked] = useState(false);

  async function submit(): Promise<void> {
    if (busy) return;
    setAsked(true);
    setFailure('');
    if (problem() !== '') return;
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
        onInput={() => setFailure('')}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <Failure>{failure === '' && isAsked ? problem() : failure}</Failure>
        {/* Enter in a field saves. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
