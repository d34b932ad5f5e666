import { useRef, useState, type ReactNode } from 'react';
import { ApiError, sentenceOf } from '../../station/apiError.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useLeave, useLeaveGuard } from '../../ui/leaveGuard.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './FormDialog.module.css';

export type FieldProblems = Readonly<Record<string, string>>;

type Said = { typed: string; problems: FieldProblems; failure: string };

const NOTHING = { problems: {}, failure: '' } as const;

type Props = {
  title: string;
  /** What happens, as a verb. */
  submit: string;
  /** What is wrong before anything is sent, by the names of the fields. */
  check?(): FieldProblems;
  /** Closes by itself what it belongs to; what it throws is said here. */
  save(): Promise<void>;
  onClose(): void;
  /** What stands in the fields, as one text: once it is another, closing asks first. */
  typed: string;
  children: ReactNode;
};

/** A few fields and one thing to do with them. What is wrong stands at its field, or above the button. */
export function FormDialog({ title, submit, check, save, onClose, typed, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<Said>({ ...NOTHING, typed });
  const [busy, setBusy] = useState(false);
  const [first] = useState(typed);
  const leave = useLeave();
  useLeaveGuard(typed !== first);
  // What is wrong was said of what stood there then.
  const { problems, failure } = said.typed === typed ? said : NOTHING;

  async function go(): Promise<void> {
    if (busy) return;
    const wrong = check?.() ?? {};
    setSaid({ typed, problems: wrong, failure: '' });
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await save();
    } catch (error) {
      const at = problemsOf(error);
      const isSaid = Object.keys(at).length > 0;
      setSaid({ typed, problems: at, failure: isSaid ? '' : sentenceOf(error, texts.failure.other) });
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={title}
      isOpen
      onClose={() => {
        if (!busy) leave(onClose);
      }}
      actions={
        <>
          <Button onPress={onClose}>{texts.frame.cancel}</Button>
          <Button look="primary" busy={busy} onPress={() => place.current?.querySelector('form')?.requestSubmit()}>
            {busy ? texts.people.working : submit}
          </Button>
        </>
      }
    >
      <div ref={place}>
        <ProblemForm className={styles.form ?? ''} problems={problems} onSubmit={() => void go()} aria-label={title}>
          {children}
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
          {/* Enter in a field does it. */}
          <button type="submit" hidden />
        </ProblemForm>
      </div>
    </Dialog>
  );
}

/** The station's words for single fields. Of a name that is taken, its sentence says which. */
function problemsOf(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return {};
  const { code, fields, message } = error;
  return Object.fromEntries(
    fields.map((field) => [field.path.slice(1), code === 'conflict' ? message : field.message]),
  );
}
