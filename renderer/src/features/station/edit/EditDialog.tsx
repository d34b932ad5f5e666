import { type ReactNode, useState } from 'react';
import { useAct } from '../../../useAct.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';

type Props = {
  title: string;
  /** Explains why the values cannot be saved. Empty if they can be saved. */
  problem(): string;
  /** Saves the values. Rejects if the station refuses them; the dialog then shows the reason and stays open. */
  save(): Promise<void>;
  close(): void;
  children: ReactNode;
};

/** A dialog for editing a part of the map. Closes after saving, or shows why saving failed. */
export function EditDialog({ title, problem, save, close, children }: Props) {
  const saving = useAct(async () => {
    await save();
    close();
  }, texts.map.failed);
  const { busy } = saving;
  /** Whether the person has tried to save. From then on, a problem is shown until it is fixed. */
  const [isAsked, setAsked] = useState(false);

  function submit(): void {
    if (busy) return;
    setAsked(true);
    if (problem() === '') saving.run();
    else saving.clear();
  }

  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{texts.frame.cancel}</Button>
          <Button look="primary" busy={busy} onPress={submit}>
            {busy ? texts.map.saving : texts.map.save}
          </Button>
        </>
      }
    >
      <form
        className={parts.stack4}
        onInput={saving.clear}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <Failure>{saving.status === 'failed' ? saving.failure : isAsked && problem()}</Failure>
        {/* Makes Enter in a field submit the form. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
