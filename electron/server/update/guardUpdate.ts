import { join } from 'node:path';
import type { FolderHold } from '../db/database.ts';
import { reasonOf } from '../db/inspection.ts';
import { holdAlone, isOnTrial, keepData, readTrial, takeBack, type Trial, UPDATE_FOLDER } from './trial.ts';
import type { Log } from '../ports.ts';
import type { GuardNote, ProgramFiles, startProgram } from './guardNote.ts';

const LOOK_EVERY_MS = 250;
const ENDED = Symbol('ended');
/** Time limit for the installation, in milliseconds. Installers replace hundreds of megabytes. */
const INSTALLED_WITHIN_MS = 600_000;
/** Time limit until the new version is ready, in milliseconds. Before that, it may migrate and copy a large database. */
const READY_WITHIN_MS = 1_200_000;
/**
 * Time limit for a version that ended because another program was using the data. Measured from the moment when no program uses the data,
 * because the other program may be starting or ending.
 */
const ALONE_WITHIN_MS = 60_000;
/** Maximum number of attempts to start the new version. An installer may still be running during the first one. */
const TRIES = 3;
const BETWEEN_TRIES_MS = 5_000;

export type GuardMeans = {
  log: Log;
  now: () => number;
  /** Returns a time in milliseconds that does not depend on the wall clock. */
  monotonic: () => number;
  wait: (ms: number) => Promise<void>;
  start: (program: string, args: readonly string[]) => ReturnType<typeof startProgram>;
  /** Returns a stamp that changes when the program is replaced. Empty while the program is missing. */
  stampOf: (program: ProgramFiles) => Promise<string>;
  putProgramBack: (kept: ProgramFiles, program: ProgramFiles) => Promise<void>;
};

/**
 * Runs in the previous version: keeps a copy of the data, starts the new version, and waits until that version is ready. If it never is,
 * restores the previous version and its data, and starts the previous version.
 */
export async function guardUpdate(dataFolder: string, note: GuardNote, means: GuardMeans): Promise<void> {
  const { log, now, monotonic, wait, start, stampOf, putProgramBack } = means;
  const trial = (): Trial | undefined => readTrial(dataFolder);

  async function until<T>(
    withinMs: number,
    look: () => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (const giveUpAt = monotonic() + withinMs; monotonic() < giveUpAt; await wait(LOOK_EVERY_MS)) {
      const seen = await look();
      if (seen !== undefined) return seen;
    }
    return undefined;
  }

  /**
   * Locks the data, so that no other process can open it. Returns undefined if the trial has ended, or if another program does not release
   * the data.
   */
  async function hold(): Promise<FolderHold | undefined> {
    const held = await until(READY_WITHIN_MS, () => (isOnTrial(dataFolder) ? holdAlone(dataFolder) : ENDED));
    return held === ENDED ? undefined : held;
  }

  /** Returns why the new version did not become ready, or undefined if it did. */
  async function tryVersion(): Promise<string | undefined> {
    const isThere = async (): Promise<true | undefined> => {
      const stamp = await stampOf(note.program);
      return stamp !== '' && stamp !== note.stamp ? true : undefined;
    };
    if ((await until(INSTALLED_WITHIN_MS, isThere)) === undefined) return 'It was not installed.';
    const giveUpAt = monotonic() + READY_WITHIN_MS;
    for (let tries = 1; ; tries += 1) {
      const program = start(note.program.start, note.args);
      let code: number | null | undefined;
      void program.ended.then((ended) => (code = ended));
      let usedAt = monotonic();
      const isOver = (): boolean => {
        if (!isOnTrial(dataFolder)) return true;
        if (code !== 0) return code !== undefined;
        // The program ended because another instance uses the data, and that instance may become ready.
        const free = holdAlone(dataFolder);
        free?.close();
        if (free === undefined) usedAt = monotonic();
        return monotonic() - usedAt >= ALONE_WITHIN_MS;
      };
      await until(giveUpAt - monotonic(), () => (isOver() ? true : undefined));
      if (!isOnTrial(dataFolder)) return undefined;
      program.kill();
      if (monotonic() >= giveUpAt) return 'It was not ready within 20 minutes.';
      if (tries === TRIES) return 'It ended before it was ready.';
      await wait(BETWEEN_TRIES_MS);
    }
  }

  const own = holdAlone(join(dataFolder, UPDATE_FOLDER));
  if (own === undefined) return;
  try {
    await guard();
  } finally {
    own.close();
  }

  /** Copies the data. Returns why that failed, or undefined on success. */
  function keep(begun: Trial): string | undefined {
    if (begun.state !== 'installing') return undefined;
    try {
      keepData(dataFolder, begun);
      return undefined;
    } catch (error) {
      return `The data could not be kept (${reasonOf(error)}).`;
    }
  }

  async function guard(): Promise<void> {
    const before = await hold();
    const begun = trial();
    if (begun === undefined) return before?.close();
    if (before === undefined) return log.error({}, 'Another program uses the data, and neither ends nor becomes ready');
    const notKept = keep(begun);
    before.close();
    log.info({ version: note.to }, 'A new version is on trial');
    const problem = notKept ?? (await tryVersion());
    if (problem === undefined) {
      log.info({ version: note.to }, 'The new version is ready');
      return;
    }
    const after = await hold();
    const standing = trial();
    // The new version became ready at the last moment.
    if (standing === undefined) return after?.close();
    if (after === undefined) return log.error({}, 'The new version is not ready, and does not end');
    // Restore the program first, so that the previous version can complete the rest if the machine stops in between.
    const isBack = await putProgramBack(note.kept, note.program).then(
      () => true,
      (error: unknown) => {
        log.error(
          { err: error },
          'The previous version could not be restored to its place, and runs from the data folder',
        );
        return false;
      },
    );
    try {
      takeBack(dataFolder, standing, { version: note.to, at: now(), problem });
      log.error({ version: note.to, problem }, 'The previous version and its data were restored');
    } catch (error) {
      log.error({ err: error }, 'The data could not be restored; the previous version tries again when it starts');
    }
    after.close();
    start(isBack ? note.program.start : note.kept.start, note.args);
  }
}
