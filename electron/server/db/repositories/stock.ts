import type { LeftAsked, MovementKind } from '#shared/api/stock.ts';
import type { Db } from '../db.ts';
import { MATCHES_TEXT } from './articles.ts';
import { mapped, statements } from './statements.ts';

/** A place of an article with its stock. */
export type ArticlePlaceRow = {
  articleId: number;
  placeKey: string;
  place: string;
  position: number;
  priority: number | null;
  minimum: number | null;
  maximum: number | null;
  /** Number of pieces; null if not counted. */
  onHand: number | null;
  isEmpty: boolean;
  /** Id of the last movement at this place; null if there is none. */
  movementId: number | null;
  /** When the place was last counted or found empty; null if never. */
  countedAt: number | null;
};

/** Pieces that unfinished lines still need. `placeKey` is null before a place is assigned. */
export type AllocatedRow = { articleId: number; placeKey: string | null; allocated: number };

/** A line that has not taken its article yet. `rest` is the number of pieces that are still to be picked. */
type WaitingRow = { sku: string | null; upc: string | null; name: string | null; rest: number };

export type MovementRow = {
  id: number;
  at: number;
  kind: MovementKind;
  articleId: number;
  place: string;
  placeKey: string;
  deviceId: string;
  delta: number;
  /** Pieces at the place after the movement; null if not counted, or if the place is not assigned to the article. */
  onHand: number | null;
  sku: string;
  orderNumber: string | null;
  shipmentNumber: string | null;
  itemId: number | null;
  ordered: number | null;
  fulfilled: number | null;
  reason: string;
  picker: string;
  doneBy: string;
  nonce: string;
  /** Key with which a caller posted the movement; null if it has none. */
  key: string | null;
};

/** `keyCaller` is whose key it is, null for a movement that only shows the key. `asked` is what was posted, as JSON. */
/** A question to the person who picked, stored with the movement of the pick. `answeredAt` is null until somebody answers. */
export type QuestionRow = Pick<MovementRow, 'id' | 'at' | 'articleId' | 'placeKey' | 'picker' | 'doneBy'> & {
  answeredAt: number | null;
};

type NewMovementRow = Omit<MovementRow, 'id'> & { keyCaller: string | null; asked: string | null };

/** Filter for a page of movements. Null matches any movement. */
export type MovementPage = {
  after: number;
  limit: number;
  articleId: number | null;
  placeKey: string | null;
  orderNumber: string | null;
  kind: MovementKind | null;
  from: number | null;
  to: number | null;
};

export type StockPage = {
  articleId: number | null;
  placeKey: string | null;
  /** A lowercase key; null matches any article. */
  q: string | null;
  isBelowMinimum: 0 | 1;
  isToReorder: 0 | 1;
  isNegative: 0 | 1;
  afterSku: string;
  afterPlace: string;
  limit: number;
};

/** The keys of a renamed place, and its new name. */
export type RenamedKey = { from: string; to: string; place: string };

/** Pieces that were taken from a place. */
type TakenRow = { place: string; quantity: number };

export type SourceRow = { articleId: number; place: string; placeKey: string; quantity: number };

/** Stock at an article's place, and who reported the place as empty. `foundAt` is null if nobody has reported it. */
export type ShownStockRow = Pick<ArticlePlaceRow, 'articleId' | 'placeKey' | 'onHand'> & {
  foundAt: number | null;
  picker: string | null;
  doneBy: string | null;
};

/** A place that was reported as empty because an item was short. */
export type EmptiedRow = {
  itemId: number;
  articleId: number;
  placeKey: string;
  movementId: number;
  onHand: number | null;
  wasEmpty: boolean;
};

type Raw<Row, Flag extends keyof Row> = Omit<Row, Flag> & { [flag in Flag]: 0 | 1 };

const PLACES = `SELECT article_id AS articleId, place_key AS placeKey, place, position, priority, minimum, maximum, on_hand AS onHand,
  is_empty AS isEmpty, movement_id AS movementId, counted_at AS countedAt FROM article_places`;
const MOVEMENTS = `SELECT id, at, kind, article_id AS articleId, place, place_key AS placeKey, device_id AS deviceId, delta, on_hand AS onHand,
  sku, order_number AS orderNumber, shipment_number AS shipmentNumber, item_id AS itemId, ordered, fulfilled, reason, picker,
  done_by AS doneBy, nonce, key FROM movements`;
