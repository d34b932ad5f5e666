import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { inject } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { StationConfig } from '../../electron/server/config.ts';
import type {
  CopyProgress,
  Folders,
  HttpClient,
  Ids,
  Keychain,
  Log,
  Multicast,
  SerialPorts,
  Updater,
} from '../../electron/server/ports.ts';
import { createStation, type Started, type StationServer, type StationPorts } from '../../electron/server/station.ts';
import { systemFolders } from '../../electron/server/files/folderFiles.ts';
import { createLogFiles } from '../../electron/server/logs/logFiles.ts';
import { fileLog } from '../../electron/server/logs/systemLog.ts';
import { systemPorts } from '../../electron/server/systemPorts.ts';
import type { Transport } from '../../electron/server/turbo/frames/transports/transport.ts';
import { createFakeClock, type FakeClock } from './fakeClock.ts';
import { seededIds } from './seeded.ts';
import { sideInProcess } from './sideInProcess.ts';
import { ADMIN_PASSWORD, API_KEY, deriveQuickly, START_MS } from './screens/template.ts';

export { ADMIN_PASSWORD, API_KEY, START_MS };

export type Answer = { status: number; headers: Headers; body: unknown };

export type TestStation = {
  url: string;
  dataFolder: string;
  clock: FakeClock;
  started: Started;
  /** Log lines of level warn and error. */
  logged: { level: 'warn' | 'error'; fields: object; message: string }[];
  /**
   * Sends any request with the API key. `headers` replace all headers. Strings and bytes are sent unchanged, anything
   * else as JSON.
   */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The following calls return the body, and fail unless the status is a success. */
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<T>;
  patch<T = Record<string, unknown>>(path: string, body?: unknown): Promise<T>;
  device(deviceId: string): Promise<Device>;
  /** Presses a simulated button. Resolves when the station has committed or refused the press. */
  press(deviceId: string, button?: 'front' | 'plus' | 'minus', hold?: 'short' | 'long'): Promise<void>;
  /** Reads rows from the database file on disk. */
  rows<T = Record<string, unknown>>(sql: string, ...values: (string | number)[]): T[];
  /** Stops the station and starts it again with the same data folder. */
  restart(): Promise<void>;
  /** Stops the station, but keeps the data folder for another station. */
  halt(): Promise<void>;
  stop(): Promise<void>;
};

