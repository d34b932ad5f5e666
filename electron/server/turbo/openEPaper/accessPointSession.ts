import type { WebSocket } from 'ws';
import type { Clock, Timer } from '../../ports.ts';
import { parseInfo, parseObject, type AccessPointInfo } from './accessPointAnswers.ts';
import { AccessPointError, createAccessPointHttp, type AccessPointHttp } from './accessPointHttp.ts';

/** The connection counts as lost after this much time without a message. An access point reports its state every 5 s. */
const SILENCE_MS = 30_000;
const OPENING_MS = 10_000;
/** Delays before the next attempt; the last delay repeats. */
const RETRY_MS = [2_000, 5_000, 10_000, 30_000] as const;
/** Maximum size of a message: far above the longest message from an access point. */
const MAX_MESSAGE_BYTES = 64 * 1_024;
const SOCKET_OPTIONS = {
  maxPayload: MAX_MESSAGE_BYTES,
  followRedirects: false,
  perMessageDeflate: false,
  // Handle one message per turn of the event loop.
  allowSynchronousEvents: false,
} as const;

/** Settings to write to the access point, which must not sleep or restart and does not need copies of images. */
const WANTED_CONFIG = {
  maxsleep: '0',
  stopsleep: '1',
  nightlyreboot: '0',
  preview: '0',
} as const;

export type AccessPointEvents = {
  /** Called when the access point was identified and its events arrive. `isOpen` tells whether the access point accepts new tags. */
  online(info: AccessPointInfo, settings: { isOpen: boolean }): void;
  message(message: { readonly [name: string]: unknown }): void;
  /** Called when events no longer arrive. The session reconnects automatically. */
  lost(): void;
  /** Called when an attempt failed. `attempts` is the number of consecutive failures. */
  failed(problem: string, attempts: number): void;
};

export type AccessPointSession = {
  readonly http: AccessPointHttp;
  /** Whether nothing except timers is pending. */
  idle(): boolean;
  /** Reconnects, for example after a fault that affected only HTTP requests. */
  restart(): void;
  stop(): void;
};

/** Keeps a connection to an access point, with requests over HTTP and events over its WebSocket. `url` must end with a slash. */
export function openAccessPoint(url: string, clock: Clock, events: AccessPointEvents): AccessPointSession {
  const http = createAccessPointHttp(url, clock);
  let socket: WebSocket | undefined;
  let timer: Timer | undefined;
  let attempts = 0;
  let isOpening = false;
  let isStopped = false;

  function wait(ms: number, run: () => void): void {
    timer?.cancel();
    timer = isStopped ? undefined : clock.setTimer(ms, run);
  }

  function begin(): void {
    timer = undefined;
    isOpening = true;
    connect().then(
      () => {
        attempts = 0;
        isOpening = false;
      },
      (error: unknown) => {
        isOpening = false;
        const problem = error instanceof AccessPointError ? error.message : `No answer from ${url}.`;
        if (isStopped) return;
        drop();
        attempts += 1;
        retry();
        events.failed(problem, attempts);
      },
    );
  }

  function retry(): void {
    wait(RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? RETRY_MS[0], begin);
  }

  async function connect(): Promise<void> {
    const info = parseInfo(url, await http.get('sysinfo'));
    const settings = await configure(http);
    const opened = await openSocket();
    watch(opened);
    events.online(info, settings);
  }

  async function openSocket(): Promise<WebSocket> {
    // Loaded with the first access point, because most stations have none.
    const { WebSocket: Socket } = await import('ws');
    if (isStopped) throw new AccessPointError('The connection was given up.');
    const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
    const opening = new Socket(new URL('ws', url.replace(/^http/, 'ws')), SOCKET_OPTIONS);
    socket = opening;
    const failed = () => reject(new AccessPointError(`${url} answers, but its events (${url}ws) do not arrive.`));
    wait(OPENING_MS, () => {
      failed();
      opening.terminate();
    });
    // Listen before the socket is open, because messages may follow immediately.
    opening.on('message', (data) => receive(opening, data as Buffer));
    opening.on('error', failed);
    opening.on('close', failed);
    opening.on('open', () => {
      timer?.cancel();
      resolve(opening);
    });
    return promise;
  }

  function watch(opened: WebSocket): void {
    received(opened);
    opened.on('close', () => lose(opened));
    if (opened.readyState !== opened.OPEN) lose(opened);
  }

  function receive(from: WebSocket, data: Buffer): void {
    if (from !== socket || isStopped) return;
    if (!isOpening) received(from);
    const message = parseObject(data.toString('utf8'));
    if (message === undefined) return;
    events.message(message);
    // The access point has announced that it restarts, so close the connection immediately.
    if (message['errMsg'] === 'REBOOTING') from.terminate();
  }

  function received(from: WebSocket): void {
    wait(SILENCE_MS, () => from.terminate());
  }

  function lose(closed: WebSocket): void {
    if (closed !== socket || isStopped) return;
    socket = undefined;
    attempts = 1;
    retry();
    events.lost();
  }

  function drop(): void {
    const dropped = socket;
    socket = undefined;
    dropped?.terminate();
  }

  begin();
  return {
    http,
    idle: () => !isOpening && http.idle(),
    restart: () => socket?.terminate(),
    stop() {
      isStopped = true;
      timer?.cancel();
      drop();
      http.stop();
    },
  };
}

/** Configures the access point. Writes the settings only if one of them differs, because the access point stores them in flash. */
async function configure(http: AccessPointHttp): Promise<{ isOpen: boolean }> {
  const config = parseObject((await http.get('get_ap_config')).body.toString('utf8')) ?? {};
  const differs = Object.entries(WANTED_CONFIG).some(([name, value]) => String(config[name]) !== value);
  if (differs) await http.post('save_apcfg', WANTED_CONFIG);
  return { isOpen: String(config['lock']) === '0' };
}
