import { randomBytes, randomUUID, scrypt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { createHttpClient, proxiesOf } from './httpClient.ts';
import type { Clock, DerivePassword, Ids, Log } from './ports.ts';
import type { StationPorts } from './stationPorts.ts';
import { systemSerialPorts } from './serialPorts.ts';
import { nodeSideProcesses } from './sideProcesses.ts';

/** Well below what a person notices, and long enough for several reports to share a commit. */
const COMMIT_SOON_MS = 20;

/** The real outside. `logLevel`: as pino names them. `environment`: of the program, which may name proxies and folders. */
export function systemPorts(logLevel: string, environment: Readonly<Record<string, string | undefined>>): StationPorts {
  return {
    clock: systemClock(),
    ids: systemIds(),
    log: systemLog(logLevel),
    http: createHttpClient(proxiesOf(environment)),
    serial: systemSerialPorts(),
    startSideProcess: nodeSideProcesses(environment),
    derivePassword: deriveByScrypt,
    soonMs: COMMIT_SOON_MS,
    watchTransport: (transport) => transport,
    joinTurbos: () => undefined,
    watchCopy: () => undefined,
  };
}

const HASH_BYTES = 32;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const scryptAsync = promisify<string, Uint8Array, number, typeof SCRYPT, Buffer>(scrypt);

export const deriveByScrypt: DerivePassword = (password, salt) => scryptAsync(password, salt, HASH_BYTES, SCRYPT);

/** A little lower than the rest: what runs there takes turns with other programs, and only waits for the main thread. */
const POOL_NICENESS = 10;

/**
 * Passwords are hashed on threads beside the main one, which takes presses: on Linux, where threads have priorities of their
 * own, it comes first when there are fewer processors than work. Elsewhere nothing changes.
 */
export function preferMainThread(): void {
  if (process.platform !== 'linux') return;
  const tasks = '/proc/self/task';
  for (const task of readdirSync(tasks)) {
    try {
      if (readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === 'libuv-worker')
        setPriority(Number(task), POOL_NICENESS);
    } catch {
      // The thread has ended, or the system does not allow it: then all are alike, as elsewhere.
    }
  }
}

function systemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      timer.unref();
      return { cancel: () => clearTimeout(timer) };
    },
    // Node is told nothing; the writer notices by the clock.
    onSleep: () => () => undefined,
  };
}

export function systemIds(): Ids {
  return { uuid: () => randomUUID(), bytes: (length) => randomBytes(length), fraction: () => Math.random() };
}

/** One JSON line each on stderr: stdout belongs to the shell's own sentences. */
function systemLog(level: string): Log {
  const logger = pino(
    { level, base: null, redact: ['*.headers.authorization', '*.headers["api-key"]'] },
    pino.destination({ fd: 2, sync: false }),
  );
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}
