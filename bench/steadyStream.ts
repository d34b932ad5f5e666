/** Presses and cheap requests at a steady pace, whatever the station does meanwhile: how long it keeps them waiting. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { BODY, deviceId } from './loads.ts';
import { API_KEY, waitedMs, type ServerProcess } from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

/** Devices that are lit and pressed, each once in a run. */
export const PRESSED = 400;
const PRESS_EVERY_MS = 10;
const ASK_EVERY_MS = 2;
/** Before and after the load. */
const MARGIN_MS = 150;
const CONNECTIONS = 32;
const MAX_LATE_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Milliseconds from the moment at which each was due, minus those in which other programs had the processor. */
export type Delays = { median: number; p99: number; worst: number };

type Sent = { dueAt: number; doneAt: number | undefined; waitedMs: number };

/** Runs `load` while `send` is called every `everyMs`, at most `most` times. */
async function during(
  station: ServerProcess,
  everyMs: number,
  most: number,
  send: (index: number, done: () => void) => void | Promise<void>,
  load: () => Promise<unknown>,
): Promise<Delays> {
  const sent: Sent[] = [];
  const waited = () => station.waitedMs() + waitedMs(process.pid);
  const startedAt = performance.now();
  const over = new AbortController();
  const pacing = (async () => {
    while (!over.signal.aborted && sent.length < most) {
      const dueAt = startedAt + sent.length * everyMs;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await pause(waitMs);
      const one: Sent = { dueAt: Math.max(dueAt, performance.now() - everyMs), doneAt: undefined, waitedMs: waited() };
      sent.push(one);
      void send(sent.length - 1, () => {
        one.doneAt = performance.now();
        one.waitedMs = waited() - one.waitedMs;
      });
    }
  })();
  await pause(MARGIN_MS);
  await load();
  await pause(MARGIN_MS);
  over.abort();
  await pacing;
  const limit = performance.now() + MAX_LATE_MS;
  while (sent.some(({ doneAt }) => doneAt === undefined)) {
    if (performance.now() > limit) throw new Error(`${sent.filter((one) => one.doneAt === undefined).length} are lost`);
    await pause(LOOK_EVERY_MS);
  }
  const delays = sent
    .map(({ dueAt, doneAt = Number.NaN, waitedMs: others }) => doneAt - dueAt - others)
    .toSorted((a, b) => a - b);
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.NaN;
  return { median: at(0.5), p99: at(0.99), worst: delays.at(-1) ?? Number.NaN };
}

/** A pool of connections that sends each request when one of them is free. */
async function openPool(url: URL, count: number) {
  const free = await Promise.all(Array.from({ length: count }, () => openConnection(url)));
  const all = [...free];
  const waiting: (() => void)[] = [];
  return {
    async request(method: string, path: string, body: string): Promise<void> {
      let connection = free.pop();
      while (connection === undefined) {
        await new Promise<void>((go) => waiting.push(go));
        connection = free.pop();
      }
      await connection.request(method, path, body);
      free.push(connection);
      waiting.shift()?.();
    },
    close() {
      for (const each of all) each.close();
    },
  };
}

/** A worker who presses lit devices, the first `PRESSED` of the station, while something else happens. */
export async function openPresser(station: ServerProcess) {
  const called = new Map<string, () => void>();
  const receiver = await openReceiver((nonce) => called.get(nonce)?.());
  const control = await openConnection(station.url);
  await control.request('PATCH', '/api/settings/', JSON.stringify({ callback_url: receiver.url }));
  for (let device = 1; device <= PRESSED; device += 1)
    await control.request('PATCH', `/api/simulator/devices/${deviceId(device)}/`, '{"refresh_ms":0}');
  let runs = 0;

  async function light(run: number): Promise<void> {
    const elements = Array.from({ length: PRESSED }, (_, index) => ({
      ...BODY,
      deviceid: deviceId(1 + index),
      nonce: `${run}-${index}`,
      seconds: 0,
    }));
    await control.request('POST', '/api/devices/', JSON.stringify(elements));
    for (let device = 1; device <= PRESSED;) {
      const path = `/api/device/${deviceId(device)}/`;
      const { commands } = JSON.parse(await control.request('GET', path, '')) as { commands: { state: string }[] };
      if (commands.at(0)?.state === 'shown') device += 1;
      else await pause(LOOK_EVERY_MS);
    }
  }

  return {
    /** From each press to its callback. */
    async during(load: () => Promise<unknown>): Promise<Delays> {
      runs += 1;
      const run = runs;
      await light(run);
      // A connection on which nothing comes is closed after a while.
      const pool = await openPool(station.url, CONNECTIONS);
      const delays = await during(
        station,
        PRESS_EVERY_MS,
        PRESSED,
        (index, done) => {
          called.set(`${run}-${index}`, done);
          void pool.request('POST', `/api/simulator/devices/${deviceId(1 + index)}/press/`, '');
        },
        load,
      );
      pool.close();
      const kills = Array.from({ length: PRESSED }, (_, index) => ({ command: 'kill', deviceid: deviceId(1 + index) }));
      await control.request('POST', '/api/devices/', JSON.stringify(kills));
      called.clear();
      return delays;
    },
    close() {
      for (const each of [control, receiver]) each.close();
    },
  };
}

/** How long small requests wait for their answers while `load` runs. */
export async function delaysOfRequests(station: ServerProcess, load: () => Promise<unknown>): Promise<Delays> {
  const pool = await openPool(station.url, CONNECTIONS);
  const delays = await during(
    station,
    ASK_EVERY_MS,
    Number.POSITIVE_INFINITY,
    async (_, done) => {
      await pool.request('GET', '/healthz', '');
      done();
    },
    load,
  );
  pool.close();
  return delays;
}

/** Sends one request, reads its answer to the end without keeping it, and returns its bytes. Throws if it is refused. */
export async function sendLarge(
  station: ServerProcess,
  { method, path, body = '', accept }: { method: string; path: string; body?: string | Buffer; accept?: string },
): Promise<number> {
  const agent = new Agent();
  const bytes = Buffer.from(body);
  const headers = {
    'api-key': API_KEY,
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...(accept === undefined ? {} : { accept }),
  };
  return new Promise<number>((resolve, reject) => {
    const sent = request(new URL(path, station.url), { method, agent, headers }, (answer) => {
      let length = 0;
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      answer.on('end', () => {
        agent.destroy();
        if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${method} ${path}: ${answer.statusCode}`));
        else resolve(length);
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}
