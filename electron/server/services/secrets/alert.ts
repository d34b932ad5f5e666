import type { KeyRing } from '../../db/keyRing.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { type Bus, createReconcileQueue } from '../base/index.ts';
import type { Secrets } from './secrets.ts';

const KIND = 'secret_unreadable';

/** An alert for each secret that cannot be read. It ends once the secret is entered again or opened. */
export function createSecretAlert(parts: {
  secrets: Pick<Secrets, 'listClosed'>;
  keyRing: Pick<KeyRing, 'whyClosed'>;
  records: AlertRecords;
  writer: Pick<Writer, 'writeEach'>;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { secrets, keyRing, records, writer, bus, clock, log } = parts;
  const queue = createReconcileQueue({
    clock,
    log,
    writer,
    reconcile(tx, subject) {
      const row = records.findOpen(KIND, subject);
      const isClosed = secrets.listClosed().includes(subject);
      if (row !== undefined && !isClosed) records.end(tx, row);
      if (row !== undefined || !isClosed) return;
      const problem = `${keyRing.whyClosed()} What needs it waits until it is entered again.`;
      records.raise(tx, { kind: KIND, subject, since: tx.now, value: null, threshold: null, problem });
    },
  });
  let unsubscribe: (() => void) | undefined;

  function look(): void {
    const closed = secrets.listClosed();
    const open = records.listSubjects(KIND);
    for (const subject of [...closed, ...open])
      if (closed.includes(subject) !== open.includes(subject)) queue.add(subject);
  }

  return {
    look,
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) look();
        },
        // A display got another key.
        ephemera: ({ links }) => {
          if (links !== undefined) look();
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
