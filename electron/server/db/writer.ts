import type { Fact } from '#shared/api/station.ts';
import { StationError } from '../errors.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { isSqlite, type Db } from './database.ts';

/** What a use-case may do beside reading and writing rows. */
export type Unit = {
  /** Wall time of the use-case, epoch milliseconds. */
  readonly now: number;
  /** Tells a fact once it is on disk. */
  emit(fact: Fact): void;
  /** Runs once the commit is on disk, after the facts were published and before callers are answered. */
  afterCommit(run: () => void): void;
  /**
   * Once a commit for each key, however many use-cases ask: `prepare` reads the rows as they are about to be committed,
   * what it answers runs once they are.
   */
  beforeCommit(key: string, prepare: () => (() => void) | undefined): void;
};

/** `text`: the facts as JSON, made once for the table and for every reader. */
export type Commit = { revision: number; at: number; facts: readonly Fact[]; text: string };

export type UseCase<T> = (unit: Unit) => T;

export type Writer = {
  /** Runs the use-case in a savepoint of the next commit, this turn of the event loop; resolves when it is on disk. */
  write<T>(useCase: UseCase<T>): Promise<T>;
  /** The same for what nobody waits for: it rides on the next commit, or makes one after a short time. */
  writeSoon<T>(useCase: UseCase<T>): Promise<T>;
  /** Revision of the last commit that told facts. */
  revision(): number;
  /** Commits so far, for measuring. */
  commits(): number;
  /** Nothing waits to be committed. */
  idle(): boolean;
  /** Commits what waits; then refuses. */
  stop(): void;
};

/** Use-cases in one commit: bounds how long the loop is held and what one full disk takes with it. */
const MAX_BATCH = 4_096;
/** The table of commits keeps this many for streams that resume. */
const KEPT_COMMITS = 100_000;
const PRUNE_EVERY = 1_000;

type Waiting = { run: UseCase<unknown>; resolve: (value: never) => void; reject: (error: unknown) => void };
type Outcome = { waiting: Waiting; value: unknown; error: unknown; failed: boolean };

