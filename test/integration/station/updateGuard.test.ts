import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { holdFolder } from '../../../electron/server/db/database.ts';
import { guardUpdate, type GuardMeans } from '../../../electron/server/update/guardUpdate.ts';
import { type GuardNote, replaceFile } from '../../../electron/server/update/guardNote.ts';
import {
  beginTrial,
  completeTrial,
  endTrial,
  keepData,
  readFailed,
  readTrial,
  takeBack,
  UPDATE_FOLDER,
} from '../../../electron/server/update/trial.ts';

const MINUTE_MS = 60_000;
/** Duration of a check in milliseconds, in tests in which SQLite waits for a lock. */
const STEP_MS = 30_000;
const OLD = { 'pickstation.sqlite': 'old', 'pickstation.sqlite-wal': 'old log', 'pickstation.mark': 'old mark' };

let dataFolder: string;
let note: GuardNote;
let nowMs: number;
let started: string[];
let kills: number;
let logged: string[];
/** The content of the program file. */
let program: string;
/** Behavior of the new version at each start. Returns its exit code, or undefined if it keeps running. */
let behave: (tries: number) => number | undefined;
let canPutBack: boolean;
let stepMs: number;

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-guard-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(OLD)) writeFileSync(join(dataFolder, name), text);
  note = {
    to: '9.0.0',
    program: { root: '/opt/program', start: '/opt/program' },
    kept: { root: '/kept', start: '/kept' },
    stamp: 'old',
    args: ['--data', dataFolder],
  };
  nowMs = 0;
  started = [];
  kills = 0;
  logged = [];
  program = 'new';
  behave = () => 1;
  canPutBack = true;
  stepMs = 0;
  beginTrial(dataFolder, { from: '8.0.0', to: '9.0.0' });
});

const means: GuardMeans = {
  log: {
    debug: () => undefined,
    info: (_fields, message) => void logged.push(message),
    warn: () => undefined,
    error: (_fields, message) => void logged.push(message),
  },
  now: () => 1_000,
  monotonic: () => nowMs,
  async wait(ms) {
    nowMs += Math.max(ms, stepMs);
    await turn();
  },
  start(command) {
    started.push(command);
    const code = program === 'new' ? behave(started.length) : undefined;
    return {
      ended: code === undefined ? new Promise(() => undefined) : Promise.resolve(code),
      kill: () => void (kills += 1),
    };
  },
  stampOf: () => Promise.resolve(program),
  putProgramBack() {
    if (!canPutBack) return Promise.reject(new Error('EACCES'));
    program = 'old';
    return Promise.resolve();
  },
};

/** Changes the data as the start of the new version would. */
function migrate(): void {
  writeFileSync(join(dataFolder, 'pickstation.sqlite'), 'new');
  writeFileSync(join(dataFolder, 'pickstation.sqlite-shm'), 'new');
  writeFileSync(join(dataFolder, 'data.key'), 'new');
  rmSync(join(dataFolder, 'pickstation.sqlite-wal'), { force: true });
}

function data(): Record<string, string> {
  const names = readdirSync(dataFolder).filter((name) => /^(?:pickstation|data)\./.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(dataFolder, name), 'utf8')]));
}

test('keeps a version that becomes ready, and its data', async () => {
  behave = () => {
    migrate();
    endTrial(dataFolder);
    return undefined;
  };
  await guardUpdate(dataFolder, note, means);
  expect(started).toEqual(['/opt/program']);
  expect([kills, program, readTrial(dataFolder), readFailed(dataFolder)]).toEqual([0, 'new', undefined, undefined]);
  expect(data()['pickstation.sqlite']).toBe('new');
  expect(existsSync(join(dataFolder, UPDATE_FOLDER, 'data'))).toBe(false);
});

test('replaces a version that exits three times, restores the exact data, and starts the previous version', async () => {
  behave = () => {
    migrate();
    return 1;
  };
  await guardUpdate(dataFolder, note, means);
  expect(started).toEqual(['/opt/program', '/opt/program', '/opt/program', '/opt/program']);
  expect(data()).toEqual(OLD);
  expect(program).toBe('old');
  expect(readTrial(dataFolder)).toBeUndefined();
  expect(readFailed(dataFolder)).toMatchObject({ version: '9.0.0', problem: 'It ended before it was ready.' });
});

