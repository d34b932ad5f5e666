import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogFiles, type LogFileWriter } from '../../../electron/server/logs/logFiles.ts';
import { openPart } from '../../../electron/server/logs/logFolder.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const DAY_MS = 86_400_000;
const TODAY = 'pickstation-2026-11-20.log';

type Rig = {
  dataFolder: string;
  folder: string;
  clock: FakeClock;
  files: LogFileWriter;
  failures: unknown[];
  /** Writes a line to the log and waits until it is on disk or has failed. */
  say(msg: string): Promise<void>;
  text(name?: string): string;
};

function openRig(parts: { dataFolder?: string; openFile?: typeof openPart; secrets?: string[] } = {}): Rig {
  const dataFolder = parts.dataFolder ?? mkdtempSync(join(tmpdir(), 'pickstation-logs-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  const clock = createFakeClock(START_MS);
  const failures: unknown[] = [];
  const files = createLogFiles({ clock, failed: (error) => failures.push(error), ...parts, dataFolder });
  onTestFinished(() => files.stop());
  const folder = join(dataFolder, 'logs');
  return {
    dataFolder,
    folder,
    clock,
    files,
    failures,
    async say(msg) {
      files.write(lineOf(msg));
      await files.flush();
    },
    text: (name = TODAY) => readFileSync(join(folder, name), 'utf8'),
  };
}

function lineOf(msg: string): string {
  return `${JSON.stringify({ level: 'warn', msg })}\n`;
}

test('writes a line to the file of its day, which is readable only by its owner', async () => {
  const { say, text, folder } = openRig();
  await say('one');
  await say('two');
  expect(text()).toBe(lineOf('one') + lineOf('two'));
  expect(statSync(join(folder, TODAY)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('does not delete old files until the number of days is set, and then deletes them when it writes the next line', async () => {
  const { say, folder, files } = openRig();
  mkdirSync(folder);
  const names = [0, 20, 21, 22, 23].map(
    (before) => `pickstation-${new Date(START_MS - before * DAY_MS).toISOString().slice(0, 10)}.log`,
  );
  for (const name of names) writeFileSync(join(folder, name), lineOf('old'));
  await say('a start that is refused, or the guard of an update');
  expect(readdirSync(folder)).toHaveLength(5);
  files.keepDays(() => 23);
  await say('started');
  expect(readdirSync(folder).toSorted()).toEqual(names.slice(0, 4).toSorted());
});

test('makes a file private if other users could read it', async () => {
  const { say, folder } = openRig();
  mkdirSync(folder);
  writeFileSync(join(folder, TODAY), '', { mode: 0o644 });
  await say('one');
  expect(statSync(join(folder, TODAY)).mode & 0o777).toBe(0o600);
});

test('writes the first line immediately, and collects lines that follow shortly after', async () => {
  const { files, clock, text } = openRig();
  clock.whenIdle(() => files.idle() || clock.timerCount() > 0, 'the log');
  files.write(lineOf('one'));
  await clock.advance(0);
  expect(text()).toBe(lineOf('one'));
  files.write(lineOf('two'));
  files.write(lineOf('three'));
  await clock.advance(49);
  expect(text()).toBe(lineOf('one'));
  await clock.advance(1);
  expect(text()).toBe(lineOf('one') + lineOf('two') + lineOf('three'));
});

test('starts a new file at midnight UTC, and deletes the first file on the fifteenth day', async () => {
  const { say, clock, folder, files } = openRig();
  files.keepDays(() => 14);
  for (let day = 0; day < 14; day += 1) {
    await say(`day ${day}`);
    await clock.advance(DAY_MS);
  }
  expect(readdirSync(folder)).toHaveLength(14);
  expect(readdirSync(folder)).toContain(TODAY);
  await say('day 14');
  expect(readdirSync(folder)).toHaveLength(14);
  expect(readdirSync(folder)).not.toContain(TODAY);
});

test('continues the file of an earlier day if the clock is set back to that day', async () => {
  const { say, clock, text, folder } = openRig();
  await say('before');
  clock.jump(DAY_MS);
  await say('after');
  clock.jump(-DAY_MS);
  await say('again');
  expect(text()).toBe(lineOf('before') + lineOf('again'));
  expect(readdirSync(folder)).toHaveLength(2);
});

test('limits a flood of lines, counts the lines left out, and leaves room for later lines', async () => {
  const { files, clock, folder } = openRig();
  const line = lineOf('x'.repeat(1_000));
  for (let second = 0; second < 60; second += 1) {
    for (let index = 0; index < 1_000; index += 1) files.write(line);
    await files.flush();
    await clock.advance(1_000);
  }
  await clock.advance(60_000);
  files.write(lineOf('the last'));
  await files.flush();
  const names = readdirSync(folder);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  // Of the 60 MB that the test wrote, only about 5 MB are kept.
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(bytes).toBeLessThan(6_000_000);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(4 * 2 ** 20);
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  const leftOut = [...text.matchAll(/(\d+) lines were left out/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(leftOut + text.split('x'.repeat(1_000)).length - 1).toBe(60_000);
  expect(text).toContain('the last');
});

test('when two processes write to one folder, every line stays complete and none is lost', async () => {
  const one = openRig();
  const other = openRig({ dataFolder: one.dataFolder });
  const saying = [];
  for (let index = 0; index < 100; index += 1) saying.push(one.say(`one ${index}`), other.say(`other ${index}`));
  await Promise.all(saying);
  const lines = one.text().trimEnd().split('\n');
  expect(lines).toHaveLength(200);
  expect(new Set(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).size).toBe(200);
});

test("recreates a deleted file, and does not delete other programs' files", async () => {
  const { say, text, folder } = openRig();
  await say('one');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  rmSync(join(folder, TODAY));
  await say('two');
  expect(text()).toBe(lineOf('two'));
  expect(readdirSync(folder)).toContain('notes.txt');
});

test('keeps lines while the folder is not writable, and reports this once', async () => {
  const { say, files, clock, text, folder, failures } = openRig();
  clock.whenIdle(() => files.idle() || clock.timerCount() > 0, 'the log');
  writeFileSync(folder, 'a file where the folder should be');
  await say('one');
  await say('two');
  await clock.advance(20_000);
  expect(failures).toHaveLength(1);
  rmSync(folder);
  await clock.advance(6_000);
  expect(text()).toBe(lineOf('one') + lineOf('two'));
});

test('keeps a limited number of lines while the disk is full, and never splits a line', async () => {
  let room = 10;
  const { files, clock, text } = openRig({
    async openFile(...given) {
      const part = await openPart(...given);
      const write = part.handle.write.bind(part.handle);
      // Imitates a full disk: writes what fits, then nothing.
      part.handle.write = (async (bytes: Buffer, from: number) => {
        if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        const fits = Math.min(room, bytes.length - from);
        room -= fits;
        return write(bytes, from, fits);
      }) as typeof part.handle.write;
      return part;
    },
  });
  clock.whenIdle(() => files.idle() || clock.timerCount() > 0, 'the log');
  files.write(lineOf('one'));
  await clock.advance(0);
  expect(text()).toBe(lineOf('one').slice(0, 10));
  const long = lineOf('x'.repeat(1_000));
  for (let index = 0; index < 3_000; index += 1) files.write(long);
  room = Number.POSITIVE_INFINITY;
  await clock.advance(10_000);
  files.write(lineOf('after'));
  await files.flush();
  const lines = text().trimEnd().split('\n');
  expect(lines[0]).toBe(lineOf('one').trimEnd());
  expect(lines.length).toBeGreaterThan(900);
  expect(lines.length).toBeLessThan(1_100);
  expect(lines.at(-2)).toMatch(/lines were left out/);
  expect(lines.at(-1)).toBe(lineOf('after').trimEnd());
  for (const line of lines) expect(() => void JSON.parse(line)).not.toThrow();
});

test('does not write through a link that replaces the folder, or to a file with a second hard link', async () => {
  const { dataFolder, folder, say, text } = openRig();
  const elsewhere = join(dataFolder, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, folder);
  await expect(openPart(folder, START_MS, 10)).rejects.toThrow('is a link');
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(folder);
  mkdirSync(folder);
  writeFileSync(join(dataFolder, 'victim'), 'theirs');
  linkSync(join(dataFolder, 'victim'), join(folder, TODAY));
  await say('one');
  expect(readFileSync(join(dataFolder, 'victim'), 'utf8')).toBe('theirs');
  expect(text('pickstation-2026-11-20.2.log')).toMatch(/one/);
});

test('does not create the data folder, and does not follow a link in its place', async () => {
  const { dataFolder, folder, say, failures } = openRig();
  mkdirSync(folder);
  writeFileSync(join(dataFolder, 'victim'), '');
  symlinkSync(join(dataFolder, 'victim'), join(folder, TODAY));
  await say('one');
  expect(readFileSync(join(dataFolder, 'victim'), 'utf8')).toBe('');
  expect(failures).toHaveLength(0);
  rmSync(dataFolder, { recursive: true });
  await say('two');
  expect(failures).toHaveLength(1);
  expect(() => statSync(dataFolder)).toThrow('ENOENT');
});

test('when the process ends, waiting lines and unfinished writes are written once', async () => {
  const slow = Promise.withResolvers<void>();
  const { files, clock, text } = openRig({
    async openFile(...given) {
      await slow.promise;
      return openPart(...given);
    },
  });
  files.write(lineOf('one'));
  const written = files.flush();
  await clock.advance(0);
  files.write(lineOf('two'));
  files.flushNow();
  expect(text()).toBe(lineOf('one') + lineOf('two'));
  // If the process continues, as after closing a window, nothing is written twice.
  slow.resolve();
  await written;
  await files.flush();
  expect(text()).toBe(lineOf('one') + lineOf('two'));
});

test('hides secrets by name, form and value, even in stack traces', async () => {
  const { files, text } = openRig({ secrets: ['opensesame'] });
  const station: { secret?: string } = { secret: 'of "settings"\\' };
  files.hide(() => {
    const { secret } = station;
    if (secret === undefined) throw new Error('closed');
    return (text) => text.replaceAll(secret, '(hidden)');
  });
  const error = {
    message: 'API-Key: k3y-of-serial refused, opensesame',
    stack: `Error: password=hunter2\n    at check (/srv/token.ts:10:5)`,
    config: { headers: { authorization: 'Bearer abcdef', 'X-Api-Key': 'zyx' } },
    url: 'https://bob:w0rd@host/x?token=t0ken&place=A-1',
  };
  files.write(`${JSON.stringify({ err: error, msg: `it says ${station.secret}` })}\n`);
  files.write('no JSON: password=plain\n');
  await files.flush();
  delete station.secret;
  files.write(`${JSON.stringify({ msg: 'later of "settings"\\' })}\n`);
  await files.flush();
  for (const secret of ['k3y', 'opensesame', 'hunter2', 'abcdef', 'zyx', 'w0rd', 't0ken', 'settings', 'plain'])
    expect(text(), secret).not.toContain(secret);
  for (const harmless of ['/srv/token.ts:10:5', 'place=A-1', 'refused', 'it says', 'later'])
    expect(text(), harmless).toContain(harmless);
});

test('reads the latest complete lines, starting with the oldest file', async () => {
  const { files, say, clock } = openRig();
  await say('x'.repeat(100));
  await say('yesterday');
  await clock.advance(DAY_MS);
  await say('today');
  const all = await files.read(10_000);
  expect(all.map(({ name, lines }) => [name, lines.length])).toEqual([
    [TODAY, 2],
    ['pickstation-2026-11-21.log', 1],
  ]);
  const some = await files.read(100);
  expect(some.map(({ lines }) => lines)).toEqual([[lineOf('yesterday').trimEnd()], [lineOf('today').trimEnd()]]);
});

test('truncates a very long line and ends it', async () => {
  const { say, text } = openRig();
  await say('x'.repeat(200_000));
  await say('after');
  expect(text().length).toBeLessThan(70_000);
  expect(text().trimEnd().split('\n')).toHaveLength(2);
});
