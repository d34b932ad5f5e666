import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type {
  AnyImportRow,
  ImportArticleRow,
  ImportCounts,
  ImportEntry,
  ImportRowOutcome,
} from '#shared/api/imports.ts';
import type { Cell } from '#shared/api/map.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { MadeCell } from '../../domain/places/positions.ts';
import type { Db } from '../db.ts';
import { parseObject } from '../parseJson.ts';
import { storedJson } from '../storedJson.ts';
import type { GivenArticle } from './articles.ts';
import { mapped, statements } from './statements.ts';

type StoredImport = {
  id: number;
  kind: ImportEntry['kind'];
  source: ImportEntry['source'];
  name: string;
  state: ImportEntry['state'];
  at: number;
  by: string;
  counts: string;
  undone_at: number | null;
  can_redo: number;
};

/** An import without `undoable`, which changes with its orders or places. */
type StoredEntry = Omit<ImportEntry, 'undoable'>;

/** A page of the orders, articles or places of an import. */
type Page = { id: number; limit: number; offset: number };
type Undoable = { size: number; undoable: number };

/**
 * An order that an import created or changed. `before` is the order's previous content, null if the import created the order, or `damaged`
 * if the stored row cannot be read.
 */
export type ImportedOrder = {
  orderId: number;
  before: NewOrder | null | 'damaged';
  /** The imported content. Undefined if an earlier version imported the order. */
  after: NewOrder | undefined;
};

/** What somebody said about a place: whether it exists without goods and without a light, and a note. */
export type PlaceNote = { isMade: boolean; note: string };

/**
 * Changes from one line of a location file. `before` is null for a new alias. `renames` are the places that were renamed. `isDamaged` is true if the previous values cannot be read.
 */
export type ImportedPlace = {
  isDamaged?: boolean;
  alias: { id: number; after: NewLocationAlias; before: NewLocationAlias | null } | null;
  label: { deviceid: string; after: string; before: string } | null;
  named: { name: string; after: PlaceNote; before: PlaceNote } | null;
  articles: readonly GivenArticle[];
  renames: readonly PlaceRename[];
  cell: ImportedCell | null;
};

/** A change of the map from one line of a location file. `deviceid` is null if the line only created the cell of a place that waits. */
export type ImportedCell = { deviceid: string | null; before: Cell | null; after: Cell; made: MadeCell | null };

/** The changes that one use-case has written, by line of the file. */
export type ImportedPlaces = readonly { line: number; place: ImportedPlace }[];

type StoredPlace = {
  step: number;
  line: number;
  alias_id: number | null;
  name: string | null;
  alias_device: string | null;
  device_is: NewLocationAlias['deviceIs'] | null;
  label_device: string | null;
  label: string | null;
  before: string;
};

type StoredRow = { line: number; outcome: ImportRowOutcome; answer: string; kind: ImportEntry['kind'] };
const DAMAGED_ROW = 'What the station stored about this line is damaged. See the line in the file.';

/** SQL condition for undamaged rows. Damaged rows cannot be undone. */
const IS_WHOLE = "iif(json_valid(before), json_type(before, '$.alias') IS NOT NULL, FALSE)";
/** SQL condition for rows whose articles, if any, can be read. */
const HAS_ARTICLES = "NOT EXISTS (SELECT 1 FROM json_each(before, '$.articles') WHERE type <> 'object')";

const ENTRIES = `SELECT id, kind, source, name, state, at, done_by AS "by", counts, undone_at,
  EXISTS (SELECT 1 FROM import_undone WHERE import_id = imports.id) AS can_redo FROM imports`;

/**
 * Maximum number and age of the imports to keep. Other imports are deleted. As many more are kept while their undo can be undone, those that
 * were undone last.
 */
const KEPT = 50;
const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_PREVIEW_MS = 7 * DAY_MS;
/** How long an undo can be undone. */
const REDO_MS = 7 * DAY_MS;

