import type { Alert } from '#shared/api/alert.ts';
import type { HistoryKind } from '#shared/api/history.ts';
import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import { mapped, statements } from './statements.ts';

/** Details of a row, depending on its kind. Times are ISO 8601. */
export type HistoryDetail = {
  sender?: string;
  target?: string;
  content?: CommandContent;
  createdAt?: string | null;
  firstAt?: string | null;
  sentAt?: string | null;
  shownAt?: string | null;
  /** Start and end of an outage. The end is null if the outage lasted until the command ended. */
  unreachableAt?: string | null;
  reachedAt?: string | null;
  /** The quantity that a picker or caller last set. */
  adjusted?: number | null;
  adjustedAt?: string | null;
  adjustedBy?: string | null;
  /** Time of the commit. */
  committedAt?: string;
  /** Who caused the event. */
  by?: string;
  /** The person in whose name `by` acted. */
  for?: string;
  reason?: string;
  button?: string;
  /** Milliseconds between the press and its commit. */
  ageMs?: number;
  /** Number of late presses in this row. Missing if there is only one. */
  presses?: number;
  /** Time of the last of several late presses. The row's time is that of the first. */
  lastAt?: string;
  replacedBy?: number;
  sameContent?: boolean;
  /** The first of the equal commands that led to this one, each by replacement. Absent if this one is the first. */
  firstEqual?: number;
  /** Only for the first of these commands: the last of them. */
  lastEqual?: number;
  /** The item that was shown, and how many of its pieces were already fulfilled when it was lit. */
  shown?: { item: number; base: number | null };
  /** Id of the batch pick for which the device was lit. */
  pick?: number;
  /** Id of the slot of a batch for which the device was lit. */
  litSlot?: number;
  /** Set if an order was deleted because of its age, so that imports still know its number. */
  upkeep?: true;
  /** The other device in a replacement. */
  otherDevice?: string;
  /** The corrected item of an order, with its previous quantity. */
  item?: { id: number; name: string; before: number };
  /** The batch of the event, its cart or wall, and the slots of the order or item. */
  batch?: { id: number; name: string; slot: string | null };
  /** Names of an order's changed fields, without values. */
  changed?: readonly string[];
  /** The alert that was raised or has ended. */
  alert?: Pick<Alert, 'id' | 'kind' | 'turbo' | 'value' | 'threshold'> & Partial<Pick<Alert, 'about'>>;
};

/** A finished event. `detail` contains data for its timeline, such as sender, content and times. */
export type HistoryEvent = {
  at: number;
  kind: HistoryKind;
  deviceId: string;
  commandId: number | null;
  nonce: string;
  location: string;
  qty: number;
  detail: HistoryDetail;
  /** The sequence, order or batch, as returned by `workOf`; undefined if there is none. */
  work?: string | null;
};

export type HistoryRow = HistoryEvent & { id: number };

/** A row as it is stored. */
export type Row = Omit<HistoryRow, 'detail' | 'work'> & { detail: string; work: string | null };

type OldRow = { id: number; at: number };

/** The column `detail`, or an empty object if it is damaged, so that lists still work. */
export const DETAIL = "iif(json_valid(detail), detail, '{}')";

/** Columns that `fromRow` needs. */
export const HISTORY_COLUMNS =
  'id, at, kind, device_id AS deviceId, command_id AS commandId, nonce, location, qty, detail, work';

