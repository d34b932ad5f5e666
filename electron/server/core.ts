import { join } from 'node:path';
import { VERSION } from '#shared/api/version.ts';
import type { StationConfig } from './config.ts';
import { findGoodBackup } from './copier/findGoodBackup.ts';
import { prepareRestore } from './copier/prepareRestore.ts';
import { removeLeftCopy } from './db/dataCopy.ts';
import { createDatabaseGuard, type DatabaseGuard } from './db/databaseGuard.ts';
import { DATABASE_FILE, holdFolder, openDatabase, type OpenDatabase } from './db/database.ts';
import { type KeyRing, openKeyRing } from './db/keyRing.ts';
import { lazyStatements } from './db/lazyStatements.ts';
import { changesOf, identityOf, stationIdOf } from './db/mark.ts';
import { MIGRATIONS } from './db/migrations.ts';
import { RowCache } from './db/rowCache.ts';
import { createRepositories, type Repositories } from './db/repositories.ts';
import { createStepRecorder } from './db/stepRecorder.ts';
import { createWriter, type Writer } from './db/writer.ts';
import { FIRST_COMMANDS, idFloorsAt } from './domain/station/idFloors.ts';
import { DataLost } from './errors.ts';
import { completeTrial } from './update/trial.ts';
import { createSnapshots, type Snapshots } from './db/snapshots.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Clock, Copier, Ids, Keychain, Log } from './ports.ts';
import {
  type Audit,
  type Bus,
  type ClockWatch,
  type KeyedRequests,
  type RunningClock,
  type StationMark,
  createAudit,
  createBus,
  createClockWatch,
  createKeyedRequests,
  createRunningClock,
  createStationMark,
} from './services/base/index.ts';
import { type MessageTurns, type StepQueue, createBackgroundQueue, createMessageTurns } from './scheduling/index.ts';
import { type SettingsService, createSettings } from './services/settings/index.ts';

/**
 * Tables that the services of each noun, such as `alerts`, can use. A service group receives no other tables. Several nouns share
 * `commands`, `devices`, `history` and the names of places (`aliases`, `placeNames`). Rows after `updates` are for code that combines nouns
 * (`services/*.ts`).
 */
export type Tables = {
  access: 'accounts';
  alerts: 'alerts' | 'devices' | 'history';
  aliases: 'aliases' | 'commands' | 'devices' | 'lookAlikes';
  articles:
    | 'accounts'
    | 'aliases'
    | 'articles'
    | 'batches'
    | 'devices'
    | 'items'
    | 'lookAlikes'
    | 'orders'
    | 'stock'
    | 'tasks';
  backups: 'accounts' | 'callbackReceivers' | 'restores' | 'secrets' | 'settings' | 'turboLinks';
  batches:
    | 'accounts'
    | 'aliases'
    | 'articles'
    | 'batches'
    | 'carriers'
    | 'commands'
    | 'devices'
    | 'history'
    | 'items'
    | 'lookAlikes'
    | 'map'
    | 'orders'
    | 'placeNames'
    | 'stock'
    | 'tasks';
  callbacks: 'callbackReceivers' | 'outbox';
  commands: 'aliases' | 'carriers' | 'commands' | 'devices' | 'history' | 'items' | 'lookAlikes' | 'placeNames';
  devices:
    | 'aliases'
    | 'carriers'
    | 'commands'
    | 'devices'
    | 'lookAlikes'
    | 'placeNames'
    | 'refusedDevices'
    | 'turboNames';
  folders: 'endedOrders' | 'inboxFiles' | 'orders';
  imports:
    | 'accounts'
    | 'aliases'
    | 'devices'
    | 'articles'
    | 'importDrafts'
    | 'importUndone'
    | 'importedArticles'
    | 'batches'
    | 'imports'
    | 'items'
    | 'lookAlikes'
    | 'map'
    | 'namedPlaces'
    | 'orderPickers'
    | 'orders'
    | 'placeNames'
    | 'rememberedColumns'
    | 'stock';
  find:
    | 'aliases'
    | 'articles'
    | 'batches'
    | 'carriers'
    | 'commands'
    | 'devices'
    | 'find'
    | 'items'
    | 'orders'
    | 'placeNames';
  history:
    | 'batches'
    | 'commands'
    | 'devices'
    | 'history'
    | 'historyFind'
    | 'importDrafts'
    | 'imports'
    | 'items'
    | 'keyedRequests'
    | 'orders'
    | 'outbox'
    | 'picks';
  mail: 'mails';
  orders:
    | 'accounts'
    | 'aliases'
    | 'batches'
    | 'commands'
    | 'devices'
    | 'history'
    | 'items'
    | 'lookAlikes'
    | 'map'
    | 'orderPickers'
    | 'orders'
    | 'picks'
    | 'placeNames'
    | 'stock';
  picking:
    | 'accounts'
    | 'aliases'
    | 'articles'
    | 'batches'
    | 'carriers'
    | 'commands'
    | 'devices'
    | 'items'
    | 'keyedRequests'
    | 'map'
    | 'namedPlaces'
    | 'orderPickers'
    | 'orders'
    | 'placeNames'
    | 'stock';
  places:
    | 'aliases'
    | 'articles'
    | 'commands'
    | 'devices'
    | 'imports'
    | 'lookAlikes'
    | 'map'
    | 'namedPlaces'
    | 'placeNames'
    | 'stock';
  secrets: 'secrets';
  sequences: 'aliases' | 'devices' | 'history' | 'placeNames' | 'sequences';
  simulation: 'devices';
  tasks: 'accounts' | 'aliases' | 'articles' | 'commands' | 'devices' | 'stock' | 'tasks';
  turbos: 'aliases' | 'devices' | 'lookAlikes' | 'turboLinks' | 'turboNames';
  updates: 'commands' | 'outbox' | 'updateLists';
  cleaner: 'accounts';
  deadlines: 'commands';
  demoShop: 'aliases' | 'commands' | 'devices' | 'items' | 'map' | 'orders' | 'sequences';
  diagnostics: 'counts';
  firstDay:
    | 'accounts'
    | 'aliases'
    | 'articles'
    | 'callbackReceivers'
    | 'commands'
    | 'devices'
    | 'items'
    | 'map'
    | 'orders'
    | 'sequences';
  overview: 'commits' | 'devices';
  registry: 'devices' | 'map';
  replacement: 'commands' | 'devices' | 'history' | 'map';
  reports: 'devices' | 'history' | 'reportWindows';
  setup: 'accounts';
  wallBoard: 'alerts' | 'batches' | 'devices' | 'orders' | 'picks' | 'turboNames';
};

