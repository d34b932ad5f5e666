import type { TaskKind, TaskState } from '#shared/api/task.ts';
import type { Db } from '../db.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { storedJson } from '../storedJson.ts';
import type { RenamedKey } from './stock.ts';
import { mapped, statements } from './statements.ts';

/** Pieces that came from a place. */
export type TaskSource = { place: string; quantity: number };

export type TaskRow = {
  id: number;
  kind: TaskKind;
  state: TaskState;
  articleId: number;
  sku: string;
  place: string;
  placeKey: string;
  /** Number of pieces; null if unknown. */
  quantity: number | null;
  createdAt: number;
  createdBy: string;
  orderNumber: string | null;
  /** Null if the task is not a put-back, or if its order has been deleted. */
  itemId: number | null;
  /** Places from which the pieces of a deleted order came; null if the order has not been deleted. */
  sources: readonly TaskSource[] | null;
  endedAt: number | null;
  endedBy: string;
  isOverdue: boolean;
};

type Raw = Omit<TaskRow, 'sources' | 'isOverdue'> & { sources: string | null; isOverdue: 0 | 1 };

/** Filter for a page of tasks. Null matches any task. */
type TaskPage = { state: TaskState | null; kind: TaskKind | null; after: number; limit: number };

const COLUMNS = `id, kind, state, article_id AS articleId, sku, place, place_key AS placeKey, quantity, created_at AS createdAt,
  created_by AS createdBy, order_number AS orderNumber, item_id AS itemId, sources, ended_at AS endedAt, ended_by AS endedBy,
  is_overdue AS isOverdue`;
const FROM = `SELECT ${COLUMNS} FROM tasks`;

