import { ButtonLink } from '../../kit/button/Button.tsx';
import { PICKER_RIGHTS } from '#shared/api/rights.ts';
import { TEMPLATE_LINES } from '#shared/lib/requests/screenTemplate.ts';
import { PLACE_RULES } from '#shared/lib/places/placeRules.ts';
import { ENTER_RULES } from '#shared/lib/picking/enterRules.ts';
import { PUT_CONFIRMATIONS } from '#shared/lib/picking/putConfirmations.ts';
import { CALLBACK_FAMILIES } from '#shared/lib/connections/callbackFamilies.ts';
import { COLOR_NAMES } from '#shared/led/color.ts';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
import { fieldsOf, LineField, LinesField, SwitchField } from '../../kit/field/fields.tsx';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import { PictureEditor } from '../../shop/PictureEditor.tsx';
import { TestCallback } from '../../shop/TestCallback.tsx';
import { useServices } from '../../shop/toasts.ts';
import { useStationState } from '../../station/context.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { secretsOf } from './draft.ts';
import { SecretField } from '../../kit/field/SecretField.tsx';
import type { GroupFieldsProps } from './SettingsGroup.tsx';
import styles from './SettingsPage.module.css';

const words = texts.settings;
const COLORS = COLOR_NAMES.filter((name) => name.length > 2).map((name) => ({ id: name, text: name }));

export function ShopFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { shop } = words;
  return (
    <>
      <LineField {...field('shop_name')} label={shop.name} help={shop.nameHelp} />
      <LinesField {...field('shop_address')} label={shop.address} help={shop.addressHelp} rows={4} />
      <LinesField {...field('slip_closing')} label={shop.closing} help={shop.closingHelp} rows={3} />
      <ShopLogo />
    </>
  );
}

/** The logo, which is saved at once. */
function ShopLogo() {
  const { api } = useServices();
  const logo = useStationState(({ station }) => station?.shop_logo ?? null);
  const { shop } = words;
  return (
    <div className={parts.stack2}>
      <p className={parts.strong}>{shop.logo.one}</p>
      <p className={parts.quiet}>{shop.logo.help}</p>
      <PictureEditor
        picture={logo}
        alt={shop.logo.one}
        words={shop.logo}
        mayEdit
        set={(file) => api.setLogo({ body: file })}
        remove={() => api.removeLogo()}
      />
    </div>
  );
}

/** Fields for the receiver of callbacks, and for the callbacks that it receives. */
export function CallbackFields({ draft, saved, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const setOf = secretsOf(saved);
  const { callbacks } = words;
  return (
    <>
      <LineField {...field('callback_url')} label={callbacks.url} help={callbacks.urlHelp} placeholder="https://" />
      <p>
        <ButtonLink words={callbacks.further} to="/connections/callbacks/to" look="plain" />
      </p>
      <fieldset className={styles.choices}>
        <legend>{callbacks.families}</legend>
        {CALLBACK_FAMILIES.map((family) => (
          <SwitchField
            key={family}
            label={callbacks.family[family]}
            value={draft.callback_families[family]}
            onChange={(on) => edit({ callback_families: { ...draft.callback_families, [family]: on } })}
          />
        ))}
      </fieldset>
      <ChoiceField
        {...field('unreachable_callback')}
        label={callbacks.unreachable}
        choices={[
          { id: 'nack', text: callbacks.unreachableNack },
          { id: 'none', text: callbacks.unreachableNone },
        ]}
      />
      <WholeNumberField {...field('callback_timeout')} label={callbacks.timeout} hint={callbacks.timeoutHint} />
      <SecretField
        {...field('callback_api_key')}
        label={callbacks.apiKey}
        help={callbacks.apiKeyHelp}
        {...setOf('callback_api_key')}
      />
      <LineField {...field('callback_username')} label={callbacks.username} autoComplete="off" />
      <SecretField {...field('callback_password')} label={callbacks.password} {...setOf('callback_password')} />
      <SecretField
        {...field('callback_signing_secret')}
        label={callbacks.signing}
        help={callbacks.signingHelp}
        {...setOf('callback_signing_secret')}
      />
      <LinesField
        {...field('callback_headers')}
        label={callbacks.headers}
        help={callbacks.headersHelp}
        rows={2}
        placeholder="X-Site: harbour-street"
      />
      <LineField {...field('nonce_alias')} label={callbacks.nonceAlias} help={callbacks.nonceAliasHelp} />
      <SwitchField {...field('callback_verify')} label={callbacks.verify} help={callbacks.verifyHelp} />
      <LinesField
        {...field('callback_ca')}
        label={callbacks.ca}
        help={callbacks.caHelp}
        rows={3}
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      {saved.callback_url !== '' && <TestCallback isUnsaved={draft.callback_url !== saved.callback_url} />}
    </>
  );
}

const NONCES = ['ordernonce', 'shipmentnonce', 'callback_nonce'] as const;

/** Fields for the default nonces of order callbacks. */
export function NonceFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { nonces } = words;
  return NONCES.map((name) => <LineField key={name} {...field(name)} label={nonces[name]} help={nonces.help[name]} />);
}

