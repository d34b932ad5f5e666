import type { StationConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { createRows } from './db/rows.ts';
import { createWriter, type Writer } from './db/writer.ts';
import { createApp } from './http/app.ts';
import { accessEndpoints } from './http/endpoints/access.ts';
import { callbackEndpoints } from './http/endpoints/callbacks.ts';
import { deviceEndpoints } from './http/endpoints/devices.ts';
import { settingsEndpoints } from './http/endpoints/settings.ts';
import { simulatorEndpoints } from './http/endpoints/simulator.ts';
import { stationEndpoints } from './http/endpoints/station.ts';
import { createEventStreams } from './http/events.ts';
import { closeServer, listen } from './http/server.ts';
import type { Clock, HttpClient, Ids, Log, TurboEvents } from './ports.ts';
import { createAccess } from './services/access.ts';
import { createBus } from './services/bus.ts';
import { createCallbacks } from './services/callbacks.ts';
import { createCommands, type Commands } from './services/commands.ts';
import { createConditions } from './services/conditions.ts';
import { createDeadlines } from './services/deadlines.ts';
import { createDevices } from './services/devices.ts';
import { createDispatcher } from './services/dispatcher.ts';
import { createDisplay } from './services/display.ts';
import { createOverview } from './services/overview.ts';
import { createReports } from './services/reports.ts';
import { createRequests } from './services/requests.ts';
import { createSettings, type SettingsService } from './services/settings.ts';
import { createSimulation } from './services/simulation.ts';
import { createSimulator } from './simulator/simulator.ts';
import { createFleet, type Fleet } from './turbo/fleet.ts';
import { createLoopbacks } from './turbo/transports/loopback.ts';
import type { Transport } from './turbo/transports/transport.ts';

export type StationPorts = {
  clock: Clock;
  ids: Ids;
  log: Log;
  http: HttpClient;
  /** How long work that nobody waits for may ride along, in milliseconds. */
  soonMs: number;
  /** Sees each transport before it is attached: for tests that watch the wire. */
  watchTransport: (transport: Transport) => Transport;
};

export type Station = {
  /** Opens everything; answers when requests are served. A start that fails undoes itself and throws a StationError. */
  start(): Promise<Started>;
  /** Contract, section 1, Stop. Idempotent. */
  stop(): Promise<void>;
};

export type Started = {
  /** Where it is, with its trailing slash. */
  url: string;
  /** The password that was made for `admin` on a fresh data folder, said once; undefined otherwise. */
  generatedPassword: string | undefined;
  /** Nothing is under way inside: every commit made, every frame delivered. Deliveries to receivers may be. */
  idle(): boolean;
  /** No delivery is under way. */
  delivered(): boolean;
  commits(): number;
};

export const VERSION = '0.1.0';

/** The only file that joins the parts: each gets what it needs as arguments, and nothing starts before `start`. */
export function createStation(config: StationConfig, ports: StationPorts, pageFolder: string): Station {
  const stops: (() => void | Promise<void>)[] = [];
  let opening: Promise<Started> | undefined;
  let stopping: Promise<void> | undefined;
  let isStopping = false;

  async function start(): Promise<Started> {
    try {
      opening = open();
      return await opening;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async function open(): Promise<Started> {
    const { clock, ids, log, http } = ports;
    const database = openDatabase(config.dataFolder);
    stops.push(() => database.close());
    const rows = createRows(database.writer);
    const reads = createRows(database.reader);
    const lastCommitAt = reads.commits.lastAt();
    const bus = createBus();

    // Some parts need each other; each is made once, and is there before anything happens.
    let commands: Commands;
    let fleet: Fleet;
    let settings: SettingsService;
    let writer: Writer;
    const conditions = createConditions({
      clock,
      bus,
      turbos: () => fleet,
      save: (saved) => writer.write(() => rows.devices.saveConditions(saved)),
      log,
    });
    const display = createDisplay({ rows, turbos: () => fleet, conditions });
    const deadlines = createDeadlines({
      rows,
      writer: () => writer,
      commands: () => commands,
      conditions,
      settings: () => settings,
      turbos: () => fleet,
      clock,
      log,
      woke: () => dispatcher.look(),
    });
    writer = createWriter({
      db: database.writer,
      clock,
      log,
      soonMs: ports.soonMs,
      publish: (commit) => bus.publish(commit),
      watchClock: () => deadlines.watchClock(),
    });
    stops.push(() => writer.stop());
    stops.push(() => conditions.stop());
    settings = createSettings({ rows, writer });
    const access = createAccess({ rows, writer, clock, ids });
    const dispatcher = createDispatcher({
      rows,
      reads,
      writer,
      settings,
      http,
      clock,
      ids,
      log,
      stationId: await stationId(rows, writer, ids),
      version: VERSION,
    });
    const callbacks = createCallbacks({ rows, settings, offer: (row) => dispatcher.offer(row) });
    commands = createCommands({ rows, callbacks, refresh: display.refresh, due: deadlines.due });
    const devices = createDevices({ rows, reads, writer, conditions, settings, refresh: display.refresh, log });
    const requests = createRequests({ writer, commands, devices, settings });
    const reports: TurboEvents = createReports({
      rows,
      writer,
      commands,
      callbacks,
      conditions,
      devices,
      display,
      clock,
      log,
      recover: () => deadlines.recover(),
    });
    fleet = createFleet({ clock, ids, log, events: reports, trace: undefined });
    stops.push(() => fleet.stop());
    const loopbacks = createLoopbacks({ clock, fraction: ids.fraction });
    const simulator = createSimulator({
      clock,
      ids,
      log,
      connect(faults) {
        const { station, turbo } = loopbacks.connect(faults);
        fleet.attach(ports.watchTransport(station));
        return turbo;
      },
    });
    stops.push(() => simulator.stop());
    const simulation = createSimulation({ rows, writer, devices, simulator });

    const overview = createOverview({
      reader: database.reader,
      reads,
      devices,
      conditions,
      settings,
      version: VERSION,
    });
    const streams = createEventStreams({ bus, overview, access, clock, log });
    let port = config.port;
    const app = createApp({
      endpoints: [
        ...deviceEndpoints({ devices, requests, conditions }),
        ...stationEndpoints({
          overview,
          conditions,
          streams,
          health: () => ({ revision: writer.revision(), devices: devices.count(), commits: writer.commits() }),
          version: VERSION,
        }),
        ...accessEndpoints({ access, streams }),
        ...settingsEndpoints({ settings }),
        ...callbackEndpoints({ dispatcher }),
        ...simulatorEndpoints({ simulation }),
      ],
      access,
      addresses: {
        port: () => port,
        host: config.host,
        publicUrls: () => settings.current().public_urls,
        corsOrigins: () => settings.current().cors_origins,
      },
      log,
      version: VERSION,
      pageFolder,
      isStopping: () => isStopping,
    });

    display.refreshAll();
    await simulation.start(config.simulate);
    const server = await listen(app, config, log);
    stops.push(() => closeServer(server));
    ({ port } = server);
    // Only a station that is up makes a password: one that nobody is told would lock its owner out.
    const generatedPassword = await firstRun(access, ids);
    stops.push(() => streams.stop());
    stops.push(() => dispatcher.stop());
    stops.push(() => deadlines.stop());
    deadlines.start(lastCommitAt);
    conditions.start();
    dispatcher.start();
    const name = config.host.includes(':') ? `[${config.host}]` : config.host;
    return {
      url: `http://${name}:${port}/`,
      generatedPassword,
      idle: () => writer.idle() && loopbacks.pending() === 0 && fleet.idle(),
      delivered: () => dispatcher.idle(),
      commits: () => writer.commits(),
    };
  }

  async function firstRun(access: ReturnType<typeof createAccess>, ids: Ids): Promise<string | undefined> {
    if (config.apiKey !== undefined) await access.putApiUser('environment', 'admin', config.apiKey);
    if (config.adminPassword !== undefined) {
      await access.putUser('admin', config.adminPassword, 'admin');
      return undefined;
    }
    if (access.countUsers() > 0) return undefined;
    const password = readablePassword(ids.bytes(12));
    await access.putUser('admin', password, 'admin');
    return password;
  }

  function stop(): Promise<void> {
    isStopping = true;
    stopping ??= (async () => {
      // What has begun is opened first: half of it would go on without the other.
      await opening?.catch(() => undefined);
      while (stops.length > 0) await stops.pop()?.();
      ports.http.stop();
    })();
    return stopping;
  }

  return { start, stop };
}

async function stationId(rows: ReturnType<typeof createRows>, writer: Writer, ids: Ids): Promise<string> {
  const known = rows.settings.findMark('station_id');
  if (known !== undefined) return known;
  const made = Buffer.from(ids.bytes(9)).toString('base64url').replaceAll('_', '-');
  await writer.write(() => rows.settings.putMark('station_id', made));
  return made;
}

/** Twelve letters and digits in groups, without those that look alike. */
function readablePassword(bytes: Uint8Array): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters = [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}
