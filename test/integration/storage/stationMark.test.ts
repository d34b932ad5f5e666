import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MARK_FILE, readMark, removeMark, writeMark, type Mark } from '../../../electron/server/db/mark.ts';
import { createBus } from '../../../electron/server/services/base/bus.ts';
import { createStationMark, type StationMark } from '../../../electron/server/services/base/stationMark.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

let folder: string;
let clock: FakeClock;
let revision: number;
let timers: number;
let warned: string[];
let mark: StationMark;
const bus = createBus();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-mark-'));
  clock = createFakeClock(START_MS);
  revision = 7;
  timers = 0;
  warned = [];
  mark = createStationMark({
    dataFolder: folder,
    identity: 'one-1',
    isInFolder: () => true,
    changes: () => 3,
    revision: () => revision,
    bus,
    clock: {
      ...clock,
      setTimer(delayMs, run) {
        timers += 1;
        return clock.setTimer(delayMs, run);
      },
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (_fields, message) => void warned.push(message),
      error: () => undefined,
    },
  });
  clock.whenIdle(() => mark.idle());
});

afterEach(async () => {
  await mark.stop();
  rmSync(folder, { recursive: true, force: true });
});

function commit(): void {
  revision += 1;
  bus.publish({ revision, at: clock.now(), facts: [], text: '[]' });
}

const written = (): Partial<Mark> => {
  const found = readMark(folder);
  return typeof found === 'object' ? found : {};
};

test('the mark is written when the station is ready, a second after the first commit, and then at most every ten seconds', async () => {
  expect(readMark(folder)).toBeUndefined();
  await mark.start();
  expect(written()).toEqual({ identity: 'one-1', revision: 7, at: START_MS, changes: 3 });
  await clock.advance(60_000);
  commit();
  await clock.advance(999);
  expect(written().revision).toBe(7);
  await clock.advance(1);
  expect(written()).toEqual({ identity: 'one-1', revision: 8, at: START_MS + 61_000, changes: 3 });
  for (let index = 0; index < 99; index += 1) {
    commit();
    await clock.advance(100);
  }
  expect(written().revision).toBe(8);
  await clock.advance(100);
  expect(written().revision).toBe(107);
});

test('a thousand commits use only one timer', async () => {
  await mark.start();
  for (let index = 0; index < 1_000; index += 1) commit();
  expect(timers).toBe(1);
  await clock.advance(60_000);
  expect([timers, written().revision]).toEqual([1, 1_007]);
});

test('the mark is written a last time at a clean stop, but not if the station was never ready', async () => {
  await mark.stop();
  expect(existsSync(join(folder, MARK_FILE))).toBe(false);
  await mark.start();
  commit();
  await mark.stop();
  expect(written().revision).toBe(8);
  commit();
  await clock.advance(60_000);
  expect(written().revision).toBe(8);
});

test('only the owner can read the mark; it is replaced as a whole, even if a partial file was left behind', async () => {
  writeFileSync(join(folder, `${MARK_FILE}.part`), 'half of a mark that was never finished, and longer than one', {
    mode: 0o600,
  });
  await mark.start();
  expect(written().revision).toBe(7);
  expect(existsSync(join(folder, `${MARK_FILE}.part`))).toBe(false);
  if (process.platform !== 'win32') expect(statSync(join(folder, MARK_FILE)).mode & 0o777).toBe(0o600);
});

test('a mark in which any byte has changed is unreadable', async () => {
  await writeMark(folder, { identity: 'one-1', revision: 7, at: START_MS, changes: 3 });
  const path = join(folder, MARK_FILE);
  const bytes = readFileSync(path);
  for (let index = 0; index < bytes.length - 1; index += 1) {
    const other = Buffer.from(bytes);
    other[index] = (other[index] ?? 0) ^ 1;
    writeFileSync(path, other);
    expect(readMark(folder), String(index)).toBe('unreadable');
  }
  removeMark(folder);
  expect(readMark(folder)).toBeUndefined();
  removeMark(folder);
});

test('logs only once that the mark cannot be written, and writes it when the folder is available again', async () => {
  await mark.start();
  const aside = `${folder}-aside`;
  renameSync(folder, aside);
  for (let index = 0; index < 3; index += 1) {
    commit();
    await clock.advance(10_000);
  }
  expect(warned).toHaveLength(1);
  renameSync(aside, folder);
  await clock.advance(10_000);
  expect(written().revision).toBe(10);
});