test('keeps a version that exits once and is ready after the second start', async () => {
  behave = (tries) => {
    if (tries === 2) endTrial(dataFolder);
    return tries === 1 ? 1 : undefined;
  };
  await guardUpdate(dataFolder, note, means);
  expect(started).toHaveLength(2);
  expect(program).toBe('new');
});

test('kills a version that is not ready within twenty minutes, and restores the data', async () => {
  behave = () => {
    migrate();
    return undefined;
  };
  await guardUpdate(dataFolder, note, means);
  expect(kills).toBe(1);
  expect(readFailed(dataFolder)?.at).toBe(1_000);
  expect(nowMs).toBeGreaterThanOrEqual(20 * MINUTE_MS);
  expect(data()).toEqual(OLD);
  expect(readFailed(dataFolder)?.problem).toBe('It was not ready within 20 minutes.');
  expect(started).toHaveLength(2);
});

test('waits for another station that is using the data when the new version starts', async () => {
  behave = () => 0;
  stepMs = STEP_MS;
  let other: { close(): void } | undefined;
  onTestFinished(() => other?.close());
  const guarding = guardUpdate(dataFolder, note, {
    ...means,
    start(command) {
      other ??= holdFolder(dataFolder);
      return means.start(command, []);
    },
    async wait(ms) {
      await means.wait(ms);
      if (nowMs > 5 * MINUTE_MS) endTrial(dataFolder);
    },
  });
  await guarding;
  expect(started).toHaveLength(1);
  expect(program).toBe('new');
});

test('keeps a version that becomes ready while it is being killed, because it may have received a press', async () => {
  behave = () => {
    migrate();
    return undefined;
  };
  const kill = (): void => endTrial(dataFolder);
  await guardUpdate(dataFolder, note, { ...means, start: (command) => ({ ...means.start(command, []), kill }) });
  expect(data()['pickstation.sqlite']).toBe('new');
  expect(program).toBe('new');
  expect(started).toHaveLength(1);
});

test('does not change the data while the new version is still running', async () => {
  behave = () => undefined;
  stepMs = 5 * MINUTE_MS;
  let running: { close(): void } | undefined;
  const start = (command: string): ReturnType<GuardMeans['start']> => {
    migrate();
    running = holdFolder(dataFolder);
    return means.start(command, []);
  };
  await guardUpdate(dataFolder, note, { ...means, start });
  expect(data()['pickstation.sqlite']).toBe('new');
  expect(logged).toContain('The new version is not ready, and does not end');
  running?.close();
});

test('gives up after ten minutes if the new version has not been installed', async () => {
  program = 'old';
  await guardUpdate(dataFolder, note, means);
  expect(nowMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
  expect(readFailed(dataFolder)?.problem).toBe('It was not installed.');
  expect(started).toEqual(['/opt/program']);
  expect(data()).toEqual(OLD);
});

test('runs the kept program if the program file cannot be restored', async () => {
  canPutBack = false;
  await guardUpdate(dataFolder, note, means);
  expect(started.at(-1)).toBe('/kept');
  expect(data()).toEqual(OLD);
});

test('saves the data only when no other program is using it, and only in one guard', async () => {
  stepMs = 5 * MINUTE_MS;
  const running = holdFolder(dataFolder);
  await guardUpdate(dataFolder, note, means);
  expect(started).toEqual([]);
  expect(readTrial(dataFolder)?.state).toBe('installing');
  expect(logged).toContain('Another program uses the data, and neither ends nor becomes ready');
  running.close();
  const other = holdFolder(join(dataFolder, UPDATE_FOLDER));
  await guardUpdate(dataFolder, note, means);
  other.close();
  expect(started).toEqual([]);
});

test("after the machine stopped during a trial, the next guard restores the previous version's data", async () => {
  const trial = readTrial(dataFolder);
  if (trial === undefined) throw new Error('There is no trial');
  keepData(dataFolder, trial);
  migrate();
  await guardUpdate(dataFolder, note, means);
  expect(data()).toEqual(OLD);
});

test('completes an interrupted restore at the next start, and does not repeat it', () => {
  const trial = readTrial(dataFolder);
  if (trial === undefined) throw new Error('There is no trial');
  keepData(dataFolder, trial);
  migrate();
  const failed = { version: '9.0.0', at: 1, problem: 'It ended before it was ready.' };
  const file = join(dataFolder, UPDATE_FOLDER, 'trial.json');
  // A folder with the name of a file prevents the file from being written.
  const trying = readTrial(dataFolder) ?? trial;
  rmSync(join(dataFolder, 'pickstation.sqlite'));
  mkdirSync(join(dataFolder, 'pickstation.sqlite', 'in the way'), { recursive: true });
  expect(() => takeBack(dataFolder, trying, failed)).toThrow();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ state: 'failed' });
  expect(() => completeTrial(dataFolder, '8.0.0')).toThrow('Free some space and start again');
  rmSync(join(dataFolder, 'pickstation.sqlite'), { recursive: true });
  completeTrial(dataFolder, '8.0.0');
  expect(data()).toEqual(OLD);
  expect([readTrial(dataFolder), readFailed(dataFolder)]).toEqual([undefined, failed]);
  // The restore is not repeated.
  migrate();
  completeTrial(dataFolder, '8.0.0');
  expect(data()['pickstation.sqlite']).toBe('new');
});

