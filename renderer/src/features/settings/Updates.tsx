import { useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import type { UpdateMode, UpdateStatus } from '#shared/api/updates.ts';
import { useStationContext } from '../../station/context.ts';
import { useUpdates } from '../../station/updates.ts';
import { useAct } from '../../useAct.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { Failure, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { fieldsOf } from '../../kit/field/fields.tsx';
import { Moment } from '../../shop/Moment.tsx';
import parts from '../../kit/parts.module.css';
import { Progress } from '../../kit/feedback/Progress.tsx';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { dayWords } from './backups/BackupRow.tsx';
import { InstallDialog } from './InstallDialog.tsx';
import { type GroupFieldsProps, Section, SettingsGroup } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings.updates;

type Props = { saved: SettingsAnswer; onSaved(saved: SettingsAnswer): void };

/** Shows the version and available updates, and lets the person choose whether they are installed automatically. */
export function Updates(group: Props) {
  const updates = useUpdates();
  const { value, reload } = updates;
  if (value === undefined) {
    return (
      <Section id="updates" {...words.group}>
        <NotLoaded of={updates} failed={words.notLoaded} />
      </Section>
    );
  }
  const state = <State status={value} reload={reload} />;
  if (value.can === 'nothing') {
    return (
      <Section id="updates" {...words.group}>
        {state}
      </Section>
    );
  }
  return (
    <SettingsGroup
      id="updates"
      {...group}
      {...words.group}
      fields={ModeField}
      below={<div className={styles.below}>{state}</div>}
    />
  );
}

const MODES = (['auto', 'notify', 'off'] as const).map((id) => ({ id, text: words.modes[id] }));
/** Modes of a program that cannot install updates: `auto` would have the same effect as `notify`. */
const MODES_ELSEWHERE = MODES.slice(1);

function ModeField({ draft, edit }: GroupFieldsProps) {
  const { value: status } = useUpdates();
  const { name, value, onChange } = fieldsOf(draft, edit)('updates');
  const policy = status?.policy ?? null;
  const canInstall = status?.can === 'install';
  const mode: UpdateMode = policy ?? value;
  const help = policy !== null ? words.modePolicy : canInstall ? words.modeHelp : undefined;
  return (
    <ChoiceField<UpdateMode>
      name={name}
      label={words.mode}
      {...(help === undefined ? {} : { help })}
      choices={canInstall ? MODES : MODES_ELSEWHERE}
      value={!canInstall && mode === 'auto' ? 'notify' : mode}
      onChange={onChange}
      isDisabled={policy !== null}
    />
  );
}

type StateProps = { status: UpdateStatus; reload(): void };

function State({ status, reload }: StateProps) {
  const { can, reason, state, mode, found, version, problem, notice, failed, checked_at: checkedAt } = status;
  const isByItself = can === 'install' && mode === 'auto' && (state === 'available' || state === 'ready');
  return (
    <section className={parts.column3} aria-label={words.state}>
      {state === 'downloading' && found !== null && (
        <Progress
          label={words.downloading(found)}
          value={status.percent ?? 0}
          max={100}
          said={words.percent(status.percent ?? 0)}
        />
      )}
      <div className={parts.stack1}>
        {can !== 'nothing' && state !== 'downloading' && (
          <p role="status" className={parts.medium}>
            <StateTag {...sayState(status)} />
          </p>
        )}
        {problem !== null && <p className={`${parts.care} ${styles.anywhere}`}>{problem}</p>}
        {notice !== null && <p className={`${parts.care} ${styles.anywhere}`}>{notice}</p>}
        {state === 'installing' && <p>{words.isBack}</p>}
        <p className={parts.quiet}>
          {words.runs(version)}{' '}
          {checkedAt !== null && state !== 'checking' && <Moment at={checkedAt} words={words.lastCheck} />}
        </p>
        {isByItself && found !== failed?.version && <p className={parts.quiet}>{words.byItself}</p>}
        {reason !== '' && <p>{reason}</p>}
      </div>
      {failed !== null && <Failed failed={failed} />}
      {can !== 'nothing' && state !== 'downloading' && state !== 'installing' && (
        <Actions status={status} reload={reload} />
      )}
    </section>
  );
}

/** Explains that a version did not start and was rolled back. */
function Failed({ failed: { version, at, problem } }: { failed: NonNullable<UpdateStatus['failed']> }) {
  return (
    <div className={parts.stack1}>
      <p>
        <StateTag tone="care" words={words.didNotStart(version)} />
      </p>
      <p className={styles.anywhere}>
        {words.restored(dayWords(at))} {problem}
      </p>
    </div>
  );
}

function Actions({ status: { can, state, found, failed }, reload }: StateProps) {
  const { api } = useStationContext();
  const check = useAct(() => api.checkForUpdate().finally(reload));
  const [isAsked, setIsAsked] = useState(false);
  const isChecking = check.busy || state === 'checking';
  const isWaiting = state === 'available' || state === 'ready';

  async function install(insist: boolean): Promise<void> {
    try {
      await api.installUpdate({ body: { insist } });
    } finally {
      reload();
    }
  }

  return (
    <>
      <Failure>{check.status === 'failed' && check.failure}</Failure>
      <div className={parts.row}>
        {/* A downloaded update must be installed before the station can search for a newer one. */}
        {state !== 'ready' && (
          <Button words={isChecking ? words.checkBusy : words.check} busy={isChecking} onPress={() => check.run()} />
        )}
        {can === 'install' && found !== null && isWaiting && (
          <Button words={words.install} look="primary" onPress={() => setIsAsked(true)} />
        )}
      </div>
      {isAsked && found !== null && (
        <InstallDialog
          version={found}
          isDownloaded={state === 'ready'}
          hasFailed={found === failed?.version}
          install={install}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}

function sayState({ state, found, problem, checked_at: checkedAt }: UpdateStatus): { tone: Tone; words: string } {
  const version = found ?? '';
  switch (state) {
    case 'checking':
      return { tone: 'open', words: words.checking };
    case 'available':
      return { tone: 'lit', words: words.available(version) };
    case 'ready':
      return { tone: 'lit', words: words.ready(version) };
    case 'downloading':
      return { tone: 'lit', words: words.downloading(version) };
    case 'installing':
      return { tone: 'lit', words: words.installing(version) };
    case 'none':
      if (problem !== null) return { tone: 'care', words: words.checkFailed };
      return checkedAt === null ? { tone: 'open', words: words.notChecked } : { tone: 'done', words: words.none };
  }
}
