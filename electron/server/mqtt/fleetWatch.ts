import type { FleetAnswer, FleetFound } from '#shared/api/fleet.ts';
import type { NewOrder } from '#shared/api/order.ts';
import { exactText } from '#shared/lib/text/exactText.ts';
import { type Alarm, createAlarm } from '../scheduling/alarm.ts';
import { type BrokerClient, type BrokerConnection, BrokerFault } from '../ports/broker.ts';
import type { Clock, Ids, Log, Timer } from '../ports.ts';
import { createLane, type StepQueue } from '../scheduling/index.ts';
import type { CurrentSettings } from '../services/settings/index.ts';
import { type BrokerConnector, createConnector, pauseAfter } from './connector.ts';
import { createExchanges } from './exchanges.ts';
import { findInFleet } from './fleetFind.ts';
import { createFleetOrders, type FleetOrders } from './fleetOrders.ts';
import { createFleetPicture, type FleetPicture } from './fleetPicture.ts';
import { topicsOf } from './topics.ts';

/** Maximum time in milliseconds that a broker needs to send the retained messages of all stations. */
const RETAINED_MS = 10_000;

type FleetWatchNeeds = {
  client: BrokerClient;
  settings: CurrentSettings;
  clock: Clock;
  log: Log;
  ids: Pick<Ids, 'bytes'>;
  backgroundReads: Pick<StepQueue, 'takeAll'>;
  /** Whether this station publishes nothing. If so, another station may have its id. */
  isOnlyWatching: boolean;
};

/** Dependencies and state of the watch over the fleet. */
type WatchContext = FleetWatchNeeds & {
  picture: FleetPicture;
  connector: BrokerConnector;
  orders: FleetOrders;
  connection: BrokerConnection | undefined;
  state: Pick<FleetAnswer, 'state' | 'problem'>;
  /** When the state last changed, in epoch milliseconds. */
  since: number;
  /**
   * Alarm that goes off when all retained messages must have arrived. An echo does not mark their end, because some brokers deliver it
   * before them.
   */
  retainedAlarm: Alarm;
  exchanges: ReturnType<typeof createExchanges>;
  isStopped: boolean;
  /** Ends a pause early. */
  wake: () => void;
};

/**
 * Creates a watch over all stations below the prefix, with a separate connection. Any number of stations can watch. Finds the stations
 * first, and then subscribes to their topics one station after another, because a broker queues only a limited number of QoS 1 messages per
 * subscriber and silently drops the rest (mosquitto: 1,000).
 */
export function createFleetWatch(needs: FleetWatchNeeds) {
  const { clock, ids, settings } = needs;
  const { mqtt_prefix: prefix, mqtt_station: own } = settings;
  const picture = createFleetPicture({ clock, prefix, own: needs.isOnlyWatching ? '' : own });
  const context: WatchContext = {
    ...needs,
    picture,
    connector: createConnector(needs),
    orders: createFleetOrders({ clock, ids, prefix, find: picture.find, connection: () => context.connection }),
    connection: undefined,
    state: { state: 'connecting', problem: null },
    since: clock.now(),
    retainedAlarm: createAlarm(clock, picture.removeNotHeard),
    exchanges: createExchanges(),
    isStopped: false,
    wake: () => undefined,
  };
  return {
    start: (): void => void run(context),
    /** Returns the state of the connection. */
    status: () => ({ ...status(context), protocol: context.connection?.protocol ?? null }),
    answer: (): FleetAnswer => ({
      ...status(context),
      stations: picture.listStations(),
      alerts: picture.listAlerts(),
    }),
    find: (wanted: string) => find(context, wanted),
    send: (station: string, order: NewOrder, isLaunched: boolean) => context.orders.send(station, order, isLaunched),
    idle: (): boolean => context.exchanges.idle(),
    stop: () => stop(context),
  };
}

function status({ state, since }: WatchContext) {
  return { ...state, since: new Date(since).toISOString() };
}

async function find({ picture, backgroundReads }: WatchContext, wanted: string): Promise<FleetFound[]> {
  const work = findInFleet(picture, wanted);
  const first = work.next();
  return first.done === true ? first.value : backgroundReads.takeAll(work);
}

async function stop(context: WatchContext): Promise<void> {
  context.isStopped = true;
  context.connector.giveUp();
  context.retainedAlarm.stop();
  context.wake();
  const open = context.connection;
  context.connection = undefined;
  context.orders.lost();
  await open?.close();
}

