import { randomBytes, randomUUID } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { pino } from 'pino';
import type { Clock, HttpAnswer, HttpClient, HttpRequest, Ids, Log } from './ports.ts';
import type { StationPorts } from './station.ts';

/** Well below what a person notices, and long enough for several reports to share a commit. */
const COMMIT_SOON_MS = 20;

/** The real outside. `logLevel`: as pino names them. */
export function systemPorts(logLevel: string): StationPorts {
  return {
    clock: systemClock(),
    ids: systemIds(),
    log: systemLog(logLevel),
    http: systemHttpClient(),
    soonMs: COMMIT_SOON_MS,
    watchTransport: (transport) => transport,
  };
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

const MAX_KEPT_CONNECTIONS = 64;

/** Callbacks over kept connections. Of an answer only status and headers count: the rest is cut off, however long it is. */
export function systemHttpClient(): HttpClient {
  const keep = { keepAlive: true, maxFreeSockets: MAX_KEPT_CONNECTIONS, scheduling: 'lifo' } as const;
  const plain = new HttpAgent(keep);
  const secure = new HttpsAgent(keep);
  return {
    send: (request, signal) => send(request, signal, plain, secure),
    stop() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** A body of this size is read to its end, so that the connection can be kept. */
const DRAINED_BYTES = 64 * 1024;

function send(request: HttpRequest, signal: AbortSignal, plain: HttpAgent, secure: HttpsAgent): Promise<HttpAnswer> {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const url = new URL(request.url);
    const body = request.body === undefined ? undefined : Buffer.from(request.body, 'utf8');
    const headers =
      body === undefined ? request.headers : { ...request.headers, 'content-length': String(body.length) };
    const options = { method: request.method, headers, signal };
    const call =
      url.protocol === 'https:'
        ? httpsRequest(url, {
            ...options,
            agent: secure,
            rejectUnauthorized: request.verify,
            ...(request.ca === undefined ? {} : { ca: [...rootCertificates, request.ca] }),
          })
        : httpRequest(url, { ...options, agent: plain });
    call.once('error', reject);
    call.once('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > DRAINED_BYTES) response.destroy();
      });
      response.on('error', () => response.destroy());
    });
    call.end(body);
  });
}
