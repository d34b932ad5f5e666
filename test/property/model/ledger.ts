import { isDeepStrictEqual } from 'node:util';
import type { DiskHistoryRow } from './disk.ts';
import type { ReceivedFields } from './state.ts';

/** A history row that must come next, and the callback that must come with it. */
export type ExpectedRow = {
  kind: string;
  deviceId: string;
  commandId: number | null;
  nonce: string;
  location: string;
  qty: number;
  at: number;
  /** Who did it, where that is known. */
  by?: string;
  /** The sequence or order that it is about. */
  work?: string | null;
  /** In the order in which they are owed. */
  callbacks: readonly ReceivedFields[];
  /** It must not be later on disk than this row: the turbo was told by then that the report is taken. */
  onDiskBy?: number | undefined;
};

/** The history rows that were not explained yet, the oldest first. */
export class Ledger {
  /** How many callbacks came with all rows that were taken. */
  told = 0;
  private rows: DiskHistoryRow[] = [];

  /** The first text in rows or their callbacks that this finds. */
  peek(pattern: RegExp): string | undefined {
    return pattern.exec(this.rows.map(({ nonce, callbacks }) => `${nonce} ${callbacks}`).join(' '))?.[1];
  }

  add(rows: readonly DiskHistoryRow[]): void {
    this.rows.push(...rows);
  }

  next(): DiskHistoryRow | undefined {
    return this.rows[0];
  }

  /** The next row that tells no timeout, nor what one halted. `isReported`: this timeout counts, as a device told it. */
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

  /** Takes the next row, which must be this one, with its callback or with none. */
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
    const doneBy = (JSON.parse(row.detail) as { by?: string }).by;
    if (by !== undefined && doneBy !== by) throw new Error(`History row ${id} was done by ${doneBy}, and not by ${by}`);
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
