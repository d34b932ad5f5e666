import { useState } from 'react';
import type { ReceivedCallback } from '#shared/api/callback.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { TEST_RECEIVER } from '#shared/lib/connections/testReceiver.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { Code } from '../../kit/code/Code.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { exactWords, untilWords } from '../../words/moments.ts';
import { MQTT_TONES, mqttStateWords } from '../../shop/mqttWords.ts';
import parts from '../../kit/parts.module.css';
import view from '../../shop/RequestView.module.css';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import { TestCallback } from '../../shop/TestCallback.tsx';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import * as texts from '../../words/texts.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';
import { dotted } from '../../words/dotted.ts';
import styles from './callbacks.module.css';
import { messageText } from './deliveryWords.ts';
import { Receivers } from './Receivers.tsx';

const words = texts.callbacks;
/** Polling interval for the broker's state, in milliseconds. */
const BROKER_EVERY_MS = 5_000;

/** Shows the receivers, buttons to test them, and the built-in receiver. */
export function Destination({ settings }: { settings: Loaded<SettingsAnswer> }) {
  const { value, reload } = settings;
  if (value === undefined) return <NotLoaded of={settings} failed={words.to.notLoaded} wait={styles.wait} />;
  const { callback_url: url, mqtt_url: broker } = value;
  const isOwn = url.startsWith(TEST_RECEIVER);
  return (
    <div className={parts.column5}>
      {(url !== '' || broker === '') && (
        <section className={`${parts.stack1} ${view.part}`} aria-label={words.to.title}>
          <h2 className={parts.title}>{words.to.title}</h2>
          <Goes url={url} isOwn={isOwn} />
          <p>
            <ButtonLink words={words.to.settings} to="/connections/callback-settings" look="plain" />
          </p>
        </section>
      )}
      {url !== '' && (
        <section className={`${parts.stack1} ${view.part}`} aria-label={words.to.test}>
          <h2 className={parts.title}>{words.to.test}</h2>
          <p className={parts.quiet}>{words.to.testBody}</p>
          <TestCallback isUnsaved={false} />
        </section>
      )}
      {broker !== '' && <Broker url={broker} />}
      <Receivers />
      <section className={`${parts.stack1} ${view.part}`} aria-label={words.own.title}>
        <h2 className={parts.title}>{words.own.title}</h2>
        {isOwn ? <Received /> : <Choose seen={value} chosen={reload} />}
      </section>
    </div>
  );
}

function Goes({ url, isOwn }: { url: string; isOwn: boolean }) {
  if (url === '') return <p className={parts.quiet}>{words.to.none}</p>;
  return (
    <>
      <p className={styles.url}>{url}</p>
      <p className={parts.quiet}>{/\{[A-Za-z_]\w*\}/.test(url) ? words.to.get : words.to.post}</p>
      {isOwn && <p className={parts.quiet}>{words.to.own}</p>}
    </>
  );
}

/** Shows the broker and the state of its connection. */
function Broker({ url }: { url: string }) {
  const { api } = useStationContext();
  const { value } = useStationQuery(['mqtt'], () => api.getMqtt(), { everyMs: BROKER_EVERY_MS });
  const said = useTimed((now) =>
    value === undefined ? '' : mqttStateWords(value, untilWords(Date.parse(value.since), now)),
  );
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={words.to.broker}>
      <h2 className={parts.title}>{words.to.broker}</h2>
      <p className={styles.url}>{url}</p>
      {value !== undefined && (
        <p role="status">
          <StateTag tone={MQTT_TONES[value.state]} words={said} wraps />
        </p>
      )}
      {value !== undefined && value.problem !== null && <p className={parts.quiet}>{value.problem}</p>}
      <p>
        <ButtonLink words={words.to.brokerSettings} to="/connections/mqtt" look="plain" />
      </p>
    </section>
  );
}

function Choose({ seen, chosen }: { seen: SettingsAnswer; chosen(): void }) {
  const { callback_url: url } = seen;
  const { api, toasts } = useServices();
  const [asks, setAsks] = useState(false);

  async function choose(): Promise<void> {
    await api.changeSettings({ callback_url: TEST_RECEIVER }, seen);
    toasts.show(words.own.chosen);
    chosen();
  }

  const { busy, run: chooseAtOnce } = useAttempt(words.own.failed, choose);

  return (
    <>
      <p className={parts.quiet}>{words.own.body}</p>
      <p>
        <Button words={words.own.choose} busy={busy} onPress={() => (url === '' ? chooseAtOnce() : setAsks(true))} />
      </p>
      <ConfirmDialog
        title={words.own.chooseTitle}
        body={words.own.chooseBody(url)}
        confirm={words.own.chooseConfirm}
        isOpen={asks}
        onConfirm={choose}
        onClose={() => setAsks(false)}
      />
    </>
  );
}

function Received() {
  const { api, toasts } = useServices();
  const received = useStationQuery(['received'], () => api.listReceivedCallbacks());
  const { value = [], reload } = received;

  const forget = () =>
    toasts.attempt(words.own.forgetFailed, async () => {
      await api.forgetReceivedCallbacks();
      reload();
    });

  if (received.status === 'failed') return <p className={parts.failure}>{received.failure}</p>;
  if (value.length === 0) return <p className={parts.quiet}>{words.own.none}</p>;
  return (
    <>
      <div className={styles.actions}>
        <p className={parts.quiet}>{words.own.kept}</p>
        <Button onPress={() => void forget()}>{words.own.forget}</Button>
      </div>
      <ol className={parts.column4} aria-label={words.own.received}>
        {value.map((one) => (
          <li key={one.id}>
            <Taken one={one} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Taken({
  one: { at, method, url, headers, body, signature, times, webhook_id: id, id: number },
}: {
  one: ReceivedCallback;
}) {
  const about = dotted(exactWords(Date.parse(at)), times > 1 ? words.own.again(times) : '');
  return (
    <Code label={`${number}: ${method} ${id}`} code={messageText({ first: `${method} ${url}`, headers, body })} hint="">
      <span className={view.about}>
        {about} ·{' '}
        <span className={signature === 'wrong' ? styles.wrong : undefined}>{words.own.signature[signature]}</span>
      </span>
    </Code>
  );
}
