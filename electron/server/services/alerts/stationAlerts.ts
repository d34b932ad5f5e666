import type { StationAlertKind } from '#shared/api/alert.ts';
import type { Transaction } from '../../db/writer.ts';
import type { AlertRecords } from './records.ts';

/** Alerts about the station itself. Each stays open until somebody dismisses it. */
export function createStationAlerts(records: Pick<AlertRecords, 'findOpen' | 'raise'>) {
  return {
    /**
     * Raises an alert unless one of this kind about the same subject is open. `about`: the subject, such as a folder;
     * `problem`: what happened and what to do, in a sentence for people. Runs inside a use-case.
     */
    raise(tx: Transaction, { kind, about, problem }: { kind: StationAlertKind; about: string; problem: string }): void {
      if (records.findOpen(kind, about) !== undefined) return;
      records.raise(tx, { kind, subject: about, since: tx.now, value: null, threshold: null, problem });
    },
  };
}

export type StationAlerts = ReturnType<typeof createStationAlerts>;
