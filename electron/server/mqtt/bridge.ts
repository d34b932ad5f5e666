import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import {
  type BrokerClient,
  type BrokerConnection,
  type BrokerEvents,
  BrokerFault,
  type BrokerMessage,
} from '../brokerPort.ts';
import type { Ids, Timer } from '../ports.ts';
import type { Published } from '../services/callbacks/index.ts';
import type { CurrentSettings } from '../services/settings/index.ts';
import { createConnector, pauseAfter } from './connector.ts';
import { createMessageLog } from './messageLog.ts';
import { createRetained } from './retained.ts';
import { createBrokerSession, type Publish, type BrokerSession, type BrokerSessionParts } from './brokerSession.ts';
import { createVitals } from './vitals.ts';

/** Pause after another station was found with the same id. */
const TWIN_MS = 10_000;
/** Time for the broker to take the goodbye of a station that stops. */
const GOODBYE_MS = 2_000;
/** Time for a message to come back. */
const ECHO_MS = 10_000;
/** For which the broker keeps commands while the station is away. */
const SESSION_S = 24 * 3_600;

/** Another station uses the id of this one. */
class TwinFound extends BrokerFault {}

export type BridgeParts = Omit<BrokerSessionParts, 'vitals'> & {
  client: BrokerClient;
  settings: CurrentSettings;
  ids: Pick<Ids, 'bytes'>;
  devices: Parameters<typeof createRetained>[0]['devices'] & BrokerSessionParts['devices'];
  orders: Parameters<typeof createRetained>[0]['orders'];
  listAlerts: Parameters<typeof createVitals>[0]['listAlerts'];
  batteryPercent: () => number;
  /** Whether a run of this station has this mark: one that was killed together with the broker is still said to be online. */
  isOwn: (instance: string) => boolean;
  /** The first failed attempt of an outage, and the end of the outage. */
  heard: (outcome: { error: string | null; status: null }) => void;
  /** Devices that Home Assistant should forget. */
  forgetDiscovery: boolean;
};

type State = Pick<MqttStatus, 'state' | 'problem'>;

