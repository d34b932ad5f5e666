import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { type Act, useAct } from '../../useAct.ts';
import { Button } from '../../kit/button/Button.tsx';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { untilWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { MQTT_TONES, mqttStateWords } from '../../shop/mqttWords.ts';
import styles from './Mqtt.module.css';
import { MqttMessages } from './MqttMessages.tsx';
import page from './SettingsPage.module.css';

const words = texts.settings.mqtt;
/** Polling interval in milliseconds. */
const EVERY_MS = 2_000;

/** Shows the state of the saved broker connection, a test, and the latest messages. */
export function MqttConnection({ saved: { mqtt_url: url, mqtt_prefix: prefix } }: { saved: SettingsAnswer }) {
  const { api } = useStationContext();
  const mqtt = useStationQuery(['mqtt'], () => api.getMqtt(), { everyMs: EVERY_MS });
  const { status, value, reload } = mqtt;
  // Also ask the station, because somebody may have configured a broker elsewhere in the meantime.
  const isSet = url !== '' || (value !== undefined && value.state !== 'off');
  return (
    <section className={`${parts.column3} ${styles.below}`} aria-label={words.connection}>
      <h3 className={parts.title}>{words.connection}</h3>
      {status !== 'loaded' && <NotLoaded of={mqtt} failed={words.notLoaded} />}
      {value !== undefined && <State status={value} />}
      {isSet && <Test tested={reload} />}
      {value !== undefined && value.state !== 'off' && (
        <MqttMessages log={value.log} below={`${prefix}/${value.station}/`} />
      )}
    </section>
  );
}

function State({ status }: { status: MqttStatus }) {
  const { state, problem, waiting } = status;
  const said = useTimed((now) => mqttStateWords(status, untilWords(Date.parse(status.since), now)));
  const isDown = state === 'refused' || state === 'error';
  return (
    <div className={parts.stack1}>
      <p role="status" className={parts.medium}>
        <StateTag tone={MQTT_TONES[state]} words={said} wraps />
      </p>
      {problem !== null && (
        <p className={styles.problem}>
          {problem} {isDown ? words.retries : ''}
        </p>
      )}
      {state === 'off' && <p className={parts.quiet}>{words.off}</p>}
      {(state !== 'off' || waiting > 0) && (
        <p className={waiting > 0 && state !== 'connected' ? parts.care : parts.quiet}>
          {waiting > 0 ? words.waiting(waiting) : words.noneWaits}
        </p>
      )}
    </div>
  );
}

function Test({ tested }: { tested(): void }) {
  const { api } = useStationContext();
  const test = useAct(() => api.testMqtt().finally(tested));
  const { busy } = test;

  return (
    <div className={`${parts.rowMiddle} ${page.test}`}>
      <Button
        words={busy ? words.testing : words.test}
        aria-label={words.testOf}
        busy={busy}
        onPress={() => test.run()}
      />
      <p role="status">{saidOf(test)}</p>
    </div>
  );
}

function saidOf(test: Act<void, TestMqtt>): string {
  if (test.status === 'failed') return test.failure;
  return test.status === 'done' ? (test.value.problem ?? words.passed(test.value.milliseconds)) : words.unsaved;
}