test('the previous version restores its data itself if the machine stopped before the guard could', () => {
  const trial = readTrial(dataFolder);
  if (trial === undefined) throw new Error('There is no trial');
  keepData(dataFolder, trial);
  migrate();
  // The new version does not touch the data.
  completeTrial(dataFolder, '9.0.0');
  expect(data()['pickstation.sqlite']).toBe('new');
  completeTrial(dataFolder, '8.0.0');
  expect(data()).toEqual(OLD);
  expect(readTrial(dataFolder)).toBeUndefined();
  expect(readFailed(dataFolder)).toMatchObject({ version: '9.0.0' });
});

test('a new version that starts before its guard saves the data itself', async () => {
  completeTrial(dataFolder, '8.0.0');
  expect(readTrial(dataFolder)?.state).toBe('installing');
  completeTrial(dataFolder, '9.0.0');
  migrate();
  await guardUpdate(dataFolder, note, means);
  expect(data()).toEqual(OLD);
  expect(program).toBe('old');
});

test('replaces a version that started before its guard and fails after minutes, and restores the data', async () => {
  stepMs = STEP_MS;
  completeTrial(dataFolder, '9.0.0');
  migrate();
  const running = holdFolder(dataFolder);
  await guardUpdate(dataFolder, note, {
    ...means,
    async wait(ms) {
      await means.wait(ms);
      if (nowMs > 5 * MINUTE_MS) running.close();
    },
  });
  expect(data()).toEqual(OLD);
  expect(program).toBe('old');
});

test('starting the previous version ends a trial only if no guard is waiting for it', () => {
  const guard = holdFolder(join(dataFolder, UPDATE_FOLDER));
  endTrial(dataFolder, '8.0.0');
  expect(readTrial(dataFolder)?.state).toBe('installing');
  endTrial(dataFolder, '9.0.0');
  expect(readTrial(dataFolder)).toBeUndefined();
  guard.close();
  expect(readFailed(dataFolder)).toBeUndefined();
  beginTrial(dataFolder, { from: '8.0.0', to: '9.0.0' });
  endTrial(dataFolder, '8.0.0');
  expect(readTrial(dataFolder)).toBeUndefined();
  expect(readFailed(dataFolder)).toMatchObject({ version: '9.0.0', problem: 'It was not installed.' });
  expect(data()).toEqual(OLD);
});

test('restores the program before the data, so that the new version is never left unguarded if the machine stops in between', async () => {
  let seen: Record<string, string> = {};
  const putProgramBack = async (): Promise<void> => {
    seen = data();
    expect(readTrial(dataFolder)?.state).toBe('trying');
    return means.putProgramBack(note.kept, note.program);
  };
  behave = () => {
    migrate();
    return 1;
  };
  await guardUpdate(dataFolder, note, { ...means, putProgramBack });
  expect(seen['pickstation.sqlite']).toBe('new');
  expect(data()).toEqual(OLD);
});

