import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { type Bus } from '../base/index.ts';
import { createReconcileQueue } from '../../scheduling/index.ts';
import type { ReceiverWatch } from '../callbacks/index.ts';
import type { AlertRecords } from './records.ts';

const KIND = 'receiver_failing';

/** Raises one alert for each failing receiver. The alert ends when a callback is delivered to that receiver. */
export function createReceiverAlert(parts: {
  watches: () => readonly Pick<ReceiverWatch, 'failure' | 'subject'>[];
  records: AlertRecords;
  writer: Pick<Writer, 'writeEach'>;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { watches, records, writer, bus, clock, log } = parts;
  const queue = createReconcileQueue({
    clock,
    log,
    writer,
    reconcile(tx) {
      const failing = failures();
      const open = records.listSubjects(KIND).flatMap((subject) => records.findOpen(KIND, subject) ?? []);
      for (const row of open) if (!failing.has(row.subject)) records.end(tx, row);
      for (const [subject, { since, error }] of failing) {
        if (open.some((row) => row.subject === subject)) continue;
        const problem = `${error} Callbacks wait, and are sent once they are accepted again.`;
        records.raise(tx, { kind: KIND, subject, since, value: null, threshold: null, problem });
      }
    },
  });
  let unsubscribe: (() => void) | undefined;

  /** Returns the failing receivers by alert subject. */
  function failures(): Map<string, { since: number; error: string }> {
    return new Map(
      watches().flatMap((watch) => {
        const failure = watch.failure();
        return failure === undefined ? [] : [[watch.subject(), failure]];
      }),
    );
  }

  function look(): void {
    const open = records.listSubjects(KIND);
    const failing = failures();
    if (open.length !== failing.size || open.some((subject) => !failing.has(subject))) queue.add(KIND);
  }

  return {
    start(): void {
      unsubscribe = bus.subscribe({
        ephemera: (ephemera) => {
          if (ephemera.receiver !== undefined) look();
        },
      });
      look();
    },
    stop(): void {
      unsubscribe?.();
      queue.stop();
    },
  };
}
