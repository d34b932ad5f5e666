import type { InParts } from '#shared/lib/station/inParts.ts';
import type { Db } from './db.ts';
import { lazyStatements } from './lazyStatements.ts';
import { createRepositories, type Repositories } from './repositories.ts';
import { isStopping } from './writerErrors.ts';

/** Long reads of a consistent snapshot of the database, while the station keeps reading and writing. */
export type Snapshots = {
  /**
   * Runs `work` on the rows as they are when it starts, one step per turn of the event loop. Runs one read at a time. Rejects if `work`
   * throws, or with `stopping`.
   */
  read<T>(work: (reads: Repositories) => InParts<T>): Promise<T>;
  /** Rejects unfinished work. */
  stop(): void;
};

/** Creates snapshots over this connection, which they close when they stop. */
export function createSnapshots(db: Db): Snapshots {
  const reads = createRepositories(lazyStatements(db));
  // SQLite opens the log of the database only now. Later, the data folder may have been moved.
  db.pragma('schema_version');
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function run<T>(work: (reads: Repositories) => InParts<T>): Promise<T> {
    if (isStopped) throw isStopping();
    db.exec('BEGIN');
    try {
      const parts = work(reads);
      for (;;) {
        const part = parts.next();
        if (part.done === true) return part.value;
        await new Promise((resolve) => setImmediate(resolve));
        if (stopped()) throw isStopping();
      }
    } finally {
      if (db.open) db.exec('COMMIT');
    }
  }

  function stopped(): boolean {
    return isStopped;
  }

  return {
    read(work) {
      const done = last.then(() => run(work));
      last = done.catch(() => undefined);
      return done;
    },
    stop() {
      isStopped = true;
      db.close();
    },
  };
}