const MOVEMENTS_WITH_ASKED = MOVEMENTS.replace('key FROM', 'key, asked FROM');
const QUESTIONS = `SELECT id, at, article_id AS articleId, place_key AS placeKey, picker, done_by AS doneBy, answered_at AS answeredAt
  FROM movements WHERE question IS NOT NULL`;
const FILTER = `id > :after AND (:placeKey IS NULL OR place_key = :placeKey) AND (:kind IS NULL OR kind = :kind)
  AND (:from IS NULL OR at >= :from) AND (:to IS NULL OR at < :to)`;

/** Reads and writes article places, their stock, and stock movements. */
export function stockRows(db: Db) {
  const { find, list, run, insert, value } = statements(db);
  const place = find<[articleId: number, placeKey: string], Raw<ArticlePlaceRow, 'isEmpty'>>(
    `${PLACES} WHERE article_id = ? AND place_key = ?`,
  );
  const placesOf = list<[ids: string], Raw<ArticlePlaceRow, 'isEmpty'>>(
    `${PLACES} WHERE article_id IN (SELECT value FROM json_each(?)) ORDER BY article_id, priority IS NULL, priority, position`,
  );
  const placesAt = list<[placeKey: string], Raw<ArticlePlaceRow, 'isEmpty'>>(
    `${PLACES} WHERE place_key = ? ORDER BY article_id`,
  );
  const insertPlace = run(
    `INSERT INTO article_places (article_id, place_key, place, position, priority, minimum, maximum) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET place = excluded.place, position = excluded.position, priority = excluded.priority,
       minimum = excluded.minimum, maximum = excluded.maximum`,
  );
  const setStock = run(
    'UPDATE article_places SET on_hand = ?, is_empty = ?, movement_id = ?, counted_at = ? WHERE article_id = ? AND place_key = ?',
  );
  const insertMovement = insert<[row: NewMovementRow]>(
    `INSERT INTO movements (at, kind, article_id, place, place_key, device_id, delta, on_hand, sku, order_number, shipment_number, item_id,
       ordered, fulfilled, reason, picker, done_by, nonce, key, key_caller, asked)
     VALUES (:at, :kind, :articleId, :place, :placeKey, :deviceId, :delta, :onHand, :sku, :orderNumber, :shipmentNumber, :itemId,
       :ordered, :fulfilled, :reason, :picker, :doneBy, :nonce, :key, :keyCaller, :asked)`,
  );
  const page = list<[page: MovementPage], MovementRow>(`${MOVEMENTS} WHERE ${FILTER} ORDER BY id LIMIT :limit`);
  const pageOfArticle = list<[page: MovementPage], MovementRow>(
    `${MOVEMENTS} WHERE article_id = :articleId AND ${FILTER} ORDER BY id LIMIT :limit`,
  );
  const pageOfOrder = list<[page: MovementPage], MovementRow>(
    `${MOVEMENTS} WHERE order_number = :orderNumber AND (:articleId IS NULL OR article_id = :articleId) AND ${FILTER}
     ORDER BY id LIMIT :limit`,
  );
  const stock = list<[page: StockPage], Raw<ArticlePlaceRow, 'isEmpty'>>(
    `SELECT article_places.article_id AS articleId, place_key AS placeKey, place, position, priority, minimum, maximum,
       on_hand AS onHand, is_empty AS isEmpty, movement_id AS movementId, counted_at AS countedAt
     FROM article_places JOIN articles ON articles.id = article_id
     WHERE is_active = 1 AND (:articleId IS NULL OR article_id = :articleId) AND (:placeKey IS NULL OR place_key = :placeKey)
       AND (:isBelowMinimum = 0 OR on_hand <= minimum) AND (:isNegative = 0 OR on_hand < 0)
       AND (:isToReorder = 0 OR minimum IS NOT NULL AND (on_hand IS NULL OR on_hand <= minimum)) AND ${MATCHES_TEXT}
       AND (sku_key, place_key) > (:afterSku, :afterPlace)
     ORDER BY sku_key, place_key LIMIT :limit`,
  );
  const removeSources = run<[itemId: number]>('DELETE FROM item_sources WHERE item_id = ?');
  const insertSource = run(
    'INSERT INTO item_sources (item_id, position, article_id, place, place_key, quantity) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const emptied = list<[itemId: number], Raw<EmptiedRow, 'wasEmpty'>>(
    `SELECT item_id AS itemId, article_id AS articleId, place_key AS placeKey, movement_id AS movementId, on_hand AS onHand,
       was_empty AS wasEmpty FROM emptied_places WHERE item_id = ? ORDER BY movement_id`,
  );
  const insertEmptied = run(
    `INSERT OR REPLACE INTO emptied_places (item_id, article_id, place_key, movement_id, on_hand, was_empty) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const FROM = "SELECT value ->> 'from' FROM json_each(:renamed)";
  const named = (field: string, key: string): string =>
    `(SELECT value ->> '${field}' FROM json_each(:renamed) WHERE value ->> 'from' = ${key})`;
  const setNames = (hasName: boolean, key: string): string =>
    `${hasName ? `place = ${named('place', key)}, ` : ''}place_key = ${named('to', key)}`;
  // Where a place may occur only once, the keys first get a mark, so that names can be exchanged.
  const rename = [
    { table: 'article_places', hasName: true, isUnique: true },
    { table: 'items', hasName: true, isUnique: false },
    { table: 'item_sources', hasName: true, isUnique: false },
    { table: 'emptied_places', hasName: false, isUnique: true },
    { table: 'batch_missing', hasName: false, isUnique: true },
  ].flatMap(({ table, hasName, isUnique }) => {
    type Renamed = [renamed: { renamed: string }];
    if (!isUnique)
      return [run<Renamed>(`UPDATE ${table} SET ${setNames(hasName, 'place_key')} WHERE place_key IN (${FROM})`)];
    return [
      run<Renamed>(`UPDATE ${table} SET place_key = char(10) || place_key WHERE place_key IN (${FROM})`),
      run<Renamed>(
        `UPDATE ${hasName ? '' : 'OR REPLACE '}${table} SET ${setNames(hasName, 'substr(place_key, 2)')} WHERE place_key >= char(10) AND place_key < char(11)`,
      ),
    ];
  });
  const waiting = list<[named: { codes: string; names: string }], WaitingRow>(
    `SELECT sku, upc, name, max(0, ordered_quantity - quantity_fulfilled) AS rest FROM items WHERE id IN (
       SELECT id FROM items WHERE article_id IS NULL AND state = 'open' AND sku IS NOT NULL
         AND sku COLLATE NOCASE IN (SELECT value FROM json_each(:codes))
       UNION SELECT id FROM items WHERE article_id IS NULL AND state = 'open' AND upc IS NOT NULL
         AND upc COLLATE NOCASE IN (SELECT value FROM json_each(:codes))
       UNION SELECT id FROM items WHERE article_id IS NULL AND state = 'open' AND name IS NOT NULL
         AND name COLLATE NOCASE IN (SELECT value FROM json_each(:names)))
     AND EXISTS (SELECT 1 FROM orders WHERE orders.id = order_id AND orders.state <> 'aborted')`,
  );
  const release = run<[articleId: number]>('UPDATE items SET article_id = NULL WHERE article_id = ?');
  const forgetSources = run<[articleId: number]>('DELETE FROM item_sources WHERE article_id = ?');
  const forgetEmptied = run<[articleId: number]>('DELETE FROM emptied_places WHERE article_id = ?');

  return {
    findPlace: (articleId: number, placeKey: string) => mapped(place(articleId, placeKey), fromPlace),
    /** Lists the places of these articles (ids as JSON), sorted by priority. */
    listPlaces: (ids: string): ArticlePlaceRow[] => placesOf(ids).map(fromPlace),
    /** Lists the stock at the places of these articles (ids as JSON), to show with lines. */
    listShown: list<[ids: string], ShownStockRow>(
      `SELECT article_places.article_id AS articleId, article_places.place_key AS placeKey, article_places.on_hand AS onHand,
         at AS foundAt, picker, done_by AS doneBy
       FROM article_places LEFT JOIN movements ON movements.id = movement_id AND kind = 'short' AND reason = 'missing'
         AND (article_places.on_hand <= 0 OR is_empty = 1)
       WHERE article_places.article_id IN (SELECT value FROM json_each(?))`,
    ),
    /** Lists the names of all article places. */
    listPlaceNames: list<[], { place: string }>('SELECT DISTINCT place FROM article_places ORDER BY place_key'),
    /** Lists the articles at each place by SKU. */
    listPlaceSkus: list<[], { placeKey: string; sku: string }>(
      `SELECT place_key AS placeKey, sku FROM article_places JOIN articles ON articles.id = article_id ORDER BY place_key, sku_key`,
    ),
    /** Lists the counted places of active articles. */
    listLevels: list<[], { place: string; isEmpty: 0 | 1; isLow: 0 | 1 }>(
      `SELECT place, on_hand <= 0 AS isEmpty, minimum IS NOT NULL AND on_hand <= minimum AS isLow
       FROM article_places JOIN articles ON articles.id = article_id WHERE on_hand IS NOT NULL AND is_active = 1
       ORDER BY place_key, article_id`,
    ),
    /** Lists the articles at this place. */
    listAt: (placeKey: string): ArticlePlaceRow[] => placesAt(placeKey).map(fromPlace),
    /** Adds or changes a place, without its stock. */
    savePlace: (row: Omit<ArticlePlaceRow, 'onHand' | 'isEmpty' | 'movementId' | 'countedAt'>): void =>
      insertPlace(row.articleId, row.placeKey, row.place, row.position, row.priority, row.minimum, row.maximum),
    removePlace: run<[articleId: number, placeKey: string]>(
      'DELETE FROM article_places WHERE article_id = ? AND place_key = ?',
    ),
    /** Sets the stock at a place. Call only from the ledger. */
    setStock: ({ articleId, placeKey, onHand, isEmpty, movementId, countedAt }: ArticlePlaceRow): void =>
      setStock(onHand, isEmpty ? 1 : 0, movementId, countedAt, articleId, placeKey),
    /** Sets when the place was last counted, ignoring a movement that found it empty but was reverted. */
    restoreCountedAt: run<[reverted: { articleId: number; placeKey: string; movementId: number }]>(
      `UPDATE article_places SET counted_at = (SELECT max(at) FROM movements WHERE movements.article_id = article_places.article_id
         AND movements.place_key = article_places.place_key AND movements.id <> :movementId
         AND (kind IN ('count', 'import') OR (kind = 'short' AND reason = 'missing')))
       WHERE article_id = :articleId AND place_key = :placeKey`,
    ),
    /**
     * Returns the pieces that open lines of these articles (ids as JSON) still need. Excludes corrected lines of an aborted order, which
     * are open but not picked, and pieces that are short in a batch, whose line ends only when the other pieces are put.
     */
    listAllocated: list<[ids: string], AllocatedRow>(
      `SELECT article_id AS articleId, place_key AS placeKey, sum(max(0, ordered_quantity - quantity_fulfilled
         - COALESCE((SELECT SUM(quantity - picked) FROM batch_shares WHERE batch_shares.item_id = items.id AND ending = 'short'
             AND batch_id = (SELECT batch_id FROM batch_orders WHERE batch_orders.order_id = items.order_id)), 0))) AS allocated
       FROM items WHERE article_id IN (SELECT value FROM json_each(?)) AND article_id IS NOT NULL AND state IN ('open', 'active')
         AND EXISTS (SELECT 1 FROM orders WHERE orders.id = order_id AND orders.state <> 'aborted')
       GROUP BY article_id, place_key`,
    ),
    /** Lists waiting lines that name an article by one of these codes or names (as JSON), with the pieces that are still to be picked. */
    listWaiting: (codes: string, names: string): WaitingRow[] => waiting({ codes, names }),
    /** Renames places (`RenamedKey` as JSON) in articles, in items, and in the records of picked and missing pieces. */
    renamePlaces(renamed: string): void {
      for (const change of rename) change({ renamed });
    },
    /** Lists up to five orders with open lines of this article. */
    listOpenOrders: list<[article: { id: number; sku: string }], { orderNumber: string }>(
      `SELECT DISTINCT order_number AS orderNumber FROM orders JOIN items ON order_id = orders.id
       WHERE items.id IN (SELECT id FROM items WHERE article_id = :id AND article_id IS NOT NULL AND state IN ('open', 'active')
         UNION SELECT id FROM items WHERE sku = :sku COLLATE NOCASE AND article_id IS NULL AND state IN ('open', 'active'))
       ORDER BY order_number LIMIT 5`,
    ),
    /** Binds open lines with this SKU to the article. */
    bindItems: run<[article: { id: number; sku: string }]>(
      `UPDATE items SET article_id = :id WHERE article_id IS NULL AND sku = :sku COLLATE NOCASE AND state IN ('open', 'active')`,
    ),
    /** Detaches all lines from an article that is being removed. */
    releaseItems(articleId: number): void {
      release(articleId);
      forgetSources(articleId);
      forgetEmptied(articleId);
    },
    /** Counts a pick at the place. Returns the number of picks so far, or undefined if the article does not have the place. */
    countVisit: value<[articleId: number, placeKey: string], number>(
      'UPDATE article_places SET visits = visits + 1 WHERE article_id = ? AND place_key = ? RETURNING visits',
    ),
    setItemArticle: run<[articleId: number, itemId: number]>('UPDATE items SET article_id = ? WHERE id = ?'),
    /** Returns the id. */
    insertMovement: (row: NewMovementRow): number => insertMovement(row),
    /** Finds the movement that this caller posted with this key. */
    findKeyed: find<[keyCaller: string, key: string], MovementRow & { asked: string }>(
      `${MOVEMENTS_WITH_ASKED} WHERE key_caller = ? AND key = ?`,
    ),
    /** Stores with a movement what the person who picked is asked. */
    setQuestion: run<[question: LeftAsked['what'], movementId: number]>(
      'UPDATE movements SET question = ? WHERE id = ?',
    ),
    /** Stores the command that asks the question on a device. */
    setQuestionCommand: run<[commandId: number, movementId: number]>(
      'UPDATE movements SET question_command_id = ? WHERE id = ?',
    ),
    setAnswered: run<[at: number, movementId: number]>('UPDATE movements SET answered_at = ? WHERE id = ?'),
    findQuestion: find<[movementId: number], QuestionRow>(`${QUESTIONS} AND id = ?`),
    /** Finds the last question to a person at a place. */
    findQuestionTo: find<[asked: { articleId: number; placeKey: string; person: string }], QuestionRow>(
      `${QUESTIONS} AND article_id = :articleId AND place_key = :placeKey AND (picker = :person OR done_by = :person)
       ORDER BY id DESC LIMIT 1`,
    ),
    /** Finds the question that a command asks on a device. */
    findQuestionOfCommand: find<[commandId: number], { id: number; sku: string; place: string }>(
      'SELECT id, sku, place FROM movements WHERE question_command_id = ?',
    ),
    listMovements(asked: MovementPage): MovementRow[] {
      if (asked.orderNumber !== null) return pageOfOrder(asked);
      return asked.articleId === null ? page(asked) : pageOfArticle(asked);
    },
    listStock: (asked: StockPage): ArticlePlaceRow[] => stock(asked).map(fromPlace),
    /** Lists the places from which an item's pieces were picked, in the order of picking. */
    listSources: list<[itemId: number], SourceRow>(
      'SELECT article_id AS articleId, place, place_key AS placeKey, quantity FROM item_sources WHERE item_id = ? ORDER BY position',
    ),
    /**
     * Lists places from which pieces of an item were taken and not returned, in the order of picking, even after the item has been deleted.
     */
    listPickedFrom: list<[orderNumber: string, itemId: number], TakenRow>(
      `SELECT place, -SUM(delta) AS quantity FROM movements WHERE order_number = ? AND item_id = ? AND kind = 'pick'
       GROUP BY place_key HAVING SUM(delta) < 0 ORDER BY MIN(id)`,
    ),
    setSources(itemId: number, sources: readonly SourceRow[]): void {
      removeSources(itemId);
      for (const [position, { articleId, place: name, placeKey, quantity }] of sources.entries())
        insertSource(itemId, position, articleId, name, placeKey, quantity);
    },
    /** Lists places that were reported as empty because this item was short, oldest first. */
    listEmptied: (itemId: number): EmptiedRow[] =>
      emptied(itemId).map((row) => ({ ...row, wasEmpty: row.wasEmpty === 1 })),
    insertEmptied: ({ itemId, articleId, placeKey, movementId, onHand, wasEmpty }: EmptiedRow): void =>
      insertEmptied(itemId, articleId, placeKey, movementId, onHand, wasEmpty ? 1 : 0),
    removeEmptied: run<[itemId: number, placeKey: string]>(
      'DELETE FROM emptied_places WHERE item_id = ? AND place_key = ?',
    ),
  };
}

function fromPlace(row: Raw<ArticlePlaceRow, 'isEmpty'>): ArticlePlaceRow {
  return { ...row, isEmpty: row.isEmpty === 1 };
}
