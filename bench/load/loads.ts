import type { ServerProcess } from './processes.ts';
import { quantile } from '../goals.ts';
import { openConnection } from './wire.ts';

const QUIET_MS = 150;
const ASK_EVERY_MS = 2;

export const BODY = { command: 'flash', line1: 'Cable tie 200', line2: 'black, 100 pcs', quantity: 5, color: 'b' };

/** Median and 99th percentile, in milliseconds. */
export type Spread = { p50: number; p99: number };

export function spreadOf(times: readonly number[]): Spread {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Sends consecutive requests to the bare route for `durationMs`. */
export async function loadBareRoute(server: ServerProcess, durationMs: number): Promise<Spread> {
  const connection = await openConnection(server.url);
  const times: number[] = [];
  for (const endAt = performance.now() + durationMs; performance.now() < endAt;) {
    const body = JSON.stringify({ ...BODY, nonce: `n${times.length}` });
    times.push(await timed(server, () => connection.request('POST', `/api/device/${deviceId(1)}/`, body)));
  }
  connection.close();
  return spreadOf(times);
}

/** Resolves to the duration of `run` in milliseconds, excluding the time that the server waited for the processor. */
export async function timed(server: ServerProcess, run: () => Promise<unknown>): Promise<number> {
  const waitedMs = server.waitedMs();
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt - (server.waitedMs() - waitedMs);
}

/** Sends small requests until `over` aborts. Resolves to the duration of the longest one in milliseconds. */
export async function longestAnswer(station: ServerProcess, over: AbortSignal): Promise<number> {
  const connection = await openConnection(station.url);
  let longest = 0;
  while (!over.aborted) {
    longest = Math.max(longest, await timed(station, () => connection.request('GET', '/healthz', '')));
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  connection.close();
  return longest;
}

/** Waits until the station stops committing. */
export async function untilQuiet(station: ServerProcess): Promise<void> {
  const connection = await openConnection(station.url);
  for (let before = -1; ;) {
    const commits = await commitsOf(connection);
    if (commits === before) break;
    before = commits;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
  connection.close();
}

/** Resolves to the number of commits that the station has made since startup. */
export async function commitsOf(connection: Awaited<ReturnType<typeof openConnection>>): Promise<number> {
  return (JSON.parse(await connection.request('GET', '/healthz', '')) as { commits: number }).commits;
}

export function deviceId(number: number): string {
  return `51D000:${String(number).padStart(6, '0')}`;
}
