import type { Fact } from '#shared/api/station.ts';
import type { StationError } from '../errors.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { type BatchJob, createBatchJob } from './batchJob.ts';
import type { Db } from './db.ts';
import type { RowCache } from './rowCache.ts';
import type { Commit, OpenCommit, Transaction, UseCase, Writer } from './transaction.ts';
import { PRUNE_EVERY, prepareWriterSql } from './writerSql.ts';
import { failureOf, isCutOff, isStopping, isStorage } from './writerErrors.ts';

export type { Commit, Transaction, UseCase, Writer } from './transaction.ts';

/** Maximum number of use-cases per turn. Limits how long a turn blocks the event loop, and how many use-cases fail if the disk is full. */
const MAX_BATCH = 4_096;
/** Number of commits to keep in the table, for resuming streams. */
const KEPT_COMMITS = 100_000;
/**
 * How long low-priority use-cases wait while the station is idle, in milliseconds. During this time, the rest of a turbo's report can
 * arrive.
 */
const REST_SOON_MS = 2;
/** The station is busy, and its next commit comes soon, if its last two commits are within this multiple of `soonMs`. */
const BUSY_FACTOR = 2;
/** After this many milliseconds, a turn does not start another large use-case, so that a press waits for at most one. */
const MAX_LARGE_MS = 5;
/**
 * Longest commit over several turns, in milliseconds. Deadlines count from its first turn. A longer commit would also take longer to write
 * to disk, and all callers wait for that.
 */
const MAX_OPEN_MS = 50;
/** Maximum number of functions to run after a commit over several turns. Most of them send a screen, and all of them run in one turn. */
const MAX_PREPARED = 80;
/** Time limit for the rest of the work when the station stops, in milliseconds. */
const MAX_STOP_MS = 1_000;

type Waiting = {
  run: UseCase<unknown>;
  /** Whether a caller is waiting for the result. */
  isUrgent: boolean;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
};

type Parts = {
  db: Db;
  clock: Clock;
  log: Log;
  /** How long low-priority use-cases may wait to join a commit, in milliseconds. The wait is shorter while the station is idle. */
  soonMs: number;
  /** Lower limit of revisions. All revisions of this run are higher. */
  revisionFloor: number;
  /** Receives each commit with facts once it is on disk. */
  publish: (commit: Commit) => void;
  /** Checks the clock before each commit. Returns a use-case to run first if the clock has been set. */
  watchClock: () => UseCase<void> | undefined;
  /** Returns why new use-cases are rejected, or undefined to accept them. Without it, all are accepted. */
  refusal?: () => StationError | undefined;
  /** Cleared when SQLite rolls back a use-case or a commit. */
  rowCache?: RowCache;
};

type Context = Parts & {
  sql: ReturnType<typeof prepareWriterSql>;
  revision: number;
  keptCommits: number;
  commits: number;
  queue: Waiting[];
  large: Waiting[];
  batchJobs: BatchJob[];
  open: OpenCommit | undefined;
  /** Whether the last turn ran no part of a `writeEach`. If so, the next turn must run one. */
  wasPutOff: boolean;
  isScheduled: boolean;
  soon: Timer | undefined;
  /** Monotonic times of the last two commits. */
  committedAt: [last: number, before: number];
  isStopped: boolean;
};

/** Creates the writer, the only code that begins and commits transactions. */
export function createWriter(parts: Parts): Writer {
  const sql = prepareWriterSql(parts.db);
  const context: Context = {
    ...parts,
    sql,
    revision: Number(sql.lastRevision.get()),
    keptCommits: Number(sql.countCommits.get()),
    commits: 0,
    queue: [],
    large: [],
    batchJobs: [],
    open: undefined,
    wasPutOff: false,
    isScheduled: false,
    soon: undefined,
    committedAt: [-Infinity, -Infinity],
    isStopped: false,
  };
  return {
    write: (useCase) => add(context, useCase, true),
    writeLarge: (useCase) => add(context, useCase, true, context.large),
    writeSoon: (useCase) => add(context, useCase, false),
    writeEach(items, useCase, failed) {
      const refused = refusalOf(context);
      if (refused !== undefined) return Promise.reject(refused);
      const { job, results } = createBatchJob({
        items,
        useCase,
        failed,
        inSavepoint: (transaction, run, otherwise) => inSavepoint(context, transaction, run, otherwise),
        monotonic: () => parts.clock.monotonic(),
      });
      context.batchJobs.push(job);
      schedule(context);
      return results;
    },
    refusal: () => parts.refusal?.(),
    revision: () => context.revision,
    commits: () => context.commits,
    idle: () => !hasWork(context) && !context.isScheduled,
    stop: () => stop(context),
  };
}

