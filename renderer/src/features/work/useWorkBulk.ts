import { useRef, useState } from 'react';
import { askForEach, type BulkOutcome } from '../../ui/bulkOutcome.ts';
import { useToasts } from '../../ui/toasts.ts';

export type WorkBulkKind = 'launch' | 'remove';

type Ways = Record<WorkBulkKind, (key: string) => Promise<void>>;
type Words = Record<WorkBulkKind, (many: number) => string>;

export type WorkBulk = {
  running: { kind: WorkBulkKind; done: number; all: number } | undefined;
  /** What became of the last one, where not all of it worked. */
  outcome: (BulkOutcome & { isCancelled: boolean }) | undefined;
  forget(): void;
  cancel(): void;
  run(kind: WorkBulkKind, keys: readonly string[]): Promise<void>;
};

/** One thing done to many orders or sequences. `settled` is told those that are to be chosen no more. */
export function useWorkBulk(ways: Ways, said: Words, settled: (keys: readonly string[]) => void): WorkBulk {
  const toasts = useToasts();
  const [running, setRunning] = useState<WorkBulk['running']>();
  const [outcome, setOutcome] = useState<WorkBulk['outcome']>();
  const cancelled = useRef(false);

  async function run(kind: WorkBulkKind, keys: readonly string[]): Promise<void> {
    cancelled.current = false;
    setOutcome(undefined);
    const progress = (done: number) => setRunning({ kind, done, all: keys.length });
    progress(0);
    const result = await askForEach(keys, ways[kind], progress, () => cancelled.current);
    setRunning(undefined);
    if (result.failed.length === 0 && result.left.length === 0) toasts.say(said[kind](result.done.length));
    else setOutcome({ ...result, isCancelled: cancelled.current });
    settled(result.done);
  }

  return {
    running,
    outcome,
    forget: () => setOutcome(undefined),
    cancel: () => {
      cancelled.current = true;
    },
    run,
  };
}
