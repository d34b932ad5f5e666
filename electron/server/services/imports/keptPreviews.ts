import type { AnyImportRow, ImportRow } from '#shared/api/imports.ts';
import type { Fact } from '#shared/api/station.ts';
import type { ReadOrder } from '#shared/lib/tables/orders.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { JudgedOrder } from './judgeOrders.ts';
import type { PreviewFile } from './previewFile.ts';

/** A judged order. `read`: what was read of it, as JSON; `rows`: its rows in the answer, once they are known. */
type Evaluated = { read: string; judged: JudgedOrder; rows?: readonly ImportRow[] };

/** The evaluated orders of a file by their numbers, without those that something in the station has changed since. */
export type Evaluation = Map<string, Evaluated>;

/** A preview in memory. `rows`: the stored rows, by line. */
type KeptPreview = { file: PreviewFile; rows: ReadonlyMap<number, AnyImportRow>; evaluation: Evaluation };

/** Previews that people are correcting, so that a correction evaluates only the orders that can change. */
export type KeptPreviews = {
  find(id: number): KeptPreview | undefined;
  keep(id: number, preview: KeptPreview): void;
  drop(id: number): void;
  /** Returns an empty evaluation. While it is in use, it loses each order that a change in the station affects. */
  open(): Evaluation;
  stop(): void;
};

const MAX_KEPT = 4;
/** Longest pause between two corrections. */
const KEPT_MS = 10 * 60_000;

/** Facts that can affect any order of a file: which device its places mean, and whether the station accepts it. */
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
  const previews = new Map<number, { preview: KeptPreview; timer: Timer }>();
  let evaluations: WeakRef<Evaluation>[] = [];

  function apply(fact: Fact): void {
    const number = numberIn(fact);
    const isForAll = AFFECT_ALL.has(fact.type);
    if (number === undefined && !isForAll) return;
    for (const each of evaluations) {
      if (number === undefined) each.deref()?.clear();
      else each.deref()?.delete(number);
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
      previews.set(id, { preview, timer: clock.setTimer(KEPT_MS, () => drop(id)) });
      const [oldest] = previews.keys();
      if (previews.size > MAX_KEPT && oldest !== undefined) drop(oldest);
    },
    drop,
    open() {
      const opened: Evaluation = new Map();
      evaluations = [...evaluations.filter((each) => each.deref() !== undefined), new WeakRef(opened)];
      return opened;
    },
    stop() {
      unsubscribe();
      for (const id of previews.keys()) drop(id);
    },
  };
}

/** The order that a fact is about. Undefined: none. */
function numberIn(fact: Fact): string | undefined {
  if (fact.type === 'order.changed') return fact.order.order_number;
  return fact.type === 'order.item' || fact.type === 'order.removed' ? fact.order_number : undefined;
}

/** Finds an order that was read as before. */
export function findEvaluated(before: Evaluation | undefined, number: string, read: string): Evaluated | undefined {
  const found = before?.get(number);
  return found?.read === read ? found : undefined;
}

/** What was read of an order, for comparison. */
export function readKey(order: ReadOrder): string {
  return JSON.stringify(order);
}
