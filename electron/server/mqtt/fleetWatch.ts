import type { FleetAnswer, FleetFound } from '#shared/api/fleet.ts';
import { exactText } from '#shared/lib/exactText.ts';
import { createAlarm } from '../alarm.ts';
import { type BrokerClient, type BrokerConnection, BrokerFault } from '../brokerPort.ts';
import type { Clock, Ids, Log, Timer } from '../ports.ts';
import type { BackgroundReadQueue } from '../services/base/index.ts';
import type { CurrentSettings } from '../services/settings/index.ts';
import { createConnector, pauseAfter } from './connector.ts';
import { findInFleet } from './fleetFind.ts';
import { createFleetOrders } from './fleetOrders.ts';
import { createFleetPicture } from './fleetPicture.ts';
import { topicsOf } from './topics.ts';

/** Time for the broker to tell of all stations. */
const TOLD_MS = 10_000;

/**
 * Watches all stations below the prefix, over a short session of its own: with ordinary subscriptions, so that any number may
 * watch. First which stations there are, then the state of each: a broker queues only so many messages of QoS 1 for one
 * subscriber, and drops the rest without a word (mosquitto: 1,000).
 */
export function createFleetWatch(parts: {
  client: BrokerClient;
  settings: CurrentSettings;
  clock: Clock;
  log: Log;
  ids: Pick<Ids, 'bytes'>;
  backgroundReads: Pick<BackgroundReadQueue, 'takeAll'>;
  /** It publishes nothing itself: a station with its id is another one. */
  isOnlyWatching: boolean;
}) {
  const { clock, log, ids, settings, backgroundReads } = parts;
  const { mqtt_prefix: prefix, mqtt_station: own } = settings;
  const picture = createFleetPicture({ clock, prefix, own: parts.isOnlyWatching ? '' : own });
  const connector = createConnector(parts);
  /** A message to itself would not tell: some brokers send what they store later. */
  const told = createAlarm(clock, picture.toldAll);
  let state: Pick<FleetAnswer, 'state' | 'problem'> = { state: 'connecting', problem: null };
  let since = clock.now();
  let connection: BrokerConnection | undefined;
  const orders = createFleetOrders({ clock, ids, prefix, find: picture.find, connection: () => connection });
  let underWay = 0;
  let isStopped = false;
  let wake: () => void = () => undefined;
  const goesOn = (): boolean => !isStopped;

  function enter(next: typeof state): void {
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

  /** Subscribes to the state of each station once, one after the other. */
  function createFollower(open: () => BrokerConnection | undefined) {
    const followed = new Set<string>();
    /** Their turn has not come. */
    const waiting = new Set<string>();
    let last: Promise<void> = Promise.resolve();

    async function follow(id: string): Promise<void> {
      waiting.delete(id);
      const current = open();
      if (current === undefined) return;
      const { states } = topicsOf({ prefix, station: id });
      if (!followed.has(id)) return current.unsubscribe(states);
      picture.asked(id);
      await current.subscribe(states).catch((error: unknown) => {
        picture.refused(id, error instanceof Error ? error.message : String(error));
      });
    }

    return function heard(id: string): void {
      if (followed.has(id) === picture.isReadable(id)) return;
      if (!followed.delete(id)) followed.add(id);
      if (waiting.has(id)) return;
      waiting.add(id);
      last = last.then(() => counted(() => follow(id)));
    };
  }

  /** Resolves when the broker was asked; `ended` rejects with the fault that ends the connection. */
  async function begin(): Promise<{ ended: Promise<never> }> {
    const end = Promise.withResolvers<never>();
    end.promise.catch(() => undefined);
    const mark = Buffer.from(ids.bytes(6)).toString('hex');
    const heard = createFollower(() => connection);
    picture.begin();
    const opened = await connector.connect(
      { clientId: `${own}-fleet-${mark}`, sessionS: 0, will: undefined },
      {
        message({ topic, payload, isRetained }) {
          const text = exactText(payload);
          if (text === undefined) return undefined;
          if (!isRetained) orders.heard(topic, text);
          const id = picture.take({ topic, text, isLive: !isRetained });
          if (id !== undefined) heard(id);
          return undefined;
        },
        closed: (fault) => end.reject(fault),
      },
    );
    connection = opened;
    const filters = [`${prefix}/+/availability`, `${prefix}/+/info`];
    // What is stored comes with QoS 0, which mosquitto does not drop; what changes then comes with QoS 1.
    await Promise.race([opened.subscribe(filters, 0).then(() => opened.subscribe(filters)), end.promise]);
    told.in(TOLD_MS);
    return { ended: end.promise };
  }

  /** Ends early when the watch stops. */
  function pause(ms: number): Promise<void> {
    let timer: Timer | undefined;
    return new Promise<void>((resolve) => {
      wake = resolve;
      timer = clock.setTimer(ms, resolve);
    }).finally(() => timer?.cancel());
  }

  async function run(): Promise<void> {
    for (let failures = 0; goesOn();) {
      try {
        connector.tryNewest();
        const { ended } = await counted(begin);
        enter({ state: 'connected', problem: null });
        failures = 0;
        await ended;
      } catch (error) {
        const failed = connection;
        connection = undefined;
        orders.lost();
        told.cancel();
        if (isStopped) return;
        void failed?.close();
        if (!(error instanceof BrokerFault)) log.error({ err: error }, 'the watch over the fleet met a defect');
        const fault = error instanceof BrokerFault ? error : new BrokerFault(String(error));
        failures += 1;
        enter({ state: fault.isRefusal ? 'refused' : 'error', problem: fault.message });
        await pause(pauseAfter(fault, failures));
      }
    }
  }

  const status = () => ({ ...state, since: new Date(since).toISOString() });

  return {
    start: (): void => void run(),
    /** Of the connection. */
    status: () => ({ ...status(), protocol: connection?.protocol ?? null }),
    answer: (): FleetAnswer => ({
      ...status(),
      stations: picture.listStations(),
      alerts: picture.listAlerts(),
    }),
    async find(wanted: string): Promise<FleetFound[]> {
      const work = findInFleet(picture, wanted);
      const first = work.next();
      return first.done === true ? first.value : backgroundReads.takeAll(work);
    },
    send: orders.send,
    idle: (): boolean => underWay === 0,
    async stop(): Promise<void> {
      isStopped = true;
      connector.giveUp();
      told.stop();
      wake();
      const open = connection;
      connection = undefined;
      orders.lost();
      await open?.close();
    },
  };
}

export type FleetWatch = ReturnType<typeof createFleetWatch>;