/** The only place that begins and commits. `publish` gets each commit that told facts, once it is on disk. */
export function createWriter(parts: {
  db: Db;
  clock: Clock;
  log: Log;
  /** How long a use-case that nobody waits for may ride along. */
  soonMs: number;
  /** Revisions of this start exceed it; a number that is left out was never given. */
  revisionFloor: number;
  publish: (commit: Commit) => void;
  /** Looks at the time before each commit; answers a use-case to run first where the clock was set. */
  watchClock: () => UseCase<void> | undefined;
}): Writer {
  const { db, clock, log, publish } = parts;
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT use_case');
  const release = db.prepare('RELEASE use_case');
  const rollbackTo = db.prepare('ROLLBACK TO use_case');
  const insertCommit = db.prepare('INSERT INTO commits (revision, at, facts) VALUES (?, ?, ?)');
  const pruneCommits = db.prepare(
    `DELETE FROM commits WHERE revision IN (SELECT revision FROM commits ORDER BY revision LIMIT ${PRUNE_EVERY})`,
  );

  let revision = Number(db.prepare('SELECT coalesce(max(revision), 0) FROM commits').pluck().get());
  let keptCommits = Number(db.prepare('SELECT count(*) FROM commits').pluck().get());
  let commits = 0;
  let queue: Waiting[] = [];
  let scheduled = false;
  let soon: Timer | undefined;
  let stopped = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    soon?.cancel();
    soon = undefined;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (queue.length === 0) return;
    const batch = queue.splice(0, MAX_BATCH);
    if (queue.length > 0) schedule();
    commitBatch(batch);
  }

  function commitBatch(batch: readonly Waiting[]): void {
    const facts: Fact[] = [];
    const after: (() => void)[] = [];
    const before: { key: string; prepare: () => (() => void) | undefined }[] = [];
    const outcomes: Outcome[] = [];
    const now = clock.now();
    let told = 0;
    let pruned = 0;
    let text = '';
    const unit: Unit = {
      now,
      emit: (fact) => facts.push(fact),
      afterCommit: (run) => after.push(run),
      beforeCommit: (key, prepare) => before.push({ key, prepare }),
    };
    try {
      begin.run();
      parts.watchClock()?.(unit);
      for (const waiting of batch) {
        const factCount = facts.length;
        const afterCount = after.length;
        const beforeCount = before.length;
        savepoint.run();
        try {
          outcomes.push({ waiting, value: waiting.run(unit), error: undefined, failed: false });
          release.run();
        } catch (error) {
          // A full disk can make SQLite roll back the whole transaction by itself: then nothing of the batch is left.
          if (!db.inTransaction || isStorage(error)) throw error;
          rollbackTo.run();
          release.run();
          facts.length = factCount;
          after.length = afterCount;
          before.length = beforeCount;
          outcomes.push({ waiting, value: undefined, error, failed: true });
        }
      }
      const prepared = new Set<string>();
      for (const { key, prepare } of before) {
        if (prepared.has(key)) continue;
        prepared.add(key);
        const run = prepare();
        if (run !== undefined) after.push(run);
      }
      if (facts.length > 0) {
        told = Math.max(revision, parts.revisionFloor) + 1;
        text = JSON.stringify(facts);
        insertCommit.run(told, now, text);
        if (keptCommits >= KEPT_COMMITS + PRUNE_EVERY) pruned = pruneCommits.run().changes;
      }
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      failAll(batch, error);
      return;
    }
    commits += 1;
    if (told > 0) {
      revision = told;
      keptCommits += 1 - pruned;
      attempt(() => publish({ revision: told, at: now, facts, text }), 'publishing a commit failed');
    }
    for (const run of after) attempt(run, 'work after a commit failed');
    for (const outcome of outcomes) settle(outcome);
  }

  function attempt(run: () => void, message: string): void {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, message);
    }
  }

  function failAll(batch: readonly Waiting[], error: unknown): void {
    const failure = isStorage(error) ? storageError(error) : error;
    log.error({ err: error, useCases: batch.length }, 'a commit failed and was rolled back whole');
    for (const waiting of batch) waiting.reject(failure);
  }

  function add<T>(run: UseCase<T>): Promise<T> {
    if (stopped) return Promise.reject(new StationError('stopping', 'The station is stopping and takes no more work.'));
    return new Promise<T>((resolve, reject) => {
      queue.push({ run, resolve, reject });
    });
  }

  return {
    write(useCase) {
      const result = add(useCase);
      if (!stopped) schedule();
      return result;
    },
    writeSoon(useCase) {
      const result = add(useCase);
      if (stopped || scheduled) return result;
      if (parts.soonMs === 0) schedule();
      else soon ??= clock.setTimer(parts.soonMs, schedule);
      return result;
    },
    revision: () => revision,
    commits: () => commits,
    idle: () => queue.length === 0 && !scheduled,
    stop() {
      if (stopped) return;
      soon?.cancel();
      while (queue.length > 0) flush();
      stopped = true;
    },
  };
}

function settle(outcome: Outcome): void {
  if (outcome.failed) outcome.waiting.reject(outcome.error);
  // The value is what this use-case returned; the queue holds use-cases of many types.
  else outcome.waiting.resolve(outcome.value as never);
}

/** The file system refused: full, read-only, broken. */
export function isStorage(error: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_CORRUPT'].some((code) =>
    isSqlite(error, code),
  );
}

function storageError(error: unknown): StationError {
  if (isSqlite(error, 'SQLITE_FULL')) {
    return new StationError(
      'storage',
      'The disk that holds the data folder is full. Nothing was changed; free some space and send the request again.',
    );
  }
  const why = error instanceof Error ? error.message : String(error);
  return new StationError(
    'storage',
    `The data folder cannot be written (${why}). Nothing was changed; mend the disk and send the request again.`,
  );
}
