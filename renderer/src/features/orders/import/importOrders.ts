import type { NewOrder, Order } from '#shared/api/order.ts';
import type { Api } from '../../../station/api.ts';
import { ApiError, sentenceOf } from '../../../station/apiError.ts';
import { runAll } from '../../../ui/bulkOutcome.ts';
import { texts } from '../../../ui/texts.ts';
import { isUntouched } from '../newOrderOf.ts';

export type Made = { number: string; id: number };

export type Imported = {
  at: string;
  made: readonly Made[];
  failed: readonly { number: string; words: string }[];
  /** Not tried any more. */
  left: number;
};

/** Makes orders one by one, a few at a time, until all are made or `isCancelled` says so: what was made by then stays. */
export async function importOrders(
  orders: readonly NewOrder[],
  api: Pick<Api, 'addOrder'>,
  progress: (done: number, made: readonly Made[]) => void,
  isCancelled: () => boolean,
): Promise<Omit<Imported, 'at'>> {
  const made: Made[] = [];
  const failures = await runAll(
    orders,
    async (order) => {
      const { id } = await api.addOrder(order);
      made.push({ number: order.order_number, id });
    },
    (done) => progress(done, made),
    isCancelled,
  );
  const failed = failures.map(({ item, error }) => ({
    number: item.order_number,
    words: sentenceOf(error, texts.failure.other),
  }));
  return { made, failed, left: orders.length - made.length - failed.length };
}

export type Undone = {
  /** Numbers of those that are gone. */
  gone: readonly string[];
  /** Launched, counted or made anew since. */
  kept: readonly string[];
  failed: readonly { made: Made; words: string }[];
};

/** Deletes what an import made, so far as nothing has happened to it since. */
export async function undoOrders(
  made: readonly Made[],
  api: Pick<Api, 'loadOrder' | 'removeOrder'>,
  progress: (done: number) => void,
): Promise<Undone> {
  const gone: string[] = [];
  const kept: string[] = [];
  const failures = await runAll(
    made,
    async ({ number, id }) => {
      const order = await orMissing(api.loadOrder(number));
      if (order === undefined) return;
      if (order.id !== id || !isUntouched(order)) {
        kept.push(number);
        return;
      }
      await api.removeOrder(number);
      gone.push(number);
    },
    progress,
    () => false,
  );
  const failed = failures.map(({ item, error }) => ({ made: item, words: sentenceOf(error, texts.failure.other) }));
  return { gone, kept, failed };
}

/** Somebody has deleted it already. */
async function orMissing(asked: Promise<Order>): Promise<Order | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
