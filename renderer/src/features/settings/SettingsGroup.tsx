import { type ComponentType, type ReactNode, useId, useState } from 'react';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import { ApiError } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import { Marked } from '../../kit/Marked.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { type Edits, useEdits } from '../../kit/field/useEdits.ts';
import { useSubmit } from '../../kit/field/useSubmit.ts';
import * as texts from '../../words/texts.ts';
import { settingFields } from '../../shop/settingFields.ts';
import { useServices } from '../../shop/toasts.ts';
import * as drafts from './draft.ts';
import type { GroupId } from './groups.ts';
import { useIsHidden } from './SettingsIndex.tsx';
import styles from './SettingsPage.module.css';

type SectionProps = { id: GroupId; title: string; lead?: string; children: ReactNode };

/** A section with title, explanation and content. */
export function Section({ id, title, lead, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} className={styles.section} aria-labelledby={titleId} hidden={useIsHidden(id)}>
      <div className={`${parts.stack1} ${styles.intro}`}>
        <h2 id={titleId}>
          <Marked text={title} />
        </h2>
        {lead !== undefined && (
          <p>
            <Marked text={lead} />
          </p>
        )}
      </div>
      <div className={styles.card}>{children}</div>
    </section>
  );
}

type TheirsProps = {
  changes: readonly { key: drafts.DraftKey; value: unknown; typed: unknown }[];
  take(): void;
  keep(): void;
};

/**
 * Lists values that somebody else has saved in the meantime. The person can take these values or keep the typed ones.
 */
function Theirs({ changes, take, keep }: TheirsProps) {
  const labels = new Map<string, string>(settingFields().map(({ field, label }) => [field, label]));
  return (
    <div className={`${parts.panel} ${styles.theirs}`} role="group" aria-label={texts.settings.theirs.title}>
      <p className={parts.strong}>{texts.settings.theirs.title}</p>
      <ul>
        {changes.map(({ key, value, typed }) => (
          <li key={key}>
            {texts.settings.theirs.change(labels.get(key) ?? key, drafts.inText(value), drafts.inText(typed))}
          </li>
        ))}
      </ul>
      <div className={parts.row}>
        <Button words={texts.settings.theirs.take} onPress={take} />
        <Button words={texts.settings.theirs.keep} onPress={keep} />
      </div>
    </div>
  );
}

export type GroupFieldsProps = {
  draft: drafts.SettingsDraft;
  saved: SettingsAnswer;
  edit(edits: drafts.TypedSettings): void;
};

type Props = {
  id: GroupId;
  title: string;
  lead: string;
  saved: SettingsAnswer;
  onSaved(saved: SettingsAnswer): void;
  fields: ComponentType<GroupFieldsProps>;
  /** Returns a question to ask before saving, or undefined if there is none. */
  askBefore?(change: SettingsChange, saved: SettingsAnswer): drafts.Question | undefined;
  /** Content below the form. */
  below?: ReactNode;
};

/** The form of one group of settings. Saves only changed fields, and keeps typed values until they are saved. */
export function SettingsGroup({ id, title, lead, saved, onSaved, fields: Fields, askBefore, below }: Props) {
  const { api, toasts } = useServices();
  const { values, typed, theirs, set, forget, settle } = useEdits(drafts.draftOf(saved), useState<Edits>({}));
  /** The settings as they were when the person started editing. */
  const [read, setRead] = useState<SettingsAnswer>();
  const [question, setQuestion] = useState<drafts.Question>();
  const { change, problems: unreadable } = drafts.changeOf(typed, saved);
  const theirKeys = drafts.keysOf(theirs);
  const changed = Object.keys(change).length > 0 || Object.keys(unreadable).length > 0;
  useLeaveGuard(changed);
  const { problems, failure, busy, submit } = useSubmit<{ isAsked: boolean }>({
    draft: typed,
    check: () => unreadable,
    async save({ isAsked }) {
      const asked = isAsked ? undefined : askBefore?.(change, saved);
      if (asked !== undefined) return setQuestion(asked);
      // If the person has already seen what somebody else saved, let the change overwrite it.
      const base = theirKeys.length > 0 ? saved : (read ?? saved);
      const now = await api.changeSettings(change, base).catch(async (error: unknown) => {
        // Show what somebody else changed. The next attempt is based on those values.
        if (error instanceof ApiError && error.code === 'changed') show(await api.getSettings());
        throw error;
      });
      settle(typed, drafts.draftOf(now));
      show(now);
      toasts.show([texts.settings.saved(title), ...(now.warnings ?? [])].join(' '));
    },
    problemsOf: (error) => drafts.problemsOf(error, drafts.keysOf(typed)),
  });

  function show(now: SettingsAnswer): void {
    onSaved(now);
    setRead(undefined);
  }

  function edit(part: drafts.TypedSettings): void {
    set(part);
    setRead((before) => before ?? saved);
  }

  function discard(): void {
    forget();
    setRead(undefined);
  }

  return (
    <Section id={id} title={title} lead={lead}>
      <ProblemForm
        className={parts.column5 ?? ''}
        onSubmit={() => changed && submit({ isAsked: false })}
        problems={problems}
        aria-label={title}
      >
        <Fields draft={values} saved={saved} edit={edit} />
        {theirKeys.length > 0 && (
          <Theirs
            changes={theirKeys.map((key) => ({ key, value: theirs[key], typed: typed[key] }))}
            take={() => forget(theirKeys)}
            keep={() => submit({ isAsked: false })}
          />
        )}
        <footer className={`${parts.rowMiddle} ${styles.actions}`} data-waiting={changed || undefined}>
          <p role="alert" className={styles.failure}>
            {failure === '' && Object.keys(problems).length > 0 ? texts.settings.notSaved : failure}
          </p>
          {changed && !busy && <Button words={texts.settings.discard} look="quiet" onPress={discard} />}
          <Button look="primary" type="submit" busy={busy} isDisabled={!changed}>
            {busy ? texts.settings.saving : texts.settings.save}
          </Button>
        </footer>
      </ProblemForm>
      {below}
      {question !== undefined && (
        <ConfirmDialog
          {...question}
          danger
          isOpen
          onConfirm={() => submit({ isAsked: true })}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </Section>
  );
}
