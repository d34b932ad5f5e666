import { PICKER_RIGHTS } from '#shared/api/rights.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import { COLOR_NAMES } from '#shared/led/color.ts';
import { ChoiceField, SuggestionField } from '../../ui/choiceFields.tsx';
import { LineField, LinesField, SwitchField } from '../../ui/fields.tsx';
import { WholeNumberField } from '../../ui/NumberLine.tsx';
import { TestCallback } from '../../ui/TestCallback.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { SecretField } from './SecretField.tsx';
import type { GroupFieldsProps } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings;
/** Those that are on at first come first. */
const FAMILIES = ['device', 'sequence', 'order', 'condition'] as const satisfies CallbackFamily[];
const COLORS = COLOR_NAMES.filter((name) => name.length > 2).map((name) => ({ id: name, text: name }));

/** Where the station tells what happened. */
export function CallbackFields({ draft, saved, edit }: GroupFieldsProps) {
  const { callbacks } = words;
  return (
    <>
      <LineField
        name="callback_url"
        label={callbacks.url}
        help={callbacks.urlHelp}
        value={draft.callback_url}
        onChange={(callback_url) => edit({ callback_url })}
        placeholder="https://"
      />
      <fieldset className={styles.choices}>
        <legend>{callbacks.families}</legend>
        {FAMILIES.map((family) => (
          <SwitchField
            key={family}
            label={callbacks.family[family]}
            value={draft.callback_families[family]}
            onChange={(on) => edit({ callback_families: { ...draft.callback_families, [family]: on } })}
          />
        ))}
      </fieldset>
      <ChoiceField
        name="unreachable_callback"
        label={callbacks.unreachable}
        value={draft.unreachable_callback}
        onChange={(id) => edit({ unreachable_callback: id === 'none' ? 'none' : 'nack' })}
        choices={[
          { id: 'nack', text: callbacks.unreachableNack },
          { id: 'none', text: callbacks.unreachableNone },
        ]}
      />
      <WholeNumberField
        name="callback_timeout"
        label={callbacks.timeout}
        hint={callbacks.timeoutHint}
        value={draft.callback_timeout}
        onChange={(callback_timeout) => edit({ callback_timeout })}
      />
      <SecretField
        name="callback_api_key"
        label={callbacks.apiKey}
        help={callbacks.apiKeyHelp}
        isSet={saved.callback_api_key_set}
        value={draft.callback_api_key}
        onChange={(callback_api_key) => edit({ callback_api_key })}
      />
      <LineField
        name="callback_username"
        label={callbacks.username}
        value={draft.callback_username}
        onChange={(callback_username) => edit({ callback_username })}
        autoComplete="off"
      />
      <SecretField
        name="callback_password"
        label={callbacks.password}
        isSet={saved.callback_password_set}
        value={draft.callback_password}
        onChange={(callback_password) => edit({ callback_password })}
      />
      <SecretField
        name="callback_signing_secret"
        label={callbacks.signing}
        help={callbacks.signingHelp}
        isSet={saved.callback_signing_secret_set}
        value={draft.callback_signing_secret}
        onChange={(callback_signing_secret) => edit({ callback_signing_secret })}
      />
      <LinesField
        name="callback_headers"
        label={callbacks.headers}
        help={callbacks.headersHelp}
        rows={2}
        value={draft.callback_headers}
        onChange={(callback_headers) => edit({ callback_headers })}
        placeholder="X-Site: harbour-street"
      />
      <LineField
        name="nonce_alias"
        label={callbacks.nonceAlias}
        help={callbacks.nonceAliasHelp}
        value={draft.nonce_alias}
        onChange={(nonce_alias) => edit({ nonce_alias })}
      />
      <SwitchField
        label={callbacks.verify}
        help={callbacks.verifyHelp}
        value={draft.callback_verify}
        onChange={(callback_verify) => edit({ callback_verify })}
      />
      <LinesField
        name="callback_ca"
        label={callbacks.ca}
        help={callbacks.caHelp}
        rows={3}
        value={draft.callback_ca}
        onChange={(callback_ca) => edit({ callback_ca })}
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      {saved.callback_url !== '' && <TestCallback isUnsaved={draft.callback_url !== saved.callback_url} />}
    </>
  );
}

const NONCES = ['ordernonce', 'shipmentnonce', 'callback_nonce'] as const;

/** What callbacks of orders say that give no tags of their own. */
export function OrderFields({ draft, edit }: GroupFieldsProps) {
  return NONCES.map((name) => (
    <LineField
      key={name}
      name={name}
      label={words.orders[name]}
      help={words.orders.help[name]}
      value={draft[name]}
      onChange={(template) => edit({ [name]: template })}
    />
  ));
}

