import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button/Button.tsx';
import { inLabels, NO_PROBLEMS, problemsOf } from '../../kit/field/fieldProblems.ts';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { type EditedFields, type Edits, useEdits } from '../../kit/field/useEdits.ts';
import { useAct } from '../../useAct.ts';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../toasts.ts';
import composer from '../composer/composer.module.css';
import { SubmitRow } from '../composer/SubmitRow.tsx';
import { useStoredDraft } from '../composer/useStoredDraft.ts';
import styles from './EditorForm.module.css';

type Props<K extends string> = {
  title: string;
  /** The preview, which stays visible together with the button. */
  preview?: ReactNode;
  fields: EditedFields<Readonly<Record<K, string>>>;
  /** Errors by field. */
  problems: Readonly<Record<string, string>>;
  /** The reason why the values cannot be sent together; empty if they can. */
  refusal?: string;
  obstacle: string;
  submitWords: string;
  look?: 'primary' | 'plain';
  /** The first part of the error message if sending fails. */
  failed: string;
  /** Sends these fields and returns additional messages about the result. */
  send(changed: readonly K[]): Promise<readonly string[]>;
  children: ReactNode;
};

/**
 * A form for values that other people may change at the same time. Sends only the fields that were edited here, and
 * reports the result.
 */
export function EditorForm<K extends string>(props: Props<K>) {
  const {
    title,
    preview,
    fields,
    problems,
    refusal = '',
    obstacle,
    submitWords,
    look = 'primary',
    failed,
    send,
    children,
  } = props;
  const toasts = useToasts();
  const [refused, setRefused] = useState(NO_PROBLEMS);
  /** The values for which the last errors were shown. */
  const [tried, setTried] = useState<Readonly<Record<string, string>>>({});
  const [said, setSaid] = useState<readonly string[]>([]);
  const { typed } = fields;
  const changed = Object.keys(typed) as K[];
  const values: Readonly<Record<string, string>> = fields.values;
  const standing = Object.fromEntries(
    Object.entries(refused.byField).filter(([field]) => values[field] === tried[field]),
  );
  const isOver = Object.keys(fields.theirs).length > 0;

  const layout = preview === undefined ? styles : composer;

  const { busy, run: save } = useAct(async () => {
    setRefused(NO_PROBLEMS);
    setSaid([]);
    try {
      const warnings = await send(changed);
      fields.settle(typed);
      setSaid([texts.statics.saved, ...warnings]);
    } catch (error) {
      const { byField, rest } = problemsOf(error, new Set(Object.keys(fields.values)));
      setRefused({ byField, rest: `${failed} ${rest === '' ? texts.form.seeFields : rest}` });
      setTried(fields.values);
    }
  });

  function submit(): void {
    if (busy || obstacle !== '') return;
    if (Object.keys(problems).length > 0) return setRefused({ byField: {}, rest: `${failed} ${texts.form.seeFields}` });
    if (refusal !== '') return setRefused({ byField: {}, rest: `${failed} ${refusal}` });
    if (changed.length === 0) return setSaid([texts.statics.nothing]);
    save();
  }

  function discard(): void {
    setRefused(NO_PROBLEMS);
    toasts.show(texts.statics.discarded, { undo: fields.forget() });
  }

  return (
    <section className={layout.section} aria-label={title}>
      <ProblemForm className={layout.form ?? ''} onSubmit={submit} problems={{ ...standing, ...problems }}>
        {preview}
        <div className={`${layout.fields ?? ''} ${styles.fields ?? ''}`}>{children}</div>
        <div className={layout.foot}>
          <SubmitRow
            words={busy ? texts.statics.saving : isOver ? texts.statics.saveOver : submitWords}
            look={look}
            busy={busy}
            obstacle={changed.length === 0 ? '' : obstacle}
            failure={refused.rest}
          >
            {changed.length > 0 && <Button icon={Undo2} words={texts.statics.discard} look="quiet" onPress={discard} />}
          </SubmitRow>
          <div role="status" className={styles.said}>
            {changed.length === 0 && said.map((sentence) => <p key={sentence}>{inLabels(sentence)}</p>)}
          </div>
        </div>
      </ProblemForm>
    </section>
  );
}

type ConcurrentEditNoticeProps = {
  label: string;
  /** The value that somebody else has saved, or undefined if nobody did. */
  theirs: string | undefined;
  take(): void;
};

/** Shows, below an edited field, the value that somebody else has saved in the meantime, with a button to use it. */
export function ConcurrentEditNotice({ label, theirs, take }: ConcurrentEditNoticeProps) {
  return (
    <div role="status" className={styles.note}>
      {theirs !== undefined && (
        <>
          <p>{theirs === '' ? texts.edited.meanwhileEmpty : texts.edited.meanwhile(theirs)}</p>
          <Button words={texts.edited.take} look="quiet" aria-label={`${texts.edited.take}: ${label}`} onPress={take} />
        </>
      )}
    </div>
  );
}

const NO_EDITS: Edits = {};

/** Returns form fields for the texts in `current`. Typed text is stored under `name` until it is sent or discarded. */
export function useFields<K extends string>(name: string, current: Readonly<Record<K, string>>) {
  const [edits, setEdits] = useStoredDraft(name, parseEdits);
  return useEdits(current, [edits, (next) => setEdits(Object.keys(next).length === 0 ? undefined : next)]);
}

function parseEdits(kept: unknown): Edits {
  if (typeof kept !== 'object' || kept === null) return NO_EDITS;
  return Object.fromEntries(Object.entries(kept).filter(([, edit]) => isEdited(edit)));
}

function isEdited(edit: unknown): boolean {
  if (typeof edit !== 'object' || edit === null || !('typed' in edit) || !('base' in edit)) return false;
  return typeof edit.typed === 'string' && typeof edit.base === 'string';
}