/** Keeps the station connected to its broker: connects again for ever, and stays off where another station has its id. */
export function createBridge(parts: BridgeParts) {
  const { topics, clock, log, ids, about, heard } = parts;
  const messages = createMessageLog(clock);
  let state: State = { state: 'connecting', problem: null };
  let since = clock.now();
  const connector = createConnector(parts);
  /** What is served now. */
  let serving: { connection: BrokerConnection; session: BrokerSession; leave(): void } | undefined;
  const vitals = createVitals({ ...parts, changed: () => serving?.session.sayHello() });
  const unsubscribe = parts.bus.subscribe({ commit: vitals.heard });
  let isStopped = false;
  /** Exchanges with the broker under way. */
  let underWay = 0;
  let wake: () => void = () => undefined;

  function enter(next: State): void {
    if (next.state !== state.state) since = clock.now();
    state = next;
  }

  async function counted<T>(exchange: () => Promise<T>): Promise<T> {
    underWay += 1;
    try {
      return await exchange();
    } finally {
      underWay -= 1;
    }
  }

  const randomMark = (): string => Buffer.from(ids.bytes(6)).toString('hex');

  const connect = (how: { clientId: string; isLasting: boolean }, events: BrokerEvents): Promise<BrokerConnection> =>
    connector.connect(
      {
        clientId: how.clientId,
        sessionS: how.isLasting ? SESSION_S : 0,
        will: how.isLasting ? { topic: topics.availability, payload: 'offline' } : undefined,
      },
      events,
    );

  /**
   * A connection beside the lasting one. `collect` returns the retained messages of these filters, by topic: when a message of
   * this connection has come back, the broker has sent them all.
   */
  async function openShort() {
    const found = new Map<string, string>();
    const mark = randomMark();
    let echoed: (fault?: BrokerFault) => void = () => undefined;
    const opened = await connect(
      { clientId: `${about().station}-${mark}`, isLasting: false },
      {
        message({ topic, payload, isRetained }) {
          if (topic === topics.echo(mark)) echoed();
          else if (isRetained && payload.length > 0) found.set(topic, Buffer.from(payload).toString('utf8'));
          return undefined;
        },
        closed: (fault) => echoed(fault),
      },
    );
    return {
      close: () => opened.close(),
      async collect(filters: readonly string[], states: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
        const arrival = Promise.withResolvers<void>();
        echoed = (fault) => (fault === undefined ? arrival.resolve() : arrival.reject(fault));
        const limit = clock.setTimer(ECHO_MS, () => arrival.reject(new BrokerFault(NO_ECHO, { isRefusal: true })));
        async function send(): Promise<void> {
          await opened.subscribe([...filters, topics.echo(mark)]);
          // With QoS 1 mosquitto drops what exceeds its queue for one subscription, 1,000 messages.
          if (states.length > 0) await opened.subscribe(states, 0);
          const outcome = await opened.publish(topics.echo(mark), 'echo');
          if (outcome.kind === 'refused') throw new BrokerFault(outcome.problem, { isRefusal: true });
        }
        try {
          await Promise.all([send(), arrival.promise]);
        } finally {
          limit.cancel();
        }
        return found;
      },
    };
  }

  /** Reads what the broker stores of this station. Throws TwinFound if another one with its id is online. */
  async function lookAround(): Promise<ReadonlyMap<string, string>> {
    const look = await openShort();
    try {
      const found = await look.collect([topics.availability, topics.info], topics.states);
      const info = parseInfo(found.get(topics.info));
      if (found.get(topics.availability) === 'online' && !parts.isOwn(textOf(info['instance']))) {
        const other = [info['name'], info['url']].map(textOf).filter(Boolean).join(', ');
        throw new TwinFound(
          `Another station with the id "${about().station}" is online at this broker${other === '' ? '' : ` (${other})`}. This one stays off: give one of them another mqtt_station.`,
        );
      }
      return found;
    } finally {
      await look.close();
    }
  }

  /** Begins to serve a connection. `ended` rejects with the fault that ends it. */
  async function serve(found: ReadonlyMap<string, string>): Promise<{ ended: Promise<never>; stop(): void }> {
    const end = Promise.withResolvers<never>();
    const begun = Promise.withResolvers<BrokerSession>();
    // Only those who wait for them care.
    for (const { promise } of [end, begun]) promise.catch(() => undefined);
    const opened = await connect(
      { clientId: about().station, isLasting: true },
      {
        async message(message) {
          const session = await begun.promise;
          if (message.isWatched) {
            if (session.heardOwnTopic(message)) note('in', message, OVERWRITTEN);
            return;
          }
          note('in', message, await session.take(message).catch(String));
        },
        closed: (fault) => end.reject(fault),
      },
    );
    const publish = publishOver(opened);
    const store = async (topic: string, payload: string): Promise<boolean> =>
      (await publish(topic, payload, { retain: true })) !== 'lost';
    const retained = createRetained({ ...parts, store });
    const resumedAt = opened.isResumed ? clock.monotonic() : undefined;
    const session = createBrokerSession({ ...parts, publish, retained, resumedAt, vitals: vitals.current });
    begun.resolve(session);
    const stop = (): void => {
      serving = undefined;
      session.stop();
    };
    serving = { connection: opened, session, leave: stop };
    const wanted = [...topics.commands, ...(parts.hasDiscovery ? [topics.discoveryStatus] : [])];
    try {
      await Promise.race([opened.subscribe(wanted), end.promise]);
    } catch (error) {
      stop();
      throw error;
    }
    // Without it the station works, and restores its topics at the next connection.
    opened.watch(topics.own).catch((error: unknown) => {
      if (serving?.session === session)
        log.warn({ err: error }, 'the broker does not let the station watch its own topics');
    });
    if (parts.forgetDiscovery) for (const id of parts.devices.listIds({})) void store(topics.discovery(id), '');
    const isState = (topic: string): boolean => topic !== topics.availability && topic !== topics.info;
    void session.start(new Map([...found].filter(([topic]) => isState(topic))));
    return { ended: end.promise, stop };
  }

  function publishOver(opened: BrokerConnection): Publish {
    return async (topic, payload, options = {}): Promise<Published> => {
      const outcome = await counted(() => opened.publish(topic, payload, options));
      if (outcome.kind === 'lost') return 'lost';
      const error = outcome.kind === 'refused' ? outcome.problem : null;
      messages.add({ direction: 'out', topic, payload, retained: options.retain ?? false, problem: error });
      return { url: topic, error };
    };
  }

  function note(direction: 'in' | 'out', { topic, payload, isRetained }: BrokerMessage, problem: string | null): void {
    const text = Buffer.from(payload).toString('utf8');
    messages.add({ direction, topic, payload: text, retained: isRetained, problem });
  }

  /** Ends early when the bridge stops. */
  function pause(ms: number): Promise<void> {
    let timer: Timer | undefined;
    return new Promise<void>((resolve) => {
      wake = resolve;
      timer = clock.setTimer(ms, resolve);
    }).finally(() => timer?.cancel());
  }

  const goesOn = (): boolean => !isStopped;

  async function run(): Promise<void> {
    for (let failures = 0; goesOn();) {
      try {
        connector.tryNewest();
        enter({ state: state.state === 'connected' ? 'connecting' : state.state, problem: state.problem });
        const session = await counted(async () => serve(await lookAround()));
        enter({ state: 'connected', problem: null });
        heard({ error: null, status: null });
        await session.ended.finally(session.stop);
      } catch (error) {
        if (isStopped) return;
        const fault = error instanceof BrokerFault ? error : new BrokerFault(String(error));
        if (!(error instanceof BrokerFault)) log.error({ err: error }, 'the connection to the broker met a defect');
        const wasConnected = state.state === 'connected';
        failures = wasConnected ? 0 : failures + 1;
        if (wasConnected || failures === 1) heard({ error: fault.message, status: null });
        enter({ state: fault.isRefusal || fault instanceof TwinFound ? 'refused' : 'error', problem: fault.message });
        await pause(fault instanceof TwinFound ? TWIN_MS : pauseAfter(fault, failures));
      }
    }
  }

  async function test(): Promise<TestMqtt> {
    const beganMs = clock.monotonic();
    const sinceMs = (from: number): number => Math.round(clock.monotonic() - from);
    let opened: Awaited<ReturnType<typeof openShort>> | undefined;
    try {
      opened = await openShort();
      const sentMs = clock.monotonic();
      await opened.collect([]);
      return { state: 'passed', protocol: connector.protocol(), problem: null, milliseconds: sinceMs(sentMs) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return {
        state: 'failed',
        protocol: opened === undefined ? null : connector.protocol(),
        problem,
        milliseconds: sinceMs(beganMs),
      };
    } finally {
      await opened?.close();
    }
  }

  return {
    start: (): void => void run(),
    status: (): Pick<MqttStatus, 'state' | 'problem' | 'since' | 'protocol'> => ({
      ...state,
      since: new Date(since).toISOString(),
      protocol: serving?.connection.protocol ?? null,
    }),
    messages: messages.list,
    /** Whether no exchange with the broker is under way. */
    idle: (): boolean => underWay === 0,
    /** Sends a message to itself, over a connection of its own. */
    test: (): Promise<TestMqtt> => counted(test),
    async stop(): Promise<void> {
      isStopped = true;
      connector.giveUp();
      wake();
      unsubscribe();
      vitals.stop();
      if (serving === undefined) return;
      const { connection, leave } = serving;
      leave();
      async function sayGoodbye(): Promise<void> {
        await connection.publish(topics.availability, 'offline', { retain: true });
        await connection.close();
      }
      // A broker that hangs holds nobody up: it says so itself once it misses the station.
      await Promise.race([sayGoodbye(), pause(GOODBYE_MS)]);
      wake();
    },
  };
}

export type Bridge = ReturnType<typeof createBridge>;

const OVERWRITTEN = 'Only this station writes to this topic. It restores the topic, at most once a minute.';

const NO_ECHO =
  'The broker took a message and did not deliver it. Check the rights of this user at the broker (ACL): it must read and write everything below mqtt_prefix and mqtt_station.';

/** Of what any program at the broker may have written. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

function parseInfo(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const info: unknown = JSON.parse(text ?? '{}');
    return typeof info === 'object' && info !== null ? (info as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