/** The tables of a noun: as `repositories` over the writing connection, or as `reads`, which contain committed rows only. */
export type TablesOf<Noun extends keyof Tables> = Pick<Repositories, Tables[Noun]>;

/** The core for the services of this noun, with access only to its tables. */
export type CoreOf<Noun extends keyof Tables> = Core<Tables[Noun]>;

export type Core<Table extends keyof Repositories = keyof Repositories> = Pick<Lifecycle, 'onStart' | 'onStop'> & {
  /** Id of the station, generated at the first start. */
  stationId: string;
  /** Reads and writes over the writing connection. For use cases. */
  repositories: Pick<Repositories, Table>;
  /** Reads committed rows only. For anything that leaves the process. */
  reads: Pick<Repositories, Table>;
  writer: Writer;
  /** Executes requests with an idempotency key at most once. */
  keyedRequests: KeyedRequests;
  clock: Clock;
  /** Counts how long the station has been running. */
  time: RunningClock;
  clockWatch: ClockWatch;
  ids: Ids;
  log: Log;
  bus: Bus;
  settings: SettingsService;
  keyRing: KeyRing;
  audit: Audit;
  backgroundReads: StepQueue;
  /** The turns in which everything is read that arrives from turbos. */
  messageTurns: MessageTurns;
  snapshots: Snapshots;
};

/**
 * Maximum number of cached rows of each kind (devices, commands, report windows, sequences). A shop lights fewer devices than that within a
 * minute.
 */
const CACHED_ROWS = 1_000;

export type OpenCore = {
  core: Core;
  database: OpenDatabase;
  guard: DatabaseGuard;
  /** Whether this start created the database. */
  isNew: boolean;
  mark: StationMark;
  /** Time of the last commit before this start, in epoch milliseconds. */
  lastCommitAt: number;
  /** When the data folder was created, in epoch milliseconds. */
  createdAt: number;
};

