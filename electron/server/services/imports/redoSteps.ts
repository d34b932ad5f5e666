import type { ImportRedone } from '#shared/api/imports.ts';
import type { Redone, UndoneRecord } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { copiesKeptMs } from '../../domain/history/copiesKept.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { getEntry, runSteps } from './applySteps.ts';
import { redoArticle } from './articles/redoArticles.ts';
import { lastLocationImport } from './locations/lastLocationImport.ts';
import { nameOfPlace, redoPlaces } from './locations/redoPlaces.ts';
import { redoOrder } from './orders/undoOrders.ts';
import type { ImportsContext } from './types.ts';

const ACTION = {
  orders: 'orders.importRedone',
  articles: 'articles.importRedone',
  locations: 'aliases.importRedone',
} as const;

/**
 * Restores what the undo of an import has removed or reverted, in steps of one transaction each. After a crash, a second call does the
 * remaining steps and answers for all of them. Throws `not_found`, or `conflict` if the import was not undone or its undo is too old.
 */
export async function redoImport(context: ImportsContext, id: number, by: By): Promise<ImportRedone> {
  const { repositories, writer, audit } = context;
  const { kind, records } = await writer.write((tx) => beginRedo(context, id, tx.now));
  // Records are removed at the end, so that a redo that was interrupted finds the same list and repeats none of its steps.
  const results = await runSteps(writer, records, {
    run(tx, recordId): Redone[] {
      const record = repositories.importUndone.find(recordId);
      if (record === undefined) return [];
      if (record.redone !== undefined) return record.redone;
      const redone = redo(context, tx, { id, record, by });
      repositories.importUndone.setRedone(recordId, redone);
      return redone;
    },
    refuse: (recordId, message): Redone[] =>
      namesOf(repositories.importUndone.find(recordId)).map((name) => ({ name, message })),
  });
  const all = results.flat();
  const kept = all.filter(({ message }) => message !== '');
  const redone = all.length - kept.length;
  await writer.write((tx) => {
    repositories.importUndone.removeOfImport(id);
    repositories.imports.setRedone(id);
    audit.record(tx, { action: ACTION[kind], by, subject: '', detail: { rows: { redone } } });
    if (kind === 'locations') tx.emit({ type: 'import.kept', last_import: lastLocationImport(repositories) });
  });
  return { redone, kept };
}

/** Returns the records to restore. Throws `not_found` or `conflict`. */
function beginRedo({ repositories, settings }: ImportsContext, id: number, now: number) {
  const { kind, state, redo_until: until } = getEntry(repositories, id, copiesKeptMs(settings.current()));
  if (state !== 'undone') throw new StationError('conflict', `Import ${id} was not undone.`);
  if (until === null || Date.parse(until) <= now)
    throw new StationError(
      'conflict',
      `The undo of import ${id} can no longer be undone: the station no longer keeps what it removed and reverted, or it changed nothing.`,
    );
  // Mark the import, so that a repeated request skips these checks.
  repositories.imports.beginRedo(id);
  return { kind, records: repositories.importUndone.listIds(id) };
}

type Step = { id: number; record: UndoneRecord; by: By };

function redo(context: ImportsContext, tx: Transaction, { id, record, by }: Step): Redone[] {
  const { subject, content } = record;
  if (content === undefined) return [{ name: '', message: 'What the undo changed is damaged.' }];
  const { order, article, places, draft } = content;
  if (order !== undefined) return [redoOrder(context, tx, { id, subject, undone: order, by })];
  if (article !== undefined) return [redoArticle(context, tx, { id, subject, undone: article, by })];
  if (places !== undefined) return redoPlaces(context, tx, places, by);
  if (draft !== undefined) context.repositories.importDrafts.add(draft);
  return [];
}

function namesOf(record: UndoneRecord | undefined): string[] {
  const { order, article, places } = record?.content ?? {};
  if (places !== undefined) return places.rows.map(nameOfPlace);
  return [order?.before.order_number ?? article?.sku ?? ''];
}
