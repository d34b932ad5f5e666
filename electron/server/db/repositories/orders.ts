import type { OrderState } from '#shared/api/order.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import { workOf as workNamed } from '../../domain/commands/commandQueue.ts';
import type { WorkCounts } from '../../domain/orders/order.ts';
import type { Db } from '../db.ts';
import type { OrderPickerRow } from './orderPickers.ts';
import { COUNTS, FREE, NEEDS_ATTENTION, ORDERS, SHIPMENTS } from './orderSql.ts';
import { mapped, statements } from './statements.ts';

/** The part of a shipment or an order that changes during picking. */
export type Work = {
  id: number;
  state: OrderState;
  /** Whether the callback for the fulfillment has been created since the last launch. */
  isTold: boolean;
  counts: WorkCounts;
};

export type OrderRow = Work & {
  orderNumber: string;
  /** Random text, which is part of the nonce of items without their own nonce. */
  token: string;
  /** Null if not set, like the following fields. */
  ordernonce: string | null;
  color: string | null;
  seconds: number | null;
  sound: string | null;
  /** Whether the order was created with items instead of shipments. */
  hasItems: boolean;
  /** Higher values come first. */
  priority: number;
  dueAt: number | null;
  /** The customer and a note for people; null if not set. They are never sent to devices or brokers, and never logged. */
  customer: string | null;
  note: string | null;
  /** When the customer ordered, and whether the order is paid; null if unknown. As private as the customer. */
  orderedAt: number | null;
  isPaid: boolean | null;
  /** Whether a scan is required; null to use the setting. */
  scanRequired: boolean | null;
  createdAt: number;
  /** Time of the last change to any part. */
  updatedAt: number;
  /** Revision of the commit of the last change to any part. */
  revision: number;
  launchedAt: number | null;
  fulfilledAt: number | null;
  /** Whether something is lit but nobody has pressed it for too long. */
  isStalled: boolean;
  /** What happened to the order elsewhere, according to a file; null if nothing did. */
  endedElsewhere: EndReason | null;
  /** Whether somebody continues an order that ended elsewhere. */
  isContinued: boolean;
  /** The people who pick the order. */
  pickers: readonly OrderPickerRow[];
};

export type OrderWords = Pick<OrderRow, 'customer' | 'note'>;

export type ShipmentRow = Work & { orderId: number; shipmentNumber: string; shipmentnonce: string | null };

export type NewOrderRow = Omit<
  OrderRow,
  'endedElsewhere' | 'isContinued' | 'id' | 'isStalled' | 'pickers' | 'revision' | 'updatedAt'
> & {
  /** The customer's address as JSON; null if not set. Not part of `OrderRow`, because most readers may not see it. */
  address: string | null;
};

/** When something changes, such as a transaction. */
type Change = { now: number; revision: number };

/**
 * `attention` selects only orders that need attention, `since` only orders changed at or after this time, and `afterRevision` only those
 * changed in later commits.
 */
type OrderPage = {
  state: OrderState | undefined;
  attention?: boolean;
  since?: number | undefined;
  afterRevision?: number | undefined;
  after: string;
  limit: number;
};

/** Stored values, whose flags are 0 or 1. */
type RawWork = WorkCounts & Pick<Work, 'id' | 'state'> & { isTold: 0 | 1 };
type RawOrder = RawWork &
  Omit<OrderRow, keyof Work | 'isContinued' | 'hasItems' | 'isPaid' | 'scanRequired' | 'isStalled' | 'pickers'> & {
    isContinued: 0 | 1;
    isPaid: 0 | 1 | null;
    hasItems: 0 | 1;
    scanRequired: 0 | 1 | null;
    isStalled: 0 | 1;
    /** The pickers as JSON. */
    pickers: string;
  };
type RawShipment = RawWork & Omit<ShipmentRow, keyof Work>;

/** Columns of private data, which are removed together. */
const WORDS = ['customer', 'note', 'ordered_at', 'is_paid', 'address'] as const;

