import type { Db } from '../../electron/server/db/db.ts';

/** The number of rows read, and the statements that returned them. */
export type WatchedReading = { rows: number; statements: Set<string> };

/** Counts the rows that the statements of a database return. */
export function watchReads(): { watched(db: Db): Db; readBy(run: () => void): WatchedReading } {
  let reading: WatchedReading = { rows: 0, statements: new Set() };
  return {
    /** Wraps the database so that every returned row is counted. */
    watched(db) {
      const count = (sql: string, found: unknown): unknown => {
        reading.statements.add(sql);
        reading.rows += Array.isArray(found) ? found.length : found === undefined ? 0 : 1;
        return found;
      };
      const prepare = (sql: string): unknown => {
        const statement = db.prepare(sql);
        const counting = {
          pluck: () => (statement.pluck(), counting),
          safeIntegers: () => (statement.safeIntegers(), counting),
          get: (...values: unknown[]) => count(sql, statement.get(...values)),
          all: (...values: unknown[]) => count(sql, statement.all(...values)),
          run: (...values: unknown[]) => statement.run(...values),
        };
        return counting;
      };
      return new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
    },
    /** Calls `run` and returns what it read. */
    readBy(run) {
      reading = { rows: 0, statements: new Set() };
      run();
      return reading;
    },
  };
}
