import { openConnection, openReader, openReceiver } from './wire.ts';
import type { ServerProcess } from './processes.ts';

export type Load = {
  perSecond: number;
  /** Median in milliseconds. */
  p50Ms: number;
  /** 99th percentile in milliseconds. */
  p99Ms: number;
  /** Maximum in milliseconds. */
  worstMs: number;
  /** Commits per loop; NaN if not counted. */
  commits: number;
  /** Loops, or requests. */
  turns: number;
};

export const BODY = { command: 'flash', line1: 'Cable tie 200', line2: 'black, 100 pcs', quantity: 5, color: 'b' };

/** Repeats `turn` on every connection for `durationMs`; a turn returns its milliseconds. */
async function drive(
  connections: number,
  durationMs: number,
  turn: (index: number) => Promise<number>,
): Promise<Omit<Load, 'commits'>> {
  const times: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + durationMs;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (performance.now() < endAt) times.push(await turn(index));
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / seconds,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? Number.NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    worstMs: times.at(-1) ?? Number.NaN,
    turns: times.length,
  };
}

/** Consecutive requests to the bare route. */
export async function loadBareRoute(server: ServerProcess, connections: number, durationMs: number): Promise<Load> {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(server.url)));
  const load = await drive(connections, durationMs, async (index) => {
    const startedAt = performance.now();
    await opened[index]?.request(
      'POST',
      `/api/device/${deviceId(index + 1)}/`,
      JSON.stringify({ ...BODY, nonce: `n${startedAt}` }),
    );
    return performance.now() - startedAt;
  });
  for (const connection of opened) connection.close();
  return { ...load, commits: Number.NaN };
}

/**
 * The durable loop: POST flash → frame → press → callback, with separate devices per connection. Measured from the
 * answer of the POST to the callback: the frame leaves with the answer and the press follows at once, so this is press
 * → callback plus the frame's way.
 */
export async function loadLoop(
  station: ServerProcess,
  options: { connections: number; durationMs: number; readers: number; devices: number },
): Promise<Load> {
  const { connections, durationMs, readers, devices } = options;
  const waiting = new Map<string, () => void>();
  const receiver = await openReceiver((nonce) => {
    const arrived = waiting.get(nonce);
    waiting.delete(nonce);
    arrived?.();
  });
  const control = await openConnection(station.url);
  await control.request('PATCH', '/api/settings/', JSON.stringify({ callback_url: receiver.url }));
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(station.url)));
  const streams = Array.from({ length: readers }, () => openReader(station.url));
  const before = await commits(control);
  let count = 0;
  const load = await drive(connections, durationMs, async (index) => {
    count += 1;
    const nonce = `${index}-${count}`;
    const called = new Promise<void>((resolve) => waiting.set(nonce, resolve));
    // Each connection uses its own part of the devices.
    const device = 1 + ((index + connections * count) % devices);
    await opened[index]?.request('POST', `/api/device/${deviceId(device)}/`, JSON.stringify({ ...BODY, nonce }));
    const answeredAt = performance.now();
    await called;
    return performance.now() - answeredAt;
  });
  const made = (await commits(control)) - before;
  for (const { close } of [...opened, ...streams, control, receiver]) close();
  return { ...load, commits: made / load.turns };
}

async function commits(control: Awaited<ReturnType<typeof openConnection>>): Promise<number> {
  return (JSON.parse(await control.request('GET', '/healthz', '')) as { commits: number }).commits;
}

/** Devices without refresh time, pressed at once. */
export async function makeEager(station: ServerProcess, devices: number): Promise<void> {
  const control = await openConnection(station.url);
  for (let device = 1; device <= devices; device += 1) {
    await control.request(
      'PATCH',
      `/api/simulator/devices/${deviceId(device)}/`,
      '{"refresh_ms":0,"press_after_ms":0}',
    );
  }
  control.close();
}

export function deviceId(number: number): string {
  return `51D000:${String(number).padStart(6, '0')}`;
}
