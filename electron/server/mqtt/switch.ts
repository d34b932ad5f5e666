import type { FleetAnswer, FleetFound, FleetOrder } from '#shared/api/fleet.ts';
import type { MqttStatus, TestMqtt } from '#shared/api/mqtt.ts';
import { StationError } from '../errors.ts';
import type { Core } from '../core.ts';
import { alertEntry, type StationAlerts } from '../services/alerts/index.ts';
import { findOpenCommand } from '../services/commands/index.ts';
import type { Bridge, BridgeParts } from './bridge.ts';
import type { Invoker } from './commandInvoker.ts';
import type { FleetWatch } from './fleetWatch.ts';

type Needs = Pick<BridgeParts, 'articles' | 'batches' | 'devices' | 'orders' | 'queue' | 'onOutcome'> & {
  loadClient: () => Promise<BridgeParts['client']>;
  /** Creates the invoker of commands. Called once per bridge. */
  invoker: () => Invoker;
  /** Returns the address at which people open the station. */
  url: () => string;
  /** The name of this machine. */
  name: string;
  stationAlerts: StationAlerts;
  /** Whether the station only watches other stations and publishes nothing. */
  fleetOnly: boolean;
};

/** Dependencies and state of the switch: the bridge and the watch that it runs. */
type SwitchContext = {
  core: Core;
  needs: Needs;
  /** The running bridge. `bridgeSettings` are the settings with which the bridge was created, or an empty string if the bridge is off. */
  bridge: Bridge | undefined;
  bridgeSettings: string;
  /** When the bridge was turned off, in epoch milliseconds. */
  offSince: number;
  /** Whether the last bridge published discovery for Home Assistant, so that the next one removes it if the setting is off. */
  hadDiscovery: boolean;
  /** Random mark of this run, by which the station recognizes its own `info` at the broker. Empty until it is generated. */
  instance: string;
  /**
   * The running watch over the fleet. `fleetSettings` are the settings with which the watch was created, or an empty string if the watch is
   * off.
   */
  fleet: FleetWatch | undefined;
  fleetSettings: string;
  /** When the watch over the fleet was turned off, in epoch milliseconds. */
  unwatchedSince: number;
  isStopped: boolean;
  /** Settles when the last start or stop has finished, so that only one runs at a time. */
  turn: Promise<void>;
  isTurning: boolean;
};

/** Creates a switch that runs the MQTT bridge while `mqtt_url` is set. Loads the bridge and its library only when needed. */
export function createMqttSwitch(core: Core, needs: Needs) {
  const now = core.clock.now();
  const context: SwitchContext = {
    core,
    needs,
    bridge: undefined,
    bridgeSettings: '',
    offSince: now,
    hadDiscovery: false,
    instance: '',
    fleet: undefined,
    fleetSettings: '',
    unwatchedSince: now,
    isStopped: false,
    turn: Promise.resolve(),
    isTurning: false,
  };
  return {
    status: () => status(context),
    /** Returns whether nothing is starting or stopping, and no exchange with the broker is in progress. */
    idle: (): boolean => !context.isTurning && (context.bridge?.idle() ?? true) && (context.fleet?.idle() ?? true),
    fleet: {
      answer: () => fleetAnswer(context),
      /** Searches the fleet. Rejects with `conflict` while the fleet is off. */
      find: async (wanted: string): Promise<FleetFound[]> => (await watchOf(context)).find(wanted),
      /** Sends an order like `send` in fleetOrders.ts. Rejects with `conflict` while the fleet is off. */
      send: async (...asked: Parameters<FleetWatch['send']>): Promise<FleetOrder> =>
        (await watchOf(context)).send(...asked),
    },
    test: () => testBroker(context),
    start: () => start(context),
    async stop(): Promise<void> {
      context.isStopped = true;
      await applySettings(context);
    },
  };
}

function status({ core, needs, bridge, fleet, offSince }: SwitchContext): MqttStatus {
  const problem = held(core);
  const off = { state: 'off', problem, since: new Date(offSince).toISOString(), protocol: null } as const;
  return {
    ...off,
    ...(needs.fleetOnly ? fleet?.status() : bridge?.status()),
    station: core.settings.current().mqtt_station,
    waiting: core.reads.outbox.of('mqtt').countPending(),
    log: bridge?.messages() ?? [],
  };
}

function fleetAnswer(context: SwitchContext): FleetAnswer {
  const since = new Date(context.unwatchedSince).toISOString();
  const off: FleetAnswer = { state: 'off', problem: whyNoFleet(context), since, stations: [], alerts: [] };
  return context.fleet?.answer() ?? off;
}

/** Tests the connection to the broker. Rejects with `conflict` if no broker is set or the station only watches others. */
async function testBroker(context: SwitchContext): Promise<TestMqtt> {
  await context.turn;
  const { core, needs, bridge } = context;
  if (needs.fleetOnly) throw new StationError('conflict', NO_BRIDGE);
  if (bridge === undefined) {
    throw new StationError('conflict', held(core) ?? 'There is no broker to test: set mqtt_url first.');
  }
  return bridge.test();
}

function start(context: SwitchContext): void {
  const { bus, onStop } = context.core;
  onStop(
    bus.subscribe({
      commit({ facts }) {
        if (facts.some(({ type }) => type === 'settings.changed')) void applySettings(context);
      },
    }),
  );
  void applySettings(context);
}

