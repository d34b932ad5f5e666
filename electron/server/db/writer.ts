import type { Fact } from '#shared/api/station.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { Db } from './db.ts';
import { failureOf, isCutOff, isStopping, isStorage, NOTHING } from './writerErrors.ts';

/** What a use-case may do beside reading and writing rows. */
export type Transaction = {
  /** Wall time of the use-case, epoch milliseconds. */
  readonly now: number;
  /** Tells a fact once it is on disk. */
  emit(fact: Fact): void;
  /** Runs once the commit is on disk, before its facts are published: brings memory that mirrors rows up to date. */
  apply(run: () => void): void;
  /** Runs once the commit is on disk, after the facts were published and before callers are answered. */
  afterCommit(run: () => void): void;
  /**
   * For each key, however many use-cases ask: `prepare` reads the rows as they are about to be committed, and what it
   * answered last runs once they are. A commit of several turns asks in each one.
   */
  beforeCommit(key: string, prepare: () => (() => void) | undefined): void;
};

/** `text`: the facts as JSON, made once for the table and for every reader. */
export type Commit = { revision: number; at: number; facts: readonly Fact[]; text: string };

export type UseCase<T> = (tx: Transaction) => T;

export type Writer = {
  /** Runs the use-case in a savepoint of the next commit, this turn of the event loop; resolves when it is on disk. */
  write<T>(useCase: UseCase<T>): Promise<T>;
  /** The same for what nobody waits for: it rides on the next commit, or makes one after a short time. */
  writeSoon<T>(useCase: UseCase<T>): Promise<T>;
  /**
   * The use-case for each item, each in a savepoint, in order, a part of them in each turn of the event loop; resolves when
   * all are on disk. One commit, unless it takes long or others write meanwhile: what is done by then is committed, with
   * theirs, and the rest follows. `failed` makes the result of an item out of an error, or throws it on: then the others happen all the
   * same, and the promise rejects in the end.
   */
  writeEach<E, T>(
    items: readonly E[],
    useCase: (tx: Transaction, item: E) => T,
    failed: (error: unknown, item: E) => T,
  ): Promise<T[]>;
  /** Revision of the last commit that told facts. */
  revision(): number;
  /** Commits so far, for measuring. */
  commits(): number;
  /** Nothing waits to be committed. */
  idle(): boolean;
  /** Commits what waits, of very many items as many as a second allows; then refuses. */
  stop(): void;
};

/** Use-cases in one commit: bounds how long the loop is held and what one full disk takes with it. */
const MAX_BATCH = 4_096;
/** The table of commits keeps this many for streams that resume. */
const KEPT_COMMITS = 100_000;
const PRUNE_EVERY = 1_000;

/** Items of a `writeEach` in one turn, and milliseconds after which none is begun: bound how long a press waits for its own. */
const MAX_PART = 40;
const MAX_PART_MS = 2;
/** A commit of several turns is open no longer, in milliseconds: its time is that of its first turn, and deadlines run from it. */
const MAX_OPEN_MS = 250;

/** What a `writeEach` gets to end with when the station stops, in milliseconds: nobody waits for its answer any more. */
const MAX_STOP_MS = 1_000;

