import type { ImportCounts, ImportEntry, ImportRow } from '#shared/api/imports.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { applyOrders, countsOf } from './apply.ts';
import type { JudgedOrder } from './judge.ts';
import { answeredRows, fatesOf, type ImportsContext, type JudgedFile, storeRows } from './judgeFile.ts';

/** `id`: the preview to import; undefined for a new import. */
export type MadeImport = { source: ImportEntry['source']; name: string; by: By; id?: number };
/** Additional writes in the commit of the first order, of each order, and of the last one. */
export type AroundImport = {
  begin?(tx: Transaction): void;
  done?(tx: Transaction, order: JudgedOrder): void;
  end?(tx: Transaction, counts: ImportCounts): void;
};

const NO_COUNTS: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };

/**
 * Begins an import, or the import of a preview, within a use-case. Returns the id. Throws `conflict` if the preview was already imported.
 */
export function beginImport(
  { repositories }: Pick<ImportsContext, 'repositories'>,
  tx: Transaction,
  kind: ImportEntry['kind'],
  { source, name, by, id }: MadeImport,
): number {
  const made = { kind, source, name, state: 'importing', by: by.name, counts: NO_COUNTS, at: tx.now } as const;
  if (id === undefined) return repositories.imports.add(made);
  if (repositories.imports.find(id)?.state !== 'preview') throw noPreview(id);
  repositories.imports.save(id, 'importing', NO_COUNTS);
  return id;
}

/** Creates and changes the orders of a judged file. Returns the id of the import; 0 for a sheet that changed no order. */
export function applyFile(
  context: ImportsContext,
  judged: Pick<JudgedFile, 'orders' | 'leftOut'>,
  made: MadeImport,
  around: AroundImport = {},
): Promise<{ id: number; rows: ImportRow[] }> {
  const { repositories, audit, alone } = context;
  const { source, name, by } = made;
  return alone(async () => {
    let id = 0;
    await applyOrders(context, judged.orders, {
      by: by.name,
      begin(tx) {
        id = beginImport(context, tx, 'orders', made);
        around.begin?.(tx);
        return id;
      },
      ...(around.done === undefined ? {} : { done: around.done }),
      end(tx) {
        const counts = countsOf(judged.orders, judged.leftOut.length);
        repositories.imports.save(id, 'imported', counts);
        repositories.imports.setFile(id, null);
        around.end?.(tx, counts);
        if (counts.orders + counts.changed > 0) {
          const detail = { rows: { new: counts.orders, changed: changedOrders(judged.orders) } };
          audit.record(tx, { action: 'orders.imported', by, subject: source === 'inbox' ? name : '', detail });
        } else if (source === 'sheet') {
          repositories.imports.remove(id);
          id = 0;
        }
      },
    });
    // Look up devices only for callers of the API: each lookup is a search.
    const rows = source === 'api' ? await answeredRows(context, judged) : fatesOf(judged);
    if (id !== 0) await storeRows(context, id, rows);
    return { id, rows };
  });
}

export function noPreview(id: number): StationError {
  return new StationError('conflict', `Import ${id} is not a preview any more. Send the file again to correct it.`);
}

function changedOrders(orders: readonly JudgedOrder[]): number {
  return orders.filter(({ judgment }) => judgment.outcome === 'changed').length;
}
