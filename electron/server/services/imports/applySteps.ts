import type { AnyImportRow, ImportCounts, ImportEntry } from '#shared/api/imports.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { ImportsContext, ImportTable } from './types.ts';

/** Name of a file whose import began earlier, and a time shortly before that import. */
export type BegunFile = { name: string; since: number };
/**
 * Import with its source and caller. `id` is the preview to import, or undefined for a new import. `continues` is the interrupted import to
 * continue.
 */
export type MadeImport = {
  source: ImportEntry['source'];
  name: string;
  by: By;
  id?: number;
  continues?: BegunFile;
};
/**
 * Additional writes in the first and the last transaction of an import. With `drafts`, refused orders become drafts, and so do the orders
 * with the lines in `setAside`, which are not created.
 */
export type AroundImport = {
  begin?(tx: Transaction): void;
  end?(tx: Transaction): void;
  drafts?: { setAside: ReadonlySet<number> };
};
/**
 * Result of an import. `id` is null if nothing was created or changed. `applied` lists the orders, articles or places with their final
 * outcomes.
 */
export type AppliedFile<Rows extends AnyImportRow[], Applied = unknown> = {
  id: number | null;
  applied: Applied;
  rows: Rows;
  counts: ImportCounts;
};

/** Functions that import one kind of file. A `Result` is the outcome of a step and must be serializable as JSON. */
type Work<Step, Result, Rows extends AnyImportRow[], Applied> = {
  kind: ImportEntry['kind'];
  action: 'orders.imported' | 'articles.imported' | 'aliases.imported';
  around: AroundImport;
  /** Lists the steps. The list must be the same if the request is repeated after a crash. */
  steps(id: number): Promise<readonly Step[]>;
  /** Performs a step, which creates or changes orders, articles or places. */
  apply(tx: Transaction, step: Step, at: { id: number; index: number }): Result;
  /** Returns the result of a step whose transaction failed with a StationError. */
  refuse(step: Step, message: string): Result;
  /** Returns the outcome of the import. `created` and `changed` are numbers of orders, articles or places. */
  outcome(
    results: readonly Result[],
    id: number,
  ): Promise<Omit<AppliedFile<Rows, Applied>, 'id'> & { created: number; changed: number }>;
  /** Additional writes in the last transaction, if anything was created or changed. */
  changed?(tx: Transaction): void;
};

/** Number of rows to store per transaction. A transaction takes about 1 ms. */
const STORED_ROWS = 50;

const NO_COUNTS: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };

/**
 * Imports a checked file in steps, one transaction each, so that presses are handled in between. After a crash, each order, article or
 * place is either complete or missing, and importing the file again adds the missing ones. After a crash or an unexpected error, the state
 * stays `importing`, and the import can be undone.
 */
export async function applySteps<Step, Result, Rows extends AnyImportRow[], Applied>(
  context: ImportsContext,
  made: MadeImport,
  work: Work<Step, Result, Rows, Applied>,
): Promise<AppliedFile<Rows, Applied>> {
  const { repositories, writer, audit } = context;
  const { source, name, by } = made;
  const id = await beginImport(context, work.kind, made, work.around);
  const results = await runSteps(writer, await work.steps(id), {
    run: (tx, step, index) => work.apply(tx, step, { id, index }),
    refuse: work.refuse,
  });
  const { applied, rows, counts, created, changed } = await work.outcome(results, id);
  const isChanged = created + changed > 0;
  const isKept = isChanged || source !== 'sheet';
  if (isKept) await storeRows(context, id, rows);
  await writer.write((tx) => {
    work.around.end?.(tx);
    if (isKept) repositories.imports.finish(id, counts);
    else repositories.imports.remove(id);
    if (!isChanged) return;
    const subject = source === 'inbox' ? name : '';
    audit.record(tx, { action: work.action, by, subject, detail: { rows: { new: created, changed } } });
    work.changed?.(tx);
  });
  return { id: isChanged ? id : null, applied, rows, counts };
}

