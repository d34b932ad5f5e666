import { Download } from 'lucide-react';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/access/passwordRule.ts';
import { pathOf } from '../../station/calls/call.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { followLink } from '../../kit/download.ts';
import { LineField, PasswordField, useForm } from '../../kit/field/fields.tsx';
import { useLeaveGuard } from '../../kit/dialog/leaveGuard.tsx';
import parts from '../../kit/parts.module.css';
import { ProblemForm } from '../../kit/field/ProblemForm.tsx';
import { useSubmit } from '../../kit/field/useSubmit.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { sizeWords, Facts } from './backups/BackupRow.tsx';
import { OwnPin } from './OwnPin.tsx';
import { Section } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings.account;
const RULE = texts.password.rule(MIN_PASSWORD_CHARACTERS);
const EMPTY = { old_password: '', new_password: '' };

/** Names the signed-in person and contains a form for a new password. */
export function AccountForm() {
  const { api, toasts } = useServices();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const { draft, set, field } = useForm(EMPTY);
  const changed = draft.old_password !== '' || draft.new_password !== '';
  useLeaveGuard(changed);
  const { problems, failure, busy, submit } = useSubmit({
    draft,
    check: () => ({
      ...(draft.old_password === '' ? { old_password: words.noOld } : {}),
      ...(draft.new_password.length < MIN_PASSWORD_CHARACTERS ? { new_password: RULE } : {}),
    }),
    async save() {
      await api.changePassword({ body: draft });
      set(EMPTY);
      toasts.show(words.saved);
    },
  });

  return (
    <Section id="account" title={words.title} lead={words.lead(user)}>
      <ProblemForm
        className={parts.column5 ?? ''}
        onSubmit={() => changed && submit()}
        problems={problems}
        aria-label={words.title}
      >
        {/* Tells password managers to which user the password belongs. */}
        <input className="visuallyHidden" type="text" autoComplete="username" value={user} readOnly hidden />
        <LineField {...field('old_password')} label={words.old} type="password" autoComplete="current-password" />
        <PasswordField
          {...field('new_password')}
          label={words.next}
          {...(problems['new_password'] === RULE ? {} : { help: RULE })}
          autoComplete="new-password"
        />
        <footer className={`${parts.rowMiddle} ${styles.actions}`} data-waiting={changed || undefined}>
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
          <Button look="primary" type="submit" busy={busy} isDisabled={!changed}>
            {busy ? texts.settings.saving : words.submit}
          </Button>
        </footer>
      </ProblemForm>
      <OwnPin />
    </Section>
  );
}

const aboutWords = texts.settings.about;
const FILE = 'pickstation-diagnostics.json';

export function About({ isAdmin }: { isAdmin: boolean }) {
  const version = useStationState(({ station }) => station?.version ?? '');
  const devices = useStationState(({ station }) => station?.devices.length ?? 0);
  return (
    <Section id="about" title={aboutWords.title} lead={isAdmin ? aboutWords.lead : aboutWords.leadOther}>
      <dl className={styles.facts}>
        <Facts
          of={[
            [aboutWords.version, version],
            [aboutWords.address, window.location.origin],
            [aboutWords.devices, texts.station.devices(devices)],
          ]}
        />
        {isAdmin && <ForAdmins />}
        <dt>{aboutWords.reference}</dt>
        <dd>
          <a href="/docs/">{aboutWords.docs}</a>
        </dd>
      </dl>
      {isAdmin && (
        <footer className={styles.aboutActions}>
          <Button onPress={() => followLink(pathOf('getDiagnostics', { query: { logs: '1' } }), FILE)}>
            <Download size={18} aria-hidden="true" />
            {aboutWords.download}
          </Button>
        </footer>
      )}
    </Section>
  );
}

function ForAdmins() {
  const { api } = useStationContext();
  const diagnostics = useStationQuery<Diagnostics>(['diagnostics'], () => api.getDiagnostics());
  if (diagnostics.value === undefined) {
    const isFailed = diagnostics.status === 'failed';
    const said = isFailed ? `${aboutWords.notLoaded} ${diagnostics.failure}` : texts.frame.loading;
    return <Facts of={[[aboutWords.data, said]]} />;
  }
  const { node, sqlite, system, data, counts } = diagnostics.value;
  const room = aboutWords.dataWords(sizeWords(data.database_bytes), sizeWords(data.free_bytes));
  return (
    <Facts
      of={[
        [aboutWords.history, aboutWords.entries(counts.history)],
        [aboutWords.data, room],
        [aboutWords.folder, data.folder],
        [aboutWords.node, `${node}, ${sqlite}`],
        [aboutWords.system, system],
      ]}
    />
  );
}
