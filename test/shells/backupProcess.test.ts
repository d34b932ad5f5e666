import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Backup, BackupStatus } from '#shared/api/backup.ts';
import { signBackup } from '../../electron/server/db/backupFiles.ts';
import type { CopyProgress, SideProcess, StartSideProcess } from '../../electron/server/ports.ts';
import { nodeSideProcesses } from '../../electron/server/sideProcesses.ts';
import { addBallast } from '../helpers/files/ballast.ts';
import { childrenOf, commandLineOf, isRunning, openFilesOf } from '../helpers/processes.ts';
import { COMPILED, spawnStation } from '../helpers/spawnStation.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { until } from './until.ts';

/** A side process of the station under test. */
type Side = SideProcess & { hasEnded: boolean };

let station: TestStation & AsyncDisposable;
let sides: Side[];
/** Called at each copy step. The backup waits for the returned promise. */
let watch: (progress: CopyProgress) => Promise<void> | undefined;
let start: StartSideProcess;

beforeEach(async () => {
  sides = [];
  watch = () => undefined;
  start = nodeSideProcesses(COMPILED);
  station = await startTestStation({
    watchCopy: (progress) => watch(progress),
    startSideProcess: (file, heard) => {
      const side = start(file, {
        message: heard.message,
        ended(how) {
          mine.hasEnded = true;
          heard.ended(how);
        },
      });
      const mine = Object.assign(side, { hasEnded: false });
      sides.push(mine);
      return mine;
    },
  });
});

afterEach(() => station.stop());

const files = (): string[] =>
  readdirSync(join(station.dataFolder, 'backups')).filter((name) => !name.endsWith('.sqlite.json'));

/** Blocks the next occurrence of a step until `letGo` is called. `begun` resolves when the step is reached. */
function hold(step: CopyProgress['step']): { begun: Promise<void>; letGo: () => void } {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  watch = (progress) => {
    if (progress.step !== step) return undefined;
    watch = () => undefined;
    begun.resolve();
    return gate.promise;
  };
  return { begun: begun.promise, letGo: gate.resolve };
}

const problem = (said: RegExp): object => ({
  status: 500,
  body: { code: 'internal', detail: expect.stringMatching(said) as string },
});

describe('the copying process', () => {
  test.each(['copying', 'checking'] as const)(
    'can be killed while it is %s: the station reports the failure, leaves no file and continues',
    async (step) => {
      const held = hold(step);
      const answer = station.request('POST', '/api/backups/');
      await held.begun;
      expect(files()).not.toEqual([]);
      sides[0]?.kill();
      expect(await answer).toMatchObject(
        problem(/^No backup was made, and nothing is left of it: the process for it ended by SIGKILL\. Try again;/),
      );
      held.letGo();
      expect(files()).toEqual([]);
      expect((await station.get<BackupStatus>('/api/backups/status/')).running).toBeNull();
      expect(await station.post<Backup>('/api/backups/')).toMatchObject({ kind: 'manual' });
    },
  );

  test.each([
    [
      'cannot be created',
      (): never => {
        throw new Error('spawn ENOMEM');
      },
      /process for it could not be started \(spawn ENOMEM\)/,
    ],
    [
      'is created but does not start',
      (_: URL, { ended }: { ended(how: string): void }): SideProcess => {
        setImmediate(() => ended('failed (spawn EAGAIN)'));
        return { send: () => undefined, kill: () => undefined };
      },
      /process for it failed \(spawn EAGAIN\)/,
    ],
    [
      'ends before it has sent anything',
      (_: URL, heard: Parameters<StartSideProcess>[1]): SideProcess =>
        nodeSideProcesses({})(programThat('process.exit(3);'), heard),
      /process for it ended with 3\./,
    ],
  ] as const)('is reported if it %s', async (_, failing, said) => {
    const working = start;
    start = failing;
    expect(await station.request('POST', '/api/backups/')).toMatchObject(problem(said));
    expect(files()).toEqual([]);
    start = working;
    expect(await station.post<Backup>('/api/backups/')).toMatchObject({ kind: 'manual' });
  });

  test('has ended when the request to cancel a backup is answered', async () => {
    const held = hold('copying');
    const answer = station.request('POST', '/api/backups/');
    await held.begun;
    await station.request('POST', '/api/backups/cancel/');
    // letGo is not called: the stuck process is killed.
    expect((await answer).status).toBe(409);
    expect(sides.map(({ hasEnded }) => hasEnded)).toEqual([true]);
    expect(files()).toEqual([]);
  });

  test('does not recreate a deleted file', () => {
    const file = join(station.dataFolder, 'gone.sqlite');
    expect(() => signBackup(file, { at: 0, by: '', version: '' })).toThrow('unable to open');
    expect(existsSync(file)).toBe(false);
  });

  test('ends on its own after its work', async () => {
    await station.post('/api/backups/');
    await station.clock.advance(0);
    while (sides.some(({ hasEnded }) => !hasEnded)) await turn();
    expect(sides).toHaveLength(1);
  });
});

