import { createAlarm } from '../../alarm.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';

/** Puts on disk how things stand with each of many: once, however often one was named meanwhile. */
export type ReconcileQueue = {
  /** Something is to be written of this one. */
  add(subject: string): void;
  stop(): void;
};

/** After a disk error it is tried again this much later. */
const RETRY_MS = 5_000;

export function createReconcileQueue(parts: {
  clock: Clock;
  log: Log;
  writer: Pick<Writer, 'writeEach'>;
  /** Writes what is true of it by then. Runs inside a use-case. */
  reconcile: (tx: Transaction, subject: string) => void;
}): ReconcileQueue {
  const { clock, log, writer, reconcile } = parts;
  const waiting = new Set<string>();
  const retry = createAlarm(clock, begin);
  let isWriting = false;
  let isStopped = false;

  async function write(): Promise<void> {
    // What is said in one turn is written together.
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
        log.error({ err: error }, 'alerts could not be written and are tried again');
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
    add(subject) {
      waiting.add(subject);
      if (!isWriting && !retry.isSet() && !isStopped) begin();
    },
    stop() {
      isStopped = true;
      waiting.clear();
      retry.stop();
    },
  };
}
