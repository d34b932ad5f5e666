import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { loadImage } from '@napi-rs/canvas';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock, Timer } from '../../../electron/server/ports.ts';
import { createFakeTag, type FakeTag } from './fakeTag.ts';

const PAGE_BYTES = 5_000;
const NOT_READY_MS = 30_000;
const DOWN_MS = 8_000;
const SYSTEM_MS = 5_000;
const QUEUE_MS = 1_000;

type FakeType = { name: string; width: number; height: number; options: string[] };

/** Tag types by `hwType`. The older types have no LED. */
const TYPES: Readonly<Record<string, FakeType>> = {
  '00': { name: 'M2 1.54"', width: 152, height: 152, options: ['button'] },
  '2F': { name: 'M3 4.3"', width: 522, height: 152, options: ['button', 'led'] },
  '01': { name: 'M2 2.9"', width: 296, height: 128, options: ['button'] },
  '33': { name: 'M3 2.9"', width: 384, height: 168, options: ['button', 'led'] },
  '6E': { name: 'HS 2.9"', width: 296, height: 128, options: ['button', 'led'] },
};

export type FakeAccessPoint = {
  url: string;
  tag(mac: string): FakeTag;
  /** Received requests, such as `POST /imgupload`, in order. */
  requests: string[];
  config: Record<string, string | number>;
  /** Returns the number of accepted pictures. */
  uploads(): number;
  /** Announces a reboot, disconnects, reconnects after 8 s and refuses pictures for 30 s. Queued items are lost. */
  reboot(): void;
  /** Simulates the nightly reboot, which happens only if the configuration enables it. */
  strikeAtNight(): void;
  /** Closes all sockets. If `isAway` is true, accepts no new sockets until the next call. */
  cut(isAway?: boolean): void;
  /** Makes the access point unreachable, including over HTTP, until the next call. */
  unplug(isUnplugged: boolean): void;
  /** Returns whether a client is subscribed to the access point's events. */
  isHeard(): boolean;
  /** Accepts requests from now on without answering them. */
  hang(isHanging: boolean): void;
  /** Returns the number of requests that have not been answered. */
  hung(): number;
  /** Keeps the sockets open from now on, but sends nothing. */
  mute(isMute: boolean): void;
  /** Answers the next `times` requests for the path with status 500. */
  fail(path: string, times: number): void;
  /** Sets the error of the access point's clock, in seconds. */
  setClockOff(seconds: number): void;
  /** Returns whether nothing is pending except timers. */
  idle(): boolean;
  stop(): Promise<void>;
};

