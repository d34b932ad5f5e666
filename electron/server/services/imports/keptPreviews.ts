import type { Fact } from '#shared/api/station.ts';
import { ReadMemo } from '#shared/lib/tables/readMemo.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { Evaluated, Evaluation, KeptPreview, KeptPreviews } from './types.ts';
import type { ReadOrder } from '#shared/lib/tables/types.ts';

const MAX_KEPT = 4;
/** Maximum number of rows of a file whose results are kept, to limit memory. A correction of a longer file reads all of it again. */
const MAX_KEPT_ROWS = 20_000;
/** Maximum total number of cells of the files whose results are kept. A single file can have more. */
const MAX_KEPT_CELLS = 400_000;
/** How long the results of a preview are kept after a correction, in milliseconds. */
const KEPT_MS = 10 * 60_000;

/**
 * Facts that can change the outcome of any order in a file, because they change which device a place has or whether the station accepts an
 * order.
 */
const AFFECT_ALL: ReadonlySet<Fact['type']> = new Set<Fact['type']>([
  'alias.changed',
  'alias.removed',
  'device.added',
  'device.changed',
  'device.removed',
  'settings.changed',
  'setup.done',
]);

export function createKeptPreviews({ bus, clock }: { bus: Pick<Bus, 'subscribe'>; clock: Clock }): KeptPreviews {
  const previews = new Map<number, { preview: KeptPreview; timer: Timer; cells: number }>();
  let evaluations: WeakRef<Evaluation>[] = [];

  function apply(fact: Fact): void {
    const number = numberIn(fact);
    const isForAll = AFFECT_ALL.has(fact.type);
    if (number === undefined && !isForAll) return;
    for (const each of evaluations) {
      const evaluation = each.deref();
      if (number !== undefined) evaluation?.orders.delete(number);
      else if (evaluation !== undefined) clear(evaluation);
    }
  }

  const unsubscribe = bus.subscribe({
    commit({ facts }) {
      if (evaluations.length > 0) facts.forEach(apply);
    },
  });

  function drop(id: number): void {
    previews.get(id)?.timer.cancel();
    previews.delete(id);
  }

  return {
    find: (id) => previews.get(id)?.preview,
    keep(id, preview) {
      drop(id);
      const cells = preview.table.rows.reduce((sum, row) => sum + row.cells.length, 0);
      previews.set(id, { preview, timer: clock.setTimer(KEPT_MS, () => drop(id)), cells });
      for (const oldest of previews.keys()) {
        const kept = [...previews.values()].reduce((sum, each) => sum + each.cells, 0);
        if (oldest === id || (previews.size <= MAX_KEPT && kept <= MAX_KEPT_CELLS)) break;
        drop(oldest);
      }
    },
    drop,
    openFor({ rows }) {
      if (rows.length > MAX_KEPT_ROWS) return undefined;
      const opened: Evaluation = { memo: new ReadMemo(), orders: new Map(), leftOut: new WeakMap() };
      evaluations = [...evaluations.filter((each) => each.deref() !== undefined), new WeakRef(opened)];
      return opened;
    },
    stop() {
      unsubscribe();
      for (const id of previews.keys()) drop(id);
    },
  };
}

/** Returns the number of the order that a fact is about. Returns undefined for other facts. */
function numberIn(fact: Fact): string | undefined {
  if (fact.type === 'order.changed') return fact.order.order_number;
  return fact.type === 'order.item' || fact.type === 'order.removed' ? fact.order_number : undefined;
}

/** Removes all results. A check that is running continues with the previous `memo`, and therefore with the previous places. */
function clear(evaluation: Evaluation): void {
  evaluation.memo = new ReadMemo();
  evaluation.orders.clear();
}

/** Finds the result for an order if its rows have not changed since. */
export function findEvaluated(evaluation: Evaluation | undefined, read: ReadOrder): Evaluated | undefined {
  const found = evaluation?.orders.get(read.number);
  return found?.read === read ? found : undefined;
}
