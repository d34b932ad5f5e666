import type { RememberedAnswers, RememberedColumns } from '#shared/api/importColumns.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import { mapped, statements } from './statements.ts';

type Row = { id: number; kind: TableKind; names: string; answers: string; used_at: number; by: string };

/** Number of column sets to keep. The least recently used sets are removed. */
const KEPT = 100;
const LATER: Partial<RememberedAnswers> = { unpaid: null, states: null, units: null, place_paths: null };
const ROWS = 'SELECT id, kind, names, answers, used_at, done_by AS "by" FROM remembered_columns';

/** Reads and writes users' answers about files, by the files' column names. `names` has the form that `columnSetOf` returns. */
export function rememberedColumnRows(db: Db) {
  const { change, find, list, run, values } = statements(db);
  const found = find<[kind: TableKind, names: string], Row>(`${ROWS} WHERE kind = ? AND names = ?`);
  const newest = list<[], Row>(`${ROWS} ORDER BY used_at DESC, id DESC`);
  const keep = run<[row: Omit<Row, 'id'>]>(
    `INSERT INTO remembered_columns (kind, names, answers, used_at, done_by) VALUES (:kind, :names, :answers, :used_at, :by)
     ON CONFLICT (kind, names) DO UPDATE SET answers = excluded.answers, used_at = excluded.used_at, done_by = excluded.done_by`,
  );
  const prune = run<[keep: number]>(
    `DELETE FROM remembered_columns WHERE id IN
       (SELECT id FROM remembered_columns ORDER BY used_at DESC, id DESC LIMIT -1 OFFSET ?)`,
  );

  /** Returns undefined for a damaged row. */
  function entryOf({ id, kind, used_at: usedAt, by, ...stored }: Row): RememberedColumns | undefined {
    const names = storedJson('remembered_columns.names', stored.names) as string[] | undefined;
    const answers = storedJson('remembered_columns.answers', stored.answers) as RememberedAnswers | undefined;
    if (names === undefined || answers === undefined) return undefined;
    // Answers of earlier versions lack the last ones.
    return { id, kind, names, ...LATER, ...answers, used_time: new Date(usedAt).toISOString(), by };
  }

  return {
    find: (kind: TableKind, names: string): RememberedColumns | undefined => mapped(found(kind, names), entryOf),
    /** Lists column sets, most recently used first. */
    list: (): RememberedColumns[] => newest().flatMap((row) => entryOf(row) ?? []),
    /** Lists the distinct encodings in the answers. */
    listEncodings: values<[], string>(
      `SELECT DISTINCT answers ->> '$.encoding' FROM remembered_columns
       WHERE iif(json_valid(answers), answers ->> '$.encoding', NULL) IS NOT NULL`,
    ),
    /** Stores answers, replacing those for the same names. */
    keep({
      answers,
      usedAt,
      ...row
    }: {
      kind: TableKind;
      names: string;
      answers: RememberedAnswers;
      usedAt: number;
      by: string;
    }): void {
      keep({ ...row, answers: JSON.stringify(answers), used_at: usedAt });
      prune(KEPT);
    },
    touch: run<[usedAt: number, id: number]>('UPDATE remembered_columns SET used_at = ? WHERE id = ?'),
    /** Returns the number of removed sets. */
    remove: change<[id: number]>('DELETE FROM remembered_columns WHERE id = ?'),
  };
}