/** Starts an OpenEPaperLink access point with its quirks. HTTP and WebSocket are real, the tags run on a virtual clock. */
export async function startFakeAccessPoint(
  clock: Clock,
  tags: readonly { mac: string; type: string; isExternal?: boolean; isLate?: boolean }[],
): Promise<FakeAccessPoint> {
  const requests: string[] = [];
  const sockets = new Set<WebSocket>();
  const timers = new Set<Timer>();
  let uploads = 0;
  let bootedMs = clock.monotonic() - NOT_READY_MS;
  let isDown = false;
  let isAway = false;
  let isUnplugged = false;
  let isHanging = false;
  const hanging = new Set<ServerResponse>();
  const failing = new Map<string, number>();
  let hung = 0;
  let isMute = false;
  let offS = 0;
  let busy = 0;
  /** Connections with unanswered requests. */
  const asking = new Set<Socket>();
  const config: Record<string, string | number> = {
    channel: 11,
    alias: 'Shop',
    maxsleep: 10,
    stopsleep: 1,
    preview: 1,
    nightlyreboot: 1,
    lock: 0,
  };
  const wallClock: Clock = { ...clock, now: () => clock.now() + offS * 1_000 };
  const all = tags.map(({ mac, type, isExternal = false, isLate = false }, index) => {
    const tag = createFakeTag({
      mac,
      hwType: Number.parseInt(type, 16),
      isQuick: TYPES[type]?.options.includes('led') !== true,
      clock: wallClock,
      offsetMs: 1_000 + ((index * 7_919) % 39_000),
      isHeard: () => !isDown,
      tell: (told) => say({ tags: [told.record] }),
    });
    tag.record['isexternal'] = isExternal;
    tag.isNear = !isLate;
    tag.isListed = !isLate;
    return tag;
  });
  const byMac = new Map(all.map((tag) => [tag.mac, tag]));

  /** Sends a message to all clients and reports itself as busy for the few event loop turns until the message has arrived. */
  function say(message: object): void {
    if (sockets.size === 0 || isMute) return;
    busy += 1;
    for (const socket of sockets) socket.send(JSON.stringify(message));
    setImmediate(() => setImmediate(() => setImmediate(() => (busy -= 1))));
  }

  function later(ms: number, run: () => void): void {
    const timer = clock.setTimer(ms, () => {
      timers.delete(timer);
      run();
    });
    timers.add(timer);
  }

  function saySystem(): void {
    if (!isDown) {
      const uptime = Math.floor((clock.monotonic() - bootedMs) / 1_000);
      say({ sys: { currtime: Math.floor(wallClock.now() / 1_000), uptime, heap: 100_000, apstate: 1, runstate: 2 } });
    }
    later(SYSTEM_MS, saySystem);
  }

  function cutSockets(): void {
    for (const socket of sockets) socket.terminate();
    sockets.clear();
  }

  function reboot(): void {
    say({ errMsg: 'REBOOTING' });
    setImmediate(cutSockets);
    isDown = true;
    for (const tag of all) {
      tag.queue = [];
      tag.record['pending'] = 0;
    }
    later(DOWN_MS, () => {
      isDown = false;
      bootedMs = clock.monotonic();
    });
  }

  function list(position: number): object {
    const page: FakeTag['record'][] = [];
    // The position is one byte, so higher positions wrap around.
    const listed = all.filter(({ isListed }) => isListed);
    for (let at = position & 0xff; at < listed.length; at++) {
      page.push(listed[at]?.record ?? {});
      if (JSON.stringify({ tags: page }).length > PAGE_BYTES) return { tags: page, continu: at + 1 };
    }
    return { tags: page };
  }

  /** Queues a picture unless the tag already shows it. A new picture does not replace a queued one. */
  async function queue(tag: FakeTag, jpeg: Buffer): Promise<void> {
    busy += 1;
    try {
      const image = await loadImage(jpeg);
      const type = TYPES[Number(tag.record['hwType']).toString(16).toUpperCase().padStart(2, '0')];
      if (image.width !== type?.width || image.height !== type.height || !isBaseline(jpeg)) return;
      const hash = createHash('md5').update(jpeg).digest('hex').slice(0, 16).padEnd(32, '0');
      if (hash === tag.record['hash']) say({ tags: [tag.record] });
      else tag.add({ kind: 'picture', jpeg, hash });
    } finally {
      busy -= 1;
    }
  }

  function upload(body: Buffer): [status: number, text: string] {
    if (clock.monotonic() - bootedMs < NOT_READY_MS) return [409, 'Come back later'];
    const text = body.toString('latin1');
    // Fields count only if they come before the file.
    const beforeFile = text.slice(0, text.indexOf('filename='));
    const mac = /name="mac"\r\n\r\n([0-9A-F]+)\r\n/.exec(beforeFile)?.[1] ?? '';
    const tag = byMac.get(mac);
    if (tag === undefined) return [400, 'mac not found'];
    const start = text.indexOf('\r\n\r\n', text.indexOf('filename=')) + 4;
    const jpeg = body.subarray(start, text.lastIndexOf('\r\n--'));
    uploads += 1;
    say({ tags: [tag.record] });
    later(QUEUE_MS, () => void queue(tag, jpeg));
    return [200, 'Ok, saved'];
  }

  function command(fields: URLSearchParams): [status: number, text: string] {
    const tag = byMac.get(fields.get('mac') ?? '');
    if (tag === undefined) return [400, 'Error: mac not found'];
    if (fields.get('cmd') === 'clear') tag.clear();
    return [200, 'Ok, done'];
  }

  function answer(url: URL, body: Buffer): [status: number, text: string | object] {
    const form = new URLSearchParams(body.toString('latin1'));
    switch (url.pathname) {
      case '/sysinfo':
        return [200, { alias: config['alias'], env: 'fake', buildversion: '2.91', sha: 'abc', ap_version: 31 }];
      case '/get_ap_config':
        return [200, { C6: '1', ...config }];
      case '/save_apcfg':
        Object.assign(config, Object.fromEntries(form));
        return [200, 'Ok, saved'];
      case '/set_time':
        offS = Number(form.get('epoch')) - Math.floor(clock.now() / 1_000);
        return [200, 'ok'];
      case '/get_db':
        return [200, list(Number(url.searchParams.get('pos') ?? 0))];
      case '/led_flash': {
        const tag = byMac.get(url.searchParams.get('mac') ?? '');
        tag?.add({ kind: 'led', program: url.searchParams.get('pattern') ?? '' });
        return tag === undefined ? [400, 'parameters are missing'] : [200, 'ok, request transmitted'];
      }
      case '/tag_cmd':
        return command(form);
      case '/imgupload':
        return upload(body);
      default: {
        const type = TYPES[/^\/tagtypes\/(..)\.json$/.exec(url.pathname)?.[1] ?? ''];
        return type === undefined ? [404, ''] : [200, type];
      }
    }
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (isHanging) {
      hung += 1;
      return void hanging.add(res);
    }
    const url = new URL(req.url ?? '', 'http://access.point');
    requests.push(`${req.method} ${url.pathname}${url.search}`);
    const failsLeft = failing.get(url.pathname) ?? 0;
    if (failsLeft > 0) {
      failing.set(url.pathname, failsLeft - 1);
      return void res.writeHead(500, { connection: 'close' }).end();
    }
    const [status, text] = answer(url, Buffer.concat(chunks));
    const isText = typeof text === 'string';
    res.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', connection: 'close' });
    res.end(isText ? text : JSON.stringify(text));
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  const socketServer = new WebSocketServer({ server, path: '/ws' });
  server.on('connection', (socket) => {
    if (isDown || isUnplugged) return socket.destroy();
    asking.add(socket);
    socket.on('close', () => asking.delete(socket));
  });
  socketServer.on('connection', (socket, req) => {
    asking.delete(req.socket);
    if (isDown || isAway) return socket.terminate();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  saySystem();

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tag(mac) {
      const tag = byMac.get(mac);
      if (tag === undefined) throw new Error(`There is no tag ${mac}.`);
      return tag;
    },
    requests,
    config,
    uploads: () => uploads,
    reboot,
    strikeAtNight: () => (String(config['nightlyreboot']) === '1' ? reboot() : undefined),
    cut(away = false) {
      isAway = away;
      cutSockets();
    },
    unplug(next) {
      isUnplugged = next;
      if (next) server.closeAllConnections();
      if (next) cutSockets();
    },
    isHeard: () => !isDown && sockets.size > 0,
    hang(next) {
      isHanging = next;
      for (const res of hanging) res.destroy();
      hanging.clear();
    },
    hung: () => hung,
    mute: (next) => void (isMute = next),
    fail: (path, times) => void failing.set(path, times),
    setClockOff: (seconds) => void (offS = seconds),
    idle: () => (busy === 0 && asking.size === 0) || isHanging,
    async stop() {
      for (const timer of timers) timer.cancel();
      for (const tag of all) tag.stop();
      cutSockets();
      socketServer.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns whether the JPEG has an SOF0 frame (baseline), the only kind that access points decode. */
function isBaseline(jpeg: Buffer): boolean {
  return jpeg.includes(Buffer.from([0xff, 0xc0])) && !jpeg.includes(Buffer.from([0xff, 0xc2, 0, 0x11]));
}
