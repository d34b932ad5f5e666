import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { LastImport } from '#shared/api/locationImport.ts';
import type { Db } from '../db.ts';

/** A row changed by an import, with its previous value; `before` null: a new alias. */
export type ImportChange = {
  alias: { id: number; after: NewLocationAlias; before: NewLocationAlias | null } | null;
  label: { deviceid: string; after: string; before: string } | null;
};

type Row = { id: number; at: number; by: string; counts: string };

export type LocationImportRows = ReturnType<typeof locationImportRows>;

/** The last import of places, and how to undo it. */
export function locationImportRows(db: Db) {
  const last = db.prepare<[], Row>('SELECT id, at, done_by AS "by", counts FROM location_imports');
  const changes = db.prepare<[number], string>('SELECT changes FROM location_imports WHERE id = ?').pluck();
  const remove = db.prepare('DELETE FROM location_imports');
  const insert = db.prepare('INSERT INTO location_imports (at, done_by, counts, changes) VALUES (?, ?, ?, ?)');

  return {
    last(): LastImport | null {
      const row = last.get();
      if (row === undefined) return null;
      const counts = JSON.parse(row.counts) as LastImport['counts'];
      return { id: row.id, at: new Date(row.at).toISOString(), by: row.by, counts };
    },
    /** Undefined: it is not the last import. */
    findChanges(id: number): ImportChange[] | undefined {
      const text = changes.get(id);
      // Only this program writes it.
      return text === undefined ? undefined : (JSON.parse(text) as ImportChange[]);
    },
    /** Replaces the previous import. Returns the id. */
    keep(made: { at: number; by: string; counts: LastImport['counts']; changes: readonly ImportChange[] }): number {
      remove.run();
      const values = [made.at, made.by, JSON.stringify(made.counts), JSON.stringify(made.changes)];
      return Number(insert.run(...values).lastInsertRowid);
    },
    forget: (): void => void remove.run(),
  };
}