/** Fields that set how orders light up and are picked. */
export function OrderFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { orders } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField {...field('order_seconds')} label={orders.seconds} help={orders.secondsHelp} />
        <SuggestionField
          {...field('order_color')}
          label={orders.color}
          help={words.defaults.colorHelp}
          choices={COLORS}
        />
      </div>
      <WholeNumberField {...field('order_stalled_minutes')} label={orders.stalled} help={orders.stalledHelp} />
      <ChoiceField
        {...field('place_rule')}
        label={orders.placeRule}
        help={orders.placeRuleHelp}
        choices={PLACE_RULES.map((id) => ({ id, text: orders.placeRules[id] }))}
      />
      <ChoiceField
        {...field('put_confirmation')}
        label={orders.putConfirmation}
        help={orders.putConfirmationHelp}
        choices={PUT_CONFIRMATIONS.map((id) => ({ id, text: orders.putConfirmations[id] }))}
      />
      <ChoiceField
        {...field('enter_confirms')}
        label={orders.enter}
        help={orders.enterHelp}
        choices={ENTER_RULES.map((id) => ({ id, text: orders.enterRules[id] }))}
      />
      <SwitchField {...field('singles')} label={orders.singles} help={orders.singlesHelp} />
      {TEMPLATE_LINES.map((letter, index) => (
        <LineField
          key={letter}
          name={`screen_template_${letter}`}
          label={orders.templateLine(index + 1)}
          {...(index === 0 ? { help: orders.templateHelp } : {})}
          value={draft.screen_template[letter]}
          onChange={(line) => edit({ screen_template: { ...draft.screen_template, [letter]: line } })}
          autoComplete="off"
        />
      ))}
      <LinesField
        {...field('short_reasons')}
        label={orders.reasons}
        help={orders.reasonsHelp}
        rows={4}
        placeholder="missing"
      />
      <SwitchField {...field('scan_required')} label={orders.scan} help={orders.scanHelp} />
      <SwitchField {...field('pack_check')} label={orders.pack} help={orders.packHelp} />
      <SwitchField {...field('zero_check')} label={orders.zero} help={orders.zeroHelp} />
      <WholeNumberField {...field('count_every')} label={orders.countEvery} help={orders.countEveryHelp} />
      <SwitchField {...field('tasks')} label={orders.tasks} help={orders.tasksHelp} />
    </>
  );
}

/** Switches for additional rights of pickers. */
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

export function DefaultFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { defaults } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField {...field('default_seconds')} label={defaults.seconds} help={defaults.secondsHelp} />
        <SuggestionField
          {...field('default_color')}
          label={defaults.color}
          help={defaults.colorHelp}
          choices={COLORS}
        />
      </div>
    </>
  );
}

/** Fields that set when to raise alerts. */
export function AlertFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { alerts } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField {...field('alert_battery_percent')} label={alerts.battery} hint={alerts.batteryHint} />
        <WholeNumberField {...field('alert_weak_dbm')} label={alerts.weak} hint={alerts.weakHint} least={-120} />
      </div>
      <div className={styles.pair}>
        <WholeNumberField {...field('alert_offline_seconds')} label={alerts.offline} hint={alerts.secondsHint} />
        <WholeNumberField {...field('alert_turbo_seconds')} label={alerts.turbo} hint={alerts.secondsHint} />
      </div>
      <div className={styles.pair}>
        <WholeNumberField {...field('task_overdue_hours')} label={alerts.tasks} hint={alerts.hoursHint} />
      </div>
    </>
  );
}

/** Fields that set how often the station creates backups. */
export function BackupFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { backups } = words;
  return (
    <div className={styles.pair}>
      <WholeNumberField {...field('backup_every')} label={backups.every} help={backups.everyHelp} />
      <WholeNumberField {...field('backup_keep')} label={backups.keep} help={backups.keepHelp} />
    </div>
  );
}

/** Fields that set how long the data of finished work is kept. */
export function KeepFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { kept } = words;
  return (
    <>
      <div className={styles.pair}>
        <WholeNumberField {...field('history_days')} label={kept.history} help={kept.historyHelp} />
        <WholeNumberField {...field('callback_days')} label={kept.callbacks} help={kept.callbacksHelp} />
      </div>
      <div className={styles.pair}>
        <WholeNumberField {...field('order_days')} label={kept.orders} help={kept.ordersHelp} />
        <WholeNumberField {...field('history_customer_days')} label={kept.customers} help={kept.customersHelp} />
      </div>
      <div className={styles.pair}>
        <WholeNumberField
          {...field('log_days')}
          label={kept.logs}
          hint={kept.logsHint}
          help={kept.logsHelp}
          least={1}
        />
      </div>
    </>
  );
}

/** Fields that set which new devices are accepted. */
export function DeviceFields({ draft, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { devices } = words;
  return (
    <ChoiceField
      {...field('accept_devices')}
      label={devices.accept}
      help={devices.acceptHelp}
      choices={[
        { id: 'all', text: devices.acceptAll },
        { id: 'ask', text: devices.acceptAsk },
      ]}
    />
  );
}

/** Switch for logging API requests, for developers. */
export function RequestLogFields({ draft, saved, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const { requestLog } = words;
  const forgets = saved.request_log && !draft.request_log;
  return (
    <>
      <SwitchField {...field('request_log')} label={requestLog.keep} help={requestLog.keepHelp} />
      <p role="status" className={`${parts.care} ${styles.warning}`}>
        {forgets ? requestLog.forgets : ''}
      </p>
    </>
  );
}
