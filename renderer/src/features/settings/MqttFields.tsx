import { useState } from 'react';
import { fieldsOf, LineField, LinesField, SwitchField } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { useProblem } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import styles from './Mqtt.module.css';
import { secretsOf } from './draft.ts';
import { SecretField } from '../../kit/field/SecretField.tsx';
import type { GroupFieldsProps } from './SettingsGroup.tsx';
import page from './SettingsPage.module.css';

const words = texts.settings.mqtt;
const PEM = '-----BEGIN CERTIFICATE-----';
/** Addresses of brokers on this machine. Only traffic to these brokers is safe without encryption. */
const LOCAL = /^mqtt:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?\/?$/i;

/** Fields for the broker, the topic names, and what the station publishes there. */
export function MqttFields(props: GroupFieldsProps) {
  const { draft, saved, edit } = props;
  const field = fieldsOf(draft, edit);
  const setOf = secretsOf(saved);
  const isPlain = /^mqtt:/i.test(draft.mqtt_url) && !LOCAL.test(draft.mqtt_url);
  return (
    <>
      <LineField
        {...field('mqtt_url')}
        label={words.url}
        help={words.urlHelp}
        autoComplete="off"
        placeholder="mqtts://broker.shop.example"
      />
      <p role="status" className={`${parts.care} ${page.warning}`}>
        {isPlain ? words.plain : ''}
      </p>
      <LineField {...field('mqtt_username')} label={words.username} help={words.usernameHelp} autoComplete="off" />
      <SecretField {...field('mqtt_password')} label={words.password} {...setOf('mqtt_password')} />
      <div className={page.pair}>
        <LineField {...field('mqtt_prefix')} label={words.prefix} help={words.prefixHelp} autoComplete="off" />
        <LineField {...field('mqtt_station')} label={words.station} help={words.stationHelp} autoComplete="off" />
      </div>
      <SwitchField {...field('fleet')} label={words.fleet} help={words.fleetHelp} />
      <SwitchField {...field('mqtt_discovery')} label={words.discovery} help={words.discoveryHelp} />
      <Certificates {...props} />
    </>
  );
}

/** Fields for certificates, which are rarely needed. Collapsed unless one of them is set or has an error. */
function Certificates({ draft, saved, edit }: GroupFieldsProps) {
  const field = fieldsOf(draft, edit);
  const setOf = secretsOf(saved);
  const isUsed = saved.mqtt_ca !== '' || saved.mqtt_cert !== '' || saved.mqtt_key_set;
  const [isOpen, setOpen] = useState(isUsed);
  const problems = [useProblem('mqtt_ca'), useProblem('mqtt_cert'), useProblem('mqtt_key')];
  const isWrong = problems.some(({ isInvalid }) => isInvalid);
  return (
    <details
      className={styles.more}
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.more}</summary>
      <div>
        <LinesField {...field('mqtt_ca')} label={words.ca} help={words.caHelp} rows={3} placeholder={PEM} />
        <LinesField {...field('mqtt_cert')} label={words.cert} help={words.certHelp} rows={3} placeholder={PEM} />
        <SecretField {...field('mqtt_key')} label={words.key} help={words.keyHelp} rows={3} {...setOf('mqtt_key')} />
      </div>
    </details>
  );
}
