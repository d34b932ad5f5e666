import { createSseParser } from '../renderer/src/station/sse.ts';
import { decode, type StreamMessage } from '../renderer/src/station/stream.ts';
import { API_KEY } from './processes.ts';
import { deviceId } from './loads.ts';
import { openConnection } from './wire.ts';

/** What a reader of the event stream received. */
export type StreamReader = {
  /** How often facts and conditions named each device. */
  mentions: ReadonlyMap<string, number>;
  total(): number;
  /** Milliseconds since the last fact. */
  quietMs(): number;
  close(): void;
};

/** Reads the stream like a window, and counts. Ignores the initial conditions. */
export async function listen(url: URL): Promise<StreamReader> {
  const abort = new AbortController();
  const headers = { 'api-key': API_KEY };
  const response = await fetch(new URL('/api/events/', url), { headers, signal: abort.signal });
  if (response.body === null) throw new Error('The stream of events has no body');
  const mentions = new Map<string, number>();
  let total = 0;
  let lastAt = performance.now();
  let begun = false;
  const parse = createSseParser((message) => {
    if (message.kind === 'comment') return;
    const decoded = decodeEvent(message.event, message.data);
    const named = decoded === undefined ? [] : devicesIn(decoded);
    if (!begun) {
      begun = true;
      return;
    }
    for (const deviceid of named) mentions.set(deviceid, (mentions.get(deviceid) ?? 0) + 1);
    total += named.length;
    // Conditions never stop: each device reports once a minute.
    if (message.event === 'facts') lastAt = performance.now();
  });
  void read(response.body, parse).catch(() => undefined);
  return { mentions, total: () => total, quietMs: () => performance.now() - lastAt, close: () => abort.abort() };
}

async function read(body: ReadableStream<Uint8Array>, parse: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of body) parse(decoder.decode(piece, { stream: true }));
}

function decodeEvent(event: string, text: string): StreamMessage | undefined {
  if (event === 'facts') return decode({ kind: 'facts', revision: 0, text });
  return event === 'ephemera' ? decode({ kind: 'ephemera', text }) : undefined;
}

function devicesIn(message: StreamMessage): string[] {
  if (message.kind === 'ephemera') return message.ephemera.devices.map(({ deviceid }) => deviceid);
  if (message.kind !== 'facts') return [];
  return message.facts.flatMap((fact) => ('deviceid' in fact ? [fact.deviceid] : []));
}

/** What becomes of one device, in turn. */
const TURNS: readonly ((number: number) => object)[] = [
  (number) => ({ statica: `count ${number}` }),
  (number) => ({ command: 'pick', line1: `pick ${number}`, color: 'g', seconds: 0 }),
  () => ({ command: 'kill' }),
];

/**
 * Changes one device after another, `perSecond` times a second, until stopped: a line of it; with `lights` also its
 * light, on and off in turn.
 */
export async function startChanges(url: URL, options: { devices: number; perSecond: number; lights?: boolean }) {
  // Several in parallel: each waits for the disk.
  const connections = await Promise.all(Array.from({ length: 4 }, () => openConnection(url)));
  const startedAt = performance.now();
  let sent = 0;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  async function run(connection: Awaited<ReturnType<typeof openConnection>>): Promise<void> {
    while (!isStopped()) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * options.perSecond);
      while (sent < due && !isStopped()) await change(connection, sent++);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  async function change(connection: Awaited<ReturnType<typeof openConnection>>, number: number): Promise<void> {
    // Far apart on the page, and each device equally often.
    const device = 1 + ((number * 387) % options.devices);
    const turn = options.lights === true ? (Math.floor(number / options.devices) + device) % TURNS.length : 0;
    const body = TURNS[turn]?.(number);
    await connection.request('POST', `/api/device/${deviceId(device)}/`, JSON.stringify(body));
  }
  const ended = Promise.all(connections.map(run));
  return {
    sent: () => sent,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
      for (const connection of connections) connection.close();
    },
  };
}
