import { nameKey } from '#shared/lib/text/nameKey.ts';
import { ACCOUNT_KINDS, type AccountKind, type AccountName } from '#shared/lib/access/accountKinds.ts';
import type { Db } from './db.ts';

/** An account of a backup that comes back. `kind` is null for an account of any kind. */
export type BroughtBack = { kind: AccountKind | null; name: string };

const TABLES = {
  person: { table: 'users', name: 'username' },
  key: { table: 'api_users', name: 'name' },
  kiosk: { table: 'kiosks', name: 'name' },
  screen: { table: 'screens', name: 'name' },
} as const satisfies Record<AccountKind, { table: string; name: string }>;

type Row = Record<string, string | number | null>;

/** Lists the people, keys, kiosks and screens of a database, at most `most` of each kind. */
export function listAccounts(db: Db, most: number): AccountName[] {
  return ACCOUNT_KINDS.flatMap((kind) => {
    const { table, name } = TABLES[kind];
    const names = db.prepare<[number], string>(`SELECT ${name} FROM ${table} ORDER BY ${name} LIMIT ?`).pluck();
    return names.all(most).map((each) => ({ kind, name: each }));
  });
}

/** Whether an account is among the chosen ones. */
export function isChosen({ kind, name }: AccountName, chosen: readonly BroughtBack[]): boolean {
  return chosen.some((one) => (one.kind ?? kind) === kind && nameKey(one.name) === nameKey(name));
}

/**
 * Replaces the accounts in a restored database by those of the database attached as `present`, plus the chosen ones of the backup whose
 * names are free. Ends all sessions. If `present` has no people and no keys, the accounts of the backup stay. Call in a transaction.
 */
export function keepAccounts(db: Db, chosen: readonly BroughtBack[]): void {
  const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
  db.exec('DELETE FROM main.sessions; DELETE FROM main.tokens');
  if (count('SELECT (SELECT count(*) FROM present.users) + (SELECT count(*) FROM present.api_users)') === 0) return;
  const back = listAccounts(db, -1)
    .filter((account) => isChosen(account, chosen))
    .map(({ kind, name }) => ({ kind, name, row: rowOf(db, kind, name) }));
  for (const kind of ACCOUNT_KINDS) {
    const { table } = TABLES[kind];
    const columns = sharedColumns(db, table);
    db.exec(`DELETE FROM main.${table}`);
    db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM present.${table}`);
  }
  const tokens = sharedColumns(db, 'tokens');
  db.exec(`INSERT INTO main.tokens (${tokens}) SELECT ${tokens} FROM present.tokens`);
  raiseIds(db);
  const taken = new Set(listAccounts(db, -1).map(({ name }) => nameKey(name)));
  for (const { kind, name, row } of back) if (!taken.has(nameKey(name))) insert(db, TABLES[kind].table, row);
}

/** Adds the activity of the database attached as `present` that the restored database lacks. Call in a transaction. */
export function keepActivity(db: Db): void {
  const origin = (schema: string): unknown =>
    db
      .prepare(`SELECT json_group_array(value) FROM ${schema}.meta WHERE key IN ('created_at', 'first_command')`)
      .pluck()
      .get();
  const columns = sharedColumns(db, 'audit')
    .split(', ')
    .filter((name) => name !== 'id');
  // Ids continue the log of the backup only if both belong to one station.
  const newer = origin('main') === origin('present') ? 'id' : 'at';
  const last = Number(db.prepare(`SELECT coalesce(max(${newer}), 0) FROM main.audit`).pluck().get());
  db.prepare(
    `INSERT INTO main.audit (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM present.audit WHERE ${newer} > ? ORDER BY id`,
  ).run(last);
}

function rowOf(db: Db, kind: AccountKind, name: string): Row {
  const { table, name: column } = TABLES[kind];
  const { id: _, ...row } =
    db.prepare<[string], Row>(`SELECT * FROM main.${table} WHERE ${column} = ?`).get(name) ?? {};
  return row;
}

/** Inserts a row with a new id. Does nothing if its key or secret is in use under another name. */
function insert(db: Db, table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(
    `INSERT OR IGNORE INTO main.${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(...Object.values(row));
}

/** Makes new ids exceed all that the present database used. */
function raiseIds(db: Db): void {
  for (const table of ['api_users', 'kiosks', 'screens']) {
    const used = Number(
      db.prepare('SELECT coalesce(max(seq), 0) FROM present.sqlite_sequence WHERE name = ?').pluck().get(table),
    );
    const change = db.prepare('UPDATE main.sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(used, table);
    if (change.changes === 0 && used > 0)
      db.prepare('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(table, used);
  }
}

/** Returns the columns that both databases have: an older present database may lack some. */
function sharedColumns(db: Db, table: string): string {
  const columns = (schema: string): string[] =>
    db.prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)').pluck().all(table, schema);
  const present = new Set(columns('present'));
  return columns('main')
    .filter((name) => present.has(name))
    .join(', ');
}
