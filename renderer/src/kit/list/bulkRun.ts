import { useRef, useState } from 'react';
import { sentenceOf } from '../../words/apiError.ts';

/** Runs calls, a few at a time, until all are done or `isCancelled` returns true. Returns the failures. */
export async function runAll<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  progress: (done: number) => void,
  isCancelled: () => boolean,
): Promise<{ item: T; error: unknown }[]> {
  const AT_A_TIME = 6;
  const failed: { item: T; error: unknown }[] = [];
  let next = 0;
  let done = 0;
  async function worker(): Promise<void> {
    for (;;) {
      const item = items[next++];
      if (item === undefined || isCancelled()) return;
      try {
        await run(item);
      } catch (error) {
        failed.push({ item, error });
      }
      progress(++done);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, items.length) }, worker));
  return failed;
}

/** The result of a bulk action. `done`, `failed` and `left` contain the keys that succeeded, failed, and were not tried. */
export type BulkOutcome = {
  done: readonly string[];
  failed: readonly { key: string; words: string }[];
  left: readonly string[];
};

/** Sends one request per key, for actions that have no bulk request. */
export async function askForEach(
  keys: readonly string[],
  ask: (key: string) => Promise<unknown>,
  progress: (done: number) => void,
  isCancelled: () => boolean,
): Promise<BulkOutcome> {
  const tried = new Set<string>();
  const failures = await runAll(
    keys,
    (key) => {
      tried.add(key);
      return ask(key);
    },
    progress,
    isCancelled,
  );
  const failed = failures.map(({ item, error }) => ({ key: item, words: sentenceOf(error) }));
  const wrong = new Set(failed.map(({ key }) => key));
  return {
    done: keys.filter((key) => tried.has(key) && !wrong.has(key)),
    failed,
    left: keys.filter((key) => !tried.has(key)),
  };
}

export type BulkRun<Kind extends string> = {
  running: { kind: Kind; done: number; all: number } | undefined;
  /** The result of the last run, if any of its items failed or were not tried. */
  outcome: (BulkOutcome & { isCancelled: boolean }) | undefined;
  forget(): void;
  cancel(): void;
};

type Act = (progress: (done: number) => void, isCancelled: () => boolean) => Promise<BulkOutcome>;

/**
 * Runs one action on many items, with progress and a result for each. `ended` receives the items that succeeded, and
 * whether all items did.
 */
export function useBulkRun<Kind extends string>(
  ended: (kind: Kind, done: readonly string[], isWhole: boolean) => void,
): BulkRun<Kind> & { begin(kind: Kind, all: number, act: Act): Promise<void> } {
  const [running, setRunning] = useState<BulkRun<Kind>['running']>();
  const [outcome, setOutcome] = useState<BulkRun<Kind>['outcome']>();
  const cancelled = useRef(false);

  async function begin(kind: Kind, all: number, act: Act): Promise<void> {
    cancelled.current = false;
    setOutcome(undefined);
    const progress = (done: number) => setRunning({ kind, done, all });
    progress(0);
    const result = await act(progress, () => cancelled.current);
    setRunning(undefined);
    const isWhole = result.failed.length === 0 && result.left.length === 0;
    if (!isWhole) setOutcome({ ...result, isCancelled: cancelled.current });
    ended(kind, result.done, isWhole);
  }

  return {
    running,
    outcome,
    forget: () => setOutcome(undefined),
    cancel: () => {
      cancelled.current = true;
    },
    begin,
  };
}
