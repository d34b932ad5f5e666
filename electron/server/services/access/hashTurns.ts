import { TooManyRequests } from '../../errors.ts';

/** Maximum number of hashes computed at the same time. Leaves two of Node's four worker threads to file access and DNS lookups. */
const MAX_RUNNING = 2;
/** Maximum number of waiting jobs. If the queue is full, the last job waits for about 3 s. */
const MAX_WAITING = 100;
const RETRY_S = 5;

type Job = { run: () => Promise<void>; refuse: () => void };

/** Runs two slow hashes at a time and alternates between networks, so that one network cannot lock out the others. */
export function createHashTurns() {
  /** Waiting jobs by network, in the order of the networks' turns. */
  const waiting = new Map<string, Job[]>();
  let total = 0;
  let running = 0;

  function next(): void {
    if (running >= MAX_RUNNING) return;
    const [first] = waiting;
    if (first === undefined) return;
    const [network, jobs] = first;
    const job = jobs.shift();
    waiting.delete(network);
    if (jobs.length > 0) waiting.set(network, jobs);
    if (job === undefined) return;
    total -= 1;
    running += 1;
    void job.run().finally(() => {
      running -= 1;
      next();
    });
  }

  /** If the queue is full, rejects the last job of the network with the most jobs. */
  function makeRoom(): void {
    if (total <= MAX_WAITING) return;
    const [longest] = [...waiting].toSorted(([, a], [, b]) => b.length - a.length);
    if (longest === undefined) return;
    const [network, jobs] = longest;
    jobs.pop()?.refuse();
    if (jobs.length === 0) waiting.delete(network);
    total -= 1;
  }

  return {
    /** Runs a job when it is this network's turn. Rejects with `too_many_requests` if too many jobs are waiting. */
    run: <T>(network: string, work: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const jobs = waiting.get(network) ?? [];
        jobs.push({
          run: () => work().then(resolve, reject),
          refuse: () =>
            reject(
              new TooManyRequests('Too many people are signing in right now. Try again in a few seconds.', RETRY_S),
            ),
        });
        waiting.set(network, jobs);
        total += 1;
        next();
        makeRoom();
      }),
  };
}

export type HashTurns = ReturnType<typeof createHashTurns>;
