import { isDeepStrictEqual } from 'node:util';
import type { DiskHistoryRow } from './disk.ts';
import type { ReceivedFields } from './state.ts';

/** The next expected history row, with its callbacks. */
export type ExpectedRow = {
  kind: string;
  deviceId: string;
  commandId: number | null;
  nonce: string;
  location: string;
  qty: number;
  at: number;
  /** The person or program that caused the row, if known. */
  by?: string;
  /** The sequence or order that the row concerns. */
  work?: string | null;
  /** The callbacks in the order in which they must be sent. */
  callbacks: readonly ReceivedFields[];
  /** Id of the newest row on disk when the station acknowledged the report to the turbo. The expected row must not have a higher id. */
  onDiskBy?: number | undefined;
};

/** The history rows that no event has explained yet, oldest first. */
export class Ledger {
  /** Number of callbacks in all rows removed so far. */
  told = 0;
  private rows: DiskHistoryRow[] = [];

  /** Returns the first match of the pattern in the nonces or callbacks of the unexplained rows. */
  peek(pattern: RegExp): string | undefined {
    return pattern.exec(this.rows.map(({ nonce, callbacks }) => `${nonce} ${callbacks}`).join(' '))?.[1];
  }

  add(rows: readonly DiskHistoryRow[]): void {
    this.rows.push(...rows);
  }

  next(): DiskHistoryRow | undefined {
    return this.rows[0];
  }

  /**
   * Returns the next row that is neither a timeout nor a stall caused by one. Timeouts for which `isReported` returns true, because a
   * device reported them, are not skipped.
   */
  nextButTimeouts(isReported: (timeout: DiskHistoryRow) => boolean = () => false): DiskHistoryRow | undefined {
    const isPassed = (row: DiskHistoryRow | undefined) => row?.kind === 'timedOut' && !isReported(row);
    return this.rows.find(
      (row, index) => !isPassed(row) && !(row.kind === 'sequence_stalled' && isPassed(this.rows[index - 1])),
    );
  }

  isNext(expected: ExpectedRow): boolean {
    const row = this.next();
    return row?.kind === expected.kind && row.command_id === expected.commandId && row.at === expected.at;
  }

  /** Removes the next row and checks that it is the expected one with the expected callbacks. */
  take(expected: ExpectedRow): void {
    const row = this.rows.shift();
    if (row === undefined) throw new Error(`Missing in the history: ${JSON.stringify(expected)}`);
    const { id, at, kind, device_id, command_id, nonce, location, qty, work } = row;
    const found = { kind, deviceId: device_id, commandId: command_id, nonce, location, qty, at, work };
    const { callbacks: owed, onDiskBy, by, ...named } = expected;
    const wanted = { ...named, work: named.work ?? null };
    if (!isDeepStrictEqual(found, wanted)) {
      throw new Error(`History row ${id} is ${JSON.stringify(found)}, and should be ${JSON.stringify(wanted)}`);
    }
    // A history row names both the caller and the person for whom a scan was sent.
    const { by: doneBy, for: whom } = JSON.parse(row.detail) as { by?: string; for?: string };
    if (by !== undefined && doneBy !== by && whom !== by)
      throw new Error(`History row ${id} was done by ${doneBy}, and not by ${by}`);
    const told = (JSON.parse(row.callbacks) as string[]).map((payload) => JSON.parse(payload) as unknown);
    if (!isDeepStrictEqual(told, owed)) {
      throw new Error(`History row ${id} has the callbacks ${JSON.stringify(told)}, owed is ${JSON.stringify(owed)}`);
    }
    this.told += told.length;
    if (onDiskBy !== undefined && id > onDiskBy) {
      throw new Error(`The turbo was told that a report is taken before history row ${id} was on disk`);
    }
  }
}