test('if the data cannot be saved, the trial ends before the new version starts, and the previous version is started', async () => {
  // Fails at the same point as with a full disk.
  mkdirSync(join(dataFolder, 'data.key'));
  await guardUpdate(dataFolder, note, means);
  expect(started).toEqual(['/opt/program']);
  expect(program).toBe('old');
  expect(readFailed(dataFolder)?.problem).toContain('The data could not be kept');
  expect(readdirSync(join(dataFolder, UPDATE_FOLDER))).toEqual(['failed.json', 'lock.sqlite']);
});

test('if the data cannot be restored, the previous version is started anyway and restores it', async () => {
  behave = () => {
    migrate();
    rmSync(join(dataFolder, 'pickstation.sqlite'));
    mkdirSync(join(dataFolder, 'pickstation.sqlite', 'in the way'), { recursive: true });
    return 1;
  };
  await guardUpdate(dataFolder, note, { ...means, start: startOnce() });
  expect(started).toHaveLength(4);
  rmSync(join(dataFolder, 'pickstation.sqlite'), { recursive: true });
  completeTrial(dataFolder, '8.0.0');
  expect(data()).toEqual(OLD);

  /** Returns a `start` function with which only the first start changes the data. */
  function startOnce(): GuardMeans['start'] {
    return (command) => {
      const first = started.length === 0;
      if (!first) behave = () => 1;
      return means.start(command, []);
    };
  }
});

test('retries a version that exits with 0 although no other station is running, and replaces it within minutes', async () => {
  behave = () => 0;
  await guardUpdate(dataFolder, note, means);
  expect(started).toHaveLength(4);
  expect(nowMs).toBeLessThan(5 * MINUTE_MS);
  expect(readFailed(dataFolder)?.problem).toBe('It ended before it was ready.');
});

test('a clock change during startup does not end the new version', async () => {
  behave = () => undefined;
  let wall = 0;
  await guardUpdate(dataFolder, note, {
    ...means,
    now: () => (wall += 24 * 60 * MINUTE_MS),
    async wait(ms) {
      await means.wait(ms);
      if (nowMs > MINUTE_MS) endTrial(dataFolder);
    },
  });
  expect(kills).toBe(0);
  expect(program).toBe('new');
});

test('never restores a saved copy that has no database', () => {
  const trial = readTrial(dataFolder);
  if (trial === undefined) throw new Error('There is no trial');
  keepData(dataFolder, trial);
  migrate();
  const before = data();
  rmSync(join(dataFolder, UPDATE_FOLDER, 'data', 'pickstation.sqlite'));
  expect(() => completeTrial(dataFolder, '8.0.0')).toThrow('the kept data have no database');
  expect(data()).toEqual(before);
});

test('ignores a failure note with an invalid date, and removes saved data that was left behind', () => {
  writeFileSync(
    join(dataFolder, UPDATE_FOLDER, 'failed.json'),
    JSON.stringify({ version: '9.0.0', at: 1e300, problem: 'It ended.' }),
  );
  expect(readFailed(dataFolder)).toBeUndefined();
  endTrial(dataFolder);
  mkdirSync(join(dataFolder, UPDATE_FOLDER, 'data'));
  endTrial(dataFolder);
  expect(existsSync(join(dataFolder, UPDATE_FOLDER, 'data'))).toBe(false);
});

test('leaves no partial file behind if a program cannot be replaced', () => {
  const file = join(dataFolder, 'Pickstation.AppImage');
  writeFileSync(file, 'old', { mode: 0o755 });
  const by = join(dataFolder, 'downloaded');
  writeFileSync(by, 'new', { mode: 0o755 });
  replaceFile(file, by);
  expect(readFileSync(file, 'utf8')).toBe('new');
  rmSync(file);
  mkdirSync(join(file, 'in the way'), { recursive: true });
  expect(() => replaceFile(file, by)).toThrow();
  expect(existsSync(`${file}.part`)).toBe(false);
});
