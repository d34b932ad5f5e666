import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { PlaceRename } from '#shared/api/place.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import type { ArticleFields } from './importedArticles.ts';
import type { NewDraft } from './importDrafts.ts';
import type { PlaceNote } from './imports.ts';
import { statements } from './statements.ts';

/** An order before and after an undo. `after` is null if the undo removed it. `digest` is that of its last import. */
export type UndoneOrder = { digest: string; before: NewOrder; after: NewOrder | null };

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
};

/** Rows of a location file that were undone together. `renames` are those of the undo. */
export type UndonePlaces = { renames: readonly PlaceRename[]; rows: readonly UndonePlace[] };

/** What an undo changed. Each record has one of these. */
export type UndoneContent = {
  order?: UndoneOrder;
  draft?: NewDraft;
  article?: UndoneArticle;
  places?: UndonePlaces;
};

/** A stored record. `subject` is the id of the order or article, or 0. `content` is undefined if it cannot be read. */
export type UndoneRecord = { id: number; subject: number; content: UndoneContent | undefined };

type Kind = 'article' | 'order';

/** Reads and writes what undos of imports changed, which a redo restores. */
export function importUndoneRows(db: Db) {
  const { list, run } = statements(db);
  const add = run<[importId: number, subject: number, content: string]>(
    'INSERT INTO import_undone (import_id, subject, content) VALUES (?, ?, ?)',
  );
  const all = list<[importId: number], { id: number; subject: number; content: string }>(
    'SELECT id, subject, content FROM import_undone WHERE import_id = ? ORDER BY id DESC',
  );
  const renumber = run<[next: number, subject: number, kind: string]>(
    'UPDATE import_undone SET subject = ? WHERE subject = ? AND json_type(content, ?) IS NOT NULL',
  );
  return {
    add: (importId: number, subject: number, content: UndoneContent): void =>
      add(importId, subject, JSON.stringify(content)),
    /** Lists the records of an import, last one first. */
    list: (importId: number): UndoneRecord[] =>
      all(importId).map(({ id, subject, content }) => ({
        id,
        subject,
        content: storedJson('import_undone.content', content) as UndoneContent | undefined,
      })),
    remove: run<[id: number]>('DELETE FROM import_undone WHERE id = ?'),
    removeOfImport: run<[importId: number]>('DELETE FROM import_undone WHERE import_id = ?'),
    /** Names the new id of an order or article that was created again. */
    renumber: (kind: Kind, subject: number, next: number): void => renumber(next, subject, `$.${kind}`),
  };
}