/** Reads and writes stock tasks, such as put-backs. */
export function taskRows(db: Db) {
  const { find, list, run, insert } = statements(db);
  const add = insert(
    `INSERT INTO tasks (kind, state, article_id, sku, place, place_key, quantity, created_at, created_by, order_number, item_id)
     VALUES (?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byId = find<[id: number], Raw>(`${FROM} WHERE id = ?`);
  const openAt = find<[articleId: number, placeKey: string, kind: TaskKind], Raw>(
    `${FROM} WHERE state = 'open' AND kind <> 'put_back' AND article_id = ? AND place_key = ? AND kind = ?`,
  );
  const openOfItem = find<[itemId: number], Raw>(
    `${FROM} WHERE state = 'open' AND item_id IS NOT NULL AND item_id = ?`,
  );
  const openOfOrder = list<[orderNumber: string], Raw>(
    `${FROM} WHERE state = 'open' AND order_number IS NOT NULL AND order_number = ? ORDER BY id`,
  );
  const openAtPlace = list<[placeKey: string], Raw>(`${FROM} WHERE state = 'open' AND place_key = ? ORDER BY id`);
  const openWithSources = list<[], Raw>(`${FROM} WHERE state = 'open' AND sources IS NOT NULL`);
  // An article has one open task of a kind at a place, so the keys first get a mark, so that names can be exchanged.
  const mark = run<[renamed: { renamed: string }]>(
    `UPDATE tasks SET place_key = char(10) || place_key
     WHERE state = 'open' AND place_key IN (SELECT value ->> 'from' FROM json_each(:renamed))`,
  );
  const rename = run<[renamed: { renamed: string }]>(
    `UPDATE tasks SET place = (SELECT value ->> 'place' FROM json_each(:renamed) WHERE value ->> 'from' = substr(place_key, 2)),
       place_key = (SELECT value ->> 'to' FROM json_each(:renamed) WHERE value ->> 'from' = substr(place_key, 2))
     WHERE state = 'open' AND place_key >= char(10) AND place_key < char(11)`,
  );
  const setSources = run<[sources: string, id: number]>('UPDATE tasks SET item_id = NULL, sources = ? WHERE id = ?');
  const openOfArticle = list<[articleId: number], Raw>(`${FROM} WHERE state = 'open' AND article_id = ? ORDER BY id`);
  const all = list<[page: TaskPage], Raw>(
    `${FROM} WHERE id > :after AND (:state IS NULL OR state = :state) AND (:kind IS NULL OR kind = :kind)
     ORDER BY id LIMIT :limit`,
  );
  const open = list<[page: TaskPage], Raw>(
    `${FROM} WHERE state = 'open' AND id > :after AND (:kind IS NULL OR kind = :kind) ORDER BY id LIMIT :limit`,
  );
  const dueBefore = list<[createdAt: number], Raw>(
    `${FROM} WHERE state = 'open' AND created_at <= ? ORDER BY created_at, id`,
  );

  return {
    find: (id: number): TaskRow | undefined => mapped(byId(id), fromRaw),
    /** Finds the open task of this kind for an article at a place. */
    findOpen: (articleId: number, placeKey: string, kind: TaskKind): TaskRow | undefined =>
      mapped(openAt(articleId, placeKey, kind), fromRaw),
    findOpenOfItem: (itemId: number): TaskRow | undefined => mapped(openOfItem(itemId), fromRaw),
    /** Lists open put-back tasks of an order, including those of deleted lines. */
    listOpenOfOrder: (orderNumber: string): TaskRow[] => openOfOrder(orderNumber).map(fromRaw),
    listOpenOfArticle: (articleId: number): TaskRow[] => openOfArticle(articleId).map(fromRaw),
    list: (page: TaskPage): TaskRow[] => (page.state === 'open' ? open(page) : all(page)).map(fromRaw),
    /** Lists open tasks created at or before this time, oldest first. */
    listOpenSince: (createdAt: number): TaskRow[] => dueBefore(createdAt).map(fromRaw),
    /** Returns the id. */
    insert: (row: Omit<TaskRow, 'id' | 'state' | 'sources' | 'endedAt' | 'endedBy' | 'isOverdue'>): number =>
      add(
        row.kind,
        row.articleId,
        row.sku,
        row.place,
        row.placeKey,
        row.quantity,
        row.createdAt,
        row.createdBy,
        row.orderNumber,
        row.itemId,
      ),
    setQuantity: run<[quantity: number | null, id: number]>('UPDATE tasks SET quantity = ? WHERE id = ?'),
    end: run<[state: TaskState, quantity: number | null, endedAt: number, endedBy: string, id: number]>(
      'UPDATE tasks SET state = ?, quantity = ?, ended_at = ?, ended_by = ? WHERE id = ?',
    ),
    setOverdue: run<[id: number]>('UPDATE tasks SET is_overdue = 1 WHERE id = ?'),
    /** Stores the places from which the pieces came. Call before the task's order is deleted. */
    setSources,
    /** Lists the open tasks at this place. */
    listOpenAt: (placeKey: string): TaskRow[] => openAtPlace(placeKey).map(fromRaw),
    /** Renames places in open tasks, also where they are the source of the pieces. */
    renamePlaces(renamed: readonly RenamedKey[]): void {
      const text = { renamed: JSON.stringify(renamed) };
      mark(text);
      rename(text);
      const nameOf = new Map(renamed.map(({ from, place }) => [from, place]));
      for (const row of openWithSources().map(fromRaw)) {
        const sources = row.sources?.map((source) => ({
          ...source,
          place: nameOf.get(nameKey(source.place)) ?? source.place,
        }));
        if (sources?.some(({ place }, index) => place !== row.sources?.[index]?.place) === true)
          setSources(JSON.stringify(sources), row.id);
      }
    },
    renameArticle: run<[sku: string, articleId: number]>(
      `UPDATE tasks SET sku = ? WHERE state = 'open' AND article_id = ?`,
    ),
  };
}

function fromRaw(row: Raw): TaskRow {
  const sources = row.sources === null ? undefined : storedJson('tasks.sources', row.sources);
  // If the sources are not valid, the task's own place is used.
  return { ...row, sources: (sources as TaskSource[] | undefined) ?? null, isOverdue: row.isOverdue === 1 };
}
