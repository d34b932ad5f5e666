import { Fragment, type ReactNode, useState } from 'react';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { useSettings } from '../../station/useSettings.ts';
import { ErrorState } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { Backups } from './backups/Backups.tsx';
import { askBefore } from './draft.ts';
import * as fields from './fieldsOfGroups.tsx';
import { FolderFields } from './FolderFields.tsx';
import type { GroupId } from './groups.ts';
import { MailFields } from './MailFields.tsx';
import { MqttConnection } from './MqttConnection.tsx';
import { MqttFields } from './MqttFields.tsx';
import { NetworkFields } from './NetworkFields.tsx';
import { SettingsGroup } from './SettingsGroup.tsx';
import { InvalidSettings } from './InvalidSettings.tsx';
import { UnreadableSecrets } from './UnreadableSecrets.tsx';
import { Updates } from './Updates.tsx';

const words = texts.settings;

type GroupProps = { saved: SettingsAnswer; onSaved(saved: SettingsAnswer): void };

/** The form of each group of station settings. */
const GROUPS: Partial<Record<GroupId, (group: GroupProps) => ReactNode>> = {
  shop: (group) => <SettingsGroup id="shop" {...group} {...words.shop.group} fields={fields.ShopFields} />,
  callbacks: (group) => (
    <SettingsGroup id="callbacks" {...group} {...words.callbacks.group} fields={fields.CallbackFields} />
  ),
  nonces: (group) => <SettingsGroup id="nonces" {...group} {...words.nonces.group} fields={fields.NonceFields} />,
  mqtt: (group) => (
    <SettingsGroup
      id="mqtt"
      {...group}
      {...words.mqtt.group}
      fields={MqttFields}
      below={<MqttConnection saved={group.saved} />}
    />
  ),
  orders: (group) => <SettingsGroup id="orders" {...group} {...words.orders.group} fields={fields.OrderFields} />,
  defaults: (group) => (
    <SettingsGroup id="defaults" {...group} {...words.defaults.group} fields={fields.DefaultFields} />
  ),
  devices: (group) => <SettingsGroup id="devices" {...group} {...words.devices.group} fields={fields.DeviceFields} />,
  pickers: (group) => <SettingsGroup id="pickers" {...group} {...words.pickers.group} fields={fields.PickerFields} />,
  alerts: (group) => <SettingsGroup id="alerts" {...group} {...words.alerts.group} fields={fields.AlertFields} />,
  mail: (group) => <SettingsGroup id="mail" {...group} {...words.mail.group} fields={MailFields} />,
  folders: (group) => <SettingsGroup id="folders" {...group} {...words.folders.group} fields={FolderFields} />,
  network: (group) => (
    <SettingsGroup id="network" {...group} {...words.network.group} fields={NetworkFields} askBefore={askBefore} />
  ),
  kept: (group) => <SettingsGroup id="kept" {...group} {...words.kept.group} fields={fields.KeepFields} />,
  requestLog: (group) => (
    <SettingsGroup id="requestLog" {...group} {...words.requestLog.group} fields={fields.RequestLogFields} />
  ),
  schedule: (group) => <SettingsGroup id="schedule" {...group} {...words.backups.group} fields={fields.BackupFields} />,
  backups: () => <Backups />,
  updates: (group) => <Updates {...group} />,
};

/** Renders the forms of these groups. Skips groups that are not station settings. */
export function StationSettings({ groups }: { groups: readonly { id: GroupId }[] }) {
  const settings = useSettings();
  const { value, reload, write } = settings;
  // The end of a session discards loaded values. Keep the forms with their input until somebody has signed in again.
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  const saved = value ?? last;
  if (saved === undefined) {
    if (settings.status !== 'failed') return <p className={parts.quiet}>{texts.frame.loading}</p>;
    return <ErrorState title={words.notLoaded} body={settings.failure} again={reload} />;
  }
  return (
    <>
      <InvalidSettings saved={saved} onSaved={write} />
      <UnreadableSecrets saved={saved} opened={reload} />
      {groups.map(({ id }) => (
        <Fragment key={id}>{GROUPS[id]?.({ saved, onSaved: write })}</Fragment>
      ))}
    </>
  );
}