describe('the process that checks a backup', () => {
  test('can be killed: the station reports the failure and keeps the backup', async () => {
    const { name } = await station.post<Backup>('/api/backups/');
    const held = hold('checking');
    const answer = station.request('GET', `/api/backups/${name}/contents/`);
    await held.begun;
    sides.at(-1)?.kill();
    expect(await answer).toMatchObject(problem(/^The backup was not checked: the process for it ended by SIGKILL/));
    expect(files()).toEqual([name]);
    expect((await station.request('GET', `/api/backups/${name}/contents/`)).status).toBe(200);
  });

  test('runs only once at a time, even for several requests', async () => {
    const { name } = await station.post<Backup>('/api/backups/');
    const path = `/api/backups/${name}/contents/`;
    const before = sides.length;
    const held = hold('checking');
    const answers = [1, 2, 3].map(() => station.request('GET', path));
    await held.begun;
    await station.request('GET', '/api/backups/');
    expect(sides).toHaveLength(before + 1);
    held.letGo();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sides).toHaveLength(before + 3);
  });

  test('is killed when it takes too long, and the station continues', async () => {
    const { name } = await station.post<Backup>('/api/backups/');
    const begun = Promise.withResolvers<void>();
    watch = () => {
      begun.resolve();
      return Promise.withResolvers<void>().promise;
    };
    const path = `/api/backups/${name}/contents/`;
    const answer = station.request('GET', path);
    await begun.promise;
    await station.clock.advance(119_000);
    expect(sides.at(-1)?.hasEnded).toBe(false);
    await station.clock.advance(3_000);
    expect(await answer).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/cannot be restored.*took too long.*Choose another backup/) as string },
    });
    expect(sides.at(-1)?.hasEnded).toBe(true);
    watch = () => undefined;
    expect((await station.request('GET', path)).status).toBe(200);
  });

  test('does not delay the stop of the station', async () => {
    const { name } = await station.post<Backup>('/api/backups/');
    // The side process has sent its last message, but may not have ended yet.
    await until('the process that copied to end', () => sides[0]?.hasEnded === true);
    const held = hold('checking');
    const path = `/api/backups/${name}/contents/`;
    const answers = [1, 2].map(() => station.request('GET', path).catch(() => undefined));
    await held.begun;
    await station.halt();
    expect(sides.map(({ hasEnded }) => hasEnded)).toEqual([true, true]);
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'stopping' } });
    }
    expect(files()).toEqual([name]);
  });
});

test.runIf(process.platform === 'linux')(
  'a signal sent to all processes by a terminal or a service does not end a backup',
  async () => {
    const held = hold('copying');
    const answer = station.request('POST', '/api/backups/');
    await held.begun;
    const [side = 0] = childrenOf(process.pid).filter((pid) => commandLineOf(pid).includes('copyProcess'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(side, signal);
    held.letGo();
    expect((await answer).status).toBe(201);
  },
);

test.runIf(process.platform === 'linux')(
  'side processes do not outlive a killed station, and the next start removes the partial backup',
  async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-killed-'));
    onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
    const serve = (): ReturnType<typeof spawnStation> => {
      const one = spawnStation(['--port', '0', '--data', dataFolder], { PICKSTATION_API_KEY: API_KEY });
      onTestFinished(async () => {
        one.process.kill('SIGKILL');
        await one.exit();
      });
      return one;
    };
    const parts = (): string[] => readdirSync(join(dataFolder, 'backups')).filter((name) => name.endsWith('.part'));
    const killed = serve();
    const url = await killed.ready();
    addBallast(join(dataFolder, 'pickstation.sqlite'), 32);
    // Request backups repeatedly, in case one finishes before its process is found.
    const asking = (async () => {
      const headers = { 'api-key': API_KEY };
      for (;;) await fetch(new URL('/api/backups/', url), { method: 'POST', headers });
    })().catch(() => undefined);
    const sides = await stopInTheMiddle(killed.process.pid ?? 0);
    killed.process.kill('SIGKILL');
    await killed.exit();
    await asking;
    while (sides.some(isRunning)) await turn();
    expect(parts()).not.toEqual([]);
    await serve().ready();
    expect(parts()).toEqual([]);
  },
);

/**
 * Stops a station with SIGSTOP while side processes copy and wait for the station's answer. Returns the ids of those
 * processes.
 */
async function stopInTheMiddle(pid: number): Promise<number[]> {
  const copying = (): number[] =>
    childrenOf(pid).filter((side) => openFilesOf(side).some((file) => file.endsWith('.part')));
  for (;;) {
    if (copying().length > 0) {
      process.kill(pid, 'SIGSTOP');
      const sides = copying();
      if (sides.length > 0) return sides;
      process.kill(pid, 'SIGCONT');
    }
    await turn();
  }
}

/** Writes a one-line program. */
function programThat(does: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'program.mjs'), does);
  return pathToFileURL(join(folder, 'program.mjs'));
}