/** All numbers of one to three digits, with leading zeros, as JSON. */
const SHORT_NUMBERS = JSON.stringify(
  [1, 2, 3].flatMap((digits) =>
    Array.from({ length: 10 ** digits }, (_, number) => String(number).padStart(digits, '0')),
  ),
);

/** Reads and writes orders and shipments. Picking updates only individual rows. */
export function orderRows(db: Db) {
  const { find, insert, list, number, run, value, values } = statements(db);
  const one = find<[id: number], RawOrder>(`${ORDERS} WHERE id = ?`);
  const byNumber = find<[orderNumber: string], RawOrder>(`${ORDERS} WHERE order_number = ?`);
  const page = list<[after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const beyond = value<[many: number], number>('SELECT 1 FROM orders LIMIT 1 OFFSET ?');
  const between = list<[from: string, to: string], RawOrder>(
    `${ORDERS} WHERE order_number >= ? AND order_number < ? ORDER BY order_number`,
  );
  const pageOfState = list<[state: string, after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE state = ? AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const pageOfAttention = list<[after: string, limit: number], RawOrder>(
    `${ORDERS} WHERE ${NEEDS_ATTENTION} AND order_number > ? ORDER BY order_number LIMIT ?`,
  );
  const changedSince = (condition: string, index: string) =>
    list<[page: Required<Pick<OrderPage, 'after' | 'limit'>> & Since & { state: string | null }], RawOrder>(
      `${ORDERS} WHERE id IN (SELECT id FROM orders INDEXED BY ${index} WHERE state IN ('fulfilled', 'aborted') AND ${condition}
         UNION ALL SELECT id FROM orders WHERE state IN ('open', 'in_progress') AND ${condition})
       AND updated_at >= :since AND revision > :afterRevision
       AND order_number > :after AND (:state IS NULL OR state = :state) ORDER BY order_number LIMIT :limit`,
    );
  const pageSinceTime = changedSince('updated_at >= :since', 'orders_ended');
  const pageSinceRevision = changedSince('revision > :afterRevision', 'orders_ended_revision');
  const oldestIn = find<[state: string, before: number], { id: number; updated_at: number }>(
    `SELECT id, updated_at FROM orders INDEXED BY orders_ended WHERE state IN ('fulfilled', 'aborted') AND state = ? AND updated_at < ?
     ORDER BY updated_at LIMIT 1`,
  );
  const isUpkeep = value<[work: string], number>(
    `SELECT coalesce(iif(json_valid(detail), detail, '{}') ->> '$.upkeep', 0) FROM history WHERE work = ? AND kind = 'order_removed' ORDER BY id DESC LIMIT 1`,
  );
  const inAnyCase = find<[orderNumber: string], RawOrder>(`${ORDERS} WHERE order_number = ? COLLATE NOCASE`);
  // Look up each candidate in an index. A table scan would be slow if there are many longer numeric names.
  const isNamed = ['sku', 'upc', 'name']
    .map((column) => `EXISTS (SELECT 1 FROM items WHERE ${column} = short.value COLLATE NOCASE)`)
    .join(' OR ');
  const haveShortNumbers = value<[numbers: string], number>(
    `SELECT EXISTS (SELECT 1 FROM json_each(?) AS short WHERE
       EXISTS (SELECT 1 FROM orders WHERE order_number = short.value COLLATE NOCASE)
       OR EXISTS (SELECT 1 FROM orders WHERE order_number = '#' || short.value COLLATE NOCASE) OR ${isNamed})`,
  );
  const next = list<[limit: number], RawOrder>(
    `${ORDERS} WHERE ${FREE} ORDER BY (${NEEDS_ATTENTION}) DESC, priority DESC, due_at IS NULL, due_at, created_at, id LIMIT ?`,
  );
  const underWay = list<[], RawOrder>(
    `${ORDERS} WHERE state IN ('open', 'in_progress') AND (active_count > 0
       OR EXISTS (SELECT 1 FROM order_pickers WHERE order_id = orders.id AND is_paused = 1))`,
  );
  const due = list<[limit: number], RawOrder>(
    `${ORDERS} WHERE id IN (SELECT id FROM orders WHERE state IN ('open', 'in_progress')
       ORDER BY due_at IS NULL, due_at, priority DESC, created_at, id LIMIT ?)
     ORDER BY due_at IS NULL, due_at, priority DESC, created_at, id`,
  );
  const shipment = find<[id: number], RawShipment>(`${SHIPMENTS} WHERE id = ?`);
  const shipmentsOf = list<[orderId: number], RawShipment>(`${SHIPMENTS} WHERE order_id = ? ORDER BY id`);
  const insertOrder = insert(
    `INSERT INTO orders (order_number, token, ordernonce, color, seconds, sound, has_items, priority, due_at,
       customer, note, ordered_at, is_paid, address, scan_required, created_at, updated_at, revision, launched_at, fulfilled_at, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertShipment = insert(
    `INSERT INTO shipments (order_id, shipment_number, shipmentnonce, state, is_told, ${COUNTS}, zero_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setCounts = COUNTS.replaceAll(/\w+/g, '$& = ?');
  const saveOrder = run(`UPDATE orders SET ${setCounts}, is_told = ?, updated_at = ?, revision = ? WHERE id = ?`);
  const saveShipment = run(`UPDATE shipments SET ${setCounts}, is_told = ? WHERE id = ?`);
  const saveDetails = run(
    `UPDATE orders SET priority = ?, due_at = ?, customer = ?, note = ?, ordered_at = ?, is_paid = ?, color = ?, updated_at = ?, revision = ?
       WHERE id = ?`,
  );
  const setEndedElsewhere = run<[reason: string | null, isContinued: 0 | 1, id: number]>(
    'UPDATE orders SET ended_elsewhere = ?, is_continued = ? WHERE id = ?',
  );
  const setEndedLines = run<[lines: string | null, id: number]>('UPDATE orders SET ended_lines = ? WHERE id = ?');
  // A separate statement, because the state is indexed and most presses do not change it.
  const setOrderState = run(
    'UPDATE orders SET state = ?, launched_at = ?, fulfilled_at = ?, is_stalled = ? WHERE id = ?',
  );
  const replaceOrder = run(
    `UPDATE orders SET ordernonce = ?, color = ?, seconds = ?, sound = ?, has_items = ?, priority = ?, due_at = ?, customer = ?, note = ?,
       ordered_at = ?, is_paid = ?, address = ?, scan_required = ?, fulfilled_at = ?, updated_at = ?, revision = ?, state = ?, is_told = ?, ${setCounts}, zero_count = ?
       WHERE id = ?`,
  );
  // Separate statements, because only a change of the lines changes these counts.
  const setZeroCount = run<[zero: number, id: number]>('UPDATE orders SET zero_count = ? WHERE id = ?');
  const setZeroCountOfShipment = run<[zero: number, id: number]>('UPDATE shipments SET zero_count = ? WHERE id = ?');
  const setShipmentState = run('UPDATE shipments SET state = ? WHERE id = ?');
  const touch = run<[at: number, revision: number, id: number]>(
    'UPDATE orders SET updated_at = ?, revision = ? WHERE id = ?',
  );
  const removePickers = run<[orderId: number]>('DELETE FROM order_pickers WHERE order_id = ?');
  const removeItems = run<[orderId: number]>('DELETE FROM items WHERE order_id = ?');
  const removeShipments = run<[orderId: number]>('DELETE FROM shipments WHERE order_id = ?');
  const removeOrder = run<[id: number]>('DELETE FROM orders WHERE id = ?');

  return {
    find: (id: number) => mapped(one(id), fromOrder),
    findByNumber: (orderNumber: string) => mapped(byNumber(orderNumber), fromOrder),
    /** Finds an order by its name in a path: its number or, in the form `id:5`, its id. No order number has that form. */
    findByName(name: string): OrderRow | undefined {
      const [, id] = /^id:(\d{1,15})$/.exec(name) ?? [];
      return mapped(id === undefined ? byNumber(name) : one(Number(id)), fromOrder);
    },
    /** Lists orders from one number up to, but excluding, another. */
    listBetween: (from: string, to: string): OrderRow[] => between(from, to).map(fromOrder),
    /** Whether there are more than `many` orders. */
    isMoreThan: (many: number): boolean => beyond(many) === 1,
    /** Lists numbers of orders with picked pieces, newest first. */
    listPicked: values<[limit: number], string>(
      'SELECT order_number FROM orders WHERE quantity_fulfilled > 0 ORDER BY id DESC LIMIT ?',
    ),
    /** Returns only the order number. Reading the whole row takes three times as long, and longer with pickers. */
    findNumber: value<[id: number], string>('SELECT order_number FROM orders WHERE id = ?'),
    /** Whether any order or article has a name of one to three digits. */
    haveShortNumbers: (): boolean => haveShortNumbers(SHORT_NUMBERS) === 1,
    /** Lists orders by number, starting after `after`. */
    list({ state, attention = false, since, afterRevision, after, limit }: OrderPage): OrderRow[] {
      if (attention) {
        const waiting = pageOfAttention(after, limit).map(fromOrder);
        return waiting.filter(
          (order) => (state === undefined || order.state === state) && isChangedSince(order, { since, afterRevision }),
        );
      }
      if (since !== undefined || afterRevision !== undefined) {
        const changed = afterRevision === undefined ? pageSinceTime : pageSinceRevision;
        const filter = { since: since ?? 0, afterRevision: afterRevision ?? -1 };
        return changed({ ...filter, after, limit, state: state ?? null }).map(fromOrder);
      }
      return (state === undefined ? page(after, limit) : pageOfState(state, after, limit)).map(fromOrder);
    },
    /**
     * Returns the id of the ended order that has been unchanged for longest, if it last changed before this time. `state` is null for both
     * states.
     */
    findEnded({ state, before }: { state: 'fulfilled' | 'aborted' | null; before: number }): number | undefined {
      const states = state === null ? (['fulfilled', 'aborted'] as const) : [state];
      const oldest = states.flatMap((each) => oldestIn(each, before) ?? []);
      return oldest.toSorted((one, other) => one.updated_at - other.updated_at)[0]?.id;
    },
    /** Whether the last order with this number was deleted because of its age. This is known while history contains the deletion. */
    wasEnded: (orderNumber: string): boolean =>
      isUpkeep(workNamed({ kind: 'item', id: 0, of: orderNumber }) ?? '') === 1,
    /**
     * Finds an order by number, ignoring case. Tries several spellings, because accents can be encoded differently, and NOCASE folds only
     * ASCII letters.
     */
    findByNumberInAnyCase(orderNumber: string): OrderRow | undefined {
      const composed = orderNumber.normalize('NFC');
      const spellings = new Set([orderNumber, composed, composed.toUpperCase(), composed.toLowerCase()]);
      for (const spelling of spellings) {
        const found = inAnyCase(spelling);
        if (found !== undefined) return fromOrder(found);
      }
      return undefined;
    },
    /** Lists orders without pickers, in the order in which to pick them. */
    listNext: (limit: number): OrderRow[] => next(limit).map(fromOrder),
    /** Lists unfinished orders by due time, then priority, then age. Orders without a due time come last. */
    listDue: (limit: number): OrderRow[] => due(limit).map(fromOrder),
    /** Returns the number of unfinished orders, and of those whose due time is before `now`. */
    countUnfinished: find<[now: number], { all: number; late: number }>(
      `SELECT count(*) AS "all", coalesce(sum(due_at < ?), 0) AS late FROM orders WHERE state IN ('open', 'in_progress')`,
    ),
    countFree: number<[]>(`SELECT count(*) FROM orders WHERE ${FREE}`),
    /** Lists orders with lit or paused lines. */
    listUnderWay: (): OrderRow[] => underWay().map(fromOrder),
    findShipment: (id: number) => mapped(shipment(id), fromShipment),
    listShipments: (orderId: number) => shipmentsOf(orderId).map(fromShipment),
    /** The insert functions return the id. */
    insertOrder(row: NewOrderRow, revision: number): number {
      const given = [
        row.orderNumber,
        row.token,
        row.ordernonce,
        row.color,
        row.seconds,
        row.sound,
        row.hasItems ? 1 : 0,
        row.priority,
        row.dueAt,
        row.customer,
        row.note,
        row.orderedAt,
        flagOf(row.isPaid),
        row.address,
        row.scanRequired === null ? null : Number(row.scanRequired),
      ];
      const times = [row.createdAt, row.createdAt, revision, row.launchedAt, row.fulfilledAt];
      return insertOrder(...given, ...times, ...workColumns(row));
    },
    insertShipment: (row: Omit<ShipmentRow, 'id'>) =>
      insertShipment(row.orderId, row.shipmentNumber, row.shipmentnonce, ...workColumns(row)),
    /** Saves the fields that picking does not change. */
    saveDetails(row: OrderRow): void {
      const { id, priority, dueAt, customer, note, orderedAt, isPaid, color, updatedAt, revision } = row;
      saveDetails(priority, dueAt, customer, note, orderedAt, flagOf(isPaid), color, updatedAt, revision, id);
    },
    /** Finds the address of an order's customer as JSON, apart from the order, so that only callers who may read it get it. */
    findAddress: value<[id: number], string>('SELECT address FROM orders WHERE id = ?'),
    saveAddress: run<[address: string | null, id: number]>('UPDATE orders SET address = ? WHERE id = ?'),
    /** Records what happened to an order elsewhere, and whether somebody continues it. */
    setEndedElsewhere({
      id,
      endedElsewhere,
      isContinued,
    }: Pick<OrderRow, 'endedElsewhere' | 'isContinued' | 'id'>): void {
      setEndedElsewhere(endedElsewhere, isContinued ? 1 : 0, id);
    },
    /** Stores as JSON which lines ended elsewhere. Null means the whole order. */
    setEndedLines: (id: number, lines: string | null): void => setEndedLines(lines, id),
    /** Finds these lines. Undefined means the whole order. */
    findEndedLines: value<[id: number], string>('SELECT ended_lines FROM orders WHERE id = ?'),
    /** Sets when an order was last changed, for changes in other tables. */
    touch({ now, revision }: Change, id: number): void {
      touch(now, revision, id);
    },
    /**
     * Lists ended orders whose last change is in this range, oldest first. `hasWords` tells whether an order has a customer, a note or
     * another private field.
     */
    listEnded: list<
      [state: 'fulfilled' | 'aborted', updatedAt: number, id: number, before: number, limit: number],
      { id: number; updatedAt: number; hasWords: 0 | 1 }
    >(
      `SELECT id, updated_at AS updatedAt, (${WORDS.map((name) => `${name} IS NOT NULL`).join(' OR ')}) AS hasWords FROM orders INDEXED BY orders_ended
       WHERE state IN ('fulfilled', 'aborted') AND state = ? AND (updated_at, id) > (?, ?) AND updated_at < ?
       ORDER BY updated_at, id LIMIT ?`,
    ),
    /** Removes the customer, the note and the other private fields without changing `updated_at`. Does nothing if the order has changed since `updatedAt`. */
    removeWords: run<[id: number, updatedAt: number]>(
      `UPDATE orders SET ${WORDS.map((name) => `${name} = NULL`).join(', ')} WHERE id = ? AND updated_at = ?`,
    ),
    /** Finds the customer and the note of an order. Reading the whole row takes several times as long. */
    findWords: find<[id: number], OrderWords>('SELECT customer, note FROM orders WHERE id = ?'),
    /** Saves the fields that picking changes. `before` is the order as stored. */
    saveOrder(before: OrderRow, after: OrderRow): void {
      const { id, counts, isTold, state, updatedAt, revision, launchedAt, fulfilledAt, isStalled } = after;
      saveOrder(...countColumns(counts), isTold ? 1 : 0, updatedAt, revision, id);
      if (before.counts.zero !== counts.zero) setZeroCount(counts.zero, id);
      const isSame =
        before.state === state &&
        before.launchedAt === launchedAt &&
        before.fulfilledAt === fulfilledAt &&
        before.isStalled === isStalled;
      if (!isSame) setOrderState(state, launchedAt, fulfilledAt, isStalled ? 1 : 0, id);
    },
    saveShipment(before: ShipmentRow, { id, counts, isTold, state }: ShipmentRow): void {
      saveShipment(...countColumns(counts), isTold ? 1 : 0, id);
      if (before.state !== state) setShipmentState(state, id);
      if (before.counts.zero !== counts.zero) setZeroCountOfShipment(counts.zero, id);
    },
    /** Replaces the content of an order and removes its lines. */
    replace(id: number, row: NewOrderRow, { now, revision }: Change): void {
      removeItems(id);
      removeShipments(id);
      const {
        ordernonce,
        color,
        seconds,
        sound,
        hasItems,
        priority,
        dueAt,
        customer,
        note,
        orderedAt,
        isPaid,
        address,
        scanRequired,
        fulfilledAt,
      } = row;
      const given = [ordernonce, color, seconds, sound, hasItems ? 1 : 0, priority, dueAt, customer, note];
      replaceOrder(
        ...given,
        orderedAt,
        flagOf(isPaid),
        address,
        scanRequired === null ? null : Number(scanRequired),
        fulfilledAt,
        now,
        revision,
        ...workColumns(row),
        id,
      );
    },
    remove(id: number): void {
      removePickers(id);
      removeItems(id);
      removeShipments(id);
      removeOrder(id);
    },
  };
}

const flagOf = (flag: boolean | null): number | null => (flag === null ? null : Number(flag));

type Since = { since: number; afterRevision: number };

/** Whether an order changed at or after this time, and in a later commit than this one. */
export function isChangedSince(
  { updatedAt, revision }: Pick<OrderRow, 'updatedAt' | 'revision'>,
  { since = 0, afterRevision = -1 }: { since?: number | undefined; afterRevision?: number | undefined },
): boolean {
  return updatedAt >= since && revision > afterRevision;
}

function countColumns(counts: WorkCounts): number[] {
  const { items, done, short, active, unassigned, timedOut, unreachable, dismissed } = counts;
  const { unscanned, guessed, noStock, ordered, fulfilled } = counts;
  const waits = [unassigned, timedOut, unreachable, dismissed, unscanned, guessed, noStock];
  return [items, done, short, active, ...waits, ordered, fulfilled];
}

function workColumns({ state, isTold, counts }: Omit<Work, 'id'>): (string | number)[] {
  return [state, isTold ? 1 : 0, ...countColumns(counts), counts.zero];
}

function workOf(row: RawWork): Work {
  const { id, state, items, done, short, active, unassigned, timedOut, unreachable, dismissed } = row;
  const { unscanned, guessed, noStock, zero, ordered, fulfilled } = row;
  const waits = { unassigned, timedOut, unreachable, dismissed, unscanned, guessed, noStock };
  const counts = { items, done, short, active, ...waits, zero, ordered, fulfilled };
  return { id, state, isTold: row.isTold === 1, counts };
}

function fromOrder(row: RawOrder): OrderRow {
  const { orderNumber, token, ordernonce, color, seconds, sound, priority, dueAt } = row;
  const { createdAt, updatedAt, revision, launchedAt, fulfilledAt, customer, note, orderedAt } = row;
  const given = {
    orderNumber,
    token,
    ordernonce,
    color,
    seconds,
    sound,
    hasItems: row.hasItems === 1,
    priority,
    dueAt,
    customer,
    note,
    orderedAt,
    isPaid: row.isPaid === null ? null : row.isPaid === 1,
  };
  const scanRequired = row.scanRequired === null ? null : row.scanRequired === 1;
  const { pickers: listed } = row;
  const pickers = listed === '[]' ? [] : (JSON.parse(listed) as OrderPickerRow[]);
  const isStalled = row.isStalled === 1;
  const ended = { endedElsewhere: row.endedElsewhere, isContinued: row.isContinued === 1 };
  const times = { createdAt, updatedAt, revision, launchedAt, fulfilledAt };
  return { ...workOf(row), ...given, ...ended, scanRequired, ...times, isStalled, pickers };
}

function fromShipment(row: RawShipment): ShipmentRow {
  const { orderId, shipmentNumber, shipmentnonce } = row;
  return { ...workOf(row), orderId, shipmentNumber, shipmentnonce };
}
