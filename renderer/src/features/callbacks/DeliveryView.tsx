import type { DeliveryExchange } from '#shared/api/callback.ts';
import { deviceAddress, orderAddress } from '../../station/addresses.ts';
import { useDevice, useStationContext } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { Code, prettyJson } from '../../kit/code/Code.tsx';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { exactWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import request from '../../shop/RequestList.module.css';
import view from '../../shop/RequestView.module.css';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';
import { LoadedTimeline, useTimeline, Timeline } from '../../shop/timeline/Timeline.tsx';
import styles from './callbacks.module.css';
import * as said from './deliveryWords.ts';

const words = texts.callbacks;

/** Shows one delivery: the request, the response, and the event that it reports. */
export function DeliveryView({ id }: { id: string }) {
  const { api } = useStationContext();
  const delivery = useStationQuery(['delivery', id], () => api.getCallback({ path: { id } }));
  if (delivery.value !== undefined) return <Exchange delivery={delivery.value} reload={delivery.reload} />;
  return (
    <NotLoaded
      of={delivery}
      title={words.open.gone}
      wait={styles.wait}
      action={<ButtonLink words={words.open.close} to="/connections/callbacks" look="plain" />}
    />
  );
}

function Exchange({ delivery, reload }: { delivery: DeliveryExchange; reload(): void }) {
  const { id, state, created, attempts, last_attempt: tried, next_attempt: next, milliseconds, url } = delivery;
  const isMqtt = delivery.receiver === 'mqtt';
  const title = `${said.eventWords(delivery)} ${said.subjectWords(delivery)}`;
  const rest = useTimed((now) => said.restWords(delivery, now));
  return (
    <article className={parts.column5} aria-label={title}>
      <header className={parts.stack1}>
        <h2 className={styles.title}>{title}</h2>
        <p className={`${parts.middle3} ${styles.progress}`}>
          <StateTag tone={said.STATE_TONES[said.toneOf(delivery)]} words={said.stateWords(delivery)} />
          <span className={request.status} data-tone={said.toneOf(delivery)}>
            <span className={styles.receiver}>{said.receiverWords(delivery)}</span> {said.answerText(delivery)}
          </span>
          {rest !== '' && <span className={styles.all}>{rest}</span>}
        </p>
      </header>
      <Replay id={id} reload={reload} />
      <dl className={parts.stack1}>
        <Fact name={words.open.made} value={exactWords(Date.parse(created))} />
        {tried !== null && (
          <Fact
            name={state === 'delivered' ? words.open.arrived : words.open.tried}
            value={exactWords(Date.parse(tried))}
          />
        )}
        {state === 'pending' && next !== null && attempts > 0 && (
          <Fact name={words.open.next} value={exactWords(Date.parse(next))} />
        )}
        <Fact name={words.open.attempts} value={String(attempts)} />
        {milliseconds !== null && <Fact name={words.open.took} value={texts.developer.ms(milliseconds)} />}
        {url !== null && <Fact name={isMqtt ? words.open.topic : words.open.to} value={delivery.request?.url ?? url} />}
        <Fact name={words.open.id} value={delivery.webhook_id} />
      </dl>
      <Why delivery={delivery} />
      {isMqtt ? <Message delivery={delivery} /> : <Sent delivery={delivery} />}
      {isMqtt ? <BrokerAnswer delivery={delivery} /> : <Answer delivery={delivery} />}
    </article>
  );
}

function Replay({ id, reload }: { id: string; reload(): void }) {
  const { api, toasts } = useServices();
  const { busy, run: replay } = useAttempt(words.replayFailed, async () => {
    await api.replayCallback({ path: { id } });
    toasts.show(words.replayed);
    reload();
  });

  return (
    <div className={styles.actions}>
      <Button words={busy ? words.replaying : words.replay} busy={busy} onPress={replay} />
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={`${parts.stack2} ${view.fact}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Sent({ delivery: { request: sent, payload } }: { delivery: DeliveryExchange }) {
  const { open } = words;
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={open.request}>
      <h3 className={parts.title}>{open.request}</h3>
      {sent === null ? (
        <Code label={open.payload} code={prettyJson(JSON.stringify(payload))} hint="">
          <span className={view.about}>{open.notSent}</span>
        </Code>
      ) : (
        <Code
          label={open.requestOf}
          code={said.messageText({ first: `${sent.method} ${sent.url}`, headers: sent.headers, body: sent.body })}
          hint=""
        >
          <span className={view.about}>{open.requestOf}</span>
        </Code>
      )}
    </section>
  );
}

function Answer({ delivery }: { delivery: DeliveryExchange }) {
  const { answer, last_status: status, last_error: error } = delivery;
  const { open } = words;
  if (delivery.attempts === 0) return null;
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={open.answer}>
      <h3 className={parts.title}>{open.answer}</h3>
      {answer === null ? (
        <p className={parts.quiet}>
          {open.noAnswer} {error}
        </p>
      ) : (
        <Code
          label={open.answerOf}
          code={said.messageText({ first: String(status ?? ''), headers: answer.headers, body: answer.body ?? '' })}
          hint={answer.body === null ? open.noText : answer.whole ? '' : open.cut}
        />
      )}
    </section>
  );
}

/** Shows the message to the broker. */
function Message({ delivery: { payload, attempts } }: { delivery: DeliveryExchange }) {
  const { open } = words;
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={open.message}>
      <h3 className={parts.title}>{open.message}</h3>
      <Code label={open.payload} code={prettyJson(JSON.stringify(payload))} hint="">
        <span className={view.about}>{attempts === 0 ? open.notSent : ''}</span>
      </Code>
    </section>
  );
}

/** Shows the broker's response, which tells only whether the broker accepted the message. */
function BrokerAnswer({ delivery: { attempts, last_error: error } }: { delivery: DeliveryExchange }) {
  const { open } = words;
  if (attempts === 0) return null;
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={open.answer}>
      <h3 className={parts.title}>{open.answer}</h3>
      <p className={parts.quiet}>{error === null ? open.brokerTook : open.brokerRefused(error)}</p>
    </section>
  );
}

/** Shows the timeline of the reported event, from the request to the delivery. */
function Why({ delivery: { id, payload } }: { delivery: DeliveryExchange }) {
  const { api } = useStationContext();
  const device = useDevice(typeof payload['deviceid'] === 'string' ? payload['deviceid'] : '');
  const loaded = useTimeline(['deliveryTimeline', id], () => api.getDeliveryTimeline({ path: { id } }));
  const number = loaded.value?.order_number ?? null;
  return (
    <section className={`${parts.stack1} ${view.part}`} aria-label={words.open.why}>
      <LoadedTimeline loaded={loaded} title={words.open.why}>
        {(timeline) => <Timeline timeline={timeline} title={words.open.why} />}
      </LoadedTimeline>
      <p className={styles.actions}>
        {number !== null && <ButtonLink words={words.open.order(number)} to={orderAddress(number)} look="plain" />}
        {device !== undefined && (
          <ButtonLink words={words.open.device(nameOf(device))} to={deviceAddress(device.deviceid)} look="plain" />
        )}
      </p>
    </section>
  );
}