/** What pickers may do besides their work. */
export function PickerFields({ draft, edit }: GroupFieldsProps) {
  const given = draft.picker_rights;
  return PICKER_RIGHTS.map((right) => (
    <SwitchField
      key={right}
      label={words.pickers.rights[right]}
      value={given.includes(right)}
      onChange={(on) =>
        edit({ picker_rights: PICKER_RIGHTS.filter((each) => (each === right ? on : given.includes(each))) })
      }
    />
  ));
}

/** What a command gets that says nothing else. */
export function DefaultFields({ draft, edit }: GroupFieldsProps) {
  const { defaults } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField
          name="default_seconds"
          label={defaults.seconds}
          help={defaults.secondsHelp}
          value={draft.default_seconds}
          onChange={(default_seconds) => edit({ default_seconds })}
        />
        <SuggestionField
          name="default_color"
          label={defaults.color}
          help={defaults.colorHelp}
          choices={COLORS}
          value={draft.default_color}
          onChange={(default_color) => edit({ default_color })}
        />
      </div>
    </>
  );
}

/** When to raise an alert. */
export function AlertFields({ draft, edit }: GroupFieldsProps) {
  const { alerts } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField
          name="alert_battery_percent"
          label={alerts.battery}
          hint={alerts.batteryHint}
          value={draft.alert_battery_percent}
          onChange={(alert_battery_percent) => edit({ alert_battery_percent })}
        />
        <WholeNumberField
          name="alert_weak_dbm"
          label={alerts.weak}
          hint={alerts.weakHint}
          least={-120}
          value={draft.alert_weak_dbm}
          onChange={(alert_weak_dbm) => edit({ alert_weak_dbm })}
        />
      </div>
      <div className={styles.pair}>
        <WholeNumberField
          name="alert_offline_seconds"
          label={alerts.offline}
          hint={alerts.secondsHint}
          value={draft.alert_offline_seconds}
          onChange={(alert_offline_seconds) => edit({ alert_offline_seconds })}
        />
        <WholeNumberField
          name="alert_turbo_seconds"
          label={alerts.turbo}
          hint={alerts.secondsHint}
          value={draft.alert_turbo_seconds}
          onChange={(alert_turbo_seconds) => edit({ alert_turbo_seconds })}
        />
      </div>
    </>
  );
}

/** How often the station copies everything by itself. */
export function BackupFields({ draft, edit }: GroupFieldsProps) {
  const { backups } = words;
  return (
    <div className={styles.pair}>
      <WholeNumberField
        name="backup_every"
        label={backups.every}
        help={backups.everyHelp}
        value={draft.backup_every}
        onChange={(backup_every) => edit({ backup_every })}
      />
      <WholeNumberField
        name="backup_keep"
        label={backups.keep}
        help={backups.keepHelp}
        value={draft.backup_keep}
        onChange={(backup_keep) => edit({ backup_keep })}
      />
    </div>
  );
}

/** How long what is over stays. */
export function KeepFields({ draft, edit }: GroupFieldsProps) {
  const { kept } = words;
  return (
    <div className={styles.pair}>
      <WholeNumberField
        name="history_days"
        label={kept.history}
        help={kept.historyHelp}
        value={draft.history_days}
        onChange={(history_days) => edit({ history_days })}
      />
      <WholeNumberField
        name="callback_days"
        label={kept.callbacks}
        help={kept.callbacksHelp}
        value={draft.callback_days}
        onChange={(callback_days) => edit({ callback_days })}
      />
    </div>
  );
}

/** Who may join. */
export function DeviceFields({ draft, edit }: GroupFieldsProps) {
  const { devices } = words;
  return (
    <ChoiceField
      name="accept_devices"
      label={devices.accept}
      help={devices.acceptHelp}
      value={draft.accept_devices}
      onChange={(id) => edit({ accept_devices: id === 'ask' ? 'ask' : 'all' })}
      choices={[
        { id: 'all', text: devices.acceptAll },
        { id: 'ask', text: devices.acceptAsk },
      ]}
    />
  );
}

/** What is kept for who writes a script. */
export function RequestLogFields({ draft, saved, edit }: GroupFieldsProps) {
  const { requestLog } = words;
  const forgets = saved.request_log && !draft.request_log;
  return (
    <>
      <SwitchField
        label={requestLog.keep}
        help={requestLog.keepHelp}
        value={draft.request_log}
        onChange={(request_log) => edit({ request_log })}
      />
      <p role="status" className={`${parts.care} ${styles.warning}`}>
        {forgets ? requestLog.forgets : ''}
      </p>
    </>
  );
}
