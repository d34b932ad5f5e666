import type { Fact } from '#shared/api/station.ts';
import type { StationError } from '../errors.ts';

/** What a use-case can do in addition to reading and writing rows. */
export type Transaction = {
  /** Wall-clock time of the use-case, in epoch milliseconds. */
  readonly now: number;
  /** When somebody did what the use-case books, if the request was delayed, in epoch milliseconds. Never in the future. */
  readonly actedAt?: number;
  /** Revision that the commit gets if it publishes a fact. */
  readonly revision: number;
  /** Runs a part of the use-case in a savepoint. If it throws, its changes are rolled back, and the use-case can continue. */
  attempt<T>(part: () => T): T;
  /** Publishes a fact once it is on disk. */
  emit(fact: Fact): void;
  /** Calls `run` once the commit is on disk, before its facts are published. Use this to update memory that mirrors rows. */
  apply(run: () => void): void;
  /** Calls `run` once the commit is on disk, after its facts are published and before callers are answered. */
  afterCommit(run: () => void): void;
  /**
   * Calls `prepare` once per key, even if several use-cases pass the key. `prepare` reads the rows just before the commit and returns a
   * function to call once they are on disk. In a commit over several turns, `prepare` runs again in each turn that passes the key, and only
   * the last function is called.
   */
  beforeCommit(key: string, prepare: Prepare): void;
};

export type Prepare = () => (() => void) | undefined;

export type UseCase<T> = (tx: Transaction) => T;

/** `text` contains the facts as JSON, serialized once for the table and all readers. */
export type Commit = { revision: number; at: number; facts: readonly Fact[]; text: string };

export type Writer = {
  /** Runs the use-case in a savepoint of the next commit, in this turn of the event loop. Resolves when the commit is on disk. */
  write<T>(useCase: UseCase<T>): Promise<T>;
  /**
   * Like `write`, but for a use-case with many rows, such as a launch, which may take tens of milliseconds. A commit with several such
   * use-cases ends early, so that each press waits for one of them at most.
   */
  writeLarge<T>(useCase: UseCase<T>): Promise<T>;
  /** Runs the use-case with low priority: it joins the next commit, or is committed after at most `soonMs`. */
  writeSoon<T>(useCase: UseCase<T>): Promise<T>;
  /**
   * Runs the use-case for each item, in order, each in its own savepoint, and several per turn of the event loop. Resolves when all are on
   * disk. Uses one commit, unless it takes long, causes much follow-up work, or others write in the meantime; in that case it joins their
   * commit and then continues. `failed` turns an error into a result; if it throws, the other items still run, and the promise rejects at
   * the end.
   */
  writeEach<E, T>(
    items: readonly E[],
    useCase: (tx: Transaction, item: E) => T,
    failed: (error: unknown, item: E) => T,
  ): Promise<T[]>;
  /** Returns the error with which all new use-cases are rejected, or undefined if they are accepted. */
  refusal(): StationError | undefined;
  /** Revision of the last commit that published facts. */
  revision(): number;
  /** Number of commits, for measurements. */
  commits(): number;
  /** Whether all work is committed. */
  idle(): boolean;
  /** Commits all waiting work, including `writeLarge` and `writeEach` calls for up to a second. Afterwards refuses new work. */
  stop(): void;
};

/** A commit in progress. */
export type OpenCommit = {
  tx: Transaction;
  /** Monotonic time of the first turn. */
  begunAt: number;
  facts: Fact[];
  /** Number of facts that `texts` contains. */
  writtenFacts: number;
  /** The facts of each turn, as JSON. */
  texts: string[];
  apply: (() => void)[];
  after: (() => void)[];
  before: { key: string; prepare: Prepare }[];
  prepared: Map<string, () => void>;
  /** Functions that settle the promises of callers after the commit. */
  settle: (() => void)[];
  /** Functions that reject the promises of callers if the commit fails. */
  rejects: ((error: unknown) => void)[];
};
