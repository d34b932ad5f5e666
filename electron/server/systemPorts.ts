import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { rootCertificates } from 'node:tls';
import { pino } from 'pino';
import { Agent, type Dispatcher } from 'undici';
import type { Clock, HttpAnswer, HttpClient, HttpRequest, Ids, Log } from './ports.ts';
import type { StationPorts } from './station.ts';
import { systemSerialPorts } from './serialPorts.ts';

/** Well below what a person notices, and long enough for several reports to share a commit. */
const COMMIT_SOON_MS = 20;

/** The real outside. `logLevel`: as pino names them. */
export function systemPorts(logLevel: string): StationPorts {
  return {
    clock: systemClock(),
    ids: systemIds(),
    log: systemLog(logLevel),
    http: systemHttpClient(),
    serial: systemSerialPorts(),
    soonMs: COMMIT_SOON_MS,
    watchTransport: (transport) => transport,
    joinTurbos: () => undefined,
    watchCopy: () => undefined,
  };
}

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

/** A longer answer is cut off: only status and headers count. */
const DRAINED_BYTES = 64 * 1024;
/** More answers that have begun and do not end are not waited for: the oldest is cut off for the next. */
const MAX_DRAINED = 64;

type Way = Pick<HttpRequest, 'url' | 'ca' | 'verify'> & { origin: string; path: string; agent: Agent };

/** No timeouts of its own: the dispatcher gives up by the station's clock. */
function agentFor(ca: string | undefined, verify: boolean): Agent {
  const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  return new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { rejectUnauthorized: verify, ...trust } });
}

/** Callbacks over kept connections, in one pool for those who are trusted alike. */
function systemHttpClient(): HttpClient {
  const drained = new Set<Dispatcher.DispatchController>();
  let way: Way | undefined;

  function drain(controller: Dispatcher.DispatchController): void {
    drained.add(controller);
    const [oldest] = drained;
    if (drained.size > MAX_DRAINED) oldest?.abort(new Error('The answer does not end.'));
  }

  /** Where it goes: the same way as the one before, as a rule. */
  function wayOf({ url, ca, verify }: HttpRequest): Way {
    const last = way;
    const isTrustedAlike = last !== undefined && last.ca === ca && last.verify === verify;
    if (isTrustedAlike && last.url === url) return last;
    const { origin, pathname, search } = new URL(url);
    // The settings changed: what trusted otherwise is not kept.
    if (!isTrustedAlike) void last?.agent.close();
    const agent = isTrustedAlike ? last.agent : agentFor(ca, verify);
    way = { url, ca, verify, origin, path: pathname + search, agent };
    return way;
  }

  return {
    send(message) {
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      let read = 0;
      let isGivenUp = false;
      let abort: ((reason: Error) => void) | undefined;
      const giveUp = (): void => {
        const reason = new Error('The request was given up.');
        isGivenUp = true;
        reject(reason);
        abort?.(reason);
      };
      const { method, headers, body } = message;
      try {
        const { agent, origin, path } = wayOf(message);
        // undici's own handler: its promises and streams cost as much as the request itself.
        agent.dispatch(
          { origin, path, method, headers, body: body ?? null },
          {
            onRequestStart(controller) {
              abort = (reason) => controller.abort(reason);
              if (isGivenUp) giveUp();
            },
            onResponseStart(controller, status, answered) {
              // Hints come before the answer.
              if (status < 200) return;
              drain(controller);
              const retryAfter = answered['retry-after'];
              resolve({ status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined });
            },
            onResponseData(controller, chunk) {
              read += chunk.length;
              if (read > DRAINED_BYTES) controller.abort(new Error('The answer is longer than anybody reads.'));
            },
            onResponseEnd(controller) {
              drained.delete(controller);
              abort = undefined;
            },
            onResponseError(controller, error) {
              drained.delete(controller);
              abort = undefined;
              reject(error);
            },
          },
        );
      } catch (error) {
        reject(error);
      }
      return { answer: promise, giveUp };
    },
    stop() {
      way?.agent.destroy().catch(() => undefined);
      way = undefined;
    },
  };
}