type Waiting = {
  run: UseCase<unknown>;
  /** Somebody waits for it. */
  isUrgent: boolean;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

/** What is left of a `writeEach`. */
type BatchJob = {
  /** Does at most so many items more; true: there are none left. */
  step: (transaction: OpenCommit, most: number) => boolean;
  /** What a commit took with it cannot be done. */
  reject: (error: unknown) => void;
};

/** Begun, and not yet committed. */
type OpenCommit = {
  tx: Transaction;
  /** Monotonic time. */
  begunAt: number;
  facts: Fact[];
  /** How many of the facts are in `texts`. */
  writtenFacts: number;
  /** The facts of each turn, as JSON. */
  texts: string[];
  apply: (() => void)[];
  after: (() => void)[];
  before: { key: string; prepare: () => (() => void) | undefined }[];
  prepared: Map<string, () => void>;
  /** Tells each caller what became of his use-case. */
  settle: (() => void)[];
  /** Tells each that nothing did. */
  rejects: ((error: unknown) => void)[];
};

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
  let batchJobs: BatchJob[] = [];
  let open: OpenCommit | undefined;
  /** The last turn was for others: what is left of a `writeEach` is not put off twice. */
  let wasPutOff = false;
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

  /** One turn: what each caller asked for, and a part of what takes many turns. */
  function flush(): void {
    scheduled = false;
    if (queue.length === 0 && batchJobs.length === 0 && open === undefined) return;
    const batch = queue.splice(0, MAX_BATCH);
    const isUrgent = batch.some((waiting) => waiting.isUrgent);
    const hasTurn = !isUrgent || wasPutOff;
    wasPutOff = !hasTurn;
    let transaction = open;
    try {
      transaction ??= begun();
      open = transaction;
      transaction.rejects.push(...batch.map(({ reject }) => reject));
      for (const waiting of batch) runOne(transaction, waiting);
      if (hasTurn) runPart(transaction);
      prepare(transaction);
      const isLong = clock.monotonic() - transaction.begunAt >= MAX_OPEN_MS;
      if (isUrgent || batchJobs.length === 0 || isLong) commitOpen(transaction);
    } catch (error) {
      rollBack(transaction?.rejects ?? [...batch, ...batchJobs.splice(0, 1)].map(({ reject }) => reject), error);
    }
    if (queue.length > 0 || batchJobs.length > 0) schedule();
  }

  function begun(): OpenCommit {
    const facts: Fact[] = [];
    const apply: (() => void)[] = [];
    const after: (() => void)[] = [];
    const before: OpenCommit['before'] = [];
    const tx: Transaction = {
      now: clock.now(),
      emit: (fact) => facts.push(fact),
      apply: (run) => apply.push(run),
      afterCommit: (run) => after.push(run),
      beforeCommit: (key, prepareKey) => before.push({ key, prepare: prepareKey }),
    };
    begin.run();
    parts.watchClock()?.(tx);
    const begunAt = clock.monotonic();
    const empty = { writtenFacts: 0, texts: [], prepared: new Map<string, () => void>(), settle: [], rejects: [] };
    return { tx, begunAt, facts, apply, after, before, ...empty };
  }

  /** Leaves nothing of a use-case that throws; answers what `failed` makes of it. */
  function inSavepoint<T>({ facts, apply, after, before }: OpenCommit, run: () => T, failed: (error: unknown) => T): T {
    const factCount = facts.length;
    const applyCount = apply.length;
    const afterCount = after.length;
    const beforeCount = before.length;
    savepoint.run();
    try {
      const value = run();
      release.run();
      return value;
    } catch (error) {
      // A full disk can make SQLite roll back the whole transaction by itself: then nothing of the batch is left.
      if (!db.inTransaction || isStorage(error)) throw error;
      rollbackTo.run();
      release.run();
      facts.length = factCount;
      apply.length = applyCount;
      after.length = afterCount;
      before.length = beforeCount;
      return failed(error);
    }
  }

  function runOne(transaction: OpenCommit, { run, resolve, reject }: Waiting): void {
    const settle = inSavepoint(
      transaction,
      () => {
        // The value is what this use-case returned; the queue holds use-cases of many types.
        const value = run(transaction.tx) as never;
        return () => resolve(value);
      },
      (error) => () => reject(error),
    );
    transaction.settle.push(settle);
  }

  function runPart(transaction: OpenCommit): void {
    const [rest] = batchJobs;
    if (rest === undefined) return;
    transaction.rejects.push((error) => {
      batchJobs = batchJobs.filter((other) => other !== rest);
      rest.reject(error);
    });
    if (rest.step(transaction, MAX_PART)) batchJobs.shift();
  }

  /** Makes ready for the commit what this turn brought. */
  function prepare(transaction: OpenCommit): void {
    const { facts, texts, before, prepared, writtenFacts } = transaction;
    const asked = new Set<string>();
    for (const { key, prepare: prepareKey } of before) {
      if (asked.has(key)) continue;
      asked.add(key);
      prepared.delete(key);
      const run = prepareKey();
      if (run !== undefined) prepared.set(key, run);
    }
    before.length = 0;
    if (facts.length === writtenFacts) return;
    texts.push(JSON.stringify(writtenFacts === 0 ? facts : facts.slice(writtenFacts)));
    transaction.writtenFacts = facts.length;
  }

  function commitOpen({ tx, facts, texts, apply, after, prepared, settle }: OpenCommit): void {
    const text = joined(texts);
    let told = 0;
    let pruned = 0;
    if (facts.length > 0) {
      told = Math.max(revision, parts.revisionFloor) + 1;
      insertCommit.run(told, tx.now, text);
      if (keptCommits >= KEPT_COMMITS + PRUNE_EVERY) pruned = pruneCommits.run().changes;
    }
    commit.run();
    open = undefined;
    commits += 1;
    for (const run of apply) attempt(run, 'memory could not be brought up to date after a commit');
    if (told > 0) {
      revision = told;
      keptCommits += 1 - pruned;
      attempt(() => publish({ revision: told, at: tx.now, facts, text }), 'publishing a commit failed');
    }
    for (const run of after) attempt(run, 'work after a commit failed');
    for (const run of prepared.values()) attempt(run, 'work after a commit failed');
    for (const tell of settle) tell();
  }

  function rollBack(rejects: readonly ((error: unknown) => void)[], error: unknown): void {
    if (db.inTransaction) rollback.run();
    open = undefined;
    log.error({ err: error, useCases: rejects.length }, 'a commit failed and was rolled back whole');
    for (const reject of rejects) reject(error);
  }

  function attempt(run: () => void, message: string): void {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, message);
    }
  }

  function add<T>(run: UseCase<T>, isUrgent: boolean): Promise<T> {
    if (stopped) return Promise.reject(isStopping());
    return new Promise<T>((resolve, reject) => {
      queue.push({ run, isUrgent, resolve, reject: (error) => reject(failureOf(error)) });
    });
  }

  function addRest<E, T>(
    items: readonly E[],
    useCase: (tx: Transaction, item: E) => T,
    failed: (error: unknown, item: E) => T,
  ): Promise<T[]> {
    const { promise, resolve, reject } = Promise.withResolvers<T[]>();
    const results: T[] = [];
    /** The first error that `failed` threw on. */
    let thrown: { error: unknown } | undefined;
    let done = 0;
    let onDisk = 0;

    function doItem(transaction: OpenCommit, item: E): { value: T } | { error: unknown } {
      return inSavepoint<{ value: T } | { error: unknown }>(
        transaction,
        () => ({ value: useCase(transaction.tx, item) }),
        (error) => {
          try {
            return { value: failed(error, item) };
          } catch (unexpected) {
            return { error: unexpected };
          }
        },
      );
    }

    batchJobs.push({
      step(transaction, most) {
        // One item may be much: a kill empties a whole queue.
        const until = clock.monotonic() + MAX_PART_MS;
        for (const item of items.slice(done, done + most)) {
          const result = doItem(transaction, item);
          if ('value' in result) results.push(result.value);
          else thrown ??= result;
          done += 1;
          if (clock.monotonic() >= until) break;
        }
        const end = done;
        transaction.settle.push(() => {
          onDisk = end;
          if (end < items.length) return;
          if (thrown === undefined) resolve(results);
          else reject(thrown.error);
        });
        return done === items.length;
      },
      reject: (error) =>
        reject(failureOf(error, onDisk === 0 ? NOTHING : `Only the first ${onDisk} of ${items.length} were done`)),
    });
    return promise;
  }

  return {
    write(useCase) {
      const result = add(useCase, true);
      if (!stopped) schedule();
      return result;
    },
    writeSoon(useCase) {
      const result = add(useCase, false);
      if (stopped || scheduled) return result;
      if (parts.soonMs === 0) schedule();
      else soon ??= clock.setTimer(parts.soonMs, schedule);
      return result;
    },
    writeEach(items, useCase, failed) {
      if (stopped) return Promise.reject(isStopping());
      const result = addRest(items, useCase, failed);
      schedule();
      return result;
    },
    revision: () => revision,
    commits: () => commits,
    idle: () => queue.length === 0 && batchJobs.length === 0 && open === undefined && !scheduled,
    stop() {
      if (stopped) return;
      soon?.cancel();
      const until = clock.monotonic() + MAX_STOP_MS;
      while (queue.length > 0 || batchJobs.length > 0 || open !== undefined) {
        if (clock.monotonic() >= until) for (const { reject } of batchJobs.splice(0)) reject(isCutOff());
        flush();
      }
      stopped = true;
    },
  };
}

/** Arrays as JSON, one behind the other, as one. */
function joined(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0] ?? '';
  return `[${texts.map((text) => text.slice(1, -1)).join(',')}]`;
}