/** Connects, and reconnects after each failure until the watch stops. */
async function run(context: WatchContext): Promise<void> {
  for (let failures = 0; !isStopped(context);) {
    try {
      context.connector.tryNewest();
      const { ended } = await context.exchanges.counted(() => begin(context));
      enter(context, { state: 'connected', problem: null });
      failures = 0;
      await ended;
    } catch (error) {
      const failed = context.connection;
      context.connection = undefined;
      context.orders.lost();
      context.retainedAlarm.cancel();
      if (isStopped(context)) return;
      void failed?.close();
      if (!(error instanceof BrokerFault))
        context.log.error({ err: error }, 'watching the fleet failed because of a defect');
      const fault = error instanceof BrokerFault ? error : new BrokerFault(String(error));
      failures += 1;
      enter(context, { state: fault.isRefusal ? 'refused' : 'error', problem: fault.message });
      await pause(context, pauseAfter(fault, failures));
    }
  }
}

/** Returns whether the watch has stopped. A function, because TypeScript does not know that `isStopped` can change during an `await`. */
function isStopped(context: WatchContext): boolean {
  return context.isStopped;
}

function enter(context: WatchContext, next: WatchContext['state']): void {
  if (next.state !== context.state.state) context.since = context.clock.now();
  context.state = next;
}

/** Connects and subscribes to all stations. The returned `ended` rejects with the fault that ends the connection. */
async function begin(context: WatchContext): Promise<{ ended: Promise<never> }> {
  const { picture, connector, orders, ids, settings } = context;
  const { mqtt_prefix: prefix, mqtt_station: own } = settings;
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => undefined);
  const mark = Buffer.from(ids.bytes(6)).toString('hex');
  const heard = createFollower(context);
  picture.begin();
  const opened = await connector.connect(
    { clientId: `${own}-fleet-${mark}`, sessionS: 0, will: undefined },
    {
      message({ topic, payload, isRetained }) {
        const text = exactText(payload);
        if (text === undefined) return undefined;
        if (!isRetained) orders.receive(topic, text);
        const id = picture.take({ topic, text, isLive: !isRetained });
        if (id !== undefined) heard(id);
        return undefined;
      },
      closed: (fault) => end.reject(fault),
    },
  );
  context.connection = opened;
  const filters = [`${prefix}/+/availability`, `${prefix}/+/info`];
  // Subscribe with QoS 0 to get the retained messages, which mosquitto does not drop in that case, and then change to QoS 1 for later
  // changes. Retained messages with QoS 1 would fill the broker's queue, so that it drops changes.
  await Promise.race([opened.subscribe(filters, 0).then(() => opened.raiseQos(filters)), end.promise]);
  context.retainedAlarm.in(RETAINED_MS);
  return { ended: end.promise };
}

/**
 * Returns a function to call after each message from a station. It subscribes to the devices and orders of a station whose `info` is
 * readable, and unsubscribes from those of others, one station after another.
 */
function createFollower(context: WatchContext): (id: string) => void {
  const { picture } = context;
  const followed = new Set<string>();
  /** Ids of stations that wait for their turn. */
  const waiting = new Set<string>();
  const inOrder = createLane();

  async function follow(id: string): Promise<void> {
    waiting.delete(id);
    const { connection } = context;
    if (connection === undefined) return;
    const { states } = topicsOf({ prefix: context.settings.mqtt_prefix, station: id });
    if (!followed.has(id)) return connection.unsubscribe(states);
    picture.asked(id);
    await connection.subscribe(states).catch((error: unknown) => {
      picture.refused(id, error instanceof Error ? error.message : String(error));
    });
  }

  return (id) => {
    if (followed.has(id) === picture.isReadable(id)) return;
    if (!followed.delete(id)) followed.add(id);
    if (waiting.has(id)) return;
    waiting.add(id);
    void inOrder(() => context.exchanges.counted(() => follow(id)));
  };
}

/** Waits for `ms` milliseconds, or until the watch stops. */
function pause(context: WatchContext, ms: number): Promise<void> {
  let timer: Timer | undefined;
  return new Promise<void>((resolve) => {
    context.wake = resolve;
    timer = context.clock.setTimer(ms, resolve);
  }).finally(() => timer?.cancel());
}

export type FleetWatch = ReturnType<typeof createFleetWatch>;
