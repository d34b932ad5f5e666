import { nameKey } from '#shared/lib/text/nameKey.ts';
import type {
  BatchContent,
  BatchState,
  HeldPieces,
  Held,
  PutConfirmation,
  Share,
  Slot,
} from '../../domain/batches/types.ts';
import type { FormerPicker } from '../../domain/orders/formerPickers.ts';
import type { Db } from '../db.ts';
import { KEEP_FORMER, parseFormer } from './formerPickers.ts';
import { statements } from './statements.ts';

/** A batch without its content. */
export type BatchRow = {
  id: number;
  mode: 'cart' | 'wall';
  /** The cart or wall whose slots the batch uses. */
  carrierId: number;
  carrierName: string;
  /** The cart onto which a batch for a wall is picked in bulk; null if there is none. */
  cartId: number | null;
  cartName: string | null;
  /** 1 if single-piece shipments go straight to packing, without a slot in the wall. */
  singles: 0 | 1;
  state: BatchState;
  putConfirmation: PutConfirmation;
  /** Name of the person who picks the batch; null if not assigned. */
  picker: string | null;
  color: string | null;
  /** The last pick; null if there is none, or if something else has been confirmed since. */
  lastPickId: number | null;
  /** Time of the last work on the batch. `isStalled` tells whether that is too long ago. */
  workedAt: number;
  isStalled: 0 | 1;
  createdAt: number;
  updatedAt: number;
};

/** A person who picks a batch. */
export type BatchPickerRow = { name: string; color: string };

/** A pick at a place. `deviceId` is the device that is lit, or null for a line without a device. */
export type BatchPickRow = {
  id: number;
  batchId: number;
  deviceId: string | null;
  target: string;
  alias: string;
  location: string;
  /** The place of the article; null if it has none. */
  place: string | null;
  /** The picker of this pick, if several people pick the batch; null for the picker of the batch. */
  picker: string | null;
};

/** Progress of a batch. `slots` is the number of occupied slots, and `waiting` the number of shipments without a slot. */
export type BatchCounts = Pick<BatchRow, 'id' | 'mode' | 'state'> & { name: string } & Record<
    'slots' | 'complete' | 'stopped' | 'waiting',
    number
  >;

type RawSlot = Pick<Slot, 'slot' | 'state' | 'tote'> & {
  orderId: number | null;
  orderNumber: string | null;
  shipmentId: number | null;
  shipmentNumber: string | null;
  freedAt: number | null;
  freedState: 'complete' | 'stopped' | null;
  freedBy: string | null;
};

/** A slot, a time, and a time span before and after it in milliseconds. */
type SlotAt = { batchId: number; slot: string; now: number; ms: number };

const STATE = "CASE is_sorting WHEN 1 THEN 'sorting' ELSE state END";
const BATCHES = `SELECT id, mode, carrier_id AS carrierId, carrier_name AS carrierName, cart_id AS cartId, cart_name AS cartName,
  has_singles AS singles, ${STATE} AS state, put_confirmation AS putConfirmation, picker, color, last_pick_id AS lastPickId,
  worked_at AS workedAt, is_stalled AS isStalled, created_at AS createdAt, updated_at AS updatedAt FROM batches`;
const PICKS =
  'SELECT id, batch_id AS batchId, device_id AS deviceId, target, alias, location, place, picker FROM batch_picks';
const SHARE_COLUMNS = [
  ['orderId', 'order_id'],
  ['orderNumber', 'order_number'],
  ['shipmentId', 'shipment_id'],
  ['shipmentNumber', 'shipment_number'],
  ['itemId', 'item_id'],
  ['slot', 'slot'],
  ['article', 'article'],
  ['quantity', 'quantity'],
  ['picked', 'picked'],
  ['put', 'put'],
  ['putBack', 'put_back'],
  ['ending', 'ending'],
  ['reason', 'reason'],
  ['pickId', 'pick_id'],
  ['found', 'found'],
  ['priority', 'priority'],
  ['dueAt', 'due_at'],
  ['ageAt', 'age_at'],
] as const satisfies readonly (readonly [keyof Share, string])[];

