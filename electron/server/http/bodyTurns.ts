import type { InParts } from '#shared/lib/inParts.ts';

type Outcome<T> = { done: (value: T) => void; failed: (error: unknown) => void };

/** Does a work at once where it has one part alone, else each further part in a turn of the event loop of its own. */
export type Turns = <T>(work: InParts<T>, outcome: Outcome<T>) => void;

/** All works take turns: however many large bodies arrive together, a turn has one part of one of them. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];

  function runNext(): void {
    const part = waiting.shift();
    if (waiting.length > 0) setImmediate(runNext);
    part?.();
  }

  function go<T>(work: InParts<T>, outcome: Outcome<T>): void {
    let part: IteratorResult<void, T>;
    try {
      part = work.next();
    } catch (error) {
      outcome.failed(error);
      return;
    }
    if (part.done === true) {
      outcome.done(part.value);
      return;
    }
    waiting.push(() => go(work, outcome));
    if (waiting.length === 1) setImmediate(runNext);
  }

  return go;
}
