import type { ImportEntry } from '#shared/api/imports.ts';
import type { UndoneContent } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { getEntry, runSteps } from './applySteps.ts';
import type { ImportsContext } from './types.ts';

/** Result for one order, article or place. `at` is the sort key in the response. `kept` lists what was kept, and why. */
export type Undone<Kept> = { at: number; isUndone: boolean; kept: Kept[] };

/** Results of a step. `content` is what the step changed, or undefined if it changed nothing. */
export type UndoneStep<Kept> = { results: Undone<Kept>[]; content?: UndoneContent | undefined };

/** Functions that undo one kind of import. */
type Work<Kept> = {
  /** The ids of the orders or articles, or the numbers of the steps of a file of places. */
  steps: readonly number[];
  undo(tx: Transaction, step: number): UndoneStep<Kept>;
  /** Returns the result of a step whose transaction failed with a StationError. */
  keep(step: number, message: string): Undone<Kept>[];
  action: 'orders.importUndone' | 'articles.importUndone' | 'aliases.importUndone';
  /** Additional writes in the last transaction. */
  end?(tx: Transaction): void;
};

/**
 * Starts the undo of an import. `which` returns the import's id inside the same transaction. Throws an error from `which`, `not_found`, or
 * `conflict` if the import was already undone or is a preview.
 */
export function beginUndo(
  { repositories: { imports }, writer }: Pick<ImportsContext, 'repositories' | 'writer'>,
  which: (imports: ImportsContext['repositories']['imports']) => number,
): Promise<Pick<ImportEntry, 'id' | 'kind'>> {
  return writer.write((tx) => {
    const id = which(imports);
    const { kind, state } = getEntry({ imports }, id);
    if (state === 'undone') throw new StationError('conflict', `Import ${id} was already undone.`);
    if (state === 'preview') throw new StationError('conflict', `Import ${id} is a preview: nothing was imported.`);
    // Mark the import, so that a repeated request skips these checks.
    imports.beginUndo(tx.now, id);
    return { id, kind };
  });
}

/**
 * Undoes an import in steps, one transaction each. After a crash or an unexpected error, a second call does the remaining steps and answers
 * for all of them.
 */
export async function undoSteps<Kept extends object>(
  { repositories, writer, audit }: Pick<ImportsContext, 'audit' | 'repositories' | 'writer'>,
  { id, by }: { id: number; by: By },
  { steps, undo, keep, action, end }: Work<Kept>,
): Promise<{ undone: number; kept: Kept[] }> {
  const results = await runSteps(writer, steps, {
    run(tx, step): Undone<Kept>[] {
      const done = repositories.importUndone.findOf(id, step);
      // Safe cast: this function has stored the results.
      if (done !== undefined) return done.results as Undone<Kept>[];
      const { results, content } = undo(tx, step);
      if (content !== undefined) repositories.importUndone.add(id, step, content, results);
      return results;
    },
    refuse: keep,
  });
  const all = results.flat().sort((a, b) => a.at - b.at);
  const undone = all.filter(({ isUndone }) => isUndone).length;
  await writer.write((tx) => {
    repositories.imports.setUndone(tx.now, id);
    audit.record(tx, { action, by, subject: '', detail: { rows: { undone } } });
    end?.(tx);
  });
  return { undone, kept: all.flatMap(({ kept }) => kept) };
}