/** Reads and writes batches of orders with their slots, shares, pieces in hand and picks. */
export function batchRows(db: Db) {
  const { find, insert, list, run, value, values } = statements(db);
  const add = insert<[row: Omit<BatchRow, 'id'>]>(
    `INSERT INTO batches (mode, carrier_id, carrier_name, cart_id, cart_name, has_singles, state, put_confirmation, picker, color,
       last_pick_id, worked_at, is_stalled, created_at, updated_at)
     VALUES (:mode, :carrierId, :carrierName, :cartId, :cartName, :singles, :state, :putConfirmation, :picker, :color,
       :lastPickId, :workedAt, :isStalled, :createdAt, :updatedAt)`,
  );
  const change = run<[row: BatchRow & { now: number }]>(
    `UPDATE batches SET state = CASE :state WHEN 'sorting' THEN 'picking' ELSE :state END, is_sorting = :state = 'sorting', picker = :picker, ${KEEP_FORMER}, color = :color,
       last_pick_id = :lastPickId, worked_at = :workedAt, is_stalled = :isStalled, updated_at = :updatedAt WHERE id = :id`,
  );
  const former = value<[id: number], string>('SELECT former_pickers FROM batches WHERE id = ?');
  const formerOfPick = value<[id: number], string>('SELECT former_pickers FROM batch_picks WHERE id = ?');
  const slotsOf = list<[batchId: number], RawSlot>(
    `SELECT slot, state, tote, order_id AS orderId, order_number AS orderNumber, shipment_id AS shipmentId,
       shipment_number AS shipmentNumber, freed_at AS freedAt, freed_state AS freedState, freed_by AS freedBy
     FROM batch_slots WHERE batch_id = ? ORDER BY slot`,
  );
  const sharesOf = list<[batchId: number], Share>(
    `SELECT id, ${SHARE_COLUMNS.map(([name, column]) => `${column} AS ${name}`).join(', ')}
     FROM batch_shares WHERE batch_id = ? ORDER BY id`,
  );
  const handsOf = list<[batchId: number], HeldPieces>(
    'SELECT held_by AS by, share_id AS shareId, quantity FROM batch_hands WHERE batch_id = ? ORDER BY position',
  );
  const addSlot = run("INSERT INTO batch_slots (batch_id, slot, state) VALUES (?, ?, 'free')");
  const setSlot = run(
    `UPDATE batch_slots SET state = ?, order_id = ?, order_number = ?, shipment_id = ?, shipment_number = ?, tote = ?, tote_key = ?,
       freed_at = ?, freed_state = ?, freed_by = ? WHERE batch_id = ? AND slot = ?`,
  );
  const setShare = run<[row: Share & { batchId: number }]>(
    `INSERT INTO batch_shares (batch_id, id, ${SHARE_COLUMNS.map(([, column]) => column).join(', ')})
     VALUES (:batchId, :id, ${SHARE_COLUMNS.map(([name]) => `:${name}`).join(', ')})
     ON CONFLICT (batch_id, id) DO UPDATE SET ${SHARE_COLUMNS.map(([, column]) => `${column} = excluded.${column}`).join(', ')}`,
  );
  const scannedOf = list<[batchId: number], HeldPieces>(
    'SELECT held_by AS by, share_id AS shareId, quantity FROM batch_scanned WHERE batch_id = ? ORDER BY position',
  );
  const savedIn = (table: 'batch_hands' | 'batch_scanned') => {
    const remove = run<[batchId: number]>(`DELETE FROM ${table} WHERE batch_id = ?`);
    const add = run(`INSERT INTO ${table} (batch_id, position, held_by, share_id, quantity) VALUES (?, ?, ?, ?, ?)`);
    return (id: number, pieces: readonly HeldPieces[]): void => {
      remove(id);
      for (const [position, { by, shareId, quantity }] of pieces.entries()) add(id, position, by, shareId, quantity);
    };
  };
  const saveHands = savedIn('batch_hands');
  const saveScanned = savedIn('batch_scanned');
  const live = value<[carrierId: number], number>("SELECT id FROM batches WHERE carrier_id = ? AND state <> 'done'");
  const liveCart = value<[cartId: number], number>("SELECT id FROM batches WHERE cart_id = ? AND state <> 'done'");
  const tote = find<[key: string], { batchId: number; slot: string }>(
    `SELECT batch_id AS batchId, slot FROM batch_slots JOIN batches ON batches.id = batch_id
     WHERE tote_key = ? AND batch_slots.state <> 'free' AND batches.state <> 'done'`,
  );
  const holder = value<[itemId: number], number>(
    'SELECT batch_id FROM batch_orders JOIN items ON items.order_id = batch_orders.order_id WHERE items.id = ?',
  );
  const inSlots = value<[itemId: number], number>(
    `SELECT COALESCE(SUM(put), 0) FROM batches CROSS JOIN batch_shares AS shares ON shares.batch_id = batches.id
       JOIN batch_slots AS slots ON slots.batch_id = batches.id AND slots.slot = shares.slot
     WHERE batches.state <> 'done' AND shares.item_id = ? AND slots.state <> 'free'`,
  );
  const slotById = find<[id: number], { batchId: number; slot: string }>(
    'SELECT batch_id AS batchId, slot FROM batch_slots WHERE id = ?',
  );
  const slotId = value<[batchId: number, slot: string], number>(
    'SELECT id FROM batch_slots WHERE batch_id = ? AND slot = ?',
  );
  const page = list<
    [page: { state: BatchState | null; attention: 0 | 1; holder: string | null; before: number; limit: number }],
    BatchRow
  >(
    `${BATCHES} WHERE id < :before AND (:state IS NULL OR ${STATE} = :state) AND is_stalled >= :attention
       AND (:holder IS NULL OR state <> 'done'
         AND EXISTS (SELECT 1 FROM batch_hands WHERE batch_id = batches.id AND held_by = :holder))
     ORDER BY id DESC LIMIT :limit`,
  );
  const addPick = insert<[row: Omit<BatchPickRow, 'id'>]>(
    `INSERT INTO batch_picks (batch_id, device_id, target, alias, location, place, picker)
     VALUES (:batchId, :deviceId, :target, :alias, :location, :place, :picker)`,
  );
  const pickedBy = values<[of: { picker: string }], number>(
    `SELECT id FROM batches WHERE state = 'picking' AND is_sorting = 0
       AND (picker = :picker OR EXISTS (SELECT 1 FROM batch_pickers WHERE batch_id = batches.id AND name = :picker)) ORDER BY id`,
  );
  const removals = [
    ...[
      'hands',
      'scanned',
      'missing',
      'pickers',
      'left',
      'pressed',
      'already',
      'picks',
      'shares',
      'orders',
      'slots',
    ].map((part) => run<[batchId: number]>(`DELETE FROM batch_${part} WHERE batch_id = ?`)),
    run<[batchId: number]>('DELETE FROM batches WHERE id = ?'),
  ];
  const forgetMissing = run<[batchId: number, itemId: number]>(
    'DELETE FROM batch_missing WHERE batch_id = ? AND item_id = ?',
  );
  const forgetMissingAt = run<[batchId: number, itemId: number, placeKey: string]>(
    'DELETE FROM batch_missing WHERE batch_id = ? AND item_id = ? AND place_key = ?',
  );
  const forgetPressed = run<[of: { batchId: number; slot: string }]>(
    'DELETE FROM batch_pressed WHERE batch_id = :batchId AND slot = :slot',
  );
  const addAlready = run<[row: Omit<SlotAt, 'ms'> & { picker: string; quantity: number }]>(
    `INSERT INTO batch_already (batch_id, slot, picker, quantity, at) VALUES (:batchId, :slot, :picker, :quantity, :now)`,
  );
  const pruneAlready = run<[old: Omit<SlotAt, 'slot'>]>(
    'DELETE FROM batch_already WHERE batch_id = :batchId AND abs(:now - at) >= :ms',
  );
  const forgetPicked = run<[batchId: number, shareId: number]>(
    "DELETE FROM batch_pressed WHERE batch_id = ? AND slot = '' AND share_id = ?",
  );
  const forgetPick = run<[batchId: number, pickId: number]>(
    "DELETE FROM batch_pressed WHERE batch_id = ? AND slot = '' AND pick_id = ?",
  );
  const forgetPicksOf = run<[of: { batchId: number; shareId: number }]>(
    `DELETE FROM batch_pressed WHERE batch_id = :batchId AND slot = '' AND pick_id IN
       (SELECT pick_id FROM batch_pressed WHERE batch_id = :batchId AND slot = '' AND share_id = :shareId AND quantity > 0)`,
  );
  const forgetPressOf = run<[of: { batchId: number; shareId: number }]>(
    `DELETE FROM batch_pressed WHERE batch_id = :batchId AND slot IN
       (SELECT slot FROM batch_pressed WHERE batch_id = :batchId AND slot <> '' AND share_id = :shareId)`,
  );
  const addPressed = run<[row: HeldPieces & { batchId: number; slot: string; pickId: number | null }]>(
    `INSERT OR REPLACE INTO batch_pressed (batch_id, slot, share_id, pick_id, held_by, quantity)
     VALUES (:batchId, :slot, :shareId, :pickId, :by, :quantity)`,
  );
  const addLeft = run<[batchId: number, name: string]>(
    'INSERT OR IGNORE INTO batch_left (batch_id, name) VALUES (?, ?)',
  );
  const removeLeft = run<[batchId: number, name: string]>('DELETE FROM batch_left WHERE batch_id = ? AND name = ?');
  const removeHelpers = run<[batchId: number]>('DELETE FROM batch_pickers WHERE batch_id = ?');
  const addHelper = run<[batchId: number, position: number, name: string, color: string]>(
    'INSERT INTO batch_pickers (batch_id, position, name, color) VALUES (?, ?, ?, ?)',
  );

  return {
    find: find<[id: number], BatchRow>(`${BATCHES} WHERE id = ?`),
    /** Lists batches, newest first. */
    list: page,
    /** Lists batches that have not ended, walls first, oldest first. */
    listUnderWay: list<[], BatchCounts>(
      `SELECT batches.id, mode, carrier_name AS name, ${STATE.replaceAll(/\bstate\b/g, 'batches.state')} AS state,
         SUM(slots.state <> 'free') AS slots, SUM(slots.state = 'complete') AS complete, SUM(slots.state = 'stopped') AS stopped,
         (SELECT COUNT(DISTINCT shipment_id) FROM batch_shares
          WHERE batch_id = batches.id AND slot IS NULL AND ending IS NULL AND put < quantity) AS waiting
       FROM batches JOIN batch_slots AS slots ON slots.batch_id = batches.id
       WHERE batches.state <> 'done' GROUP BY batches.id ORDER BY mode DESC, batches.id`,
    ),
    /** Returns the id of the live batch that uses this cart or wall, including bulk picking onto the cart. */
    findLive: (carrierId: number): number | undefined => live(carrierId) ?? liveCart(carrierId),
    /** Returns the id of the live batch that uses the slots of this cart or wall. Excludes bulk picking onto the cart. */
    findLiveSlots: (carrierId: number): number | undefined => live(carrierId),
    /** Finds the slot of a live batch with this tote code. */
    findTote: (code: string) => (nameKey(code) === '' ? undefined : tote(nameKey(code))),
    /** Returns the id of the live batch with this order. */
    findOf: value<[orderId: number], number>('SELECT batch_id FROM batch_orders WHERE order_id = ?'),
    /** Finds the live batch with this order, the name of its cart or wall, and the order's slots, for history. */
    findPlaceOf: find<[orderId: number], { id: number; name: string; slot: string | null }>(
      `SELECT batches.id, carrier_name AS name,
         (SELECT group_concat(slot, ', ') FROM batch_slots WHERE batch_id = batches.id AND batch_slots.order_id = batch_orders.order_id
          AND batch_slots.state <> 'free') AS slot
       FROM batch_orders JOIN batches ON batches.id = batch_id WHERE batch_orders.order_id = ?`,
    ),
    /** Whether a live batch has this item's order. */
    hasItem: (itemId: number): boolean => holder(itemId) !== undefined,
    /** Returns the number of pieces of an item in slots of live batches, including batches that no longer have its order. */
    countInSlots: (itemId: number): number => inSlots(itemId) ?? 0,
    /** Lists live batches with pieces of this item to put back. */
    listPutBack: values<[itemId: number], number>(
      `SELECT DISTINCT batches.id FROM batches CROSS JOIN batch_shares ON batch_id = batches.id
       WHERE batches.state <> 'done' AND item_id = ? AND put_back > 0 ORDER BY batches.id`,
    ),
    /** Lists live batches with pieces of this order to put back, even after the order has been deleted. */
    listPutBackOf: list<[orderNumber: string], Pick<BatchRow, 'id' | 'state'>>(
      `SELECT DISTINCT batches.id, ${STATE} AS state FROM batches CROSS JOIN batch_shares ON batch_id = batches.id
       WHERE batches.state <> 'done' AND order_number = ? AND put_back > 0 ORDER BY batches.id`,
    ),
    /**
     * Lists batches that this person is picking, alone or with others. Excludes batches that are sorted, because everybody sorts at a wall.
     */
    listPickedBy: (picker: string): number[] => pickedBy({ picker }),
    /** Lists batches whose places are lit. */
    listPicking: values<[], number>("SELECT id FROM batches WHERE state = 'picking' AND is_sorting = 0 ORDER BY id"),
    /** Lists live batches. */
    listLive: values<[], number>("SELECT id FROM batches WHERE state <> 'done' ORDER BY id"),
    /** Lists launched batches that are not stalled. */
    listWorked: list<[], BatchRow>(`${BATCHES} WHERE state = 'picking' AND is_stalled = 0 ORDER BY id`),
    /** Lists people who joined the picker of a batch, in the order in which they joined. */
    listHelpers: list<[batchId: number], BatchPickerRow>(
      'SELECT name, color FROM batch_pickers WHERE batch_id = ? ORDER BY position',
    ),
    setHelpers(id: number, helpers: readonly BatchPickerRow[]): void {
      removeHelpers(id);
      for (const [position, { name, color }] of helpers.entries()) addHelper(id, position, name, color);
    },
    /** Lists people who left a batch and have not continued since. */
    listLeft: values<[batchId: number], string>('SELECT name FROM batch_left WHERE batch_id = ? ORDER BY name'),
    setLeft: (batchId: number, name: string, hasLeft: boolean): void => (hasLeft ? addLeft : removeLeft)(batchId, name),
    /** Lists live batches without a picker in which this person holds pieces. */
    listHeldBy: values<[name: string], number>(
      `SELECT DISTINCT batches.id FROM batches CROSS JOIN batch_hands ON batch_id = batches.id
       WHERE batches.state <> 'done' AND picker IS NULL AND held_by = ? ORDER BY batches.id`,
    ),
    listOrders: values<[batchId: number], number>(
      'SELECT order_id FROM batch_orders WHERE batch_id = ? ORDER BY order_id',
    ),
    hold: run<[orderId: number, batchId: number]>('INSERT INTO batch_orders (order_id, batch_id) VALUES (?, ?)'),
    release: run<[orderId: number]>('DELETE FROM batch_orders WHERE order_id = ?'),
    /** Returns the id. */
    insert(row: Omit<BatchRow, 'id'>, slots: readonly string[]): number {
      const id = add(row);
      for (const slot of slots) addSlot(id, slot);
      return id;
    },
    /** Returns the id of the finished batch that has been unchanged for longest, if it last changed before this time. */
    findEnded: value<[before: number], number>(
      "SELECT id FROM batches WHERE state = 'done' AND updated_at < ? ORDER BY updated_at, id LIMIT 1",
    ),
    remove(id: number): void {
      for (const removal of removals) removal(id);
    },
    update: (row: BatchRow, now: number): void => change({ ...row, now }),
    /** Reads the content of a batch, in the form that the domain rules need. */
    read: ({ id, mode, cartId, state, putConfirmation }: BatchRow): BatchContent => ({
      kind: cartId === null ? mode : 'bulk',
      state,
      putConfirmation,
      slots: slotsOf(id).map(fromSlot),
      shares: sharesOf(id),
      hands: handsOf(id),
      scanned: scannedOf(id),
    }),
    /** Writes the differences between `before` and `after`. */
    save(id: number, before: BatchContent, after: BatchContent): void {
      const was = new Set<Slot | Share>([...before.slots, ...before.shares]);
      for (const slot of after.slots) {
        if (was.has(slot)) continue;
        const { held, tote: code, freed } = slot;
        const of = [held?.orderId, held?.orderNumber, held?.shipmentId, held?.shipmentNumber].map(
          (each) => each ?? null,
        );
        const key = code === null ? null : nameKey(code);
        const freeing = [freed?.at ?? null, freed?.state ?? null, freed?.by ?? null];
        setSlot(slot.state, ...of, code, key, ...freeing, id, slot.slot);
      }
      for (const share of after.shares) if (!was.has(share)) setShare({ ...share, batchId: id });
      if (before.hands !== after.hands) saveHands(id, after.hands);
      if (before.scanned !== after.scanned) saveScanned(id, after.scanned);
    },
    /** Finds the slot with this id. Its light is stored under the same id. */
    findSlot: (id: number) => slotById(id),
    findSlotId: (batchId: number, slot: string): number | undefined => slotId(batchId, slot),
    insertPick: (row: Omit<BatchPickRow, 'id'>): number => addPick(row),
    findPick: find<[id: number], BatchPickRow>(`${PICKS} WHERE id = ?`),
    listPicks: list<[batchId: number], BatchPickRow>(`${PICKS} WHERE batch_id = ? ORDER BY id`),
    /** Lists the keys of places where pieces of an item were missing. */
    listMissing: values<[batchId: number, itemId: number], string>(
      'SELECT place_key FROM batch_missing WHERE batch_id = ? AND item_id = ? ORDER BY place_key',
    ),
    addMissing: run<[batchId: number, itemId: number, placeKey: string]>(
      'INSERT OR IGNORE INTO batch_missing (batch_id, item_id, place_key) VALUES (?, ?, ?)',
    ),
    /** Removes what `addMissing` stored for an item, at one place or at all places. */
    removeMissing(batchId: number, itemId: number, placeKey?: string): void {
      if (placeKey === undefined) forgetMissing(batchId, itemId);
      else forgetMissingAt(batchId, itemId, placeKey);
    },
    /** Stores what a press or a confirmation booked: at a slot, or at the place of `pickId` if `slot` is empty. Replaces the previous one there. */
    setPressed(at: { batchId: number; slot: string; pickId: number | null }, pieces: readonly HeldPieces[]): void {
      if (at.pickId === null) forgetPressed({ batchId: at.batchId, slot: at.slot });
      else forgetPick(at.batchId, at.pickId);
      for (const piece of pieces) addPressed({ ...piece, ...at });
    },
    /** Lists what the last press at a slot put. */
    listPressed: list<[batchId: number, slot: string], HeldPieces>(
      'SELECT held_by AS by, share_id AS shareId, quantity FROM batch_pressed WHERE batch_id = ? AND slot = ? ORDER BY share_id',
    ),
    /** Lists what the last confirmation of this share booked, including this share. */
    listPickedWith: list<[of: { batchId: number; shareId: number }], HeldPieces>(
      `SELECT held_by AS by, share_id AS shareId, quantity FROM batch_pressed WHERE batch_id = :batchId AND slot = '' AND pick_id =
         (SELECT pick_id FROM batch_pressed WHERE batch_id = :batchId AND slot = '' AND share_id = :shareId) ORDER BY share_id`,
    ),
    /** Records a press that put this person's pieces while others held pieces for the slot. Forgets records older than `ms`. */
    addAlready({ ms, ...row }: SlotAt & { picker: string; quantity: number }): void {
      pruneAlready({ batchId: row.batchId, now: row.now, ms });
      addAlready(row);
    },
    /** Lists whose pieces such presses have put into a slot in the last `ms`, and how many. */
    listAlready: list<[at: SlotAt], { picker: string; quantity: number }>(
      `SELECT picker, sum(quantity) AS quantity FROM batch_already WHERE batch_id = :batchId AND slot = :slot AND abs(:now - at) < :ms
       GROUP BY picker ORDER BY min(rowid)`,
    ),
    /** Forgets these presses at a slot. Call it when pieces or the order leave the slot. */
    forgetAlready: run<[batchId: number, slot: string]>('DELETE FROM batch_already WHERE batch_id = ? AND slot = ?'),
    forgetPressed: (batchId: number, slot: string): void => forgetPressed({ batchId, slot }),
    /** Forgets the presses at slots that put pieces of this share. */
    forgetPressOf: (batchId: number, shareId: number): void => forgetPressOf({ batchId, shareId }),
    /** Changes how many pieces of a share its last confirmation booked. */
    setPicked: run<[quantity: number, batchId: number, shareId: number]>(
      "UPDATE batch_pressed SET quantity = ? WHERE batch_id = ? AND slot = '' AND share_id = ?",
    ),
    forgetPicked: (batchId: number, shareId: number): void => forgetPicked(batchId, shareId),
    /** Forgets the last confirmation that booked pieces of this share. */
    forgetPicksOf: (batchId: number, shareId: number): void => forgetPicksOf({ batchId, shareId }),
    setPickPicker: run<[pick: { picker: string | null; id: number; now: number }]>(
      `UPDATE batch_picks SET picker = :picker, ${KEEP_FORMER} WHERE id = :id`,
    ),
    /** Lists the pickers that a batch, or one of its picks, had before the current one. */
    listFormerPickers: (id: number): readonly FormerPicker[] => parseFormer(former(id) ?? null),
    listFormerPickersOfPick: (id: number): readonly FormerPicker[] => parseFormer(formerOfPick(id) ?? null),
    movePick: run<[moved: Omit<BatchPickRow, 'batchId'> & { now: number }]>(
      `UPDATE batch_picks SET device_id = :deviceId, target = :target, alias = :alias, location = :location, place = :place, picker = :picker,
           ${KEEP_FORMER}
         WHERE id = :id`,
    ),
    setPickNames: run<[names: { id: number; location: string; place: string | null }]>(
      'UPDATE batch_picks SET location = :location, place = :place WHERE id = :id',
    ),
    setPickDevice: run<[deviceId: string, id: number]>('UPDATE batch_picks SET device_id = ? WHERE id = ?'),
  };
}

function fromSlot({ slot, state, tote, freedAt, freedState, freedBy, ...row }: RawSlot): Slot {
  const { orderId, orderNumber, shipmentId, shipmentNumber } = row;
  const held: Held | null =
    orderId === null || orderNumber === null || shipmentId === null || shipmentNumber === null
      ? null
      : { orderId, orderNumber, shipmentId, shipmentNumber };
  const freed = freedAt === null || freedState === null ? null : { at: freedAt, by: freedBy ?? '', state: freedState };
  return { slot, state, held, tote, freed };
}
