import { arch, homedir, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '#shared/api/version.ts';
import type { StationConfig } from './config.ts';
import { createCopier } from './copier/copier.ts';
import { DATABASE_FILE, holdFolder, openDatabase, type OpenDatabase } from './db/database.ts';
import { bytesOf } from './db/backupFiles.ts';
import { changesOf, identityOf } from './db/mark.ts';
import { MIGRATIONS } from './db/migrations.ts';
import { findGoodBackup } from './copier/findGoodBackup.ts';
import { prepareRestore } from './copier/prepareRestore.ts';
import { lazyStatements } from './db/lazyStatements.ts';
import { createRepositories } from './db/repositories.ts';
import { createWriter, type Writer } from './db/writer.ts';
import { FIRST_COMMANDS, idFloorsAt } from './domain/idFloors.ts';
import { createApp } from './http/app.ts';
import { allEndpoints } from './http/endpoints/all.ts';
import { createEventStreams } from './http/events.ts';
import { createListener } from './http/listener.ts';
import { createProxyTrust } from './http/forwarded.ts';
import type { Addresses } from './http/guard.ts';
import { ownAddresses, thisMachine } from './http/machine.ts';
import { isSafeForPasswords } from './http/signIn.ts';
import { turboNetworkOf } from './http/turboNetwork.ts';
import { turboUpgrade } from './http/turboUpgrade.ts';
import { DataLost, StationError } from './errors.ts';
import type {
  Clock,
  Copier,
  CopyProgress,
  DerivePassword,
  HttpClient,
  Ids,
  Log,
  SerialPorts,
  StartSideProcess,
  TurboEvents,
} from './ports.ts';
import { createRestartable } from './restartable.ts';
import { type SignedIn, createAccess, createRights, weaknessOf } from './services/access/index.ts';
import {
  createAlertRecords,
  createAlerts,
  createRefusedCallers,
  createStationAlerts,
  createTurboAlerts,
} from './services/alerts/index.ts';
import {
  createAudit,
  createAuditTally,
  createBackgroundReadQueue,
  createBus,
  createLaunchLimiter,
  createLogMemory,
  createRequestLog,
  createStationClock,
  createStationMark,
} from './services/base/index.ts';
import {
  type Backups,
  createBackupSchedule,
  createBackups,
  recordLoss,
  recordRestored,
} from './services/backups/index.ts';
import { createAliases } from './services/aliases/index.ts';
import {
  createCallbackSender,
  createCallbacks,
  createDeliveries,
  createDeliveryNotifier,
  createDispatcher,
  createTestReceiver,
} from './services/callbacks/index.ts';
import {
  type Commands,
  type OwnerMoved,
  createCommandMoves,
  createCommands,
  createReach,
} from './services/commands/index.ts';
import {
  createDevices,
  createDisplay,
  createOperatorActions,
  createPreviews,
  createRefusals,
  createRegistrations,
  createRequests,
  createTelemetry,
} from './services/devices/index.ts';
import { createDeadlines } from './services/deadlines.ts';
import { createDiagnostics } from './services/diagnostics.ts';
import { createHistory, createHistorySearch, createRetention, createWorkTimelines } from './services/history/index.ts';
import { createLocationImport, createMap } from './services/places/index.ts';
import { type Orders, createOrderImport, createOrders } from './services/orders/index.ts';
import { createOverview } from './services/overview.ts';
import { createRegistry } from './services/registry.ts';
import { createReplacement } from './services/replace.ts';
import { createReports } from './services/reports.ts';
import { type Sequences, createSequenceLists, createSequences } from './services/sequences/index.ts';
import { type SettingsService, createSettings } from './services/settings/index.ts';
import { createSetup, hashOfAdmin } from './services/setup.ts';
import { createSimulation } from './services/simulation/index.ts';
import { createSimulator } from './simulator/simulator.ts';
import { createFleet, type Fleet } from './turbo/fleet.ts';
import { createLoopbacks } from './turbo/transports/loopback.ts';
import { createTurboCare, createTurboLinks, createTurboSignIn } from './services/turbos/index.ts';
import { createTurboSockets } from './turbo/transports/network.ts';
import { createSerialLinks } from './turbo/serialLinks.ts';
import { createTrafficRegistry } from './turbo/trafficRegistry.ts';
import { createTurboPort, type TurboPort } from './turbo/turboPort.ts';
import type { Transport } from './turbo/transports/transport.ts';
import { createAddressFile } from './addressFile.ts';

export type StationPorts = {
  clock: Clock;
  ids: Ids;
  log: Log;
  http: HttpClient;
  serial: SerialPorts;
  startSideProcess: StartSideProcess;
  /** Slow on purpose, but in tests. */
  derivePassword: DerivePassword;
  /** How long work that nobody waits for may ride along, in milliseconds. */
  soonMs: number;
  /** Sees each transport before it is attached: for tests that watch the wire. */
  watchTransport: (transport: Transport) => Transport;
  /** Brings in turbos of other kinds, which speak no frames. docs/decisions/0025 */
  joinTurbos: (join: Fleet['join'], clock: Clock) => void;
  /** Sees each step of a backup, which waits for what it answers: for tests that look in the middle of one. */
  watchCopy: (progress: CopyProgress) => Promise<void> | undefined;
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
  /** Every address that it answers under now. */
  addresses(): string[];
  /** SHA-256 of the certificate that it shows now; undefined where it speaks plain HTTP. */
  fingerprint(): string | undefined;
  /** Where turbos connect by TCP; undefined: nowhere. */
  turboPort(): number | undefined;
  /** The password that was made for `admin` on a fresh data folder, said once; undefined otherwise. */
  generatedPassword: string | undefined;
  /** Opens a session of the first admin: for the shell that shows the window, and for nobody over the network. */
  signIn(): Promise<Pick<SignedIn, 'sessionId' | 'token' | 'endsAt'>>;
  /** Nothing is under way inside: every commit made, every frame delivered. Deliveries to receivers may be. */
  idle(): boolean;
  /** No delivery is under way. */
  delivered(): boolean;
  commits(): number;
};

export { VERSION };

/** The only file that joins the parts: each gets what it needs as arguments, and nothing starts before `start`. */
export function createStation(config: StationConfig, ports: StationPorts, pageFolder: string): Station {
  return createRestartable(config, ports, (inside, restart) => buildStation(inside, ports, pageFolder, restart));
}

/** `restart`: stops all of this and makes another. */
function buildStation(config: StationConfig, ports: StationPorts, pageFolder: string, restart: () => void): Station {
  const stops: (() => void | Promise<void>)[] = [];
  let opening: Promise<Started> | undefined;
  let stopping: Promise<void> | undefined;
  let isStopping = false;
  /** Requests that come before would be answered by a station that may yet go back to the data it had. */
  let isUp = false;
  const stopped = new AbortController();
  let settle: OpenDatabase['settle'] = () => undefined;

  async function start(): Promise<Started> {
    try {
      opening = open();
      return await opening;
    } catch (error) {
      // A taken port is no fault of what was restored.
      if (error instanceof StationError && error.code === 'conflict') settle();
      await stop();
      throw error;
    }
  }

  /** What is to be restored is prepared before anything is opened. */
  async function openFolder(copier: Copier): Promise<OpenDatabase> {
    const { dataFolder, restore: from, acceptLoss = false } = config;
    const now = ports.clock.now();
    const hold = holdFolder(dataFolder);
    try {
      const restore =
        from === undefined
          ? undefined
          : await prepareRestore({ copier, dataFolder, from, id: ports.ids.uuid(), now, signal: stopped.signal });
      return openDatabase(dataFolder, { now, migrations: MIGRATIONS, restore, acceptLoss, hold });
    } catch (error) {
      hold.close();
      if (!(error instanceof DataLost)) throw error;
      const backup = await findGoodBackup({ copier, dataFolder, signal: stopped.signal });
      throw new DataLost(error.loss, backup ?? 'none');
    }
  }

  async function open(): Promise<Started> {
    const { clock, ids, http } = ports;
    const { log, lines } = createLogMemory(ports.log, clock);
    const copier = createCopier(ports.startSideProcess, ports.watchCopy, clock);
    const database = await openFolder(copier);
    stops.push(() => database.close());
    settle = database.settle;
    const addressFile = createAddressFile(config.dataFolder, log);
    const repositories = createRepositories(lazyStatements(database.writer));
    const reads = createRepositories(lazyStatements(database.reader));
    const lastCommitAt = reads.commits.lastAt();
    const origin = reads.numbers.findOrigin() ?? { createdAt: clock.now(), firstCommand: randomFirstCommand(ids) };
    const idFloors = idFloorsAt(origin, clock.now());
    const bus = createBus();

    // Some parts need each other; each is made once, and is there before anything happens.
    let commands: Commands;
    let fleet: Fleet;
    let orders: Orders;
    let sequences: Sequences;
    let settings: SettingsService;
    let turboPort: TurboPort;
    let writer: Writer;
    const telemetry = createTelemetry({
      clock,
      bus,
      turbos: () => fleet,
      nameOf: (serialNumber) => reads.turboNames.find(serialNumber),
      save: (saved) => writer.write(() => repositories.devices.saveConditions(saved)),
      log,
    });
    const display = createDisplay({ repositories, turbos: () => fleet, telemetry });
    const deadlines = createDeadlines({
      repositories,
      writer: () => writer,
      commands: () => commands,
      telemetry,
      settings: () => settings,
      turbos: () => fleet,
      clock,
      log,
      woke() {
        dispatcher.look();
        alerts.woke();
      },
    });
    const mark = createStationMark({
      dataFolder: config.dataFolder,
      identity: identityOf(origin),
      revision: () => writer.revision(),
      changes: () => changesOf(join(config.dataFolder, DATABASE_FILE)),
      bus,
      clock,
      log,
    });
    stops.push(() => mark.stop());
    writer = createWriter({
      db: database.writer,
      clock,
      log,
      soonMs: ports.soonMs,
      revisionFloor: idFloors.revision,
      publish: (commit) => bus.publish(commit),
      watchClock: () => deadlines.watchClock(),
    });
    stops.push(() => writer.stop());
    stops.push(() => telemetry.stop());
    await writer.write(() => {
      repositories.numbers.keepOrigin(origin);
      repositories.numbers.raiseCommandIds(idFloors.commandId);
    });
    const time = createStationClock({ repositories, reads, writer, lastCommitAt, clock, log });
    stops.push(() => time.stop());
    const audit = createAudit({ repositories, reads });
    settings = createSettings({ repositories, writer, audit });
    const databaseFile = join(config.dataFolder, DATABASE_FILE);
    let backups: Backups;
    const backupSchedule = createBackupSchedule({
      dataFolder: config.dataFolder,
      createdAt: origin.createdAt,
      backups: () => backups,
      settings: () => settings,
      bus,
      clock,
      log,
    });
    backups = createBackups({
      dataFolder: config.dataFolder,
      databaseFile,
      databaseBytes: () => bytesOf(databaseFile) + bytesOf(`${databaseFile}-wal`),
      copier,
      writer,
      clock,
      ids,
      log,
      audit,
      keep: () => settings.current().backup_keep,
      nextAt: backupSchedule.nextAt,
    });
    await recordRestored({ repositories, writer, audit });
    const { restoreFailure } = database;
    if (restoreFailure !== undefined) {
      backups.setFailure(restoreFailure.problem);
      log.error({}, restoreFailure.problem);
    }
    const access = createAccess({
      repositories,
      reads,
      writer,
      clock,
      ids,
      log,
      audit,
      derive: ports.derivePassword,
      takesPasswords: () => settings.current().basic_auth,
      ownAddresses,
    });
    stops.push(() => access.stop());
    const adminHash = hashOfAdmin(access.people, config.adminPassword);
    const testReceiver = createTestReceiver({ settings, clock });
    const sender = createCallbackSender({ settings, http, testReceiver, clock, version: VERSION });
    const backgroundReads = createBackgroundReadQueue({ clock, bus });
    const deliveryNotifier = createDeliveryNotifier({ bus, clock });
    stops.push(() => deliveryNotifier.stop());
    const changed = deliveryNotifier.changed;
    const dispatcher = createDispatcher({
      repositories,
      reads,
      writer,
      settings,
      sender,
      clock,
      time,
      ids,
      log,
      changed,
    });
    const callbacks = createCallbacks({
      repositories,
      settings,
      time,
      runMark: runMark(ids),
      offer: (row) => dispatcher.offer(row),
    });
    const reach = createReach({ repositories, writer, commands: () => commands, turbos: () => fleet, clock, log });
    stops.push(() => reach.stop());
    const { reaches } = reach;
    const ownerMoved: OwnerMoved = (tx, owner) => {
      if (owner.kind === 'item') orders.itemMoved(tx, owner.id);
      else sequences.stepMoved(tx, owner.id);
    };
    commands = createCommands({
      repositories,
      callbacks,
      refresh: display.refresh,
      due: deadlines.due,
      reaches,
      ownerEnded: (tx, ended) => (ended.owner.kind === 'step' ? sequences : orders).ended(tx, ended),
      ownerMoved,
    });
    const launchLimiter = createLaunchLimiter();
    orders = createOrders({ repositories, reads, writer, commands, callbacks, settings, launchLimiter, ids });
    sequences = createSequences({ repositories, reads, writer, commands, callbacks, settings, launchLimiter });
    const refusals = createRefusals({ repositories, reads });
    const devices = createDevices({
      repositories,
      reads,
      writer,
      telemetry,
      settings,
      refusals,
      registrations: createRegistrations({ writer, alerts: () => stationAlerts, clock, log }),
      refresh: display.refresh,
      log,
    });
    const records = createAlertRecords({ repositories, reads, writer, callbacks });
    const stationAlerts = createStationAlerts(records);
    if (restoreFailure !== undefined) {
      const { from: about, problem } = restoreFailure;
      await writer.write((tx) => stationAlerts.raise(tx, { kind: 'restore_failed', about, problem }));
    }
    await recordLoss({ loss: database.loss, writer, stationAlerts, log });
    const alerts = createAlerts({
      repositories,
      reads,
      writer,
      records,
      turboAlerts: createTurboAlerts({ repositories, writer, records, settings, clock, log }),
      turbos: () => fleet,
      telemetry,
      devices,
      settings,
      bus,
      clock,
      log,
    });
    stops.push(() => alerts.stop());
    const refusedCallers = createRefusedCallers({
      reads,
      writer,
      records,
      alerts,
      stationAlerts,
      settings,
      clock,
      log,
    });
    const map = createMap({ repositories, reads, writer, devices, ids, audit });
    const moves = createCommandMoves({
      repositories,
      commands,
      refresh: display.refresh,
      due: deadlines.due,
      reaches,
      ownerMoved,
    });
    const aliases = createAliases({ repositories, reads, writer, moves, audit });
    const replacement = createReplacement({
      repositories,
      writer,
      commands,
      moves,
      sequences,
      orders,
      devices,
      aliases,
      map,
      audit,
    });
    const requests = createRequests({ writer, commands, devices, settings, audit });
    const reports: TurboEvents = createReports({
      repositories,
      writer,
      commands,
      callbacks,
      telemetry,
      alerts,
      devices,
      display,
      reach,
      clock,
      log,
      linkUp: () => deadlines.linkUp(),
    });
    const trafficRegistry = createTrafficRegistry(clock);
    fleet = createFleet({ clock, ids, log, events: reports, trafficRegistry });
    stops.push(() => fleet.stop());
    ports.joinTurbos((connect, watch) => fleet.join(connect, watch), clock);
    const serialLinks = createSerialLinks({
      ports: ports.serial,
      clock,
      log,
      attach: (transport, watch) => fleet.attach(ports.watchTransport(transport), watch),
      changed: () => turboLinks.changed(),
    });
    stops.push(() => serialLinks.stop());
    const turboLinks = createTurboLinks({
      repositories,
      reads,
      writer,
      ports: ports.serial,
      links: serialLinks,
      turbos: fleet,
      bus,
      audit,
    });
    const turboCare = createTurboCare({
      repositories,
      writer,
      turbos: fleet,
      watch: trafficRegistry,
      telemetry,
      alerts,
      audit,
    });
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
    const simulation = createSimulation({
      repositories,
      reads,
      writer,
      devices,
      simulator,
      wanted: config.simulate,
    });
    const operatorActions = createOperatorActions({ repositories, writer, commands, devices });
    const registry = createRegistry({
      repositories,
      reads,
      writer,
      commands,
      alerts,
      aliases,
      devices,
      refusals,
      telemetry,
      display,
      simulation,
      turbos: fleet,
      audit,
      log,
    });
    const setup = createSetup({
      repositories,
      writer,
      access,
      audit,
      devices,
      simulation,
      map,
      orders,
      sequences,
      ids,
    });

    const history = createHistory({ repositories, reads, writer, bus, log });
    stops.push(() => history.stop());
    const workTimelines = createWorkTimelines({ reads });
    const retention = createRetention({ repositories, reads, writer, settings, bus, clock, log });
    const search = createHistorySearch({ reads, backgroundReads, clock });
    const refusedRights = createAuditTally({ writer, clock, log, audit });
    stops.push(() => refusedRights.stop());
    const rights = createRights({
      circumstances: () => ({ pickerRights: settings.current().picker_rights, isTrial: simulation.isTrial() }),
      refusals: refusedRights,
    });
    const overview = createOverview({
      reader: database.reader,
      reads,
      devices,
      telemetry,
      settings,
      turboLinks,
      rights,
      version: VERSION,
    });
    const streams = createEventStreams({ bus, overview, access, clock, log });
    const listener = createListener({
      config,
      settings: () => settings.current(),
      machine: thisMachine,
      clock,
      log,
      renewed() {
        tellWhere();
        turboPort.renew();
      },
      beside: { follow: () => turboPort.follow(), failure: () => turboPort.failure() },
      weakness: weaknessOf(config.apiKey),
    });
    const tellWhere = (): void => addressFile.tell(listener.url(), listener.certificate()?.fingerprint);
    const addresses: Addresses = {
      port: listener.port,
      host: listener.host,
      certificate: () => listener.certificate()?.kind,
      publicUrls: () => settings.current().public_urls,
      corsOrigins: () => settings.current().cors_origins,
      isTrustedProxy: createProxyTrust(() => settings.current().trusted_proxies),
      refused: refusedCallers.refused,
    };
    const requestLog = createRequestLog({ clock, isOn: () => settings.current().request_log });
    const app = createApp({
      endpoints: allEndpoints({
        access,
        aliases,
        apiUsers: access.apiUsers,
        alerts,
        refusedCallers,
        audit,
        backups,
        clients: access.clients,
        telemetry,
        deliveries: createDeliveries({ reads, time }),
        devices,
        diagnostics: createDiagnostics({
          reads,
          writer,
          settings,
          telemetry,
          dataFolder: config.dataFolder,
          backups,
          log: () => [...lines()],
          clock,
          version: VERSION,
          runtime: {
            node: process.versions.node,
            sqlite: String(database.reader.prepare('SELECT sqlite_version()').pluck().get()),
            system: `${systemName()} ${release()} ${arch()}`,
          },
          measure: () => ({ uptime_s: Math.floor(process.uptime()), memory_bytes: process.memoryUsage.rss() }),
          home: homedir(),
        }),
        dispatcher,
        listener,
        health: () => ({ revision: writer.revision(), devices: devices.count(), commits: writer.commits() }),
        history,
        workTimelines,
        lists: createSequenceLists({ reads, backgroundReads }),
        locations: createLocationImport({ repositories, reads, writer, aliases, devices, backgroundReads, audit }),
        map,
        network: () =>
          turboNetworkOf(listener.answer(), {
            port: listener.port(),
            tcpPort: turboPort.port(),
            plainPasswords: settings.current().turbo_plain_passwords,
          }),
        orderImports: createOrderImport({ repositories, reads, writer, orders, backgroundReads, audit }),
        orders,
        overview,
        testReceiver,
        people: access.people,
        previews: createPreviews({ reads, telemetry, settings }),
        registry,
        replacement,
        requestLog,
        requests,
        restart,
        search,
        sequences,
        settings,
        setup,
        simulation,
        operatorActions,
        streams,
        turboCare,
        turboLinks,
        url: listener.url,
        version: VERSION,
      }),
      access,
      rights,
      addresses,
      requestLog,
      clock,
      log,
      version: VERSION,
      pageFolder,
      isStopping: () => isStopping || !isUp,
    });

    display.refreshAll(Math.max(clock.now(), lastCommitAt));
    await simulation.start();
    stops.push(() => listener.stop());
    // Before the doors close: who waits there is told.
    stops.push(() => backgroundReads.stop());
    stops.push(() => launchLimiter.stop());
    const turboSignIn = createTurboSignIn({
      access,
      takesPlainPasswords: () => settings.current().turbo_plain_passwords,
    });
    const attach = (transport: Transport): void => void fleet.attach(ports.watchTransport(transport));
    const turboSockets = createTurboSockets({ clock, attach });
    stops.push(() => turboSockets.stop());
    turboPort = createTurboPort({
      wanted: config.turboPort,
      isFixed: config.host !== undefined,
      host: listener.host,
      key: listener.certificate,
      network: {
        clock,
        attach,
        admission: ({ address, isEncrypted }) =>
          turboSignIn.admission({ address, isSafeForPasswords: isSafeForPasswords(isEncrypted, address) }),
      },
      log,
    });
    const upgrade = turboUpgrade({
      signIn: turboSignIn,
      addresses,
      isStopping: () => isStopping || !isUp,
      accept: turboSockets.accept,
      log,
    });
    await listener.open(app, upgrade);
    // Only a station that is up makes a password: one that nobody is told would lock its owner out.
    const generatedPassword = await setup.start({ ...config, adminHash });
    stops.push(() => streams.stop());
    stops.push(() => dispatcher.stop());
    stops.push(() => deadlines.stop());
    stops.push(() => backups.stop());
    stops.push(() => backupSchedule.stop());
    stops.push(() => retention.stop());
    deadlines.start(lastCommitAt);
    backupSchedule.start();
    retention.start();
    telemetry.start();
    alerts.start();
    reach.start();
    time.start();
    dispatcher.start();
    turboLinks.start();
    stops.push(() => turboPort.stop());
    await turboPort.start().catch((error: Error) => {
      throw new StationError('conflict', error.message);
    });
    tellWhere();
    stops.push(() => addressFile.forget());
    settle();
    await mark.start();
    isUp = true;
    return {
      url: listener.url(),
      addresses: () => listener.answer().addresses,
      fingerprint: () => listener.certificate()?.fingerprint,
      turboPort: () => turboPort.port(),
      generatedPassword,
      async signIn() {
        const { sessionId, token, endsAt } = await access.people.signInOwner();
        return { sessionId, token, endsAt };
      },
      idle: () => writer.idle() && mark.idle() && backups.idle() && loopbacks.pending() === 0 && fleet.idle(),
      delivered: () => dispatcher.idle(),
      commits: () => writer.commits(),
    };
  }

  function stop(): Promise<void> {
    isStopping = true;
    stopped.abort();
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

function randomFirstCommand(ids: Ids): number {
  return Buffer.from(ids.bytes(4)).readUInt32LE() % FIRST_COMMANDS;
}

/** In a webhook id an underscore follows it. */
function runMark(ids: Ids): string {
  return Buffer.from(ids.bytes(9)).toString('base64url').replaceAll('_', '-');
}
