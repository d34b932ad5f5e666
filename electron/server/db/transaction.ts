import type { Fact } from '#shared/api/station.ts';

/** What a use-case may do beside reading and writing rows. */
export type Transaction = {
  /** Wall time of the use-case, epoch milliseconds. */
  readonly now: number;
  /** Revision of the commit, if it publishes a fact. */
  readonly revision: number;
  /** Runs a part of the use-case. If it throws, what it did is taken back, and the use-case may go on. */
  attempt<T>(part: () => T): T;
  /** Publishes a fact once it is on disk. */
  emit(fact: Fact): void;
  /** Runs once the commit is on disk, before its facts are published: updates memory that mirrors rows. */
  apply(run: () => void): void;
  /** Runs once the commit is on disk, after its facts are published and before callers are answered. */
  afterCommit(run: () => void): void;
  /**
   * Once per key, even if several use-cases ask: `prepare` reads the rows just before the commit, and the function that it returns
   * runs once they are on disk. A commit of several turns asks again in each turn; the last function counts.
   */
  beforeCommit(key: string, prepare: Prepare): void;
};

export type Prepare = () => (() => void) | undefined;

export type UseCase<T> = (tx: Transaction) => T;

/** `text`: the facts as JSON, serialized once for the table and for every reader. */
export type Commit = { revision: number; at: number; facts: readonly Fact[]; text: string };

export type Writer = {
  /** Runs the use-case in a savepoint of the next commit, in this turn of the event loop. Resolves when it is on disk. */
  write<T>(useCase: UseCase<T>): Promise<T>;
  /**
   * The same for a use-case of many rows, such as a launch, which may take tens of milliseconds. A commit with several of them ends
   * early: each press waits for one at most.
   */
  writeLarge<T>(useCase: UseCase<T>): Promise<T>;
  /** Low priority: joins the next commit, or commits after `soonMs`. */
  writeSoon<T>(useCase: UseCase<T>): Promise<T>;
  /**
   * Runs the use-case for each item, in order, each in a savepoint, a part of them in each turn of the event loop. Resolves when
   * all are on disk. It takes one commit unless it takes long, much follows it, or others write meanwhile: then it commits with theirs, and
   * continues. `failed` makes a result of an error; if it throws, the other items still run, and the promise rejects at the end.
   */
  writeEach<E, T>(
    items: readonly E[],
    useCase: (tx: Transaction, item: E) => T,
    failed: (error: unknown, item: E) => T,
  ): Promise<T[]>;
  /** Revision of the last commit that published facts. */
  revision(): number;
  /** Number of commits, for measurements. */
  commits(): number;
  /** Whether nothing waits to be committed. */
  idle(): boolean;
  /** Commits what waits, of `writeLarge` and `writeEach` calls as much as a second allows. Then refuses new work. */
  stop(): void;
};

/** A commit that has begun. */
export type OpenCommit = {
  tx: Transaction;
  /** Monotonic time. */
  begunAt: number;
  facts: Fact[];
  /** Number of facts that `texts` holds. */
  writtenFacts: number;
  /** The facts of each turn, as JSON. */
  texts: string[];
  apply: (() => void)[];
  after: (() => void)[];
  before: { key: string; prepare: Prepare }[];
  prepared: Map<string, () => void>;
  /** Answers each caller after the commit. */
  settle: (() => void)[];
  /** Rejects each caller if the commit fails. */
  rejects: ((error: unknown) => void)[];
};
