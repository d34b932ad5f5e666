import type { RequestHandler, Response } from 'express';
import { TooManyRequests } from '../../errors.ts';

/** Maximum number of files in memory, each up to 16 MiB. */
const MAX_HELD = 8;
/** Maximum number of requests that wait for a turn to send a file. */
const MAX_WAITING = 60;
const RETRY_AFTER_S = 10;

/** A request's turn to keep its file in memory. */
type Turn = { during<T>(work: () => Promise<T>): Promise<T> };

export type FileTurns = ReturnType<typeof createFileTurns>;

/**
 * Creates turns that limit the number of files in memory, because hundreds of simultaneous uploads could fill it. Each request waits for
 * its turn before its body is read.
 */
export function createFileTurns() {
  let held = 0;
  const waiting = new Set<() => void>();

  function begin(res: Response): void {
    held += 1;
    let isHandled = false;
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      held -= 1;
      const [next] = waiting;
      next?.();
    };
    // Keep the turn while the file is being handled: it stays in memory even if the caller disconnects.
    res.once('close', () => (isHandled ? undefined : end()));
    const turn: Turn = {
      async during(work) {
        isHandled = true;
        try {
          return await work();
        } finally {
          end();
        }
      },
    };
    res.locals['fileTurn'] = turn;
  }

  const take: RequestHandler = (_req, res, next) => {
    if (held < MAX_HELD) {
      begin(res);
      return next();
    }
    if (waiting.size >= MAX_WAITING)
      throw new TooManyRequests(
        'Too many files are sent at the same time. Send them one after another.',
        RETRY_AFTER_S,
      );
    const start = (): void => {
      waiting.delete(start);
      begin(res);
      next();
    };
    waiting.add(start);
    res.once('close', () => waiting.delete(start));
  };

  return {
    /** Waits for a turn before the file is read. Throws `too_many_requests` if too many requests wait. */
    take,
    /** Runs `work`, and ends the request's turn when `work` has finished. */
    during<T>(res: Response, work: () => Promise<T>): Promise<T> {
      // Safe cast: only `begin` writes it.
      const turn = res.locals['fileTurn'] as Turn | undefined;
      return turn === undefined ? work() : turn.during(work);
    },
  };
}
