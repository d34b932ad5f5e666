import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasLostCommits } from '../../../electron/server/db/walScan.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { API_KEY, folderOnDisk, watch } from '../stationProcess.ts';
import { until } from '../until.ts';
import { ReplayedDisk } from './disk.ts';
import { findPromises, type Promised } from './promises.ts';
import { isSync, readTrace, STRACE_OPTIONS, type SystemCall } from './trace.ts';

const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003', '51D000:000004'];
/** Number of turns: enough to fill the log, so that the test also covers checkpoints. */
const TURNS = 60;
const DATABASE = 'pickstation.sqlite';
const LOG = `${DATABASE}-wal`;

let folder: string;
let dataFolder: string;
let calls: SystemCall[];
let promised: Promised[];
/** The nonces of the commands, by command id. */
const nonces = new Map<number, string>();

beforeAll(async () => {
  folder = folderOnDisk('power');
  const { status, error } = spawnSync('strace', ['-V'], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`strace is needed here: apt-get install strace (${error?.message ?? status})`);
  dataFolder = join(folder, 'data');
  calls = await record();
  promised = findPromises(calls);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a station with some work under the tracer, and returns the system calls of its main thread. */
async function record(): Promise<SystemCall[]> {
  mkdirSync(join(folder, 'frames'));
  const program = [
    process.execPath,
    join(import.meta.dirname, 'watchedStation.ts'),
    dataFolder,
    join(folder, 'frames'),
  ];
  const traced = watch(['strace', ...STRACE_OPTIONS, '-o', join(folder, 'trace'), ...program]);
  const receiver = await startReceiver();
  const reading = new AbortController();
  let pid = Number.NaN;
  try {
    const url = await traced.ready;
    pid = Number(/pid (\d+)/.exec(traced.stdout())?.[1]);
    await work(url, receiver.url, reading.signal);
    await until('the callbacks', () => receiver.requests.length >= TURNS * DEVICES.length);
  } finally {
    reading.abort();
    if (!Number.isNaN(pid)) process.kill(pid, 'SIGTERM');
    await traced.ended;
    await receiver.stop();
  }
  return readTrace(join(folder, `trace.${pid}`));
}

/** In each turn, sends a command to every device simultaneously and presses all devices. */
async function work(url: string, receiverUrl: string, signal: AbortSignal): Promise<void> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  await send('PATCH', '/api/settings/', { callback_url: receiverUrl });
  const stream = await fetch(new URL('/api/events/', url), { headers, signal });
  stream.body?.pipeTo(new WritableStream()).catch(() => undefined);
  for (const device of DEVICES) {
    await send('PATCH', `/api/simulator/devices/${device}/`, { refresh_ms: 0, press_after_ms: 1 });
  }
  for (let turn = 0; turn < TURNS; turn++) {
    const sending = DEVICES.map(async (device) => {
      const nonce = `${device}/turn${turn}/`;
      const answer = await send('POST', `/api/device/${device}/`, { line1: 'bin', nonce });
      nonces.set(Number(answer['command_id']), nonce);
    });
    await Promise.all(sending);
  }
}

function isLog(call: SystemCall): boolean {
  return call.path === join(dataFolder, LOG);
}

/** Returns the index of the last write to the log before a call, and of the last sync of the log. */
function lastOfLog(at: number): { written: number; synced: number } {
  const before = calls.slice(0, at);
  return {
    written: before.findLastIndex((call) => isLog(call) && call.name === 'pwrite64'),
    synced: before.findLastIndex((call) => isLog(call) && isSync(call)),
  };
}

function ofKind<K extends Promised['kind']>(kind: K): Extract<Promised, { kind: K }>[] {
  return promised.filter((one): one is Extract<Promised, { kind: K }> => one.kind === kind);
}

test('the trace contains all the work, and the log is copied back to the database during it', () => {
  const expected = TURNS * DEVICES.length;
  expect(ofKind('answer')).toHaveLength(expected);
  expect(ofKind('acknowledgement')).toHaveLength(expected);
  expect(ofKind('callback').length).toBeGreaterThanOrEqual(expected);
  expect(ofKind('show').length).toBeGreaterThanOrEqual(expected);
  expect(ofKind('fact').length).toBeGreaterThan(0);
  const [first, last] = [promised[0]?.at ?? Infinity, promised.at(-1)?.at ?? 0];
  const copiedBack = calls.slice(first, last).some((call) => call.path === join(dataFolder, DATABASE) && isSync(call));
  expect(copiedBack, 'the log was copied back amid the work').toBe(true);
});

test('writes a command to the log and syncs it before the first byte of the answer leaves', () => {
  for (const { at, commandId } of ofKind('answer')) {
    const nonce = nonces.get(commandId) ?? 'none';
    const inLog = calls.findIndex((call) => isLog(call) && call.bytes.includes(nonce));
    expect(inLog, `command ${commandId} is in the log`).toBeGreaterThan(0);
    expect(inLog, `command ${commandId} was answered before it was written`).toBeLessThan(at);
    const { written, synced } = lastOfLog(at);
    expect(synced, `the answer to command ${commandId} left before the log was synced`).toBeGreaterThan(written);
  }
});

test('writes a press to the log and syncs it before acknowledging it to the turbo', () => {
  for (const { at, token, reportedAt } of ofKind('acknowledgement')) {
    const { written, synced } = lastOfLog(at);
    expect(written, `the press on ${token} was acknowledged before it was written`).toBeGreaterThan(reportedAt);
    expect(synced, `the press on ${token} was acknowledged before the log was synced`).toBeGreaterThan(written);
  }
});

test("syncs the log's folder entry before it answers the first command", () => {
  const first = ofKind('answer')[0]?.at ?? 0;
  const made = calls.findIndex((call) => call.created && call.path === join(dataFolder, LOG));
  const folderSynced = calls.findIndex((call, at) => at > made && call.path === dataFolder && isSync(call));
  expect(made).toBeGreaterThan(0);
  expect(folderSynced).toBeGreaterThan(made);
  expect(folderSynced).toBeLessThan(first);
});

test('after a power cut at any moment, with any unsynced part lost, everything promised is on disk', () => {
  const fraction = seededFraction(1);
  const disk = new ReplayedDisk(dataFolder);
  const changes = calls.flatMap((call, at) => (call.path.startsWith(dataFolder) ? [at] : []));
  const moments = new Set([
    ...promised.filter(() => fraction() < 0.15).map(({ at }) => at),
    ...changes.filter(() => fraction() < 0.02),
  ]);
  const target = join(folder, 'unplugged');
  const first = promised[0]?.at ?? 0;
  let torn = 0;
  for (const [at, call] of calls.entries()) {
    if (at >= first && moments.has(at)) {
      torn += disk.unsafe(DATABASE) + disk.unsafe(LOG) > 0 ? 1 : 0;
      disk.unplug(target, () => fraction() < 0.5);
      check(
        target,
        promised.filter((one) => one.at <= at),
      );
    }
    disk.apply(call);
  }
  expect(torn, 'moments with unsynced writes').toBeGreaterThan(0);
});

/** Opens the data that the power failure left, and checks that every promise was kept. */
function check(target: string, made: readonly Promised[]): void {
  expect(hasLostCommits(join(target, DATABASE)), 'a torn log is no loss').toBe(false);
  const db = new Database(join(target, DATABASE));
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const ids = (sql: string): Set<number> => new Set(db.prepare<[], number>(sql).pluck().all());
    const commands = ids('SELECT id FROM commands UNION SELECT command_id FROM history');
    const acknowledged = ids(
      "SELECT command_id FROM history JOIN outbox ON outbox.history_id = history.id WHERE kind = 'acknowledged'",
    );
    const deliveries = ids('SELECT id FROM outbox');
    const revisions = ids('SELECT revision FROM commits');
    const broken = made.filter((one) => {
      switch (one.kind) {
        case 'answer':
          return !commands.has(one.commandId);
        case 'show':
          return !commands.has(one.token);
        case 'acknowledgement':
          return !acknowledged.has(one.token);
        case 'callback':
          return !deliveries.has(one.delivery);
        case 'fact':
          return !revisions.has(one.revision);
      }
    });
    expect(broken).toEqual([]);
  } finally {
    db.close();
  }
}