export type TestStationOptions = {
  simulate?: number;
  /** Duration of a full e-paper refresh in milliseconds, or 0 for an immediate one. Default: as long as on real e-paper. */
  refreshMs?: number;
  seed?: number;
  /** Source of ids that replaces the one determined by the seed. */
  ids?: Ids;
  dataFolder?: string;
  /** Advances time without waiting for deliveries in progress, for receivers that hang. */
  receiverHangs?: boolean;
  /** A clock that exists before and after the station, for events while no station runs. */
  clock?: FakeClock;
  /** How a new data folder gets the password for `admin`. The default data folder already has one. */
  firstRun?: 'print' | 'window';
  /** Password derivation. Default: a cheap one. */
  derivePassword?: StationPorts['derivePassword'];
  /** Value of PICKSTATION_ADMIN_PASSWORD at each start. */
  adminPassword?: string;
  /** Value of PICKSTATION_API_KEY at each start. If null, the variable is not set. */
  apiKey?: string | null;
  /** Value of --host at each start. Default: 127.0.0.1. If undefined, the stored setting applies. */
  host?: string | undefined;
  /** Port of the station. Default: a free port, a different one at each start. */
  port?: number | undefined;
  /** Values of --tls-cert and --tls-key at each start. */
  tls?: { cert: string; key: string };
  /** Whether each start uses --fleet. */
  fleetOnly?: boolean;
  /** Updates the program. Default: no updater. */
  updater?: Updater;
  /** Heartbeat interval of the simulated turbo in milliseconds. The default is long, so that a day of fake time passes quickly. */
  heartbeatMs?: number;
  /** Memory of the folders in which a station ran. Default: none. */
  ranFolders?: StationPorts['ranFolders'];
  /** Interval of the check that the database is in its folder, in milliseconds. The default is long. */
  checkFolderMs?: number;
  /** Called with each transport before it is attached. */
  watchTransport?: (transport: Transport) => Transport;
  /** Connects turbos of a different kind. */
  joinTurbos?: StationPorts['joinTurbos'];
  /** Called at each step of a backup. The backup waits for the returned promise. */
  watchCopy?: (progress: CopyProgress) => Promise<void> | undefined;
  /** Starts the processes that copy and check backups. Default: the work runs in this process. */
  startSideProcess?: StationPorts['startSideProcess'];
  /** Backup restored at the first start, as with --restore. */
  restore?: string;
  /** Accounts that come back with it, as with --bring-back. */
  bringBack?: string[];
  /** Whether to restore a backup that opens what the station does not, as with --yes. */
  yes?: boolean;
  /** Whether each start uses --accept-loss. */
  acceptLoss?: boolean;
  /** Port for turbos over TCP, or 0 for a free one. Default: no port. */
  turboPort?: number;
  /** Reads the firmware for boards. Default: that of the repository. */
  readFirmware?: StationPorts['readFirmware'];
  /** Serial ports of the machine. Default: none. */
  serial?: SerialPorts;
  /** Searches the network. By default nothing is sent and nothing answers. */
  multicast?: Multicast;
  /** Access to folders with orders. Default: those of this machine, checked by the fake clock. */
  folders?: Folders;
  /** Fetches the published sheet. Default: over real sockets. */
  sheetHttp?: HttpClient;
  /** Also writes the log to the data folder. */
  logFiles?: boolean;
  /** Sends callbacks. Default: over real sockets. */
  http?: HttpClient;
  /** Called at each start. Returns the data key, as from PICKSTATION_DATA_KEY. */
  dataKey?: () => string | undefined;
  /** Called at each start. Returns whether to act as with --key-file. */
  keyFile?: () => boolean;
  /** Called at each start. Default: no keychain is found. */
  findKeychain?: () => Keychain | undefined;
};

/** Heartbeat interval in milliseconds. It is long because each heartbeat runs three timers. The wire carries at most 65 s. */
const SLOW_HEARTBEAT_MS = 60_000;

/** The check of the folder is rare, so that a day of fake time passes quickly. */
const RARE_CHECK_MS = 3_600_000;

function freshDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-test-'));
  cpSync(inject('template'), folder, { recursive: true });
  return folder;
}

function config(dataFolder: string, options: TestStationOptions): StationConfig {
  return {
    host: 'host' in options ? options.host : '127.0.0.1',
    port: 'port' in options ? options.port : 0,
    dataFolder,
    tls: options.tls,
    turboPort: options.turboPort,
    fleetOnly: options.fleetOnly,
    restore: options.restore,
    bringBack: options.bringBack,
    yes: options.yes,
    acceptLoss: options.acceptLoss,
    simulate: options.simulate ?? 0,
    adminPassword: options.adminPassword,
    apiKey: options.apiKey === undefined ? API_KEY : (options.apiKey ?? undefined),
    dataKey: options.dataKey?.(),
    keyFile: options.keyFile?.(),
    firstRun: options.firstRun ?? 'print',
  };
}

/** A machine without serial ports, so that tests ignore devices that are plugged into the real one. */
const NO_SERIAL_PORTS: SerialPorts = {
  list: () => Promise.resolve([]),
  open: ({ path }) => Promise.reject(new Error(`No such file or directory, cannot open ${path}`)),
  reset: () => Promise.resolve(),
};

const NO_ANSWERS: Multicast = { ask: () => Promise.resolve() };

/** The machine's folders without the watcher, which works in real time. */
export const UNWATCHED_FOLDERS: Folders = { ...systemFolders(), watch: () => () => undefined };

/**
 * Starts the whole station on a fake clock, with a real SQLite file, real sockets, real frames and simulated hardware. The caller must stop
 * it, or use `await using`.
 */
