import { VERSION } from '#shared/api/version.ts';
import type { StationConfig } from './config.ts';
import { createCopier } from './copier/copier.ts';
import { openCore, type Core } from './core.ts';
import type { OpenDatabase } from './db/database.ts';
import { endpointServices, type StationParts } from './endpointServices.ts';
import { createEntrances, type Entrances } from './entrances.ts';
import { isoTime } from './domain/station/isoTime.ts';
import { StationError } from './errors.ts';
import { createLifecycle } from './lifecycle.ts';
import { createRestartable } from './restartable.ts';
import type { StationAlerts } from './services/alerts/index.ts';
import { type Backups, recordLoss, recordRestored } from './services/backups/index.ts';
import { createLogMemory, STATION } from './services/base/index.ts';
import { hashOfAdmin } from './services/setup.ts';
import type { Started, StationServer, StationPorts } from './stationPorts.ts';
import {
  createBoardGroup,
  createCare,
  createHardware,
  createKeeping,
  createOutside,
  createSupport,
  createTurboReports,
  createWhole,
  createWork,
} from './stationServices.ts';
import { endTrial } from './update/trial.ts';

export { VERSION };
export type { Started, StationServer, StationPorts } from './stationPorts.ts';

/** Creates a station. This is the composition root: each part gets what it needs as arguments, and nothing starts before `start`. */
export function createStation(config: StationConfig, ports: StationPorts, pageFolder: string): StationServer {
  return createRestartable(config, ports, (inside, restart) => buildStation(inside, ports, pageFolder, restart));
}

/** Builds the inner station. `restart` stops it and builds it again. */
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
  /** Whether requests are served. They are refused during startup, because the station may still return to its previous data. */
  let isUp = false;
  const stopped = new AbortController();
  let settle: OpenDatabase['settle'] = () => undefined;

  async function start(): Promise<Started> {
    try {
      opening = open();
      return await opening;
    } catch (error) {
      // A port in use is not the fault of the restored data, so keep them.
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
    const { signal } = stopped;
    const opened = await openCore({ config, clock, ids, log, soonMs, findKeychain, copier, lifecycle, signal });
    const { core, database } = opened;
    settle = database.settle;

    await recordRestored(core);
    const outside = createOutside(core, ports);
    const { backups } = createKeeping(opened, config, { copier, outside, ports });
    const adminHash = hashOfAdmin(outside.access.people, config.adminPassword);
    const hardware = createHardware(opened, { ports, copier }, outside);
    const work = createWork(core, { config, ports, copier, signal }, outside, hardware);
    const care = createCare(core, { config, ports }, outside, hardware);
    const boards = createBoardGroup(core, ports, { outside, hardware, care });
    hardware.turbo.start(createTurboReports(core, { outside, hardware, work, care }));
    await reportLoss(core, { database, backups, stationAlerts: outside.alertBook.stationAlerts });
    const whole = createWhole(core, config, ports, { outside, hardware, work, care });
    const diagnostics = createSupport(opened, config, ports, { outside, hardware, backups, lines });
    const parts = { opened, backups, outside, hardware, work, care, boards, whole, diagnostics };
    const entrances = createEntrances(core, {
      config,
      services: endpointServices(parts, restart),
      version: VERSION,
      pageFolder,
      attach: hardware.turbo.attach,
      loadBroker: ports.loadBroker,
      isClosed: () => isStopping || !isUp,
    });

    hardware.devices.display.refreshAll(Math.max(clock.now(), opened.lastCommitAt));
    await care.simulation.start();
    await entrances.openHttp();
    // Generate a password only once the station runs. Otherwise nobody would see it, and the owner would be locked out.
    const generatedPassword = await whole.setup.start({ apiKey: config.apiKey, firstRun: config.firstRun, adminHash });
    // After this, the first press may arrive, and a return to the previous version would lose it.
    endTrial(config.dataFolder, VERSION);
    lifecycle.start();
    await entrances.openTurboPort();
    settle();
    await opened.mark.start();
    const emptied = await reportEmptied(core, { config, ports, outside, isNew: opened.isNew });
    isUp = true;
    log.info({ version: VERSION, url: entrances.listener.url() }, 'The station started');
    return startedStation(parts, entrances, { generatedPassword, emptied });
  }

  function stop(): Promise<void> {
    isStopping = true;
    stopped.abort();
    stopping ??= (async () => {
      // Wait until opening has finished: a half-opened station would keep running in part.
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

/** Returns the interface through which the shell uses a started station. */
function startedStation(
  { opened, backups, outside, hardware, work }: StationParts,
  { listener, turboPort, mqtt }: Entrances,
  { generatedPassword, emptied }: Pick<Started, 'generatedPassword' | 'emptied'>,
): Started {
  const { core, mark } = opened;
  const { writer } = core;
  const { callbacks, mail, access } = outside;
  const { turbo } = hardware;
  const { folderGroup } = work;
  return {
    url: listener.url(),
    addresses: () => listener.answer().addresses,
    fingerprint: () => listener.certificate()?.fingerprint,
    turboPort: () => turboPort.port(),
    emptied,
    generatedPassword,
    async signIn() {
      const { sessionId, token, endsAt } = await access.people.signInOwner();
      return { sessionId, token, endsAt };
    },
    async keepPort() {
      await core.settings.change({ port: listener.port() }, STATION);
    },
    idle: () =>
      writer.idle() &&
      mark.idle() &&
      backups.idle() &&
      folderGroup.isFolderIdle() &&
      turbo.pending() === 0 &&
      turbo.turbos.idle(),
    delivered: () =>
      callbacks.isSent() &&
      callbacks.brokerQueue.idle() &&
      mqtt.idle() &&
      mail.mail.idle() &&
      folderGroup.isSheetIdle(),
    commits: () => writer.commits(),
  };
}

/**
 * Remembers that a station ran in the data folder. If one did before and the folder was empty at this start, raises an alert and returns
 * its text.
 */
async function reportEmptied(
  { writer, clock, log }: Core,
  parts: { config: StationConfig; ports: StationPorts; outside: StationParts['outside']; isNew: boolean },
): Promise<string | undefined> {
  const { config, ports, outside, isNew } = parts;
  const { dataFolder: about, acceptLoss, restore } = config;
  const ranAt = isNew && acceptLoss !== true && restore === undefined ? ports.ranFolders?.find(about) : undefined;
  ports.ranFolders?.keep(about, clock.now());
  if (ranAt === undefined) return undefined;
  const problem = `The data folder ${about} was empty at this start, although a station ran there, last started at ${isoTime(ranAt)}. This is a new, empty station. If the folder was moved or its disk is not mounted, stop this station, bring the folder back, and start again. Otherwise restore a backup, or dismiss this alert.`;
  log.warn({}, problem);
  await writer.write((tx) => outside.alertBook.stationAlerts.raise(tx, { kind: 'data_lost', about, problem }));
  return problem;
}

/** Raises alerts about a failed restore or lost data that this start found. */
async function reportLoss(
  core: Core,
  parts: { database: OpenDatabase; backups: Pick<Backups, 'setFailure'>; stationAlerts: StationAlerts },
): Promise<void> {
  const { database, backups, stationAlerts } = parts;
  const { restoreFailure, loss } = database;
  if (restoreFailure !== undefined) {
    const { from: about, problem } = restoreFailure;
    backups.setFailure(problem);
    core.log.error({}, problem);
    await core.writer.write((tx) => stationAlerts.raise(tx, { kind: 'restore_failed', about, problem }));
  }
  await recordLoss(core, { loss, stationAlerts });
}