/** Starts, restarts or stops the bridge and the watch over the fleet, after the previous call has finished. */
function applySettings(context: SwitchContext): Promise<void> {
  const mine = context.turn
    .then(() => Promise.all([applyToBridge(context), applyToFleet(context)]))
    .then(() => undefined)
    .catch((error: unknown) => context.core.log.error({ err: error }, 'the MQTT bridge could not be started'));
  context.turn = mine;
  context.isTurning = true;
  void mine.then(() => (context.isTurning = context.turn !== mine));
  return mine;
}

async function applyToBridge(context: SwitchContext): Promise<void> {
  const { core, needs } = context;
  const wanted = context.isStopped || needs.fleetOnly ? '' : wantedSettings(core);
  if (wanted === context.bridgeSettings) return;
  context.bridgeSettings = wanted;
  await context.bridge?.stop();
  context.bridge = undefined;
  context.offSince = core.clock.now();
  if (wanted === '') return;
  const { mqtt_discovery } = core.settings.current();
  context.bridge = await buildBridge(context, context.hadDiscovery && !mqtt_discovery);
  context.hadDiscovery = mqtt_discovery;
  context.bridge.start();
}

async function applyToFleet(context: SwitchContext): Promise<void> {
  const { core, needs } = context;
  const isWanted = needs.fleetOnly || core.settings.current().fleet;
  const wanted = context.isStopped || !isWanted ? '' : wantedSettings(core);
  if (wanted === context.fleetSettings) return;
  context.fleetSettings = wanted;
  await context.fleet?.stop();
  context.fleet = undefined;
  context.unwatchedSince = core.clock.now();
  if (wanted === '') return;
  const [{ createFleetWatch }, client] = await Promise.all([import('./fleetWatch.ts'), loadInTurns(needs)]);
  const { clock, log, ids, backgroundReads, settings } = core;
  context.fleet = createFleetWatch({
    client,
    settings: settings.current(),
    clock,
    log,
    ids,
    backgroundReads,
    isOnlyWatching: needs.fleetOnly,
  });
  context.fleet.start();
}

/** Loads the client. Its modules are loaded only with a broker. */
async function loadInTurns({ loadClient }: Pick<Needs, 'loadClient'>): Promise<BridgeParts['client']> {
  const [{ clientInTurns }, client] = await Promise.all([import('./clientInTurns.ts'), loadClient()]);
  return clientInTurns(client);
}

async function buildBridge(context: SwitchContext, forgetDiscovery: boolean): Promise<Bridge> {
  const { core, needs } = context;
  const { settings, ids, reads, repositories, writer } = core;
  const [{ createBridge }, { createCommands }, { topicsOf }, client] = await Promise.all([
    import('./bridge.ts'),
    import('./commands.ts'),
    import('./topics.ts'),
    loadInTurns(needs),
  ]);
  const current = settings.current();
  const { mqtt_prefix: prefix, mqtt_station: station, mqtt_discovery: hasDiscovery } = current;
  const topics = topicsOf({ prefix, station });
  if (context.instance === '') {
    context.instance = Buffer.from(ids.bytes(9)).toString('hex');
    await writer.write(() => repositories.mqtt.addInstance(context.instance));
  }
  return createBridge({
    ...core,
    ...needs,
    client,
    settings: current,
    topics,
    commands: createCommands({
      ...core,
      topics,
      invoker: needs.invoker(),
      findOpen: (id) => findOpenCommand(reads, id),
    }),
    about: () => ({ station, name: needs.name, url: needs.url(), instance: context.instance }),
    listAlerts: () => reads.alerts.listOpen().map(alertEntry),
    batteryPercent: () => settings.current().alert_battery_percent,
    isOwn: (other) => reads.mqtt.listInstances().includes(other),
    hasDiscovery,
    forgetDiscovery,
    restored: (overwritten) => raiseOverwritten(context, topics.base, overwritten),
  });
}

/** Raises an alert about topics that another client overwrote and that this station has restored. */
function raiseOverwritten({ core, needs }: SwitchContext, about: string, topics: readonly string[]): void {
  const { writer, log } = core;
  log.warn(
    { about, count: topics.length },
    'topics of this station were overwritten at the broker and have been restored',
  );
  const problem = overwrittenWords(topics);
  writer
    .writeSoon((tx) => needs.stationAlerts.raise(tx, { kind: 'mqtt_overwritten', about, problem }))
    .catch((error: unknown) => log.warn({ err: error }, 'could not raise the alert about overwritten topics'));
}

/** Returns the MQTT settings as one text, to detect changes. The text is empty if MQTT is off. */
function wantedSettings({ settings }: Core): string {
  const current = settings.current();
  if (current.mqtt_url === '' || settings.held('mqtt') !== undefined) return '';
  return JSON.stringify(Object.entries(current).filter(([name]) => name.startsWith('mqtt_')));
}

/** Returns why MQTT is off although a broker is set, or null if that is not the case. */
function held({ settings }: Core): string | null {
  return settings.hasReceiver('mqtt') ? (settings.held('mqtt') ?? null) : null;
}

async function watchOf(context: SwitchContext): Promise<FleetWatch> {
  await context.turn;
  if (context.fleet === undefined) throw new StationError('conflict', whyNoFleet(context));
  return context.fleet;
}

function whyNoFleet({ core, needs }: SwitchContext): string {
  return held(core) ?? (needs.fleetOnly ? NO_BROKER : NO_FLEET);
}

/** Returns a sentence about overwritten topics for the alert. Shortens the topic, because other clients can choose its name. */
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
