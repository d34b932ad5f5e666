import type { StationAlertKind } from '#shared/api/alert.ts';
import type { Transaction } from '../../db/writer.ts';
import type { AlertRecords } from './records.ts';

/** Manages alerts about the station itself. Each alert stays open until somebody dismisses it. */
export function createStationAlerts(records: Pick<AlertRecords, 'findOpen' | 'raise'>) {
  return {
    /**
     * Raises an alert, unless an alert of the same kind and subject is open. `about` is the subject, such as a folder. `problem` is a
     * sentence that says what happened and what to do. Call inside a transaction.
     */
    raise(tx: Transaction, { kind, about, problem }: { kind: StationAlertKind; about: string; problem: string }): void {
      if (records.findOpen(kind, about) !== undefined) return;
      records.raise(tx, { kind, subject: about, since: tx.now, value: null, threshold: null, problem });
    },
  };
}

export type StationAlerts = ReturnType<typeof createStationAlerts>;
