import { useEffect, useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { SoundSettings } from '../../sound/SoundControls.tsx';
import { sentenceOf } from '../../station/apiError.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { ErrorState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import layout from '../../ui/Page.module.css';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { About, AccountForm } from './AccountForm.tsx';
import { Backups } from './backups/Backups.tsx';
import { askBefore } from './draft.ts';
import * as fields from './fieldsOfGroups.tsx';
import { MailFields } from './MailFields.tsx';
import { NetworkFields } from './NetworkFields.tsx';
import { Section, SettingsGroup } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

/** How does the station behave, and how do I change it? */
export function SettingsPage() {
  const isAdmin = useRight('change_settings');
  return (
    <div className={layout.page}>
      <PageHeader title={texts.settings.title} />
      <main className={styles.content}>
        {isAdmin ? (
          <StationSettings />
        ) : (
          <Section title={texts.settings.title}>
            <p>{texts.settings.adminOnly}</p>
          </Section>
        )}
        <Section title={texts.sound.title} lead={texts.sound.lead}>
          <SoundSettings />
        </Section>
        <AccountForm />
        <About isAdmin={isAdmin} />
      </main>
    </div>
  );
}

function StationSettings() {
  const { saved, setSaved, failure, load } = useSettings();
  if (saved === undefined) {
    if (failure === undefined) return <p className={parts.quiet}>{texts.frame.loading}</p>;
    return <ErrorState title={texts.settings.notLoaded} body={failure} again={load} />;
  }
  const group = { saved, onSaved: setSaved };
  return (
    <>
      <SettingsGroup {...group} {...texts.settings.callbacks.group} fields={fields.CallbackFields} />
      <SettingsGroup {...group} {...texts.settings.orders.group} fields={fields.OrderFields} />
      <SettingsGroup {...group} {...texts.settings.defaults.group} fields={fields.DefaultFields} />
      <SettingsGroup {...group} {...texts.settings.devices.group} fields={fields.DeviceFields} />
      <SettingsGroup {...group} {...texts.settings.pickers.group} fields={fields.PickerFields} />
      <SettingsGroup {...group} {...texts.settings.alerts.group} fields={fields.AlertFields} />
      <SettingsGroup {...group} {...texts.settings.mail.group} fields={MailFields} />
      <SettingsGroup {...group} {...texts.settings.network.group} fields={NetworkFields} askBefore={askBefore} />
      <SettingsGroup {...group} {...texts.settings.kept.group} fields={fields.KeepFields} />
      <SettingsGroup {...group} {...texts.settings.requestLog.group} fields={fields.RequestLogFields} />
      <SettingsGroup {...group} {...texts.settings.backups.group} fields={fields.BackupFields} />
      <Backups />
    </>
  );
}

/** The settings as the station has them; while it is lost, asking waits. */
function useSettings() {
  const { api } = useStationContext();
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const [saved, setSaved] = useState<SettingsAnswer>();
  const [failure, setFailure] = useState<string>();
  const [wanted, setWanted] = useState(true);

  useEffect(() => {
    if (!wanted || isLost) return;
    api
      .loadSettings()
      .then(setSaved, (error: unknown) => setFailure(sentenceOf(error)))
      .finally(() => setWanted(false));
  }, [api, wanted, isLost]);

  function load(): void {
    setFailure(undefined);
    setWanted(true);
  }

  return { saved, setSaved, failure, load };
}
