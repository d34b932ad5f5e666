import { randomBytes, randomUUID, scrypt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFirmwareFiles } from './files/firmwareFiles.ts';
import { systemFolders } from './files/folderFiles.ts';
import { createRanFolders } from './files/ranFolders.ts';
import { createHttpClient, proxiesOf } from './network/httpClient.ts';
import type { LogFileWriter } from './logs/logFiles.ts';
import { createMulticast } from './network/multicast.ts';
import type { Clock, DerivePassword, Ids } from './ports.ts';
import type { StationPorts } from './stationPorts.ts';
import { systemSerialPorts } from './network/serialPorts.ts';
import { createSmtpClient } from './network/smtpClient.ts';
import { nodeSideProcesses } from './sideProcesses.ts';
import { systemLog } from './logs/systemLog.ts';

/** Folder of our firmware. The relative path is the same for the sources and for the built program. */
const FIRMWARE = join(import.meta.dirname, '..', '..', 'resources', 'firmware');

/**
 * How long low-priority changes wait for a commit, in milliseconds. Too short for people to notice, but long enough for several reports to
 * share a commit.
 */
const COMMIT_SOON_MS = 20;
const CHECK_FOLDER_MS = 2_000;

/**
 * Creates the real ports. `logLevel` is a pino level. `environment` has the program's variables for proxies and folders, and `logFiles` is
 * an additional destination for the log.
 */
export function systemPorts(
  logLevel: string,
  environment: Readonly<Record<string, string | undefined>>,
  logFiles?: LogFileWriter,
): StationPorts {
  const clock = systemClock();
  return {
    clock,
    ids: systemIds(),
    log: systemLog(logLevel, logFiles),
    logFiles,
    http: createHttpClient(proxiesOf(environment)),
    sheetHttp: createHttpClient(proxiesOf(environment)),
    mailer: createSmtpClient(),
    loadBroker: async () => (await import('./network/mqttClient.ts')).createMqttClient(),
    folders: systemFolders(),
    serial: systemSerialPorts(),
    multicast: createMulticast(clock),
    readFirmware: () => readFirmwareFiles(FIRMWARE),
    startSideProcess: nodeSideProcesses(environment),
    derivePassword: deriveByScrypt,
    soonMs: COMMIT_SOON_MS,
    ranFolders: createRanFolders(environment),
    checkFolderMs: CHECK_FOLDER_MS,
    watchTransport: (transport) => transport,
    joinTurbos: () => undefined,
    watchCopy: () => undefined,
  };
}

const HASH_BYTES = 32;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const scryptAsync = promisify<string, Uint8Array, number, typeof SCRYPT, Buffer>(scrypt);

export const deriveByScrypt: DerivePassword = (password, salt) => scryptAsync(password, salt, HASH_BYTES, SCRYPT);

/** Nice value of the threads that hash passwords. Only slightly lower priority, so that hashing yields only to the main thread. */
const POOL_NICENESS = 10;

/**
 * Gives the threads that hash passwords a lower priority than the main thread, which handles presses. Works only on Linux, where threads
 * have their own priority.
 */
export function preferMainThread(): void {
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  for (const task of readdirSync(tasks)) {
    try {
      if (readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === 'libuv-worker')
        setPriority(Number(task), POOL_NICENESS);
    } catch {
      // Either the thread has ended, or the system does not allow this. In that case, all threads have the same priority.
    }
  }
}

export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
    // Node has no sleep events. The writer detects sleep by the clock.
    onSleep: () => () => undefined,
  };
}

/**
 * Number of random bytes per call. One call for many small values is cheaper than many calls, for example when a file creates thousands of
 * orders.
 */
const POOL_BYTES = 2_048;
/** Length of the longest value from the pool, in bytes. Passwords, keys and secrets are longer, so they are never in the pool. */
const MAX_POOLED = 9;

export function systemIds(): Ids {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  /** Returns random bytes. Each byte of the pool is used only once. */
  function bytes(length: number): Uint8Array {
    if (length > MAX_POOLED) return randomBytes(length);
    if (used + length > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  }
  return { uuid: () => randomUUID(), bytes, fraction: () => Math.random() };
}
