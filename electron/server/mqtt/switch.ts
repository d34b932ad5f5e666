import type { FleetAnswer, FleetFound, FleetOrder } from '#shared/api/fleet.ts';
import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { StationError } from '../errors.ts';
import type { Core } from '../core.ts';
import { alertEntry, type StationAlerts } from '../services/alerts/index.ts';
import type { Bridge, BridgeParts } from './bridge.ts';
import type { Invoker } from './commands.ts';
import type { FleetWatch } from './fleetWatch.ts';

type Needs = Pick<BridgeParts, 'devices' | 'orders' | 'queue' | 'heard'> & {
  loadClient: () => Promise<BridgeParts['client']>;
  /** Called once per bridge. */
  invoker: () => Invoker;
  /** The address under which people open the station. */
  url: () => string;
  /** Of this machine. */
  name: string;
  stationAlerts: StationAlerts;
  /** It watches the other stations, and publishes nothing. */
  fleetOnly: boolean;
};

/** Runs the MQTT bridge while `mqtt_url` is set. Without it, neither the bridge nor its library is loaded. */
export function createMqttSwitch(core: Core, needs: Needs) {
  const { settings, clock, ids, bus, log, reads, repositories, writer } = core;
  // Each run has another: a station finds out whether what the broker stores is its own.
  let instance = '';
  let bridge: Bridge | undefined;
  let running = '';
  let fleet: FleetWatch | undefined;
  let watching = '';
  let unwatchedSince = clock.now();
  const noFleet = needs.fleetOnly ? NO_BROKER : NO_FLEET;
  let hadDiscovery = false;
  let offSince = clock.now();
  let isStopped = false;
  let isTurning = false;
  /** Starts and stops follow one another. */
  let turn: Promise<void> = Promise.resolve();

  async function build(forgetDiscovery: boolean): Promise<Bridge> {
    const [{ createBridge }, { createCommands }, { topicsOf }, client] = await Promise.all([
      import('./bridge.ts'),
      import('./commands.ts'),
      import('./topics.ts'),
      needs.loadClient(),
    ]);
    const current = settings.current();
    const { mqtt_prefix: prefix, mqtt_station: station, mqtt_discovery: hasDiscovery } = current;
    const topics = topicsOf({ prefix, station });
    if (instance === '') {
      instance = Buffer.from(ids.bytes(9)).toString('hex');
      await writer.write(() => repositories.mqtt.addInstance(instance));
    }
    return createBridge({
      ...core,
      ...needs,
      client,
      settings: current,
      topics,
      commands: createCommands({ ...core, topics, invoker: needs.invoker() }),
      about: () => ({ station, name: needs.name, url: needs.url(), instance }),
      listAlerts: () => reads.alerts.listOpen().map(alertEntry),
      batteryPercent: () => settings.current().alert_battery_percent,
      isOwn: (other) => reads.mqtt.listInstances().includes(other),
      hasDiscovery,
      forgetDiscovery,
      restored: (overwritten) => restored(topics.base, overwritten),
    });
  }

  function restored(about: string, topics: readonly string[]): void {
    log.warn({ about, count: topics.length }, 'topics of this station were overwritten at the broker, and restored');
    const problem = overwrittenWords(topics);
    writer
      .writeSoon((tx) => needs.stationAlerts.raise(tx, { kind: 'mqtt_overwritten', about, problem }))
      .catch((error: unknown) => log.warn({ err: error }, 'an alert about overwritten topics was not written'));
  }

  /** What a bridge is built from. */
  function wanted(): string {
    const current = settings.current();
    if (current.mqtt_url === '' || settings.held('mqtt') !== undefined) return '';
    return JSON.stringify(Object.entries(current).filter(([name]) => name.startsWith('mqtt_')));
  }

  /** Why it is off although a broker is set. */
  const held = (): string | null => (settings.hasReceiver('mqtt') ? (settings.held('mqtt') ?? null) : null);

  async function apply(): Promise<void> {
    const next = isStopped || needs.fleetOnly ? '' : wanted();
    if (next === running) return;
    running = next;
    await bridge?.stop();
    bridge = undefined;
    offSince = clock.now();
    if (next === '') return;
    const { mqtt_discovery } = settings.current();
    bridge = await build(hadDiscovery && !mqtt_discovery);
    hadDiscovery = mqtt_discovery;
    bridge.start();
  }

  async function applyFleet(): Promise<void> {
    const isWanted = needs.fleetOnly || settings.current().fleet;
    const next = isStopped || !isWanted ? '' : wanted();
    if (next === watching) return;
    watching = next;
    await fleet?.stop();
    fleet = undefined;
    unwatchedSince = clock.now();
    if (next === '') return;
    const [{ createFleetWatch }, client] = await Promise.all([import('./fleetWatch.ts'), needs.loadClient()]);
    const isOnlyWatching = needs.fleetOnly;
    fleet = createFleetWatch({ ...core, client, settings: settings.current(), isOnlyWatching });
    fleet.start();
  }

  function reconsider(): Promise<void> {
    const mine = turn
      .then(() => Promise.all([apply(), applyFleet()]))
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, 'the MQTT bridge could not be started'));
    turn = mine;
    isTurning = true;
    void mine.then(() => (isTurning = turn !== mine));
    return mine;
  }

  async function watch(): Promise<FleetWatch> {
    await turn;
    if (fleet === undefined) throw new StationError('conflict', held() ?? noFleet);
    return fleet;
  }

  return {
    status(): MqttStatus {
      const problem = held();
      const off = { state: 'off', problem, since: new Date(offSince).toISOString(), protocol: null } as const;
      return {
        ...off,
        ...(needs.fleetOnly ? fleet?.status() : bridge?.status()),
        station: settings.current().mqtt_station,
        waiting: reads.outbox.of('mqtt').countPending(),
        log: bridge?.messages() ?? [],
      };
    },
    /** Whether nothing is under way with the broker. */
    idle: (): boolean => !isTurning && (bridge?.idle() ?? true) && (fleet?.idle() ?? true),
    fleet: {
      answer(): FleetAnswer {
        const since = new Date(unwatchedSince).toISOString();
        return fleet?.answer() ?? { state: 'off', problem: held() ?? noFleet, since, stations: [], alerts: [] };
      },
      /** Throws `conflict` while the fleet is off. */
      find: async (wantedText: string): Promise<FleetFound[]> => (await watch()).find(wantedText),
      /** As `send` in fleetOrders.ts; throws `conflict` while the fleet is off. */
      send: async (...asked: Parameters<FleetWatch['send']>): Promise<FleetOrder> => (await watch()).send(...asked),
    },
    /** Throws `conflict` if no broker is set. */
    async test(): Promise<TestMqtt> {
      await turn;
      if (needs.fleetOnly) throw new StationError('conflict', NO_BRIDGE);
      if (bridge === undefined) {
        throw new StationError('conflict', held() ?? 'There is no broker to test: set mqtt_url first.');
      }
      return bridge.test();
    },
    start(): void {
      core.onStop(
        bus.subscribe({
          commit({ facts }) {
            if (facts.some(({ type }) => type === 'settings.changed')) void reconsider();
          },
        }),
      );
      void reconsider();
    },
    async stop(): Promise<void> {
      isStopped = true;
      await reconsider();
    },
  };
}

/** Names one topic, shortened: other clients choose some of the names. */
function overwrittenWords(topics: readonly string[]): string {
  const [first = ''] = topics;
  const what = topics.length === 1 ? 'a topic' : `${topics.length} topics`;
  return `Another client at the broker wrote to ${what} that only this station writes, such as "${first.slice(0, 100)}". The station restored them. Find the client in the broker's log, and give each client its own user and rights.`;
}

const NO_BRIDGE =
  'A station that only shows others (--fleet) publishes nothing, so there is nothing to test. The state says whether it is connected.';
const NO_FLEET = 'This station does not show others: set mqtt_url and fleet.';
const NO_BROKER = 'This station shows the others once mqtt_url is set.';

export type MqttSwitch = ReturnType<typeof createMqttSwitch>;
