import { createAlarm } from './alarm.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import type { Clock, Log } from '../ports.ts';

/** Delay after a disk error. */
const RETRY_MS = 5_000;

/** Saves the state of each queued subject. A subject that is queued several times is saved only once. */
export function createReconcileQueue(parts: {
  clock: Clock;
  log: Log;
  writer: Pick<Writer, 'writeEach'>;
  /** Writes the current state. Runs inside a use-case. */
  reconcile: (tx: Transaction, subject: string) => void;
}) {
  const { clock, log, writer, reconcile } = parts;
  const waiting = new Set<string>();
  const retry = createAlarm(clock, begin);
  let isWriting = false;
  let isStopped = false;

  async function write(): Promise<void> {
    // Wait for the rest of this turn, so that all subjects added in it are written together.
    await Promise.resolve();
    while (waiting.size > 0) {
      const subjects = [...waiting];
      waiting.clear();
      try {
        await writer.writeEach(subjects, reconcile, (error) => {
          throw error;
        });
      } catch (error) {
        if (isStopped) return;
        log.error({ err: error }, 'could not write changes; will retry');
        for (const subject of subjects) waiting.add(subject);
        retry.in(RETRY_MS);
        return;
      }
    }
  }

  function begin(): void {
    isWriting = true;
    void write().finally(() => {
      isWriting = false;
    });
  }

  return {
    /** Call when the state of this subject may have changed. */
    add(subject: string): void {
      waiting.add(subject);
      if (!isWriting && !retry.isSet() && !isStopped) begin();
    },
    stop(): void {
      isStopped = true;
      waiting.clear();
      retry.stop();
    },
  };
}