function add<T>(context: Context, run: UseCase<T>, isUrgent: boolean, queue = context.queue): Promise<T> {
  const { clock, soonMs } = context;
  const refused = refusalOf(context);
  if (refused !== undefined) return Promise.reject(refused);
  if (isUrgent || soonMs === 0) schedule(context);
  else if (!context.isScheduled)
    context.soon ??= clock.setTimer(isAtRest(context) ? REST_SOON_MS : soonMs, () => schedule(context));
  return new Promise<T>((resolve, reject) => {
    queue.push({ run, isUrgent, resolve, reject: (error) => reject(failureOf(error)) });
  });
}

function refusalOf({ isStopped, refusal }: Context): StationError | undefined {
  return isStopped ? isStopping() : refusal?.();
}

function isAtRest({ clock, soonMs, committedAt: [, before] }: Context): boolean {
  return clock.monotonic() - before > BUSY_FACTOR * soonMs;
}

function hasWork({ queue, large, batchJobs, open }: Context): boolean {
  return queue.length > 0 || large.length > 0 || batchJobs.length > 0 || open !== undefined;
}

function schedule(context: Context): void {
  if (context.isScheduled) return;
  context.isScheduled = true;
  context.soon?.cancel();
  context.soon = undefined;
  setImmediate(() => flush(context));
}

/** Runs one turn: the waiting use-cases, as many large ones as time allows, and a part of a `writeEach`. */
function flush(context: Context): void {
  const { queue, large, batchJobs, clock } = context;
  context.isScheduled = false;
  if (!hasWork(context)) return;
  const startedAt = clock.monotonic();
  const batch = [...queue.splice(0, MAX_BATCH), ...large.splice(0, 1)];
  const isUrgent = batch.some((waiting) => waiting.isUrgent);
  const hasTurn = !isUrgent || context.wasPutOff;
  context.wasPutOff = !hasTurn;
  let transaction = context.open;
  try {
    transaction ??= begun(context);
    context.open = transaction;
    transaction.rejects.push(...batch.map(({ reject }) => reject));
    for (const waiting of batch) runOne(context, transaction, waiting);
    for (let [next] = large; next !== undefined && clock.monotonic() - startedAt < MAX_LARGE_MS; [next] = large) {
      large.shift();
      transaction.rejects.push(next.reject);
      runOne(context, transaction, next);
    }
    if (hasTurn) runPart(context, transaction);
    prepare(transaction);
    const isLong = transaction.prepared.size >= MAX_PREPARED || clock.monotonic() - transaction.begunAt >= MAX_OPEN_MS;
    if (isUrgent || batchJobs.length === 0 || isLong) commitOpen(context, transaction);
  } catch (error) {
    const rejects = transaction?.rejects ?? [...batch, ...batchJobs.splice(0, 1)].map(({ reject }) => reject);
    rollBack(context, rejects, error);
  }
  if (queue.length > 0 || large.length > 0 || batchJobs.length > 0) schedule(context);
}

function begun(context: Context): OpenCommit {
  const { clock, sql, watchClock, revisionFloor } = context;
  const facts: Fact[] = [];
  const apply: (() => void)[] = [];
  const after: (() => void)[] = [];
  const before: OpenCommit['before'] = [];
  const lists = { facts, apply, after, before };
  const tx: Transaction = {
    now: clock.now(),
    revision: Math.max(context.revision, revisionFloor) + 1,
    attempt: (part) => inSavepoint(context, lists, part, rethrow),
    emit: (fact) => facts.push(fact),
    apply: (run) => apply.push(run),
    afterCommit: (run) => after.push(run),
    beforeCommit: (key, prepareKey) => before.push({ key, prepare: prepareKey }),
  };
  sql.begin.run();
  watchClock()?.(tx);
  const begunAt = clock.monotonic();
  const empty = { writtenFacts: 0, texts: [], prepared: new Map<string, () => void>(), settle: [], rejects: [] };
  return { tx, begunAt, ...lists, ...empty };
}

