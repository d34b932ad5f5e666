import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { LastImport } from '#shared/api/locationImport.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** A row changed by an import, with its previous value; `before` null: a new alias. */
export type ImportChange = {
  alias: { id: number; after: NewLocationAlias; before: NewLocationAlias | null } | null;
  label: { deviceid: string; after: string; before: string } | null;
};

type Row = { id: number; at: number; by: string; counts: string };

/** The last import of places, and how to undo it. */
export function locationImportRows(db: Db) {
  const { find, insert, run, value } = statements(db);
  const last = find<[], Row>('SELECT id, at, done_by AS "by", counts FROM location_imports');
  const changes = value<[id: number], string>('SELECT changes FROM location_imports WHERE id = ?');
  const forget = run<[]>('DELETE FROM location_imports');
  const add = insert<[at: number, by: string, counts: string, changes: string]>(
    'INSERT INTO location_imports (at, done_by, counts, changes) VALUES (?, ?, ?, ?)',
  );

  return {
    last(): LastImport | null {
      const row = last();
      if (row === undefined) return null;
      return { ...row, at: new Date(row.at).toISOString(), counts: JSON.parse(row.counts) as LastImport['counts'] };
    },
    /** Undefined: it is not the last import. */
    findChanges(id: number): ImportChange[] | undefined {
      const text = changes(id);
      // Only this program writes it.
      return text === undefined ? undefined : (JSON.parse(text) as ImportChange[]);
    },
    /** Replaces the previous import. Returns the id. */
    keep(made: { at: number; by: string; counts: LastImport['counts']; changes: readonly ImportChange[] }): number {
      forget();
      return add(made.at, made.by, JSON.stringify(made.counts), JSON.stringify(made.changes));
    },
    forget,
  };
}
