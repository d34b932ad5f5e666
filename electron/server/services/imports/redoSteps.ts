import type { ImportEntry, ImportRedone } from '#shared/api/imports.ts';
import type { UndoneRecord } from '../../db/repositories/importUndone.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { getEntry, runSteps } from './applySteps.ts';
import { redoArticle } from './articles/redoArticles.ts';
import { lastLocationImport } from './locations/lastLocationImport.ts';
import { nameOfPlace, redoPlaces } from './locations/redoPlaces.ts';
import { redoOrder } from './orders/undoOrders.ts';
import type { ImportsContext, Redone } from './types.ts';

const ACTION = {
  orders: 'orders.importRedone',
  articles: 'articles.importRedone',
  locations: 'aliases.importRedone',
} as const;

/**
 * Restores what the undo of an import has removed or reverted, in steps of one transaction each. A step that has been done is not repeated
 * after a crash. Throws `not_found`, or `conflict` if the import was not undone or its undo is too old.
 */
export async function redoImport(context: ImportsContext, id: number, by: By): Promise<ImportRedone> {
  const { reads, repositories, writer, audit } = context;
  const { kind } = await writer.write((tx) => checkRedo(getEntry(repositories, id), tx.now));
  const results = await runSteps(writer, reads.importUndone.list(id), {
    run(tx, record): Redone[] {
      repositories.importUndone.remove(record.id);
      return redo(context, tx, { id, record, by });
    },
    refuse: (record, message): Redone[] => namesOf(record).map((name) => ({ name, message })),
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

function checkRedo({ id, kind, state, redo_until: until }: Omit<ImportEntry, 'undoable'>, now: number) {
  if (state !== 'undone') throw new StationError('conflict', `Import ${id} was not undone.`);
  if (until === null || Date.parse(until) <= now)
    throw new StationError(
      'conflict',
      `The undo of import ${id} can no longer be undone: it is older than 7 days, or it removed and reverted nothing.`,
    );
  return { kind };
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

function namesOf({ content }: UndoneRecord): string[] {
  const { order, article, places } = content ?? {};
  if (places !== undefined) return places.rows.map(nameOfPlace);
  return [order?.before.order_number ?? article?.sku ?? ''];
}