/** Reads and writes imports of files, with their rows and what they created or changed. */
export function importRows(db: Db) {
  const { change, find, insert, insertInto, list, number, run, value, values } = statements(db);
  const byId = find<[id: number], StoredImport>(`${ENTRIES} WHERE id = ?`);
  const newest = list<[limit: number], StoredImport>(`${ENTRIES} ORDER BY id DESC LIMIT ?`);
  const lastOf = find<[by: string], StoredImport>(
    `${ENTRIES} WHERE done_by = ? AND state IN ('importing', 'imported')
       AND EXISTS (SELECT 1 FROM import_orders WHERE import_id = imports.id) ORDER BY id DESC LIMIT 1`,
  );
  // Untouched orders: not launched, not aborted by a person, and with nothing picked.
  const undoableOrders = find<[page: Page], Undoable>(
    `SELECT count(*) AS size, total(launched_at IS NULL AND (state <> 'aborted' OR ended_elsewhere IS NOT NULL) AND quantity_fulfilled = 0) AS undoable
     FROM (SELECT order_id FROM import_orders WHERE import_id = :id ORDER BY order_id LIMIT :limit OFFSET :offset)
       LEFT JOIN orders ON orders.id = order_id`,
  );
  // Same rules as for the undo: a created alias must be unchanged. For a changed alias, a value counts if it is still the imported one and
  // differs from the previous one; device and arrow count as one value.
  const undoablePlaces = find<[page: Page], Undoable>(
    `SELECT count(*) AS size, total(coalesce(
         CASE WHEN nameBefore IS NULL THEN hasName AND isPlaced
           ELSE hasName AND name <> nameBefore OR isPlaced AND (alias_device <> deviceBefore OR device_is <> isBefore) END, 0)
         OR coalesce(hasLabel, 0)
         OR EXISTS (SELECT 1 FROM named_places WHERE name_key = named ->> '$.key'
           AND is_made = named ->> '$.after.isMade' AND note = named ->> '$.after.note')
         OR EXISTS (SELECT 1 FROM json_each(given) JOIN article_places ON place_key = value ->> '$.key'
           AND article_id = coalesce((SELECT id FROM articles WHERE id = value ->> '$.id'),
             (SELECT id FROM articles WHERE sku_key = value ->> '$.skuKey')))
         OR cell IS NOT NULL AND (cell ->> '$.deviceid' IS NULL OR EXISTS (SELECT 1 FROM places WHERE device_id = cell ->> '$.deviceid'
           AND shelf_id = cell ->> '$.after.shelf' AND column_index = cell ->> '$.after.column'))) AS undoable
     FROM (SELECT made.name, alias_device, made.device_is, alias.name = made.name AS hasName,
         alias.device_id = alias_device AND alias.device_is = made.device_is AS isPlaced, device.label = made.label AS hasLabel,
         before ->> '$.alias.name' AS nameBefore, before ->> '$.alias.deviceid' AS deviceBefore,
         before ->> '$.alias.deviceIs' AS isBefore, before -> '$.named' AS named, before -> '$.cell' AS cell,
         iif(${HAS_ARTICLES}, before -> '$.articles', '[]') AS given
       FROM (SELECT * FROM import_places WHERE import_id = :id AND ${IS_WHOLE} ORDER BY step, line LIMIT :limit OFFSET :offset) AS made
         LEFT JOIN location_aliases AS alias ON alias.id = alias_id
         LEFT JOIN devices AS device ON device.device_id = label_device)`,
  );
  // Count the articles that still exist. If they have changed since, the undo itself reports that.
  const undoableArticles = find<[page: Page], Undoable>(
    `SELECT count(*) AS size, total(EXISTS (SELECT 1 FROM articles WHERE id = article_id)) AS undoable
     FROM (SELECT article_id FROM import_articles WHERE import_id = :id ORDER BY article_id LIMIT :limit OFFSET :offset)`,
  );
  const undoableOf = { orders: undoableOrders, articles: undoableArticles, locations: undoablePlaces };
  const lastOfLocations = find<[], StoredImport>(
    `${ENTRIES} WHERE kind = 'locations' AND EXISTS (SELECT 1 FROM import_places WHERE import_id = imports.id)
     ORDER BY id DESC LIMIT 1`,
  );
  const addPlace = insertInto<StoredPlace & { import_id: number }>(
    'import_places',
    'import_id, step, line, alias_id, name, alias_device, device_is, label_device, label, before',
  );
  const PLACES = `SELECT step, line, alias_id, name, alias_device, device_is, label_device, label, before FROM import_places
     WHERE import_id = ?`;
  const places = list<[id: number], StoredPlace>(`${PLACES} ORDER BY step DESC, line`);
  const placesOfStep = list<[id: number, step: number], StoredPlace>(`${PLACES} AND step = ? ORDER BY line`);
  const openOrders = values<[after: number, limit: number], number>(
    "SELECT id FROM orders WHERE state IN ('open', 'in_progress') AND id > ? ORDER BY id LIMIT ?",
  );
  const wantedPlaces = list<[order: number], Record<'place' | 'sku' | 'upc' | 'name', string | null>>(
    `SELECT warehouse_location AS place, sku, upc, name FROM items WHERE order_id = ? AND state IN ('open', 'active')`,
  );
  const stepPlaces = values<[], string>(
    `SELECT DISTINCT location FROM sequences JOIN steps ON sequence = sequences.id
     WHERE sequences.state <> 'completed' AND location IS NOT NULL`,
  );
  const add = insert<
    [kind: string, source: string, name: string, state: string, at: number, by: string, counts: string]
  >('INSERT INTO imports (kind, source, name, state, at, done_by, counts) VALUES (?, ?, ?, ?, ?, ?, ?)');
  const save = run<[state: string, counts: string, id: number]>(
    'UPDATE imports SET state = ?, counts = ? WHERE id = ?',
  );
  const finish = run<[counts: string, id: number]>(
    "UPDATE imports SET state = 'imported', counts = ?, file = NULL WHERE id = ?",
  );
  const setRow = run<[id: number, line: number, outcome: string, answer: string]>(
    'INSERT OR REPLACE INTO import_rows (import_id, line, outcome, answer) VALUES (?, ?, ?, ?)',
  );
  const rows = list<[page: { id: number; outcome: string | null; after: number; limit: number }], StoredRow>(
    `SELECT line, outcome, answer, (SELECT kind FROM imports WHERE id = :id) AS kind FROM import_rows WHERE import_id = :id AND line > :after AND (:outcome IS NULL OR outcome = :outcome)
     ORDER BY line LIMIT :limit`,
  );
  const addOrder = run<[id: number, orderId: number, before: string | null, after: string]>(
    'INSERT OR IGNORE INTO import_orders (import_id, order_id, before, after) VALUES (?, ?, ?, ?)',
  );
  const order = find<[id: number, orderId: number], { before: string | null; after: string | null }>(
    'SELECT before, after FROM import_orders WHERE import_id = ? AND order_id = ?',
  );
  const pruneUndone = run<[before: number]>(
    'DELETE FROM import_undone WHERE import_id IN (SELECT id FROM imports WHERE undone_at < ?)',
  );
  const file = value<[id: number], string>('SELECT file FROM imports WHERE id = ?');
  const setFile = run<[file: string, id: number]>('UPDATE imports SET file = ? WHERE id = ?');
  // The corrections of a preview are stored in a second line below its file.
  const setCorrections = run<[corrections: string, id: number]>(
    `UPDATE imports SET file = substr(file, 1, instr(file || char(10), char(10)) - 1) || char(10) || ? WHERE id = ?`,
  );
  const prune = change<[times: { keep: number; old: number; oldPreview: number; oldUndone: number }]>(
    `DELETE FROM imports WHERE at < :old OR state = 'preview' AND at < :oldPreview
       OR state <> 'importing' AND id <= coalesce((SELECT id FROM imports ORDER BY id DESC LIMIT 1 OFFSET :keep), 0)
         AND id NOT IN (SELECT id FROM imports WHERE undone_at >= :oldUndone
           AND EXISTS (SELECT 1 FROM import_undone WHERE import_id = imports.id) ORDER BY undone_at DESC LIMIT :keep)`,
  );

  const hasOld = number<[times: { old: number; oldPreview: number; oldUndone: number }]>(
    `SELECT EXISTS (SELECT 1 FROM imports WHERE at < :old OR state = 'preview' AND at < :oldPreview)
       OR EXISTS (SELECT 1 FROM imports JOIN import_undone ON import_id = imports.id WHERE undone_at < :oldUndone)`,
  );

  /** `mostMs` is how long the station keeps imports. It limits `redo_until`. */
  function entryOf(
    { undone_at: undoneAt, can_redo: canRedo, at, counts, ...row }: StoredImport,
    mostMs = Infinity,
  ): StoredEntry {
    const isUndone = row.state === 'undone' && undoneAt !== null;
    return {
      ...row,
      at: new Date(at).toISOString(),
      counts: countsIn(counts),
      undone_time: isUndone ? new Date(undoneAt).toISOString() : null,
      redo_until:
        isUndone && canRedo === 1
          ? new Date(Math.min(undoneAt + REDO_MS, at + Math.min(KEPT_MS, mostMs))).toISOString()
          : null,
    };
  }

  /** Returns the age limits: imports are kept for 30 days, previews for 7, and neither longer than `mostMs`. */
  const agesAt = (now: number, mostMs: number) => ({
    old: now - Math.min(KEPT_MS, mostMs),
    oldPreview: now - Math.min(KEPT_PREVIEW_MS, mostMs),
  });
  const oldUndoneAt = (now: number, mostMs: number): number => now - Math.min(REDO_MS, mostMs);
  function pruneAt(now: number, mostMs = Infinity): void {
    const oldUndone = oldUndoneAt(now, mostMs);
    prune({ keep: KEPT, ...agesAt(now, mostMs), oldUndone });
    pruneUndone(oldUndone);
  }

  return {
    prune: pruneAt,
    hasOld: (now: number, mostMs: number): boolean =>
      hasOld({ ...agesAt(now, mostMs), oldUndone: oldUndoneAt(now, mostMs) }) === 1,
    find: (id: number, mostMs?: number): StoredEntry | undefined => mapped(byId(id), (row) => entryOf(row, mostMs)),
    /** Lists imports, newest first. */
    list: (mostMs: number): StoredEntry[] => newest(KEPT).map((row) => entryOf(row, mostMs)),
    /** Finds the caller's last import that created or changed orders and has not been undone. */
    lastOf: (by: string): StoredEntry | undefined => mapped(lastOf(by), (row) => entryOf(row)),
    /** Adds an import, and deletes old ones. Returns the id. */
    add(made: Pick<ImportEntry, 'kind' | 'source' | 'name' | 'state' | 'by' | 'counts'> & { at: number }): number {
      pruneAt(made.at);
      return add(made.kind, made.source, made.name, made.state, made.at, made.by, JSON.stringify(made.counts));
    },
    remove: run<[id: number]>('DELETE FROM imports WHERE id = ?'),
    /** Finds the last import of a file with this name since `since`. */
    findOfFile: find<
      [kind: string, source: string, name: string, since: number],
      { id: number; state: ImportEntry['state'] }
    >(`SELECT id, state FROM imports WHERE kind = ? AND source = ? AND name = ? AND at >= ? ORDER BY id DESC LIMIT 1`),
    /** Returns how many orders, articles or places on this page an undo would change now. `size` is the number of rows on the page. */
    countUndoable: (id: number, kind: ImportEntry['kind'], part: Omit<Page, 'id'>): Undoable =>
      undoableOf[kind]({ id, ...part }) ?? { size: 0, undoable: 0 },
    save: (id: number, state: ImportEntry['state'], counts: ImportCounts): void =>
      save(state, JSON.stringify(counts), id),
    /** Completes an import. A preview no longer needs its file. */
    finish: (id: number, counts: ImportCounts): void => finish(JSON.stringify(counts), id),
    beginUndo: run<[at: number, id: number]>('UPDATE imports SET undone_at = ? WHERE id = ?'),
    setUndone: run<[at: number, id: number]>("UPDATE imports SET state = 'undone', undone_at = ? WHERE id = ?"),
    beginRedo: run<[id: number]>("UPDATE imports SET state = 'undone' WHERE id = ?"),
    setRedone: run<[id: number]>("UPDATE imports SET state = 'imported', undone_at = NULL WHERE id = ?"),
    /** Replaces the row of this line. */
    setRow: (id: number, row: AnyImportRow): void => setRow(id, row.line, row.outcome, JSON.stringify(row)),
    listRows: (
      id: number,
      page: { outcome: ImportRowOutcome | undefined; after: number; limit: number },
    ): AnyImportRow[] => rows({ id, ...page, outcome: page.outcome ?? null }).map(rowIn),
    /**
     * Records an order that the import created or changed. `before` is the content before the import, or null. Does nothing if the import
     * has already recorded this order.
     */
    addOrder: (id: number, orderId: number, { before, after }: { before: NewOrder | null; after: NewOrder }): void =>
      addOrder(id, orderId, before === null ? null : JSON.stringify(before), JSON.stringify(after)),
    /** Lists the ids of the orders that an import created or changed. */
    listOrderIds: values<[id: number], number>(
      'SELECT order_id FROM import_orders WHERE import_id = ? ORDER BY order_id',
    ),
    findOrder: (id: number, orderId: number): ImportedOrder | undefined =>
      mapped(order(id, orderId), ({ before, after }) => ({
        orderId,
        before:
          before === null ? null : ((storedJson('import_orders.before', before) as NewOrder | undefined) ?? 'damaged'),
        after: after === null ? undefined : (storedJson('import_orders.after', after) as NewOrder | undefined),
      })),
    /** Names the new id of an order that was created again, for every import. */
    renumberOrder: run<[next: number, orderId: number]>(
      'UPDATE import_orders SET order_id = ? WHERE order_id = ? AND import_id IN (SELECT id FROM imports)',
    ),
    /** Names the new id of an alias that was created again, for every import. */
    renumberAlias: run<[next: number, aliasId: number]>('UPDATE import_places SET alias_id = ? WHERE alias_id = ?'),
    /** Returns the id of a later import that created or changed an order and was not undone, if any. */
    findLaterOf: value<[{ id: number; orderId: number }], number>(
      `SELECT id FROM imports WHERE id > :id AND state <> 'undone'
       AND EXISTS (SELECT 1 FROM import_orders WHERE import_id = imports.id AND order_id = :orderId) LIMIT 1`,
    ),
    /** Returns the id of the last import that created or changed an order and was not undone, if any. */
    findLastOf: value<[orderId: number], number>(
      `SELECT id FROM imports WHERE state <> 'undone'
       AND EXISTS (SELECT 1 FROM import_orders WHERE import_id = imports.id AND order_id = ?) ORDER BY id DESC LIMIT 1`,
    ),
    /** Records a change from one line of a location file. `step` is the number of the use-case, starting at 0. */
    addPlace(
      id: number,
      step: number,
      line: number,
      { alias, label, named, articles, renames, cell }: ImportedPlace,
    ): void {
      addPlace({
        import_id: id,
        step,
        line,
        alias_id: alias?.id ?? null,
        name: alias?.after.name ?? null,
        alias_device: alias?.after.deviceid ?? null,
        device_is: alias?.after.deviceIs ?? null,
        label_device: label?.deviceid ?? null,
        label: label?.after ?? null,
        before: JSON.stringify({
          alias: alias?.before ?? null,
          label: label?.before ?? null,
          ...(named === null ? {} : { named: { ...named, key: nameKey(named.name) } }),
          ...(articles.length === 0
            ? {}
            : { articles: articles.map((each) => ({ ...each, key: nameKey(each.place), skuKey: nameKey(each.sku) })) }),
          ...(renames.length === 0 ? {} : { renames }),
          ...(cell === null ? {} : { cell }),
        }),
      });
    },
    /** Lists the changes grouped by use-case, last use-case first. */
    listPlaces: (id: number): ImportedPlaces[] =>
      [...Map.groupBy(places(id), ({ step }) => step).values()].map((rows) =>
        rows.map((row) => ({ line: row.line, place: placeOf(row) })),
      ),
    /** Lists the numbers of the use-cases, last one first. */
    listPlaceSteps: values<[id: number], number>(
      'SELECT DISTINCT step FROM import_places WHERE import_id = ? ORDER BY step DESC',
    ),
    /** Lists the changes that one use-case has written. */
    listPlacesOf: (id: number, step: number): ImportedPlaces =>
      placesOfStep(id, step).map((row) => ({ line: row.line, place: placeOf(row) })),
    /** Finds the last import of locations that changed something, by any caller, even if it has been undone. */
    lastOfLocations: (): StoredEntry | undefined => mapped(lastOfLocations(), (row) => entryOf(row)),
    /** Lists ids of open orders, in pages. */
    listOpenOrders: openOrders,
    /** Lists the texts of the order's open items that can match a place. */
    listWantedPlaces: (orderId: number): string[] =>
      wantedPlaces(orderId).flatMap(({ place, sku, upc, name }) =>
        [place, sku, upc, name].flatMap((each) => each ?? []),
      ),
    /** Lists the places named in steps of unfinished sequences. */
    listStepPlaces: stepPlaces,
    /** Returns the packed file of a preview, with its corrections as JSON, if any. Returns undefined if the import is not a preview. */
    findFile: (id: number): { bytes: Uint8Array; corrections: string | undefined } | undefined =>
      mapped(file(id), (text) => {
        const [packed = '', corrections] = text.split('\n', 2);
        return { bytes: Buffer.from(packed, 'base64'), corrections };
      }),
    setCorrections: (id: number, corrections: string): void => setCorrections(corrections, id),
    setFile: (id: number, bytes: Uint8Array): void => setFile(Buffer.from(bytes).toString('base64'), id),
    /** Returns the digest of the content when a file last created or changed the order, or undefined if no file did. */
    findDigest: value<[orderId: number], string>('SELECT import_digest FROM orders WHERE id = ?'),
    setDigest: run<[digest: string, orderId: number]>('UPDATE orders SET import_digest = ? WHERE id = ?'),
  };
}

