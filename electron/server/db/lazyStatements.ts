import type { Statement } from 'better-sqlite3';
import type { Db } from './db.ts';

/**
 * The database, with statements that SQLite compiles when they are first used. A station has about 280 for each of its two
 * connections, and needs few of them to start.
 */
export function lazyStatements(db: Db): Db {
  const prepare = (sql: string): LazyStatement => new LazyStatement(() => db.prepare(sql));
  return new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
}

/** What the repositories use of a statement. A mistake in its text shows at the first use; tests compile all of them. */
class LazyStatement {
  readonly #compile: () => Statement;
  #compiled: Statement | undefined;

  constructor(compile: () => Statement) {
    this.#compile = compile;
  }

  get #statement(): Statement {
    return (this.#compiled ??= this.#compile());
  }

  pluck(): LazyStatement {
    return new LazyStatement(() => this.#compile().pluck());
  }

  safeIntegers(): LazyStatement {
    return new LazyStatement(() => this.#compile().safeIntegers());
  }

  run(...values: unknown[]): unknown {
    return this.#statement.run(...values);
  }

  get(...values: unknown[]): unknown {
    return this.#statement.get(...values);
  }

  all(...values: unknown[]): unknown[] {
    return this.#statement.all(...values);
  }
}
