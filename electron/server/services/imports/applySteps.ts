import type { AnyImportRow, ImportCounts, ImportEntry } from '#shared/api/imports.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { ImportsContext, ImportTable } from './types.ts';

/** The name of a file when its import began, and a time shortly before the import. */
export type BegunFile = { name: string; since: number };
/** An import and its caller. `id`: the preview to import; undefined for a new import. `continues`: the interrupted import to continue. */
export type MadeImport = {
  source: ImportEntry['source'];
  name: string;
  by: By;
  id?: number;
  continues?: BegunFile;
};
/**
 * Additional writes in the first and the last transaction of an import. `drafts`: keeps refused orders as drafts, and holds back the orders
 * with these lines.
 */
export type AroundImport = {
  begin?(tx: Transaction): void;
  end?(tx: Transaction): void;
  drafts?: { setAside: ReadonlySet<number> };
};
/** The result of an import. `id`: null if nothing was created or changed. `applied`: the orders or places with their final outcomes. */
export type AppliedFile<Rows extends AnyImportRow[], Applied = unknown> = {
  id: number | null;
  applied: Applied;
  rows: Rows;
  counts: ImportCounts;
};

/** How to import one kind of file. `Result`: the outcome of a step, which must be serializable as JSON. */
type Work<Step, Result, Rows extends AnyImportRow[], Applied> = {
  kind: ImportEntry['kind'];
  action: 'orders.imported' | 'articles.imported' | 'aliases.imported';
  around: AroundImport;
  /** Lists the steps. Must return the same list if the request is repeated after a crash. */
  steps(id: number): Promise<readonly Step[]>;
  /** Applies a step: creates or changes orders or places. */
  apply(tx: Transaction, step: Step, at: { id: number; index: number }): Result;
  /** Returns the result of a step whose transaction failed with a StationError. */
  refuse(step: Step, message: string): Result;
  /** Returns the outcome of the import. `created`, `changed`: numbers of orders or places. */
  outcome(
    results: readonly Result[],
    id: number,
  ): Promise<Omit<AppliedFile<Rows, Applied>, 'id'> & { created: number; changed: number }>;
  /** Additional writes in the last transaction, if anything was created or changed. */
  changed?(tx: Transaction): void;
};

/** Number of rows to store per transaction, which takes about 1 ms. */
const STORED_ROWS = 50;

const NO_COUNTS: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };

/**
 * Imports a checked file in steps, one transaction each, so that presses are handled in between. After a crash, each order or place is
 * complete or missing; importing the file again adds the rest. After an unexpected error, as after a crash, the state stays `importing`,
 * and the import can be undone.
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
 * Starts an import, or the import of a preview, and returns its id. Throws `not_found`, or `conflict` if the preview was already imported.
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
 * Runs a transaction for each step, in order. A StationError only refuses its own step. After any other error, the remaining steps fail
 * too.
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
 * Stores what `rowOf` returns for each element. Returns the elements, or those of the first attempt if the request is repeated after a
 * crash.
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

/** Throws `not_found` unless this person sent the file. */
export function checkOwner({ imports }: ImportTable, id: number, by: By): ImportEntry['state'] {
  const { by: owner, state } = getEntry({ imports }, id);
  if (owner === by.name) return state;
  throw new StationError('not_found', `Import ${id} is the preview of somebody else.`);
}

/** Throws `not_found` unless the import is a preview by this person, and `conflict` if it was already imported. */
export function checkPreview(tables: ImportTable, id: number, by: By): void {
  if (checkOwner(tables, id, by) === 'preview') return;
  throw new StationError('conflict', `Import ${id} is not a preview any more. Send the file again to correct it.`);
}

/** Throws `not_found`. */
export function getEntry({ imports }: ImportTable, id: number): Omit<ImportEntry, 'undoable'> {
  const entry = imports.find(id);
  if (entry !== undefined) return entry;
  throw new StationError('not_found', `There is no import ${id}. GET /api/imports/ lists those that are kept.`);
}
