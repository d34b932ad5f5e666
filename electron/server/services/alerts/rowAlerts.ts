import type { AlertKind } from '#shared/api/alert.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { type Bus } from '../base/index.ts';
import { createReconcileQueue } from '../../scheduling/index.ts';
import type { AlertRecords } from './records.ts';

export type RowAlertKind = Extract<AlertKind, 'secret_unreadable' | 'setting_invalid'>;

/** Subjects with a problem, each with a description for the user. */
export type RowTroubles = ReadonlyMap<string, string>;

/** Raises an alert for each configuration row that cannot be used. The alert ends once the row can be used or is removed. */
export function createRowAlerts(parts: {
  troubles: Readonly<Record<RowAlertKind, () => RowTroubles>>;
  records: AlertRecords;
  writer: Pick<Writer, 'writeEach'>;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { troubles, records, writer, bus, clock, log } = parts;
  const queue = createReconcileQueue({
    clock,
    log,
    writer,
    reconcile(tx, key) {
      const end = key.indexOf('\n');
      const [kind, subject] = [key.slice(0, end) as RowAlertKind, key.slice(end + 1)];
      const row = records.findOpen(kind, subject);
      const problem = troubles[kind]().get(subject);
      if (row !== undefined && problem === undefined) records.end(tx, row);
      if (row !== undefined || problem === undefined) return;
      records.raise(tx, { kind, subject, since: tx.now, value: null, threshold: null, problem });
    },
  });
  let unsubscribe: (() => void) | undefined;

  function look(): void {
    for (const kind of Object.keys(troubles) as RowAlertKind[]) {
      const found = troubles[kind]();
      const open = records.listSubjects(kind);
      for (const subject of [...found.keys(), ...open])
        if (found.has(subject) !== open.includes(subject)) queue.add(`${kind}\n${subject}`);
    }
  }

  return {
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) look();
        },
        // Check again, because a display's key or a link's address may have changed.
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
