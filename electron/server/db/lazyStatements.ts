import type { Statement } from 'better-sqlite3';
import type { Db } from './db.ts';

/**
 * Returns a database that compiles statements on first use. A station has hundreds of statements per connection, and needs few of them at
 * startup.
 */
export function lazyStatements(db: Db): Db {
  const prepare = (sql: string): LazyStatement => new LazyStatement(() => db.prepare(sql));
  return new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
}

/** The part of a statement that repositories use. SQL errors appear on first use; tests compile all statements. */
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
