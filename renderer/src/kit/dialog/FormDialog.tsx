import { type ReactNode, useRef, useState } from 'react';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { Button } from '../button/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { useLeave, useLeaveGuard } from './leaveGuard.tsx';
import { Failure } from '../feedback/EmptyState.tsx';
import parts from '../parts.module.css';
import { ProblemForm } from '../field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';

export type FieldMessages = Readonly<Record<string, string>>;

/** Errors by field, and a sentence about the rest. */
export type FormProblems = { byField: FieldMessages; rest: string };

type Said = { typed: string; problems: FieldMessages; failure: string };

const NOTHING = { problems: {}, failure: '' } as const;

type Props = {
  title: string;
  /** Text of the submit button, as a verb. */
  submit: string;
  /** Text of the button while saving. */
  working?: string;
  /** Validates before sending. Returns errors by field. */
  check?(): FieldMessages;
  /** Saves and closes the dialog. Errors are shown in the dialog. */
  save(): Promise<void>;
  /** Assigns an error to fields, if their names differ from those in requests or some are missing here. */
  problemsOf?(error: unknown): FormProblems;
  onClose(): void;
  /** The values of the fields, as plain data. Once they change, closing asks first. */
  draft: unknown;
  /** Whether submitting deletes something. */
  danger?: boolean;
  size?: 'small' | 'large' | 'wide';
  children: ReactNode;
};

/** A dialog with a few fields and one action. Errors appear at their field or above the button. */
export function FormDialog({
  title,
  submit,
  working = texts.frame.working,
  check,
  save,
  problemsOf = problemsByPath,
  onClose,
  draft,
  danger = false,
  size = 'small',
  children,
}: Props) {
  const typed = JSON.stringify(draft);
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<Said>({ ...NOTHING, typed });
  const [busy, setBusy] = useState(false);
  const [first] = useState(typed);
  const leave = useLeave();
  const markUnsaved = useLeaveGuard(typed !== first);
  // Hide errors once the values have changed since the last submit.
  const { problems, failure } = said.typed === typed ? said : NOTHING;

  async function go(): Promise<void> {
    if (busy) return;
    const wrong = check?.() ?? {};
    setSaid({ typed, problems: wrong, failure: '' });
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    // `save` may navigate to what it created, which must not ask about unsaved input.
    markUnsaved(false);
    try {
      await save();
    } catch (error) {
      markUnsaved(true);
      const { byField, rest } = problemsOf(error);
      setSaid({ typed, problems: byField, failure: rest });
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={title}
      isOpen
      size={size}
      onClose={() => {
        if (!busy) leave(onClose);
      }}
      actions={
        <>
          <Button onPress={onClose}>{texts.frame.cancel}</Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            busy={busy}
            onPress={() => place.current?.querySelector('form')?.requestSubmit()}
          >
            {busy ? working : submit}
          </Button>
        </>
      }
    >
      <div ref={place}>
        <ProblemForm className={parts.column5 ?? ''} problems={problems} onSubmit={() => void go()} aria-label={title}>
          {children}
          <Failure>{failure}</Failure>
          {/* Enter in a field does it. */}
          <button type="submit" hidden />
        </ProblemForm>
      </div>
    </Dialog>
  );
}

/** The station's messages by field. For a conflict, shows the message of the whole error, which names the taken value. */
function problemsByPath(error: unknown): FormProblems {
  const { code, fields, message } = error instanceof ApiError ? error : { code: '', fields: [], message: '' };
  const byField = Object.fromEntries(
    fields.map((field) => [field.path.slice(1), code === 'conflict' ? message : field.message]),
  );
  return { byField, rest: fields.length > 0 ? '' : sentenceOf(error) };
}
