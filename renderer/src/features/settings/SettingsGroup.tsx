import { type ComponentType, type ReactNode, useId, useState } from 'react';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import { Marked } from '../../kit/Marked.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
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

/** Values that somebody else saved meanwhile, with a choice between both. */
function Theirs({ changes, take, keep }: { changes: readonly drafts.TheirChange[]; take(): void; keep(): void }) {
  const labels = new Map<string, string>(settingFields().map(({ field, label }) => [field, label]));
  return (
    <div className={`${parts.panel} ${styles.theirs}`} role="group" aria-label={texts.settings.theirs.title}>
      <p className={parts.strong}>{texts.settings.theirs.title}</p>
      <ul>
        {changes.map(({ key, value, typed }) => (
          <li key={key}>{texts.settings.theirs.change(labels.get(key) ?? key, value, typed)}</li>
        ))}
      </ul>
      <div className={parts.row}>
        <Button words={texts.settings.theirs.take} onPress={take} />
        <Button words={texts.settings.theirs.keep} onPress={keep} />
      </div>
    </div>
  );
}

export type GroupFieldsProps = { draft: drafts.SettingsDraft; saved: SettingsAnswer; edit(edits: drafts.Edits): void };

type Props = {
  id: GroupId;
  title: string;
  lead: string;
  saved: SettingsAnswer;
  onSaved(saved: SettingsAnswer): void;
  fields: ComponentType<GroupFieldsProps>;
  /** A question to ask before saving, if any. */
  askBefore?(change: SettingsChange, saved: SettingsAnswer): drafts.Question | undefined;
  /** Content below the form. */
  below?: ReactNode;
};

/** The form of one group of settings, which saves only changed fields. Typed values stay until they are saved. */
export function SettingsGroup({ id, title, lead, saved, onSaved, fields: Fields, askBefore, below }: Props) {
  const { api, toasts } = useServices();
  const [edits, setEdits] = useState<drafts.Edits>({});
  /** The saved values when each edited field was edited first. */
  const [base, setBase] = useState<drafts.Edits>({});
  /** The settings when the person started editing. */
  const [read, setRead] = useState<SettingsAnswer>();
  const [problems, setProblems] = useState<drafts.DraftProblems>({});
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const [question, setQuestion] = useState<drafts.Question>();
  /** Edited fields that somebody else saved meanwhile. */
  const theirs = drafts.changesSince(base, saved, edits);
  const changed = drafts.hasChanges(edits, saved);
  useLeaveGuard(changed);

  async function save(isAsked = false): Promise<void> {
    setFailure('');
    const { change, problems: unreadable } = drafts.changeOf(edits, saved);
    setProblems(unreadable);
    if (Object.keys(unreadable).length > 0) return setFailure(texts.settings.notSaved);
    const asked = isAsked ? undefined : askBefore?.(change, saved);
    if (asked !== undefined) return setQuestion(asked);
    setBusy(true);
    try {
      // After a look at what somebody else saved, the change replaces that.
      const now = await api.changeSettings(change, theirs.length > 0 ? saved : (read ?? saved));
      onSaved(now);
      setRead(undefined);
      // Keep what was typed during the save.
      setEdits((typed) =>
        drafts.without(typed, new Set(drafts.keysOf(typed).filter((key) => edits[key] === typed[key]))),
      );
      setBase(drafts.draftOf(now));
      toasts.show(texts.settings.saved(title));
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : [];
      if (error instanceof ApiError && error.code === 'changed') await readAgain();
      const { at, rest } = drafts.problemsOf(fields, Object.keys(edits) as drafts.DraftKey[]);
      setProblems(at);
      const isSaid = Object.keys(at).length > 0 && rest.length === 0;
      setFailure(isSaid ? texts.settings.notSaved : [sentenceOf(error), ...rest].join(' '));
    } finally {
      setBusy(false);
    }
  }

  /** Loads and shows what somebody else changed, and asks. The next attempt is based on those values. */
  async function readAgain(): Promise<void> {
    onSaved(await api.getSettings());
    setRead(undefined);
  }

  function takeTheirs(): void {
    setEdits(drafts.without(edits, new Set(theirs.map(({ key }) => key))));
    setFailure('');
  }

  function edit(typed: drafts.Edits): void {
    const next = drafts.withTyped(edits, typed, saved);
    setEdits(next);
    setBase(drafts.baseOf(next, { edits, base }, saved));
    setRead((before) => before ?? saved);
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([key]) => !(key in typed))));
    setFailure('');
  }

  function submit(): void {
    if (!busy && changed) void save();
  }

  function discard(): void {
    setEdits({});
    setRead(undefined);
    setProblems({});
    setFailure('');
  }

  return (
    <Section id={id} title={title} lead={lead}>
      <ProblemForm className={parts.column5 ?? ''} onSubmit={submit} problems={problems} aria-label={title}>
        <Fields draft={{ ...drafts.draftOf(saved), ...edits }} saved={saved} edit={edit} />
        {theirs.length > 0 && <Theirs changes={theirs} take={takeTheirs} keep={() => void save()} />}
        <footer className={`${parts.rowMiddle} ${styles.actions}`} data-waiting={changed || undefined}>
          <p role="alert" className={styles.failure}>
            {failure}
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
          onConfirm={() => save(true)}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </Section>
  );
}
