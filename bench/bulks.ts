import { setTimeout as pause } from 'node:timers/promises';
import { BODY, deviceId } from './loads.ts';
import type { ServerProcess } from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

/** Elements per call. */
const BULK = 1_000;
/** During presses: a script that pushes stock or lights a wave pauses between its calls. */
const BULK_EVERY_MS = 500;
/** Number of devices lit and pressed, one after another. */
const PRESSES = 120;
const PRESS_EVERY_MS = 8;
const QUIET_MS = 150;

/** Milliseconds: median and 99th percentile. */
export type Spread = { p50: number; p99: number };

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

let made = 0;

/** Distinct devices beginning at `first`, with distinct nonces. */
function bulkOf(first: number, length: number): { body: string; nonce: (index: number) => string } {
  made += 1;
  const mark = `bulk-${made}`;
  const nonce = (index: number) => `${mark}-${index}`;
  const elements = Array.from({ length }, (_, index) => ({
    ...BODY,
    deviceid: deviceId(first + index),
    nonce: nonce(index),
    seconds: 0,
  }));
  return { body: JSON.stringify(elements), nonce };
}

function killsOf(first: number): string {
  const elements = Array.from({ length: BULK }, (_, index) => ({ command: 'kill', deviceid: deviceId(first + index) }));
  return JSON.stringify(elements);
}

/**
 * Commands per second in one call, from its first byte to its answer, minus the processor time of other programs.
 * Removes the commands afterwards.
 */
export async function timeBulk(station: ServerProcess, first: number): Promise<number> {
  const connection = await openConnection(station.url);
  const { body } = bulkOf(first, BULK);
  const waitedMs = station.waitedMs();
  const startedAt = performance.now();
  await connection.request('POST', '/api/devices/', body);
  const ms = performance.now() - startedAt - (station.waitedMs() - waitedMs);
  await connection.request('POST', '/api/devices/', killsOf(first));
  connection.close();
  await untilQuiet(station);
  return (BULK * 1_000) / ms;
}

/** Removes e-paper time from the devices that are pressed. */
export async function makeQuick(station: ServerProcess): Promise<void> {
  const control = await openConnection(station.url);
  for (let device = 1; device <= PRESSES; device += 1)
    await control.request('PATCH', `/api/simulator/devices/${deviceId(device)}/`, '{"refresh_ms":0}');
  control.close();
}

/**
 * Milliseconds from a press to its callback, which is sent after the commit. `bulksFrom`: first device to which a
 * script sends bulks meanwhile, or undefined.
 */
export async function timePresses(station: ServerProcess, bulksFrom: number | undefined): Promise<Spread> {
  const called = new Map<string, () => void>();
  const receiver = await openReceiver((nonce) => called.get(nonce)?.());
  const control = await openConnection(station.url);
  await control.request('PATCH', '/api/settings/', JSON.stringify({ callback_url: receiver.url }));
  const { body, nonce } = bulkOf(1, PRESSES);
  await control.request('POST', '/api/devices/', body);
  await untilShown(control);
  await untilQuiet(station);
  const stopBulks = bulksFrom === undefined ? undefined : startBulks(station, bulksFrom);
  const times: number[] = [];
  for (let index = 0; index < PRESSES; index += 1) {
    const callback = new Promise<void>((resolve) => called.set(nonce(index), resolve));
    const startedAt = performance.now();
    await control.request('POST', `/api/simulator/devices/${deviceId(1 + index)}/press/`, '');
    await callback;
    times.push(performance.now() - startedAt);
    await pause(PRESS_EVERY_MS);
  }
  await stopBulks?.();
  control.close();
  receiver.close();
  await untilQuiet(station);
  return spreadOf(times);
}

/** A press before the command is shown would have no effect. */
async function untilShown(control: Awaited<ReturnType<typeof openConnection>>): Promise<void> {
  for (let device = 1; device <= PRESSES;) {
    const path = `/api/device/${deviceId(device)}/`;
    const { commands } = JSON.parse(await control.request('GET', path, '')) as { commands: { state: string }[] };
    if (commands[0]?.state === 'shown') device += 1;
    else await pause(PRESS_EVERY_MS);
  }
}

function startBulks(station: ServerProcess, first: number): () => Promise<void> {
  const stopped = new AbortController();
  const over = (async () => {
    const connection = await openConnection(station.url);
    while (!stopped.signal.aborted) {
      const next = performance.now() + BULK_EVERY_MS;
      await connection.request('POST', '/api/devices/', bulkOf(first, BULK).body);
      await pause(Math.max(0, next - performance.now()));
    }
    await connection.request('POST', '/api/devices/', killsOf(first));
    connection.close();
  })();
  return () => {
    stopped.abort();
    return over;
  };
}

/** Waits until nothing is being committed. */
export async function untilQuiet(station: ServerProcess): Promise<void> {
  const connection = await openConnection(station.url);
  for (let before = -1; ;) {
    const { commits } = JSON.parse(await connection.request('GET', '/healthz', '')) as { commits: number };
    if (commits === before) break;
    before = commits;
    await pause(QUIET_MS);
  }
  connection.close();
}
