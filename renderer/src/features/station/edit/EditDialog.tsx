import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../../../words/apiError.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';

type Props = {
  title: string;
  /** Why it cannot be saved. Empty: it can. */
  problem(): string;
  /** Rejects if the station refuses. The dialog then shows the reason and keeps the values. */
  save(): Promise<void>;
  close(): void;
  children: ReactNode;
};

/** A dialog for a part of the map. Closes after saving, or shows why not. */
export function EditDialog({ title, problem, save, close, children }: Props) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  /** Whether the person has tried to save. From then on, errors are shown until they are fixed. */
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
