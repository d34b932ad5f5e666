import type { Db } from '../db.ts';
import { metaValue } from '../metaValues.ts';

// oxlint-disable typescript/no-unnecessary-type-parameters -- only the caller knows the types that its SQL takes and returns

/** Compiles SQL to functions. Their arguments are the values of each `?`, or one object with named parameters. */
export function statements(db: Db) {
  const prepare = <Args extends unknown[] = unknown[], Row = unknown>(sql: string) =>
    db.prepare<Args, Row>(plannedOnce(sql));
  /** Compiles a query for the first column of the first row. The result is undefined if there is no row, or if the value is null. */
  function value<Args extends unknown[], Value extends string | number>(sql: string) {
    const statement = prepare<Args, Value | null>(sql).pluck();
    return (...args: Args): Value | undefined => statement.get(...args) ?? undefined;
  }
  function change<Args extends unknown[]>(sql: string) {
    const statement = prepare<Args>(sql);
    return (...args: Args): number => statement.run(...args).changes;
  }
  /** Compiles a statement that inserts a row and returns the id of the new row. */
  function insert<Args extends unknown[]>(sql: string) {
    const statement = prepare<Args>(sql);
    return (...args: Args): number => Number(statement.run(...args).lastInsertRowid);
  }
  return {
    value,
    change,
    insert,
    /** Compiles a query for the first row. */
    find<Args extends unknown[], Row>(sql: string) {
      const statement = prepare<Args, Row>(sql);
      return (...args: Args): Row | undefined => statement.get(...args);
    },
    list<Args extends unknown[], Row>(sql: string) {
      const statement = prepare<Args, Row>(sql);
      return (...args: Args): Row[] => statement.all(...args);
    },
    /** Compiles a query for the first column of all rows. */
    values<Args extends unknown[], Value extends string | number>(sql: string) {
      const statement = prepare<Args, Value>(sql).pluck();
      return (...args: Args): Value[] => statement.all(...args);
    },
    /** Compiles a query for a number, which is 0 if there is no row. */
    number<Args extends unknown[]>(sql: string) {
      const found = value<Args, number>(sql);
      return (...args: Args): number => found(...args) ?? 0;
    },
    run<Args extends unknown[]>(sql: string) {
      const statement = prepare<Args>(sql);
      return (...args: Args): void => void statement.run(...args);
    },
    /** Compiles a statement that inserts a row from the fields with the names of these columns. It returns the id of the new row. */
    insertInto: <Row extends object>(table: string, columns: string) =>
      insert<[row: Row]>(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, ':$&')})`),
    /** Gives access to a text in the table `meta`. */
    meta(key: string) {
      const set = prepare<[string]>(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${key}', ?)`);
      const remove = prepare(`DELETE FROM meta WHERE key = '${key}'`);
      const get = value<[], string>(`SELECT value FROM meta WHERE key = '${key}'`);
      return {
        get,
        /**
         * Returns the parsed value, for keys in metaValues.ts. Returns undefined if it is missing, or if the station could not have written
         * it.
         */
        getJson: (): unknown => mapped(get(), (text) => metaValue(key, text)),
        set: (text: string): void => void set.run(text),
        remove: (): void => void remove.run(),
      };
    },
  };
}

/** Maps a row, if there is one. */
export function mapped<Row, Result>(row: Row | undefined, map: (row: Row) => Result): Result | undefined {
  return row === undefined ? undefined : map(row);
}

/**
 * Adds plus signs before parameters. If a query plan could depend on a parameter's value, SQLite prepares the statement again for each
 * value, which takes longer than most of our statements. A plus sign prevents this and does not change the value.
 * (https://www.sqlite.org/qpsg.html)
 */
function plannedOnce(sql: string): string {
  return sql.replace(/([=<>]|\b(?:BETWEEN|AND|LIMIT)) (?=\?|:\w)/g, '$1 +');
}
