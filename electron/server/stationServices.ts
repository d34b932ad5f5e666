import { arch, homedir, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { VERSION } from '#shared/api/version.ts';
import type { StationConfig } from './config.ts';
import type { Core, OpenCore } from './core.ts';
import { bytesOf } from './db/backupFiles.ts';
import type { Transaction } from './db/writer.ts';
import { DATABASE_FILE } from './db/database.ts';
import { createFolderCheck } from './files/folderPaths.ts';
import { readOrderDocument } from './http/compat/orderDocument.ts';
import { ownAddresses } from './http/port/machine.ts';
import type { Copier } from './ports.ts';
import { createAccessGroup, createRightGroup } from './services/access/index.ts';
import { createAlertBook, createAlertGroup, createRowAlertGroup } from './services/alerts/index.ts';
import { createAliases } from './services/aliases/index.ts';
import { createArticleGroup } from './services/articles/index.ts';
import { createBatchGroup, createCarriers } from './services/batches/index.ts';
import { createFolderRights } from './services/folderRights.ts';
import { createFolderWatch } from './services/folderWatch.ts';
import { createBackupGroup } from './services/backups/index.ts';
import { createBoardJobs, createBoards, createBoardUpdates } from './services/boards/index.ts';
import { createCallbackGroup } from './services/callbacks/index.ts';
import { createCleaner } from './services/cleaner.ts';
import { createCommandGroup } from './services/commands/index.ts';
import { createDeadlines } from './services/deadlines.ts';
import { createDeviceGroup } from './services/devices/index.ts';
import { createDiagnostics } from './services/diagnostics.ts';
import { createFindGroup } from './services/find/index.ts';
import { createFolderBook, createFolderGroup } from './services/folders/index.ts';
import { createHistoryGroup } from './services/history/index.ts';
import { createImportGroup } from './services/imports/index.ts';
import { createMailGroup } from './services/mail/index.ts';
import { createOrderGroup } from './services/orders/index.ts';
import { createOverview } from './services/overview.ts';
import { createScreenTemplates } from './services/screenTemplates.ts';
import { createPicking } from './services/picking/index.ts';
import { createPlaceGroup } from './services/places/index.ts';
import { createRegistry } from './services/registry.ts';
import { createReplacement } from './services/replace.ts';
import { createReports } from './services/reports.ts';
import { createSecretGroup } from './services/secrets/index.ts';
import { createSequenceGroup } from './services/sequences/index.ts';
import { createDemoShop } from './services/demoShop.ts';
import { createFirstDay } from './services/firstDay.ts';
import { createLogo } from './services/settings/index.ts';
import { createSetup } from './services/setup.ts';
import { createSimulation } from './services/simulation/index.ts';
import { createTaskGroup } from './services/tasks/index.ts';
import { createTurboGroup } from './services/turbos/index.ts';
import { createUpdateGroup } from './services/updates/index.ts';
import type { StationPorts } from './stationPorts.ts';
import { sealFirmware } from './turbo/boards/firmware.ts';
import { createBoardInstaller } from './turbo/boards/installFirmware.ts';
import { createBoardUpdater } from './turbo/boards/updateFirmware.ts';
import { findControllers } from './turbo/findControllers.ts';
import { joinTurbos } from './turboWires.ts';

/** Creates the services for this data folder: its backups, and the check that it is still in its place. */
export function createKeeping(
  { core, createdAt, guard }: OpenCore,
  { dataFolder }: StationConfig,
  { copier, outside, ports }: { copier: Copier; outside: Outside; ports: Pick<StationPorts, 'checkFolderMs'> },
) {
  const databaseFile = join(dataFolder, DATABASE_FILE);
  const databaseBytes = (): number => bytesOf(databaseFile) + bytesOf(`${databaseFile}-wal`);
  const alerts = outside.alertBook.records;
  const watch = createFolderWatch({ ...core, dataFolder, databaseFile, guard, alerts, everyMs: ports.checkFolderMs });
  core.onStart(() => {
    core.onStop(() => watch.stop());
    watch.start();
  });
  const backupFolder = join(dataFolder, 'backups');
  const rights = createFolderRights({ ...core, dataFolder, backupFolder, alerts, everyMs: ports.checkFolderMs });
  core.onStart(() => {
    core.onStop(() => rights.stop());
    rights.start();
  });
  return createBackupGroup(core, { dataFolder, databaseFile, databaseBytes, createdAt, copier, alerts });
}

/** Creates the services for sign-in, and for what leaves the station: callbacks, e-mails, and the alerts that cause them. */
export function createOutside(core: Core, ports: StationPorts) {
  const access = createAccessGroup(core, { derive: ports.derivePassword, ownAddresses });
  const callbacks = createCallbackGroup(core, { http: ports.http });
  const mail = createMailGroup(core, { mailer: ports.mailer });
  const alertBook = createAlertBook(core, { callbacks: callbacks.callbacks, mail: mail.mail });
  return { access, callbacks, mail, alertBook };
}

type Outside = ReturnType<typeof createOutside>;

/**
 * Creates the services for turbos, devices and their command queues, and for articles, which follow place names. `lastCommitAt` is the time
 * of the previous run's last commit.
 */
export function createHardware(
  { core, lastCommitAt }: OpenCore,
  { ports, copier }: { ports: StationPorts; copier: Copier },
  outside: Outside,
) {
  const { callbacks } = outside.callbacks;
  const goods = createArticleGroup(core, { callbacks, copier });
  const { stationAlerts } = outside.alertBook;
  const turbo = joinTurbos(core, ports);
  const { turbos } = turbo;
  const devices = createDeviceGroup(core, { turbos, stationAlerts });
  const { telemetry, display } = devices;
  const deadlines = createDeadlines(core, { telemetry, turbos });
  const { due } = deadlines;
  const commands = createCommandGroup(core, {
    turbos,
    callbacks,
    devices: devices.devices,
    display,
    telemetry,
    due,
  });
  core.onStart(() => {
    core.onStop(() => deadlines.stop());
    deadlines.start(lastCommitAt, commands.commands);
  });
  return { goods, carriers: createCarriers(core), turbo, devices, deadlines, commands };
}

type Hardware = ReturnType<typeof createHardware>;

/** Creates the services for work with devices: orders, their files, picking, sequences and the map. */
export function createWork(
  core: Core,
  {
    config,
    ports,
    copier,
    signal,
  }: { config: StationConfig; ports: StationPorts; copier: Copier; signal: AbortSignal },
  outside: Outside,
  hardware: Hardware,
) {
  const { callbacks } = outside.callbacks;
  const { records } = outside.alertBook;
  const { devices, placeLights } = hardware.devices;
  const { commands, owners, currentLines, moves } = hardware.commands;
  const { books, itemStock, placeTasks, taskRecords } = hardware.goods;
  const { sheetHttp, folders } = ports;
  const { endedOrders } = createFolderBook(core);
  const { orders, absences, nextOrder } = createOrderGroup(core, {
    callbacks,
    commands,
    owners,
    records,
    endedOrders,
    itemStock,
  });
  const { batchWork, holds } = orders;
  const { batches } = createBatchGroup(core, { commands, owners, batchWork, holds, itemStock, alerts: records });
  outside.access.access.presence.follow(absences);
  const stockTasks = { books, commands, orders, placeTasks, records: taskRecords, alerts: records };
  const { left, tasks } = createTaskGroup(core, stockTasks);
  const aliases = createAliases(core, { placeLights });
  const { map, places } = createPlaceGroup(core, {
    devices,
    placeLights,
    moves,
    lineLights: orders.lineLights,
    batches,
    aliases,
    placeNames: hardware.goods.placeNames,
    alerts: records,
  });
  const { imports } = createImportGroup(core, {
    orders,
    devices,
    aliases,
    articles: hardware.goods.imported,
    placeNames: hardware.goods.placeNames,
    placeLights,
    places,
    map,
    sheetHttp,
    copier,
    signal,
  });
  const folderCheck = createFolderCheck(config.dataFolder, core.settings.current);
  const folderGroup = createFolderGroup(core, {
    records,
    orders,
    imports,
    folders,
    sheetHttp,
    endedOrders,
    guard: folderCheck,
    readDocument: readOrderDocument,
    copier,
    signal,
  });
  const picking = createPicking(core, { batches, orders, nextOrder, commands, owners, currentLines, itemStock });
  const { sequences, lists } = createSequenceGroup(core, { callbacks, commands, owners });
  const screenTemplates = createScreenTemplates(core, { devices });
  const logo = createLogo(core, { copier });
  return {
    logo,
    screenTemplates,
    orders,
    batches,
    nextOrder,
    aliases,
    imports,
    folderCheck,
    folderGroup,
    picking,
    sequences,
    lists,
    left,
    map,
    places,
    tasks,
  };
}

type Work = ReturnType<typeof createWork>;

/** Creates the services for alerts about devices and turbos, simulated devices, links to turbos, and secrets. */
export function createCare(
  core: Core,
  { config, ports }: { config: StationConfig; ports: StationPorts },
  outside: Outside,
  hardware: Hardware,
) {
  const { receiverBook, watches } = outside.callbacks;
  const { records, stationAlerts } = outside.alertBook;
  const { devices, telemetry } = hardware.devices;
  const { turbos, serialLinks, networkLinks, trafficRegistry: watch, simulator } = hardware.turbo;
  const { alerts, refusedCallers } = createAlertGroup(core, {
    records,
    stationAlerts,
    turbos,
    devices,
    telemetry,
    watches,
  });
  const simulation = createSimulation(core, { devices, simulator, wanted: config.simulate });
  const { turboLinks, controllerSearch, turboCare } = createTurboGroup(core, {
    turbos,
    ports: ports.serial,
    serialLinks,
    networkLinks,
    devices,
    watch,
    find: () => findControllers(ports.multicast),
    telemetry,
    alerts,
  });
  const { secrets } = createSecretGroup(core, { turboLinks, receiverBook, derive: ports.derivePassword });
  createRowAlertGroup(core, {
    records,
    unreadable: secrets.troubles,
    invalid: () => new Map([core.settings, receiverBook, turboLinks].flatMap((of) => [...of.invalid()])),
  });
  return { alerts, refusedCallers, simulation, turboLinks, controllerSearch, turboCare, secrets };
}

type Care = ReturnType<typeof createCare>;

/** Creates the services that install and update the firmware of boards. */
export function createBoardGroup(
  core: Core,
  ports: StationPorts,
  { outside, hardware, care }: { outside: Outside; hardware: Hardware; care: Care },
) {
  const { clock } = core;
  const { turbos } = hardware.turbo;
  const { identify } = hardware.commands.operatorActions;
  const jobs = createBoardJobs(clock);
  const firmware = () => sealFirmware(ports.readFirmware());
  const boards = createBoards(core, {
    ports: ports.serial,
    installer: createBoardInstaller({ ports: ports.serial, clock }),
    firmware,
    jobs,
    turboLinks: care.turboLinks,
    turbos,
    devices: hardware.devices.devices,
    greet: async (deviceId) => void (await identify(deviceId, 'Pickstation')),
    apiUsers: outside.access.apiUsers,
  });
  const updater = createBoardUpdater({ connectionOf: turbos.connectionOf, clock });
  const boardUpdates = createBoardUpdates(core, { updater, firmware, jobs, turbos });
  core.onStop(() => jobs.stop());
  return { boards, boardUpdates, boardJobs: jobs };
}

/** How long a device shows that a replenishment was requested, in seconds. */
const REQUESTED_SECONDS = 5;

/** Creates the handler for reports from turbos. */
export function createTurboReports(
  core: Core,
  { outside, hardware, work, care }: { outside: Outside; hardware: Hardware; work: Work; care: Care },
) {
  const { alerts } = care;
  const { operatorActions } = hardware.commands;
  const { devices, display, telemetry } = hardware.devices;
  const { commands, reach } = hardware.commands;
  const { callbacks } = outside.callbacks;
  const { turboUp } = hardware.deadlines;
  function called(tx: Transaction, deviceId: string): void {
    const sku = work.tasks.called(tx, deviceId);
    if (sku === undefined) return;
    const how = { lines: ['Replenish', sku], seconds: REQUESTED_SECONDS, color: undefined };
    operatorActions.pointAt(tx, devices.byId(deviceId), how, 'Pickstation');
  }
  return createReports(core, {
    commands,
    callbacks,
    devices,
    display,
    telemetry,
    alerts,
    called,
    reach,
    turboUp,
    batches: work.batches,
  });
}

/** Creates the services that combine several areas: the device registry, setup, replacement, the page's overview, history and search. */
export function createWhole(
  core: Core,
  { fleetOnly = false }: StationConfig,
  ports: StationPorts,
  { outside, hardware, work, care }: { outside: Outside; hardware: Hardware; work: Work; care: Care },
) {
  const { devices, display, refusals, telemetry } = hardware.devices;
  const { commands, moves, operatorActions } = hardware.commands;
  const { turbos } = hardware.turbo;
  const { access } = outside.access;
  const { receiver } = outside.callbacks;
  const { aliases, map, orders, sequences } = work;
  const { alerts, simulation, turboLinks } = care;
  const registry = createRegistry(core, {
    commands,
    alerts,
    aliases,
    devices,
    refusals,
    telemetry,
    display,
    simulation,
    turbos,
    placeLights: hardware.devices.placeLights,
    carriers: hardware.carriers,
  });
  const setup = createSetup(core, { access });
  const demoShop = createDemoShop(core, { registry, devices, simulation, map, orders, sequences });
  const firstDay = createFirstDay(core);
  const replacement = createReplacement(core, {
    commands,
    moves,
    sequences,
    orders,
    devices,
    aliases,
    map,
    carriers: hardware.carriers,
  });
  const rights = createRightGroup(core, { isTrial: simulation.isTrial });
  const version = VERSION;
  const overview = createOverview(core, { devices, telemetry, turboLinks, receiver, rights, version, fleetOnly });
  const history = createHistoryGroup(core, { orders, batches: work.batches });
  const { find, locate } = createFindGroup(core, { operatorActions });
  const { updates } = createUpdateGroup(core, { updater: ports.updater });
  return { registry, setup, demoShop, firstDay, replacement, rights, overview, history, find, locate, updates };
}

/** Creates diagnostics, and makes the log files hide secrets as diagnostics do. `lines` returns the newest log lines. */
export function createSupport(
  { core, database }: OpenCore,
  { dataFolder }: StationConfig,
  { logFiles }: StationPorts,
  needs: {
    outside: Outside;
    hardware: Hardware;
    backups: ReturnType<typeof createKeeping>['backups'];
    lines: () => Iterable<Diagnostics['log'][number]>;
  },
) {
  const { receiverBook, furtherReceivers } = needs.outside.callbacks;
  const { telemetry } = needs.hardware.devices;
  const cleaner = createCleaner(core, { receiverBook, home: homedir() });
  logFiles?.hide(cleaner);
  logFiles?.keepDays(() => core.settings.current().log_days);
  return createDiagnostics(core, {
    telemetry,
    dataFolder,
    backups: needs.backups,
    log: () => [...needs.lines()],
    version: VERSION,
    runtime: {
      node: process.versions.node,
      sqlite: String(database.reader.prepare('SELECT sqlite_version()').pluck().get()),
      system: `${systemName()} ${release()} ${arch()}`,
    },
    measure: () => ({ uptime_s: Math.floor(process.uptime()), memory_bytes: process.memoryUsage.rss() }),
    cleaner,
    furtherReceivers,
    logFiles,
  });
}
