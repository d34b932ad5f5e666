import type { ApiCall } from './call.ts';
import type { Correction, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';
import type { LastOrderImport } from '#shared/api/orderImport.ts';
import type { ChangedSequence, NewSequence, SequenceProgress } from '#shared/api/sequence.ts';
import { ApiError } from './apiError.ts';

/** Long lists, and launches of many devices. */
const LONG = { timeoutMs: 60_000 };

/** The most that is answered at once. */
const PAGE = 10_000;

/** A list as a whole, a page after the other. */
async function allPages<T>(
  load: (after: { after?: string }) => Promise<readonly T[]>,
  keyOf: (row: T) => string,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await load(last === undefined ? {} : { after: keyOf(last) });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** Orders and sequences. */
export function workApi(call: ApiCall) {
  return {
    /** How far every order is. */
    loadOrders: (): Promise<readonly OrderProgress[]> =>
      allPages(
        (after) => call('listOrderProgress', { query: { limit: PAGE, ...after } }, LONG),
        ({ order_number }) => order_number,
      ),
    /** `not_found` where there is none of this number. */
    loadOrder: (order_number: string) => call('getOrder', { path: { order_number } }, LONG),
    /** `conflict` where another has this number. */
    addOrder: (order: NewOrder, signal?: AbortSignal): Promise<Order> =>
      call('addOrder', { body: order }, { ...LONG, signal }),
    importOrders: (csv: string, { dry, signal }: { dry: boolean; signal: AbortSignal }) =>
      call('importOrders', { body: { csv, dry_run: dry } }, { ...LONG, signal }),
    /** The last import, if it was not undone. */
    async loadLastOrderImport(): Promise<LastOrderImport | null> {
      try {
        return await call('getLastOrderImport');
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return null;
        throw error;
      }
    },
    undoOrderImport: (id: number) => call('undoOrderImport', { body: { id } }, LONG),
    removeOrder: (order_number: string) => call('removeOrder', { path: { order_number } }, LONG),
    /** Answers the order as it is now; `conflict` where nothing of it can be lit. */
    launchOrder: (order_number: string) => call('launchOrder', { path: { order_number } }, LONG),
    async abortOrder(order_number: string): Promise<void> {
      await call('abortOrder', { path: { order_number } }, LONG);
    },
    async correctItem(order_number: string, id: number, correction: Correction): Promise<void> {
      await call('correctItem', { path: { order_number, id }, body: correction });
    },
    /** How far every sequence is. */
    loadSequences: (): Promise<readonly SequenceProgress[]> =>
      allPages(
        (after) => call('listSequenceProgress', { query: { limit: PAGE, ...after } }, LONG),
        ({ sequenceid }) => sequenceid,
      ),
    /** `not_found` where there is none of this id. */
    loadSequence: (seqID: string) => call('getSequence', { path: { seqID } }, LONG),
    /** `conflict` where another has this id. */
    addSequence: (sequence: NewSequence) => call('addSequence', { body: sequence }, LONG),
    /** Turns off what is lit of it, and returns it to its beginning. */
    replaceSequence: (seqID: string, sequence: ChangedSequence) =>
      call('replaceSequence', { path: { seqID }, body: sequence }, LONG),
    removeSequence: (seqID: string) => call('removeSequence', { path: { seqID } }, LONG),
    /** From where it halts; `restart`: from its beginning, wherever it stands. `conflict` where a place finds no device. */
    launchSequence: (seqID: string, { restart }: { restart: boolean }) =>
      call('launchSequence', { path: { seqID }, query: restart ? { restart: '1' } : {} }, LONG),
  };
}
