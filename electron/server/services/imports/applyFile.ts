import type { ImportCounts, ImportEntry, ImportRow } from '#shared/api/imports.ts';
import type { Transaction } from '../../db/writer.ts';
import type { By } from '../base/index.ts';
import { applyOrders, countsOf } from './apply.ts';
import type { JudgedOrder } from './judge.ts';
import { answeredRows, fatesOf, type ImportsContext, type JudgedFile, storeRows } from './judgeFile.ts';

/** `id`: of a preview that is imported. */
export type MadeImport = { source: ImportEntry['source']; name: string; by: By; id?: number };
/** Written with the first order, each order and the last. */
export type AroundImport = {
  begin?(tx: Transaction): void;
  done?(tx: Transaction, order: JudgedOrder): void;
  end?(tx: Transaction, counts: ImportCounts): void;
};

const NO_COUNTS: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };

/** Creates and changes the orders of a judged file. `id`: of the import; 0: a sheet that changed no order is not kept. */
export function applyFile(
  context: ImportsContext,
  judged: Pick<JudgedFile, 'orders' | 'leftOut'>,
  { source, name, by, id: preview }: MadeImport,
  around: AroundImport = {},
): Promise<{ id: number; rows: ImportRow[] }> {
  const { repositories, audit, alone } = context;
  return alone(async () => {
    let id = preview ?? 0;
    await applyOrders(context, judged.orders, {
      begin(tx) {
        const made = { source, name, state: 'importing', by: by.name, counts: NO_COUNTS, at: tx.now } as const;
        if (preview === undefined) id = repositories.imports.add(made);
        else repositories.imports.save(id, 'importing', NO_COUNTS);
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
          const detail = { rows: { new: counts.orders } };
          audit.record(tx, { action: 'orders.imported', by, subject: source === 'inbox' ? name : '', detail });
        } else if (source === 'sheet') {
          repositories.imports.remove(id);
          id = 0;
        }
      },
    });
    // A person looks at the places that a file would light, and each takes a search.
    const rows = source === 'api' ? await answeredRows(context, judged) : fatesOf(judged);
    if (id !== 0) await storeRows(context, id, rows);
    return { id, rows };
  });
}
