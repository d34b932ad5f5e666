import type { BrokerConnection, BrokerMessage } from '../ports/broker.ts';
import type { Published } from '../services/callbacks/index.ts';
import { createBrokerSession, type BrokerSession, type BrokerSessionParts, type Publish } from './brokerSession.ts';
import type { BrokerConnector } from './connector.ts';
import type { MessageLog } from './messageLog.ts';
import { createRetained, type Store } from './retained.ts';

/** How long the broker keeps commands for a disconnected station, in seconds. */
const SESSION_S = 24 * 3_600;

const OVERWRITTEN = 'Only this station writes to this topic. It restores the topic, at most once a minute.';

export type LastingParts = BrokerSessionParts & {
  articles: Parameters<typeof createRetained>[0]['articles'];
  batches: Parameters<typeof createRetained>[0]['batches'];
  devices: Parameters<typeof createRetained>[0]['devices'];
  orders: Parameters<typeof createRetained>[0]['orders'];
  /** Whether to remove all devices of this station from Home Assistant. */
  forgetDiscovery: boolean;
  connector: BrokerConnector;
  messages: MessageLog;
  /** Runs an exchange with the broker, which counts as in progress until it ends. */
  counted<T>(exchange: () => Promise<T>): Promise<T>;
};

/** The permanent connection between the station and its broker. `ended` rejects with the fault that ends the connection. */
export type Lasting = { connection: BrokerConnection; session: BrokerSession; store: Store; ended: Promise<never> };

/** Connects with the station's id as client id, so that the broker keeps the session. Does not publish anything yet. */
export async function openLasting(parts: LastingParts): Promise<Lasting> {
  const { connector, messages, topics, about, clock, counted, vitals } = parts;
  const end = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<BrokerSession>();
  // Prevent unhandled rejections: callers that wait for these promises handle the errors.
  for (const { promise } of [end, begun]) promise.catch(() => undefined);
  let isClosed = false;
  const will = { topic: topics.availability, payload: 'offline' };
  const connection = await connector.connect(
    { clientId: about().station, sessionS: SESSION_S, will },
    {
      async message(message) {
        const session = await begun.promise;
        if (!message.isWatched) {
          note(messages, message, await session.take(message).catch(String));
          if (!isClosed) session.acknowledged(message);
        } else if (session.heardOwnTopic(message)) note(messages, message, OVERWRITTEN);
      },
      closed(fault) {
        isClosed = true;
        end.reject(fault);
      },
    },
  );
  const publish: Publish = async (topic, payload, options = {}): Promise<Published> => {
    const outcome = await counted(() => connection.publish(topic, payload, options));
    if (outcome.kind === 'lost') return 'lost';
    const error = outcome.kind === 'refused' ? outcome.problem : null;
    messages.add({ direction: 'out', topic, payload, retained: options.retain ?? false, problem: error });
    return { url: topic, error };
  };
  const store: Store = async (topic, payload) => (await publish(topic, payload, { retain: true })) !== 'lost';
  const retained = createRetained({ ...parts, store });
  const resumedAt = connection.isResumed ? clock.monotonic() : undefined;
  const session = createBrokerSession({ ...parts, publish, retained, resumedAt, vitals });
  begun.resolve(session);
  return { connection, session, store, ended: end.promise };
}

/**
 * Subscribes, and publishes what is missing on the broker. `found` contains the broker's retained messages, and `isCurrent` returns false
 * once the connection has ended.
 */
export async function beginLasting(
  parts: Pick<LastingParts, 'topics' | 'hasDiscovery' | 'forgetDiscovery' | 'devices' | 'log'>,
  { connection, session, store, ended }: Lasting,
  { found, isCurrent }: { found: ReadonlyMap<string, string>; isCurrent: () => boolean },
): Promise<void> {
  const { topics, hasDiscovery, forgetDiscovery, devices, log } = parts;
  const wanted = [...topics.commands, ...(hasDiscovery ? [topics.discoveryStatus] : [])];
  await Promise.race([connection.subscribe(wanted), ended]);
  // Without this subscription, the station still works, and restores its topics at the next connection.
  connection.watch(topics.own).catch((error: unknown) => {
    if (isCurrent()) log.warn({ err: error }, 'the broker does not let the station read its own topics');
  });
  if (forgetDiscovery) for (const id of devices.listIds({})) void store(topics.discovery(id), '');
  const isState = (topic: string): boolean => topic !== topics.availability && topic !== topics.info;
  void session.start(new Map([...found].filter(([topic]) => isState(topic))));
}

function note(messages: MessageLog, { topic, payload, isRetained }: BrokerMessage, problem: string | null): void {
  const text = Buffer.from(payload).toString('utf8');
  messages.add({ direction: 'in', topic, payload: text, retained: isRetained, problem });
}
