import { SearchX } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { SoundSettings } from '../../sound/SoundControls.tsx';
import { sentenceOf } from '../../station/apiError.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { SearchedProvider } from '../../ui/Marked.tsx';
import { SearchBox, useSearch } from '../../ui/SearchBox.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import layout from '../../ui/Page.module.css';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { About, AccountForm } from './AccountForm.tsx';
import { Backups } from './backups/Backups.tsx';
import { askBefore } from './draft.ts';
import * as fields from './fieldsOfGroups.tsx';
import { FolderFields } from './FolderFields.tsx';
import { groupsFor, isFound } from './groups.ts';
import { MailFields } from './MailFields.tsx';
import { MqttConnection } from './MqttConnection.tsx';
import { MqttFields } from './MqttFields.tsx';
import { NetworkFields } from './NetworkFields.tsx';
import { Section, SettingsGroup } from './SettingsGroup.tsx';
import { HiddenGroups, SettingsIndex, useReadGroup } from './SettingsIndex.tsx';
import { UnreadableSecrets } from './UnreadableSecrets.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings;

/** How does the station behave, and how do I change it? */
export function SettingsPage() {
  const isAdmin = useRight('change_settings');
  const search = useSearch();
  const content = useRef<HTMLElement>(null);
  const all = useMemo(() => groupsFor(isAdmin), [isAdmin]);
  const found = useMemo(() => all.filter(({ id }) => isFound(id, search.typed)), [all, search.typed]);
  const hidden = useMemo(
    () => new Set(all.filter((group) => !found.includes(group)).map(({ id }) => id)),
    [all, found],
  );
  const current = useReadGroup(content, found);
  // The first text that matches is in sight.
  useEffect(() => {
    if (search.typed.trim() !== '')
      content.current?.querySelector('section:not([hidden]) mark')?.scrollIntoView({ block: 'center' });
  }, [search.typed]);
  return (
    <div className={layout.page}>
      <PageHeader title={words.title}>
        <SearchBox {...search} label={words.index.search} clearLabel={words.index.clear} />
      </PageHeader>
      <div className={styles.frame}>
        <SettingsIndex groups={found} current={current} go={(id) => document.getElementById(id)?.scrollIntoView()} />
        <main ref={content} className={styles.content}>
          <SearchedProvider value={search.typed.trim()}>
            <HiddenGroups value={hidden}>
              {isAdmin ? <StationSettings /> : <p className={parts.quiet}>{words.adminOnly}</p>}
              <Section id="sound" title={texts.sound.title} lead={texts.sound.lead}>
                <SoundSettings />
              </Section>
              <AccountForm />
              <About isAdmin={isAdmin} />
            </HiddenGroups>
          </SearchedProvider>
          {found.length === 0 && (
            <EmptyState
              picture={<SearchX size={32} strokeWidth={1.6} />}
              {...words.index.none}
              action={<Button words={words.index.clear} onPress={() => search.onChange('')} />}
            />
          )}
        </main>
      </div>
    </div>
  );
}

function StationSettings() {
  const { saved, setSaved, failure, load } = useSettings();
  if (saved === undefined) {
    if (failure === undefined) return <p className={parts.quiet}>{texts.frame.loading}</p>;
    return <ErrorState title={words.notLoaded} body={failure} again={load} />;
  }
  const group = { saved, onSaved: setSaved };
  return (
    <>
      <UnreadableSecrets saved={saved} opened={load} />
      <SettingsGroup id="callbacks" {...group} {...words.callbacks.group} fields={fields.CallbackFields} />
      <SettingsGroup
        id="mqtt"
        {...group}
        {...words.mqtt.group}
        fields={MqttFields}
        below={<MqttConnection saved={saved} />}
      />
      <SettingsGroup id="orders" {...group} {...words.orders.group} fields={fields.OrderFields} />
      <SettingsGroup id="defaults" {...group} {...words.defaults.group} fields={fields.DefaultFields} />
      <SettingsGroup id="devices" {...group} {...words.devices.group} fields={fields.DeviceFields} />
      <SettingsGroup id="pickers" {...group} {...words.pickers.group} fields={fields.PickerFields} />
      <SettingsGroup id="alerts" {...group} {...words.alerts.group} fields={fields.AlertFields} />
      <SettingsGroup id="mail" {...group} {...words.mail.group} fields={MailFields} />
      <SettingsGroup id="folders" {...group} {...words.folders.group} fields={FolderFields} />
      <SettingsGroup id="network" {...group} {...words.network.group} fields={NetworkFields} askBefore={askBefore} />
      <SettingsGroup id="kept" {...group} {...words.kept.group} fields={fields.KeepFields} />
      <SettingsGroup id="requestLog" {...group} {...words.requestLog.group} fields={fields.RequestLogFields} />
      <SettingsGroup id="schedule" {...group} {...words.backups.group} fields={fields.BackupFields} />
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