/**
 * Starts an import, or continues an interrupted one. Resolves to the import's id. Throws `not_found`, or `conflict` if the preview was
 * already imported.
 */
export function beginImport(
  { repositories: { imports }, writer }: Pick<ImportsContext, 'repositories' | 'writer'>,
  kind: ImportEntry['kind'],
  { source, name, by, id, continues }: MadeImport,
  around: AroundImport = {},
): Promise<number> {
  return writer.write((tx) => {
    around.begin?.(tx);
    const begun = continues && imports.findOfFile(kind, source, continues.name, continues.since);
    if (begun?.state === 'importing') return begun.id;
    if (id === undefined)
      return imports.add({ kind, source, name, state: 'importing', by: by.name, counts: NO_COUNTS, at: tx.now });
    checkPreview({ imports }, id, by);
    imports.save(id, 'importing', NO_COUNTS);
    return id;
  });
}

/**
 * Runs the steps in order, one transaction each. A StationError refuses only the step in which it occurs. After any other error, the
 * remaining steps fail too.
 */
export function runSteps<Step, Result>(
  writer: Pick<Writer, 'writeEach'>,
  steps: readonly Step[],
  {
    run,
    refuse,
  }: {
    run(tx: Transaction, step: Step, index: number): Result;
    refuse(step: Step, message: string): Result;
  },
): Promise<Result[]> {
  let isBroken = false;
  return writer.writeEach(
    steps.map((step, index) => ({ step, index })),
    (tx, { step, index }) => {
      if (isBroken) throw new Error('An earlier step failed.');
      return run(tx, step, index);
    },
    (error, { step }) => {
      if (error instanceof StationError) return refuse(step, error.message);
      isBroken = true;
      throw error;
    },
  );
}

export async function storeRows(
  context: Pick<ImportsContext, 'repositories' | 'writer'>,
  id: number,
  rows: readonly AnyImportRow[],
): Promise<void> {
  await storeAs(context, id, rows, (row) => row);
}

/**
 * Stores the row that `rowOf` returns for each element. Resolves to the elements or, if the request is repeated after a crash, to those of
 * the first attempt.
 */
export async function storeAs<T>(
  { repositories, writer }: Pick<ImportsContext, 'repositories' | 'writer'>,
  id: number,
  elements: readonly T[],
  rowOf: (element: T) => AnyImportRow,
): Promise<T[]> {
  const parts = Array.from({ length: Math.ceil(elements.length / STORED_ROWS) }, (_, part) =>
    elements.slice(part * STORED_ROWS, (part + 1) * STORED_ROWS),
  );
  const stored = await writer.writeEach(
    parts,
    (_tx, part) => {
      for (const each of part) repositories.imports.setRow(id, rowOf(each));
      return part;
    },
    (error) => {
      throw error;
    },
  );
  return stored.flat();
}

/** Returns the state of an import that this person sent. Throws `not_found` for the imports of other people. */
export function checkOwner({ imports }: ImportTable, id: number, by: By): ImportEntry['state'] {
  const { by: owner, state } = getEntry({ imports }, id);
  if (owner === by.name) return state;
  throw new StationError('not_found', `Import ${id} is the preview of somebody else.`);
}

/** Throws `not_found` if the import is not by this person, and `conflict` if it is not a preview, for example because it was imported. */
export function checkPreview(tables: ImportTable, id: number, by: By): void {
  if (checkOwner(tables, id, by) === 'preview') return;
  throw new StationError('conflict', `Import ${id} is not a preview any more. Send the file again to correct it.`);
}

/** Returns an import. `mostMs` limits how long imports are kept. Throws `not_found`. */
export function getEntry({ imports }: ImportTable, id: number, mostMs?: number): Omit<ImportEntry, 'undoable'> {
  const entry = imports.find(id, mostMs);
  if (entry !== undefined) return entry;
  throw new StationError('not_found', `There is no import ${id}. GET /api/imports/ lists those that are kept.`);
}
