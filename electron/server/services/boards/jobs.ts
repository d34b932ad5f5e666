import type { BoardJob } from '#shared/api/board.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';

/** Number of finished jobs to remember. */
const MAX_JOBS = 20;

/** A job that writes firmware to one board. */
export type Job = {
  entry: BoardJob;
  abort: AbortController;
  /** Id of the key that the installation created for the board. */
  keyId: string | undefined;
  step(step: BoardJob['step'], progress: number): void;
  done(): void;
  /** Ends the job as failed, or as canceled if it was aborted. `error` describes the state of the board. */
  failed(error: unknown): 'failed' | 'cancelled';
};

/** Keeps board jobs until the station restarts. */
export function createBoardJobs(clock: Clock) {
  const jobs = new Map<string, Job>();
  let lastId = 0;

  function find(id: string): Job {
    const job = jobs.get(id);
    if (job === undefined)
      throw new StationError('not_found', `There is no job ${id}. Jobs are forgotten at a restart.`);
    return job;
  }

  return {
    begin(first: Pick<BoardJob, 'kind' | 'step' | 'port'> & Partial<Pick<BoardJob, 'profile' | 'turbo'>>): Job {
      const { profile = null, turbo = null, ...named } = first;
      const entry: BoardJob = {
        id: String((lastId += 1)),
        ...named,
        profile,
        state: 'running',
        progress: 0,
        problem: null,
        deviceid: null,
        turbo,
        started: isoTime(clock.now()),
      };
      const abort = new AbortController();
      const job: Job = {
        entry,
        abort,
        keyId: undefined,
        step: (step, progress) => void Object.assign(entry, { step, progress }),
        done: () => void Object.assign(entry, { state: 'done', step: 'done', progress: 1 }),
        failed(error) {
          entry.problem = error instanceof Error ? error.message : String(error);
          const state = abort.signal.aborted ? 'cancelled' : 'failed';
          entry.state = state;
          return state;
        },
      };
      jobs.set(entry.id, job);
      const ended = [...jobs.values()].filter((each) => each.entry.state !== 'running');
      for (const old of ended.slice(0, Math.max(0, ended.length - MAX_JOBS))) jobs.delete(old.entry.id);
      return job;
    },
    running: (): Job[] => [...jobs.values()].filter(({ entry }) => entry.state === 'running'),
    /** Lists all running jobs and the most recently finished ones, in start order. */
    list: (): BoardJob[] => [...jobs.values()].map(({ entry }) => ({ ...entry })),
    /** Throws `not_found`. */
    get: (id: string): BoardJob => ({ ...find(id).entry }),
    /** Cancels a running job. A canceled installation leaves the board without firmware. Throws `not_found`. */
    cancel(id: string): void {
      const job = find(id);
      job.abort.abort();
      if (job.entry.step === 'queued' && job.entry.state === 'running') job.failed('Cancelled before it began.');
    },
    stop(): void {
      for (const { abort } of jobs.values()) abort.abort();
    },
  };
}

export type BoardJobs = ReturnType<typeof createBoardJobs>;