export async function startTestStation(options: TestStationOptions = {}): Promise<TestStation & AsyncDisposable> {
  const { refreshMs, seed = 1, heartbeatMs = SLOW_HEARTBEAT_MS, watchTransport: watch = (wire) => wire } = options;
  const dataFolder = options.dataFolder ?? freshDataFolder();
  const clock = options.clock ?? createFakeClock(START_MS);
  const logged: TestStation['logged'] = [];
  const logFiles =
    options.logFiles === true ? createLogFiles({ dataFolder, clock, failed: () => undefined }) : undefined;
  const inFiles = logFiles === undefined ? undefined : fileLog(logFiles);
  const log: Log = {
    debug: () => undefined,
    info: (fields, message) => inFiles?.info(fields, message),
    warn(fields, message) {
      logged.push({ level: 'warn', fields, message });
      inFiles?.warn(fields, message);
    },
    error(fields, message) {
      logged.push({ level: 'error', fields, message });
      inFiles?.error(fields, message);
    },
  };
  const ids = options.ids ?? seededIds(seed);
  let station: StationServer;
  let started: Started;
  clock.whenIdle(
    () => started === undefined || (started.idle() && (options.receiverHangs === true || started.delivered())),
    'the station',
  );

  async function start(): Promise<void> {
    const system = systemPorts('silent', {});
    const ports = {
      clock,
      ids,
      log,
      logFiles,
      ...(options.findKeychain === undefined ? {} : { findKeychain: options.findKeychain }),
      ...(options.updater === undefined ? {} : { updater: options.updater }),
      http: options.http ?? system.http,
      sheetHttp: options.sheetHttp ?? system.sheetHttp,
      folders: options.folders ?? UNWATCHED_FOLDERS,
      mailer: system.mailer,
      loadBroker: system.loadBroker,
      serial: options.serial ?? NO_SERIAL_PORTS,
      multicast: options.multicast ?? NO_ANSWERS,
      readFirmware: options.readFirmware ?? system.readFirmware,
      startSideProcess: options.startSideProcess ?? sideInProcess,
      derivePassword: options.derivePassword ?? deriveQuickly,
      soonMs: 0,
      ranFolders: options.ranFolders,
      checkFolderMs: options.checkFolderMs ?? RARE_CHECK_MS,
      watchCopy: options.watchCopy ?? (() => undefined),
      watchTransport: (transport: Transport) =>
        watch(transport.kind === 'simulated' ? { ...transport, heartbeatMs } : transport),
      joinTurbos: options.joinTurbos ?? (() => undefined),
    };
    station = createStation(config(dataFolder, options), ports, join(dataFolder, 'no-page'));
    started = await station.start();
    await clock.advance(0);
    if (refreshMs !== undefined) {
      for (const deviceId of await api.get<string[]>('/api/device/')) {
        await api.patch(`/api/simulator/devices/${deviceId}/`, { refresh_ms: refreshMs });
      }
    }
    await clock.advance(0);
  }

  async function succeed<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await api.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await clock.advance(0);
    return answer.body as T;
  }

  const api: TestStation = {
    get url() {
      return started.url;
    },
    dataFolder,
    clock,
    get started() {
      return started;
    },
    logged,
    async request(method, path, body, headers) {
      const isAsItIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const text = isAsItIs ? (body as string | Uint8Array<ArrayBuffer> | undefined) : JSON.stringify(body);
      const response = await fetch(new URL(path, started.url), {
        method,
        redirect: 'manual',
        headers: headers ?? {
          'api-key': API_KEY,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isJson = /\/(problem\+)?json/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(bytes.toString('utf8')) : bytes,
      };
    },
    get: (path) => succeed('GET', path),
    post: (path, body) => succeed('POST', path, body),
    patch: (path, body) => succeed('PATCH', path, body),
    device: (deviceId) => succeed<Device>('GET', `/api/device/${deviceId}/`),
    async press(deviceId, button = 'front', hold = 'short') {
      await succeed('POST', `/api/simulator/devices/${deviceId}/press/`, { button, hold });
    },
    rows<T>(sql: string, ...values: (string | number)[]): T[] {
      const db = new Database(join(dataFolder, 'pickstation.sqlite'), { readonly: true });
      try {
        return db.prepare(sql).all(...values) as T[];
      } finally {
        db.close();
      }
    },
    async restart() {
      await station.stop();
      await start();
    },
    halt: () => station.stop(),
    async stop() {
      await station.stop();
      await logFiles?.stop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
  await start();
  return Object.assign(api, { [Symbol.asyncDispose]: () => api.stop() });
}
