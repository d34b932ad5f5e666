import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import type { Cell } from '#shared/api/map.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import type { MadeCell } from '../../domain/places/positions.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import type { ArticleFields } from './importedArticles.ts';
import type { NewDraft } from './importDrafts.ts';
import type { GivenArticle } from './articles.ts';
import type { PlaceNote } from './imports.ts';
import { mapped, statements } from './statements.ts';

/**
 * An order before and after an undo. `after` is null if the undo removed it. `digest` is that of its last import. `ends` tells what the
 * import said about an order that the undo opened again.
 */
export type UndoneOrder = { digest: string; before: NewOrder; after: NewOrder | null; ends?: EndReason };

/** An article before and after an undo: the fields that it changed, and the stock. `after` is null if the undo removed the article. */
export type UndoneArticle = {
  sku: string;
  before: ArticleFields;
  after: ArticleFields | null;
  stock: { location: string; from: number | null; to: number | null; movementId: number }[];
};

/** A row of a location file before and after an undo. An alias whose `after` is null was removed. */
export type UndonePlace = {
  alias: { id: number; before: NewLocationAlias; after: NewLocationAlias | null } | null;
  label: { deviceid: string; before: string; after: string } | null;
  named: { name: string; before: PlaceNote; after: PlaceNote } | null;
  /** Articles that lost the place. Undefined if an earlier version undid the import. */
  articles?: readonly GivenArticle[];
  /** The change of the map that was undone. Undefined if an earlier version undid the import. */
  cell?: UndoneCell | null;
};

/** Cell of a device before and after an undo. `after` is null if the undo took the device off the map. */
export type UndoneCell = { deviceid: string | null; before: Cell; after: Cell | null; made: MadeCell | null };

/** Rows of a location file that were undone together. `renames` are those of the undo. */
export type UndonePlaces = { renames: readonly PlaceRename[]; rows: readonly UndonePlace[] };

/** What a step of an undo changed. It has one of these. */
export type UndoneContent = {
  order?: UndoneOrder;
  draft?: NewDraft;
  article?: UndoneArticle;
  places?: UndonePlaces;
};

/** Result of a redo for one order, article or place. `message` is the reason why it was not restored completely, or an empty string. */
export type Redone = { name: string; message: string };

/**
 * A stored record. `subject` is the id of the order or article, the number of the step of a file of places, or 0. `content` is undefined if
 * it cannot be read. `results` is what the step of the undo answered. `redone` is what the redo answered, or undefined before the redo.
 */
export type UndoneRecord = {
  id: number;
  subject: number;
  content: UndoneContent | undefined;
  results: readonly object[];
  redone: Redone[] | undefined;
};

type Row = { id: number; subject: number; content: string };
type Stored = UndoneContent & { results?: object[]; redone?: Redone[] };

type Kind = 'article' | 'order';

/** Reads and writes what undos of imports changed, which a redo restores. */
export function importUndoneRows(db: Db) {
  const { find, number, run, value, values } = statements(db);
  const add = run<[importId: number, subject: number, content: string]>(
    'INSERT INTO import_undone (import_id, subject, content) VALUES (?, ?, ?)',
  );
  const byId = find<[id: number], Row>('SELECT id, subject, content FROM import_undone WHERE id = ?');
  const idOf = value<[importId: number, subject: number], number>(
    `SELECT id FROM import_undone
     WHERE import_id = ? AND subject = ? AND json_type(content, '$.draft') IS NULL
       -- Earlier versions stored no results, and 0 as the subject of each record of places.
       AND (json_type(content, '$.places') IS NULL OR json_type(content, '$.results') IS NOT NULL)`,
  );
  const setContent = run<[content: string, id: number]>('UPDATE import_undone SET content = ? WHERE id = ?');
  const renumber = run<[next: number, subject: number, kind: string]>(
    'UPDATE import_undone SET subject = ? WHERE subject = ? AND json_type(content, ?) IS NOT NULL',
  );
  return {
    add: (importId: number, subject: number, content: UndoneContent, results: readonly object[] = []): void =>
      add(importId, subject, JSON.stringify({ ...content, results })),
    /** Lists the ids of the records of an import, last one first. */
    listIds: values<[importId: number], number>('SELECT id FROM import_undone WHERE import_id = ? ORDER BY id DESC'),
    find: (id: number): UndoneRecord | undefined => mapped(byId(id), recordOf),
    /** Finds the record of a step that an undo has done. */
    findOf: (importId: number, subject: number): UndoneRecord | undefined =>
      mapped(mapped(idOf(importId, subject), byId), recordOf),
    count: number<[importId: number]>('SELECT count(*) FROM import_undone WHERE import_id = ?'),
    /** Replaces the content of a record by the result of its redo. */
    setRedone: (id: number, redone: readonly Redone[]): void => setContent(JSON.stringify({ redone }), id),
    removeOfImport: run<[importId: number]>('DELETE FROM import_undone WHERE import_id = ?'),
    /** Names the new id of an order or article that was created again. */
    renumber: (kind: Kind, subject: number, next: number): void => renumber(next, subject, `$.${kind}`),
  };
}

function recordOf({ id, subject, content: text }: Row): UndoneRecord {
  const stored = storedJson('import_undone.content', text) as Stored | undefined;
  if (stored === undefined) return { id, subject, content: undefined, results: [], redone: undefined };
  const { results = [], redone, ...content } = stored;
  return { id, subject, content, results, redone };
}
