import { useRef, useState } from 'react';
import type { BulkOutcome } from './bulkOutcome.ts';

export type BulkRun<Kind extends string> = {
  running: { kind: Kind; done: number; all: number } | undefined;
  /** What became of the last one, where not all of it worked. */
  outcome: (BulkOutcome & { isCancelled: boolean }) | undefined;
  forget(): void;
  cancel(): void;
};

type Act = (progress: (done: number) => void, isCancelled: () => boolean) => Promise<BulkOutcome>;

/** One thing done to many, with how far it is and what became of each. `ended` is told where it worked, and whether that is all of it. */
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
