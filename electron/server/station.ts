import { arch, homedir, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '#shared/api/version.ts';
import type { StationConfig } from './config.ts';
import { createCopier } from './copier/copier.ts';
import { openCore, type Core } from './core.ts';
import { bytesOf } from './db/backupFiles.ts';
import { DATABASE_FILE, type OpenDatabase } from './db/database.ts';
import { endTrial } from './update/trial.ts';
import { createFolderCheck } from './folderPaths.ts';
import { createEntrances } from './entrances.ts';
import { StationError } from './errors.ts';
import { readOrderDocument } from './http/compat/orderDocument.ts';
import { ownAddresses } from './http/machine.ts';
import { createLifecycle } from './lifecycle.ts';
import { createRestartable } from './restartable.ts';
import { createAccessGroup, createRightGroup } from './services/access/index.ts';
import { createAlertBook, createAlertGroup, createRowAlertGroup } from './services/alerts/index.ts';
import { createAliases } from './services/aliases/index.ts';
import { createBoardJobs, createBoards, createBoardUpdates } from './services/boards/index.ts';
import { createBoardInstaller } from './turbo/boards/installFirmware.ts';
import { findControllers } from './turbo/findControllers.ts';
import { createBoardUpdater } from './turbo/boards/updateFirmware.ts';
import { sealFirmware } from './turbo/boards/firmware.ts';
import { createBackupGroup, recordLoss, recordRestored } from './services/backups/index.ts';
import { createLogMemory, STATION } from './services/base/index.ts';
import { createCallbackGroup } from './services/callbacks/index.ts';
import { createCommandGroup } from './services/commands/index.ts';
import { createDeviceGroup } from './services/devices/index.ts';
import { createFindGroup } from './services/find/index.ts';
import { createFolderBook, createFolderGroup } from './services/folders/index.ts';
import { createImportGroup } from './services/imports/index.ts';
import { createHistoryGroup } from './services/history/index.ts';
import { createMailGroup } from './services/mail/index.ts';
import { createOrderGroup } from './services/orders/index.ts';
import { createPicking } from './services/picking/index.ts';
import { createPlaceGroup } from './services/places/index.ts';
import { createSecretGroup } from './services/secrets/index.ts';
import { createSequenceGroup } from './services/sequences/index.ts';
import { createSimulation } from './services/simulation/index.ts';
import { createTurboGroup } from './services/turbos/index.ts';
import { createUpdateGroup } from './services/updates/index.ts';
import type { Started, StationServer, StationPorts } from './stationPorts.ts';
import { joinTurbos } from './turboWires.ts';
import { createDeadlines } from './services/deadlines.ts';
import { createCleaner } from './services/cleaner.ts';
import { createDiagnostics } from './services/diagnostics.ts';
import { createOverview } from './services/overview.ts';
import { createPageErrors } from './services/pageErrors.ts';
import { createRegistry } from './services/registry.ts';
import { createReplacement } from './services/replace.ts';
import { createReports } from './services/reports.ts';
import { createSetup, hashOfAdmin } from './services/setup.ts';

export { VERSION };
export type { Started, StationServer, StationPorts } from './stationPorts.ts';

/** The composition root: each part gets what it needs as arguments, and nothing starts before `start`. */
export function createStation(config: StationConfig, ports: StationPorts, pageFolder: string): StationServer {
  return createRestartable(config, ports, (inside, restart) => buildStation(inside, ports, pageFolder, restart));
}

/** `restart`: stops all of this and builds it anew. */
function buildStation(
  config: StationConfig,
  ports: StationPorts,
  pageFolder: string,
  restart: () => void,
): StationServer {
  const lifecycle = createLifecycle();
  let opening: Promise<Started> | undefined;
  let stopping: Promise<void> | undefined;
  let isStopping = false;
  /** Refuses earlier requests: the station may still go back to previous data. */
  let isUp = false;
  const stopped = new AbortController();
  let settle: OpenDatabase['settle'] = () => undefined;

  async function start(): Promise<Started> {
    try {
      opening = open();
      return await opening;
    } catch (error) {
      // A taken port is no fault of the restored data.
      if (error instanceof StationError && error.code === 'conflict') settle();
      const message = 'The station could not start';
      if (error instanceof StationError) ports.log.info({ problem: error.message }, message);
      else ports.log.error({ err: error }, message);
      await stop();
      throw error;
    }
  }

  async function open(): Promise<Started> {
    const { log, lines } = createLogMemory(ports.log, ports.clock);
    const copier = createCopier(ports.startSideProcess, ports.watchCopy, ports.clock);
    const { clock, ids, soonMs, findKeychain } = ports;
    const opened = await openCore({
      config,
      clock,
      ids,
      log,
      soonMs,
      findKeychain,
      copier,
      lifecycle,
      signal: stopped.signal,
    });
    const { core, database, mark, lastCommitAt } = opened;
    settle = database.settle;
    const { dataFolder } = config;
    const databaseFile = join(dataFolder, DATABASE_FILE);
    const databaseBytes = (): number => bytesOf(databaseFile) + bytesOf(`${databaseFile}-wal`);
    const { createdAt } = opened;
    const { backups } = createBackupGroup(core, { dataFolder, databaseFile, databaseBytes, createdAt, copier });
    await recordRestored(core);
    const access = createAccessGroup(core, { derive: ports.derivePassword, ownAddresses });
    const adminHash = hashOfAdmin(access.people, config.adminPassword);
    const callbacks = createCallbackGroup(core, ports);
    const turbo = joinTurbos(core, ports);
    const turbos = turbo.turbos;
    const mail = createMailGroup(core, ports);
    const alertBook = createAlertBook(core, { ...callbacks, ...mail });
    const devices = createDeviceGroup(core, { turbos, ...alertBook });
    const deadlines = createDeadlines({ ...core, ...devices, turbos });
    const commands = createCommandGroup(core, { turbos, ...callbacks, ...devices, due: deadlines.due });
    core.onStart(() => {
      core.onStop(() => deadlines.stop());
      deadlines.start(lastCommitAt, commands.commands);
    });
    const folderBook = createFolderBook(core);
    const orders = createOrderGroup(core, { ...callbacks, ...devices, ...commands, ...alertBook, ...folderBook });
    access.access.presence.follow(orders.absences);
    const aliases = createAliases({ ...core, ...commands });
    const { imports } = createImportGroup(core, { ...orders, ...devices, ...ports, aliases });
    const folderCheck = createFolderCheck(dataFolder, core.settings.current);
    const { folderStatus, isFolderIdle, isSheetIdle } = createFolderGroup(core, {
      ...ports,
      ...alertBook,
      ...orders,
      imports,
      ...folderBook,
      guard: folderCheck,
      readDocument: readOrderDocument,
    });
    const picking = createPicking(core, { ...orders, ...commands });
    const sequences = createSequenceGroup(core, { ...callbacks, ...commands });
    const places = createPlaceGroup(core, devices);
    const alerts = createAlertGroup(core, { turbos, ...alertBook, ...devices, ...callbacks });
    const nouns = { picking, imports, ...devices, ...commands, ...orders, ...sequences, ...places, ...alerts, aliases };
    const simulation = createSimulation({ ...core, ...devices, simulator: turbo.simulator, wanted: config.simulate });
    const { serialLinks, networkLinks, trafficRegistry: watch } = turbo;
    const find = () => findControllers(ports.multicast);
    const turboParts = { turbos, ports: ports.serial, serialLinks, networkLinks, watch, find };
    const turboGroup = createTurboGroup(core, { ...turboParts, ...nouns });
    const { secrets } = createSecretGroup(core, { ...turboGroup, ...callbacks, derive: ports.derivePassword });
    createRowAlertGroup(core, {
      ...alertBook,
      unreadable: secrets.troubles,
      invalid: () =>
        new Map([core.settings, callbacks.receiverBook, turboGroup.turboLinks].flatMap((of) => [...of.invalid()])),
    });
    const boardJobs = createBoardJobs(core.clock);
    const boardParts = {
      ...core,
      turbos,
      jobs: boardJobs,
      firmware: () => sealFirmware(ports.readFirmware()),
    };
    const boards = createBoards({
      ...boardParts,
      ...nouns,
      ...turboGroup,
      ports: ports.serial,
      installer: createBoardInstaller({ ports: ports.serial, clock: core.clock }),
      apiUsers: access.apiUsers,
      greet: async (deviceId) => void (await commands.operatorActions.identify(deviceId, 'Pickstation')),
    });
    const boardUpdates = createBoardUpdates({
      ...boardParts,
      updater: createBoardUpdater({ connectionOf: turbos.connectionOf, clock: core.clock }),
    });
    core.onStop(() => boardJobs.stop());
    turbo.start(createReports({ ...core, ...nouns, ...callbacks, turboUp: deadlines.turboUp }));

    await tellOfLoss(core, { database, backups, stationAlerts: alertBook.stationAlerts });
    const registry = createRegistry({ ...core, ...nouns, simulation, turbos });
    const setup = createSetup({ ...core, ...nouns, ...access, simulation });
    const rights = createRightGroup(core, { isTrial: simulation.isTrial });
    const { reader } = database;
    const overview = createOverview({
      ...core,
      ...nouns,
      ...callbacks,
      ...turboGroup,
      rights,
      version: VERSION,
      fleetOnly: config.fleetOnly === true,
    });
    const cleaner = createCleaner({ ...core, ...callbacks, home: homedir() });
    ports.logFiles?.hide(cleaner);
    ports.logFiles?.keepDays(() => core.settings.current().log_days);
    const diagnostics = createDiagnostics({
      ...core,
      ...nouns,
      ...callbacks,
      cleaner,
      dataFolder,
      backups,
      log: () => [...lines()],
      logFiles: ports.logFiles,
      version: VERSION,
      runtime: {
        node: process.versions.node,
        sqlite: String(reader.prepare('SELECT sqlite_version()').pluck().get()),
        system: `${systemName()} ${release()} ${arch()}`,
      },
      measure: () => ({ uptime_s: Math.floor(process.uptime()), memory_bytes: process.memoryUsage.rss() }),
    });
    const entrances = createEntrances(core, {
      config,
      services: {
        ...core,
        ...access,
        ...alertBook,
        ...callbacks,
        ...mail,
        ...nouns,
        ...turboGroup,
        boards,
        boardUpdates,
        boardJobs,
        ...createHistoryGroup(core, orders),
        ...createFindGroup(core, nouns),
        backups,
        diagnostics,
        folderCheck,
        folderStatus,
        overview,
        pageErrors: createPageErrors(core),
        registry,
        replacement: createReplacement({ ...core, ...nouns }),
        restart,
        rights,
        secrets,
        setup,
        simulation,
        ...createUpdateGroup(core, ports),
        version: VERSION,
      },
      version: VERSION,
      pageFolder,
      attach: turbo.attach,
      loadBroker: ports.loadBroker,
      isClosed: () => isStopping || !isUp,
    });

    devices.display.refreshAll(Math.max(clock.now(), lastCommitAt));
    await simulation.start();
    await entrances.openHttp();
    // Only a running station generates a password: nobody would learn it otherwise, and the owner would be locked out.
    const generatedPassword = await setup.start({ ...config, adminHash });
    // The first press may come now, and would be lost with this version.
    endTrial(dataFolder, VERSION);
    lifecycle.start();
    await entrances.openTurboPort();
    settle();
    await mark.start();
    isUp = true;
    const { listener, turboPort } = entrances;
    const { writer } = core;
    log.info({ version: VERSION, url: listener.url() }, 'The station started');
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
      async keepPort() {
        await core.settings.change({ port: listener.port() }, STATION);
      },
      idle: () =>
        writer.idle() && mark.idle() && backups.idle() && isFolderIdle() && turbo.pending() === 0 && turbos.idle(),
      delivered: () =>
        callbacks.isSent() &&
        callbacks.brokerQueue.idle() &&
        entrances.mqtt.idle() &&
        mail.mail.idle() &&
        isSheetIdle(),
      commits: () => writer.commits(),
    };
  }

  function stop(): Promise<void> {
    isStopping = true;
    stopped.abort();
    stopping ??= (async () => {
      // Finish opening first: a half-opened station would keep running in part.
      await opening?.catch(() => undefined);
      await lifecycle.stop();
      ports.http.stop();
      ports.sheetHttp.stop();
      if (isUp) ports.log.info({}, 'The station stopped');
      await ports.logFiles?.flush();
    })();
    return stopping;
  }

  return { start, stop };
}

/** Raises alerts for what this start found: a failed restore, or lost data. */
async function tellOfLoss(
  core: Core,
  parts: Pick<Parameters<typeof recordLoss>[0], 'stationAlerts'> & {
    database: OpenDatabase;
    backups: { setFailure(problem: string): void };
  },
): Promise<void> {
  const { database, backups, stationAlerts } = parts;
  const { restoreFailure, loss } = database;
  if (restoreFailure !== undefined) {
    const { from: about, problem } = restoreFailure;
    backups.setFailure(problem);
    core.log.error({}, problem);
    await core.writer.write((tx) => stationAlerts.raise(tx, { kind: 'restore_failed', about, problem }));
  }
  await recordLoss({ ...core, loss, stationAlerts });
}
