import type { InParts } from '#shared/lib/inParts.ts';

type Outcome<T> = { done: (value: T) => void; failed: (error: unknown) => void };

/** Runs the first part of a task at once, and each further part in its own turn of the event loop. */
export type Turns = <T>(work: InParts<T>, outcome: Outcome<T>) => void;

/** However many large bodies arrive together, each turn of the event loop runs one part of one of them. A caller waits, so there is no rest as for background reads. */
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

export function inTurns<T>(turns: Turns, work: InParts<T>): Promise<T> {
  return new Promise((done, failed) => turns(work, { done, failed }));
}