export function historyRows(db: Db) {
  const { find, insert, list, number, run, value } = statements(db);
  const add = insert(
    `INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail, work) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const newest = number<[]>('SELECT max(id) FROM history');
  const one = find<[id: number], Row>(`SELECT ${HISTORY_COLUMNS} FROM history WHERE id = ?`);
  const ofCommand = list<[commandId: number], Row>(
    `SELECT ${HISTORY_COLUMNS} FROM history WHERE command_id = ? ORDER BY id`,
  );
  const endOfCommand = find<[commandId: number], Row>(
    `SELECT ${HISTORY_COLUMNS} FROM history
     WHERE command_id = ? AND kind IN ('acknowledged', 'timedOut', 'killed', 'replaced') ORDER BY id LIMIT 1`,
  );
  const oldestRows = list<[before: number, limit: number], OldRow>(
    'SELECT id, at FROM history WHERE id < ? ORDER BY id LIMIT ?',
  );
  const removeUpTo = run<[id: number]>('DELETE FROM history WHERE id <= ?');

  function oldOnes(before: number, limit: number) {
    const found = oldestRows(newest(), limit);
    const kept = found.findIndex(({ at }) => at >= before);
    return kept < 0 ? found : found.slice(0, kept);
  }

  const replacedOne = find<
    [commandId: number],
    { firstEqual: number | null; lastEqual: number | null; next: number | null }
  >(
    `SELECT ${DETAIL} ->> 'firstEqual' AS firstEqual, ${DETAIL} ->> 'lastEqual' AS lastEqual, ${DETAIL} ->> 'replacedBy' AS next
     FROM history WHERE command_id = ? AND kind = 'replaced' AND ${DETAIL} ->> 'sameContent'`,
  );
  const lastEqualOf = value<[commandId: number], number>(
    `SELECT ${DETAIL} ->> 'lastEqual' FROM history WHERE command_id = ? AND kind = 'replaced'`,
  );
  const works = value<[work: string], number>('SELECT EXISTS (SELECT 1 FROM history WHERE work = ?)');
  const closings = value<[work: string, fromId: number, item: { item: number }], number>(
    `SELECT EXISTS (SELECT 1 FROM history WHERE work = ? AND id >= ? AND (
       (kind = 'acknowledged' AND ${DETAIL} ->> '$.shown.item' = :item) OR
       (kind IN ('order_short', 'order_confirmed') AND ${DETAIL} ->> '$.item.id' = :item) OR
       (kind = 'order_corrected' AND ${DETAIL} ->> '$.item.id' = :item
         AND qty >= (SELECT ordered_quantity FROM items WHERE id = :item))))`,
  );
  // Without SKU and UPC, the name is the article.
  const exchanges = value<[work: string, fromId: number, fromAt: number, item: { item: number }], number>(
    `SELECT EXISTS (SELECT 1 FROM history WHERE work = ? AND id > ? AND at > ? AND kind = 'order_changed'
       AND ${DETAIL} ->> '$.item.id' = :item AND EXISTS (SELECT 1 FROM json_each(${DETAIL}, '$.changed') WHERE value IN ('SKU', 'UPC')
         OR (value = 'name' AND EXISTS (SELECT 1 FROM items WHERE id = :item AND sku IS NULL AND upc IS NULL))))`,
  );
  const placements = value<[work: string, fromId: number, item: number], number>(
    `SELECT EXISTS (SELECT 1 FROM history WHERE work = ? AND id > ? AND kind = 'order_changed' AND ${DETAIL} ->> '$.item.id' = ?
       AND EXISTS (SELECT 1 FROM json_each(${DETAIL}, '$.changed') WHERE value IN ('warehouse_location', 'deviceid')))`,
  );
  const orderedBefore = value<[work: string, fromId: number, item: number], number>(
    `SELECT ${DETAIL} ->> '$.item.before' FROM history WHERE work = ? AND id >= ? AND kind = 'order_changed'
       AND ${DETAIL} ->> '$.item.id' = ? ORDER BY id LIMIT 1`,
  );

  return {
    /** Whether there is any row about this work. */
    hasWork: (work: string | null): boolean => works(work ?? '') === 1,
    /** Whether the item was confirmed, filled or closed short since this row. */
    wasClosed: (work: string, item: number, fromId: number): boolean => closings(work, fromId, { item }) === 1,
    /** Whether the item got another article after this row and this time. */
    wasExchanged: (work: string, item: number, { id = 0, at = -1 }: { id?: number; at?: number }): boolean =>
      exchanges(work, id, at, { item }) === 1,
    /** Whether somebody changed the place or device of the item after this row. */
    wasPlaced: (work: string, item: number, fromId: number): boolean => placements(work, fromId, item) === 1,
    /** Returns the ordered quantity of the item before the first change since this row, or undefined if there was none. */
    findOrderedBefore: (work: string, item: number, fromId: number): number | undefined =>
      orderedBefore(work, fromId, item),
    /** Returns the last of the equal commands that replaced this one, or the next one if the last is not known. */
    findSuccessor(commandId: number): number | undefined {
      const row = replacedOne(commandId);
      if (row === undefined) return undefined;
      const last = row.firstEqual === null ? row.lastEqual : lastEqualOf(row.firstEqual);
      const successor = (last === commandId ? undefined : last) ?? row.next;
      // In a damaged backup, a command could be its own successor.
      return successor !== null && successor > commandId ? successor : undefined;
    },
    /** Stores the last of the equal commands that replaced this one. */
    setLastEqual: run<[last: number, commandId: number]>(
      `UPDATE history SET detail = json_set(${DETAIL}, '$.lastEqual', ?) WHERE command_id = ? AND kind = 'replaced'`,
    ),
    /** Returns the id of the row. */
    insert(entry: HistoryEvent): number {
      const { at, kind, deviceId, commandId, nonce, location, qty, detail, work = null } = entry;
      return add(at, kind, deviceId, commandId, nonce, location, qty, JSON.stringify(detail), work);
    },
    /** Returns the id of the row with the late presses of this device for an ended command. */
    findLate: value<[commandId: number, deviceId: string], number>(
      `SELECT id FROM history WHERE command_id = ? AND device_id = ? AND kind = 'late' ORDER BY id DESC LIMIT 1`,
    ),
    /** Returns the id of the row that counts this device's presses for unknown commands, if it was added after `since`. */
    findLateUnknown: value<[deviceId: string, since: number], number>(
      `SELECT id FROM history WHERE device_id = ? AND at > ? AND kind = 'late' AND command_id IS NULL ORDER BY at DESC LIMIT 1`,
    ),
    /** Counts one more late press in this row. */
    countLate: run<[lastAt: string, id: number]>(
      `UPDATE history SET detail = json_set(${DETAIL}, '$.presses', coalesce(${DETAIL} ->> 'presses', 1) + 1, '$.lastAt', ?) WHERE id = ?`,
    ),
    find: (id: number) => mapped(one(id), fromRow),
    /** Returns the entry with the end of a command. Skips late presses, because there may be many. */
    findEnd: (commandId: number) => mapped(endOfCommand(commandId), fromRow),
    /** Lists all entries of one command, oldest first. */
    listByCommand: (commandId: number): HistoryRow[] => ofCommand(commandId).map(fromRow),
    /**
     * Returns the time of the newest entry in epoch milliseconds, or 0 if there is none. Ignores removals of orders: if the clock is ahead,
     * removing one old order must not make all others look old.
     */
    newestWorkAt: number<[]>("SELECT at FROM history WHERE kind <> 'order_removed' ORDER BY id DESC LIMIT 1"),
    /**
     * Returns the number of entries older than `before`, counted up to `limit`. Never includes the newest entry, so that ids are not
     * reused.
     */
    countOld: (before: number, limit: number): number => oldOnes(before, limit).length,
    /** Deletes the entries that `countOld` counts. */
    removeOld(before: number, limit: number): void {
      removeUpTo(oldOnes(before, limit).at(-1)?.id ?? 0);
    },
  };
}

/** Converts a row in place, without copying it, because a list can be very long. */
export function fromRow(row: Row): HistoryRow {
  const detail = (storedJson('history.detail', row.detail) ?? {}) as HistoryDetail;
  return Object.assign(row, { detail });
}