/** Runs `run` in a savepoint. If it throws, rolls back and returns the result of `failed`. */
function inSavepoint<T>(
  { db, sql, rowCache }: Context,
  { facts, apply, after, before }: Pick<OpenCommit, 'facts' | 'apply' | 'after' | 'before'>,
  run: () => T,
  failed: (error: unknown) => T,
): T {
  const lengths = [facts.length, apply.length, after.length, before.length] as const;
  sql.savepoint.run();
  try {
    const value = run();
    sql.release.run();
    return value;
  } catch (error) {
    // If the disk is full, SQLite may roll back the whole transaction, including the rest of the batch.
    if (!db.inTransaction || isStorage(error)) throw error;
    sql.rollbackTo.run();
    rowCache?.clear();
    sql.release.run();
    [facts.length, apply.length, after.length, before.length] = lengths;
    return failed(error);
  }
}

function rethrow(error: unknown): never {
  throw error;
}

function runOne(context: Context, transaction: OpenCommit, { run, resolve, reject }: Waiting): void {
  const settle = inSavepoint(
    context,
    transaction,
    () => {
      // Safe cast: `resolve` belongs to this use-case. The queue contains use-cases of many types.
      const value = run(transaction.tx) as never;
      return () => resolve(value);
    },
    (error) => () => reject(error),
  );
  transaction.settle.push(settle);
}

function runPart({ batchJobs }: Context, transaction: OpenCommit): void {
  const [job] = batchJobs;
  if (job === undefined) return;
  transaction.rejects.push((error) => {
    if (batchJobs.includes(job)) batchJobs.splice(batchJobs.indexOf(job), 1);
    job.reject(error);
  });
  if (job.step(transaction)) batchJobs.shift();
}

/** Prepares this turn's changes for the commit. */
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

function commitOpen(context: Context, { tx, facts, texts, apply, after, prepared, settle }: OpenCommit): void {
  const { sql, clock, log, publish } = context;
  const text = joined(texts);
  let revision = 0;
  let pruned = 0;
  if (facts.length > 0) {
    revision = tx.revision;
    sql.insertCommit.run(revision, tx.now, text);
    if (context.keptCommits >= KEPT_COMMITS + PRUNE_EVERY) pruned = sql.pruneCommits.run().changes;
  }
  sql.commit.run();
  context.open = undefined;
  context.commits += 1;
  context.committedAt = [clock.monotonic(), context.committedAt[0]];
  for (const run of apply) attempt(log, run, 'memory could not be updated after a commit');
  if (revision > 0) {
    context.revision = revision;
    context.keptCommits += 1 - pruned;
    attempt(log, () => publish({ revision, at: tx.now, facts, text }), 'publishing a commit failed');
  }
  for (const runs of [after, prepared.values()])
    for (const run of runs) attempt(log, run, 'work after a commit failed');
  for (const answer of settle) answer();
}

function rollBack(context: Context, rejects: readonly ((error: unknown) => void)[], error: unknown): void {
  if (context.db.inTransaction) context.sql.rollback.run();
  context.rowCache?.clear();
  context.open = undefined;
  context.log.error({ err: error, useCases: rejects.length }, 'a commit failed and was rolled back whole');
  for (const reject of rejects) reject(error);
}

function attempt(log: Log, run: () => void, message: string): void {
  try {
    run();
  } catch (error) {
    log.error({ err: error }, message);
  }
}

function stop(context: Context): void {
  const { clock, batchJobs, large } = context;
  context.soon?.cancel();
  const until = clock.monotonic() + MAX_STOP_MS;
  while (hasWork(context)) {
    if (clock.monotonic() >= until) {
      for (const { reject } of large.splice(0)) reject(isStopping());
      for (const { reject } of batchJobs.splice(0)) reject(isCutOff());
    }
    flush(context);
  }
  context.isStopped = true;
}

/** Concatenates JSON arrays. */
function joined(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0] ?? '';
  return `[${texts.map((text) => text.slice(1, -1)).join(',')}]`;
}