/** Parses counts. Damaged counts become 0. */
function countsIn(text: string): ImportCounts {
  const counts = parseObject(text) as Readonly<Record<string, unknown>>;
  const countOf = (name: keyof ImportCounts): number => (Number.isSafeInteger(counts[name]) ? Number(counts[name]) : 0);
  return {
    orders: countOf('orders'),
    new: countOf('new'),
    changed: countOf('changed'),
    known: countOf('known'),
    held: countOf('held'),
    refused: countOf('refused'),
    left_out: countOf('left_out'),
  };
}

const NO_CONFLICT = { conflict: false };

const NO_MOVES = { ...NO_CONFLICT, note: '', article: '', rack: '', shelf: '', column: '', loses: '' };

const NO_FIGURES = {
  minimum: '',
  on_hand: '',
  level: null,
  level_before: null,
  stock: null,
  stock_before: null,
  stock_left_out: false,
  ...NO_CONFLICT,
  without_light: false,
} as const satisfies Partial<ImportArticleRow>;

function rowIn({ line, outcome, answer, kind }: StoredRow): AnyImportRow {
  const row = storedJson('import_rows.answer', answer) as AnyImportRow | undefined;
  // Earlier versions stored rows with fewer fields. Keep the order of the fields: rows are compared as JSON.
  const added = { articles: NO_FIGURES, locations: NO_MOVES, orders: NO_CONFLICT }[kind];
  if (row?.line === line) return { ...row, ...added, ...row };
  const damaged = { line, outcome, message: DAMAGED_ROW, name: '', ...NO_CONFLICT };
  if (kind === 'locations')
    return { ...damaged, deviceid: '', deviceIs: '', label: '', found_deviceid: null, ...NO_MOVES };
  if (kind === 'articles') return { ...damaged, ...NO_FIGURES, SKU: '', UPC: '', location: '' };
  return {
    ...damaged,
    order_number: '',
    shipment_number: '',
    SKU: '',
    UPC: '',
    ordered_quantity: '',
    quantity: null,
    warehouse_location: '',
    deviceid: null,
  };
}

type Before = {
  alias: NewLocationAlias | null;
  label: string | null;
  named?: NonNullable<ImportedPlace['named']>;
  articles?: ImportedPlace['articles'];
  renames?: ImportedPlace['renames'];
  cell?: ImportedCell;
};

function placeOf({
  alias_id: id,
  name,
  alias_device,
  device_is,
  label_device,
  label,
  before,
}: StoredPlace): ImportedPlace {
  const stored = storedJson('import_places.before', before) as Before | undefined;
  const was: Before = stored ?? { alias: null, label: null };
  const isAlias = id !== null && name !== null && alias_device !== null && device_is !== null;
  const isLabel = label_device !== null && label !== null;
  return {
    ...(stored === undefined ? { isDamaged: true } : {}),
    alias: isAlias ? { id, after: { name, deviceid: alias_device, deviceIs: device_is }, before: was.alias } : null,
    label: isLabel ? { deviceid: label_device, after: label, before: was.label ?? '' } : null,
    named: was.named ?? null,
    articles: was.articles ?? [],
    renames: was.renames ?? [],
    cell: was.cell ?? null,
  };
}
