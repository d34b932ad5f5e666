import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { useLeave, useLeaveGuard } from './leaveGuard.tsx';
import { Failure } from '../feedback/EmptyState.tsx';
import parts from '../parts.module.css';
import type { FieldMessages, FieldProblems } from '../field/fieldProblems.ts';
import { ProblemForm } from '../field/ProblemForm.tsx';
import { useSubmit } from '../field/useSubmit.ts';
import * as texts from '../../words/texts.ts';

type Props = {
  title: string;
  /** Text of the submit button, as a verb. */
  submit: string;
  /** Text of the button while saving. */
  working?: string;
  /** Validates the fields before sending and returns errors by field. */
  check?(): FieldMessages;
  /** Saves and closes the dialog. Errors are shown in the dialog. */
  save(): Promise<void>;
  /** Assigns an error to fields. Needed if field names differ from those in requests, or if the form lacks some of the fields. */
  problemsOf?(error: unknown): FieldProblems;
  onClose(): void;
  /** The values of the fields, as plain data. Once they have changed, closing the dialog asks for confirmation. */
  draft: unknown;
  /** Whether submitting deletes something. */
  danger?: boolean;
  size?: 'small' | 'large' | 'wide';
  children: ReactNode;
};

/** A dialog with a few fields and one action. Errors appear next to the field concerned or above the button. */
export function FormDialog({
  title,
  submit,
  working = texts.frame.working,
  check,
  save,
  problemsOf,
  onClose,
  draft,
  danger = false,
  size = 'small',
  children,
}: Props) {
  const typed = JSON.stringify(draft);
  const place = useRef<HTMLDivElement>(null);
  const [first] = useState(typed);
  const leave = useLeave();
  const markUnsaved = useLeaveGuard(typed !== first);
  const form = useSubmit({
    draft,
    check,
    problemsOf,
    async save() {
      // Clear the mark first, because `save` may navigate to what it created, which must not ask about unsaved input.
      markUnsaved(false);
      try {
        await save();
      } catch (error) {
        markUnsaved(true);
        throw error;
      }
    },
  });
  const { busy } = form;

  return (
    <Dialog
      title={title}
      isOpen
      size={size}
      // What is being saved cannot be cancelled any more.
      onClose={() => {
        if (!busy) leave(onClose);
      }}
      actions={
        <>
          <Button onPress={() => !busy && onClose()}>{texts.frame.cancel}</Button>
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
        <ProblemForm
          className={parts.column5 ?? ''}
          problems={form.problems}
          onSubmit={() => form.submit()}
          aria-label={title}
        >
          {children}
          <Failure>{form.failure}</Failure>
          {/* Makes Enter in a field submit the form. */}
          <button type="submit" hidden />
        </ProblemForm>
      </div>
    </Dialog>
  );
}