/** Opens the data folder, and the database with its writer, after carrying out a pending restore. Throws a StationError or DataLost. */
export async function openCore(parts: {
  config: StationConfig;
  clock: Clock;
  ids: Ids;
  log: Log;
  soonMs: number;
  copier: Copier;
  lifecycle: Lifecycle;
  findKeychain: (() => Keychain | undefined) | undefined;
  /** Aborts the preparation of a restore. */
  signal: AbortSignal;
}): Promise<OpenCore> {
  const { config, clock, ids, log, lifecycle } = parts;
  const { dataFolder } = config;
  const { onStart, onStop } = lifecycle;
  const { database, keyRing } = await openFolder(parts);
  onStop(() => database.close());
  const rowCache = new RowCache(CACHED_ROWS);
  const repositories = createRepositories(lazyStatements(database.writer), rowCache);
  const reads = createRepositories(lazyStatements(database.reader));
  const guard = createDatabaseGuard(join(dataFolder, DATABASE_FILE));
  const snapshots = createSnapshots(database.openReader());
  onStop(() => snapshots.stop());
  const lastCommitAt = reads.commits.lastAt();
  const known = reads.numbers.findOrigin();
  const origin = known ?? { createdAt: clock.now(), firstCommand: randomFirstCommand(ids) };
  const idFloors = idFloorsAt(origin, clock.now());
  const bus = createBus();
  const clockWatch = createClockWatch({ repositories, bus, clock, log });
  const plainWriter = createWriter({
    db: database.writer,
    clock,
    log,
    soonMs: parts.soonMs,
    revisionFloor: idFloors.revision,
    publish: bus.publish,
    watchClock: clockWatch.check,
    refusal: guard.refusal,
    rowCache,
  });
  const recorder = createStepRecorder(plainWriter, repositories.keyedRequests);
  const { writer } = recorder;
  const mark = createStationMark({
    dataFolder,
    identity: identityOf(origin),
    revision: writer.revision,
    isInFolder: () => guard.look() === 'same',
    changes: () => changesOf(join(dataFolder, DATABASE_FILE)),
    bus,
    clock,
    log,
  });
  // The mark stops after the writer, because the mark contains the last commit.
  onStop(() => mark.stop());
  onStop(() => writer.stop());
  await writer.write(() => {
    repositories.numbers.keepOrigin(origin);
    repositories.numbers.raiseCommandIds(idFloors.commandId);
  });
  const time = createRunningClock({ repositories, reads, writer, lastCommitAt, clock, log });
  onStop(() => time.stop());
  onStart(() => time.start());
  const audit = createAudit({ repositories, reads });
  const stationId = stationIdOf(origin);
  const core = {
    stationId,
    onStart,
    onStop,
    repositories,
    reads,
    writer,
    keyedRequests: createKeyedRequests({ repositories, reads, writer, recorder, keyRing, clock, log }),
    clock,
    time,
    clockWatch,
    ids,
    log,
    bus,
    settings: createSettings({ repositories, writer, audit, madeStationId: stationId, keyRing }),
    keyRing,
    audit,
    backgroundReads: createBackgroundQueue({ clock, onCommit: (commit) => bus.subscribe({ commit }) }),
    messageTurns: createMessageTurns(),
    snapshots,
  };
  return { core, database, guard, isNew: known === undefined, mark, lastCommitAt, createdAt: origin.createdAt };
}

/** Opens the data folder and its database, after preparing a pending restore. */
async function openFolder(
  parts: Parameters<typeof openCore>[0],
): Promise<{ database: OpenDatabase; keyRing: KeyRing }> {
  const { copier, signal } = parts;
  const { dataFolder, restore: from, bringBack = [], yes = false, acceptLoss = false } = parts.config;
  const now = parts.clock.now();
  const hold = holdFolder(dataFolder);
  removeLeftCopy(dataFolder);
  try {
    completeTrial(dataFolder, VERSION);
    const restore =
      from === undefined
        ? undefined
        : await prepareRestore({
            copier,
            dataFolder,
            from,
            bringBack,
            opensKnown: yes,
            id: parts.ids.uuid(),
            now,
            signal,
          });
    const { dataKey: given, keyFile: writeFile } = parts.config;
    const keyRing = openKeyRing(dataFolder, { given, findKeychain: parts.findKeychain, writeFile });
    return {
      database: openDatabase(dataFolder, { now, migrations: MIGRATIONS, restore, acceptLoss, hold, keyRing }),
      keyRing,
    };
  } catch (error) {
    hold.close();
    if (!(error instanceof DataLost)) throw error;
    const backup = await findGoodBackup({ copier, dataFolder, signal });
    throw new DataLost(error.loss, backup ?? 'none');
  }
}

function randomFirstCommand(ids: Ids): number {
  return Buffer.from(ids.bytes(4)).readUInt32LE() % FIRST_COMMANDS;
}
