import type { Client } from '#shared/api/operations.ts';
import type { Correction, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';
import type { LastOrderImport, OrderImport, OrderImportUndo } from '#shared/api/orderImport.ts';
import type { ChangedSequence, NewSequence, Sequence, SequenceProgress, SequenceResult } from '#shared/api/sequence.ts';
import { ApiError } from './apiError.ts';

/** Orders and sequences. */
export type WorkApi = {
  /** How far every order is. */
  loadOrders(): Promise<readonly OrderProgress[]>;
  /** `not_found` where there is none of this number. */
  loadOrder(orderNumber: string): Promise<Order>;
  /** `conflict` where another has this number. */
  addOrder(order: NewOrder, signal?: AbortSignal): Promise<Order>;
  importOrders(csv: string, how: { dry: boolean; signal: AbortSignal }): Promise<OrderImport>;
  /** The last import, if it was not undone. */
  loadLastOrderImport(): Promise<LastOrderImport | null>;
  undoOrderImport(id: number): Promise<OrderImportUndo>;
  removeOrder(orderNumber: string): Promise<void>;
  /** Answers the order as it is now; `conflict` where nothing of it can be lit. */
  launchOrder(orderNumber: string): Promise<Order>;
  abortOrder(orderNumber: string): Promise<void>;
  correctItem(orderNumber: string, id: number, correction: Correction): Promise<void>;
  /** How far every sequence is. */
  loadSequences(): Promise<readonly SequenceProgress[]>;
  /** `not_found` where there is none of this id. */
  loadSequence(sequenceId: string): Promise<Sequence>;
  /** `conflict` where another has this id. */
  addSequence(sequence: NewSequence): Promise<SequenceResult>;
  /** Turns off what is lit of it, and returns it to its beginning. */
  replaceSequence(sequenceId: string, sequence: ChangedSequence): Promise<SequenceResult>;
  removeSequence(sequenceId: string): Promise<void>;
  /** From where it halts; `restart`: from its beginning, wherever it stands. `conflict` where a place finds no device. */
  launchSequence(sequenceId: string, how: { restart: boolean }): Promise<SequenceResult>;
};

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

/** This part of the station's REST API, as the window uses it. */
export function workApi(client: Client): WorkApi {
  return {
    loadOrders: () =>
      allPages(
        (after) => client.listOrderProgress({ limit: PAGE, ...after }, LONG),
        ({ order_number }) => order_number,
      ),
    loadOrder: (order_number) => client.getOrder({ order_number }, LONG),
    addOrder: (order, signal) => client.addOrder({}, order, { ...LONG, ...(signal === undefined ? {} : { signal }) }),
    importOrders: (csv, { dry, signal }) => client.importOrders({ csv, dry_run: dry }, { ...LONG, signal }),
    async loadLastOrderImport() {
      try {
        return await client.getLastOrderImport();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return null;
        throw error;
      }
    },
    undoOrderImport: (id) => client.undoOrderImport({ id }, LONG),
    removeOrder: (order_number) => client.removeOrder({ order_number }, LONG),
    launchOrder: (order_number) => client.launchOrder({ order_number }, LONG),
    async abortOrder(order_number) {
      await client.abortOrder({ order_number }, LONG);
    },
    async correctItem(order_number, id, correction) {
      await client.correctItem({ order_number, id }, correction);
    },
    loadSequences: () =>
      allPages(
        (after) => client.listSequenceProgress({ limit: PAGE, ...after }, LONG),
        ({ sequenceid }) => sequenceid,
      ),
    loadSequence: (seqID) => client.getSequence({ seqID }, LONG),
    addSequence: (sequence) => client.addSequence({}, sequence, LONG),
    replaceSequence: (seqID, sequence) => client.replaceSequence({ seqID }, sequence, LONG),
    removeSequence: (seqID) => client.removeSequence({ seqID }, LONG),
    launchSequence: (seqID, { restart }) =>
      client.launchSequence({ seqID, ...(restart ? { restart: '1' } : {}) }, LONG),
  };
}
