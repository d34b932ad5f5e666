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

/** Callbacks over kept connections, one pool for each way to trust the other side. */
function systemHttpClient(): HttpClient {
  const agents = new Map<string, Agent>();
  const drained = new Set<Dispatcher.DispatchController>();

  function drain(controller: Dispatcher.DispatchController): void {
    drained.add(controller);
    const [oldest] = drained;
    if (drained.size > MAX_DRAINED) oldest?.abort(new Error('The answer does not end.'));
  }

  function agentFor({ ca, verify }: HttpRequest): Agent {
    const key = JSON.stringify([verify, ca]);
    let agent = agents.get(key);
    if (agent === undefined) {
      // The settings changed: what trusted otherwise is not kept.
      for (const [old, other] of agents) {
        agents.delete(old);
        void other.close();
      }
      const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
      // No timeouts of its own: the dispatcher aborts by the station's clock.
      agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { rejectUnauthorized: verify, ...trust } });
      agents.set(key, agent);
    }
    return agent;
  }

  return {
    send: (message, signal) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const { method, url, headers, body } = message;
        const { origin, pathname, search } = new URL(url);
        let read = 0;
        let abort: ((reason: Error) => void) | undefined;
        const aborted = (): void => {
          const reason = new Error('The request was given up.');
          reject(reason);
          abort?.(reason);
        };
        if (signal.aborted) return aborted();
        signal.addEventListener('abort', aborted);
        // undici's own handler: its promises and streams cost as much as the request itself.
        agentFor(message).dispatch(
          { origin, path: pathname + search, method, headers, body: body ?? null },
          {
            onRequestStart(controller) {
              abort = (reason) => controller.abort(reason);
              if (signal.aborted) aborted();
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
              signal.removeEventListener('abort', aborted);
            },
            onResponseError(controller, error) {
              drained.delete(controller);
              signal.removeEventListener('abort', aborted);
              reject(error);
            },
          },
        );
      }),
    stop() {
      for (const agent of agents.values()) agent.destroy().catch(() => undefined);
      agents.clear();
    },
  };
}
