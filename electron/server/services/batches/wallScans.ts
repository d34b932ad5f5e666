import type { ScanResult } from '#shared/api/picking.ts';
import type { Transaction } from '../../db/writer.ts';
import { readWallScan, type WallAnswer, type WallPut } from '../../domain/batches/wall.ts';
import type { BatchContent, WallScan } from '../../domain/batches/types.ts';
import { isLive, openOf } from '../../domain/batches/shares.ts';
import { StationError } from '../../errors.ts';
import { titleOfItem } from '../orders/index.ts';
import { apply, getBatch } from './apply.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

type Tables = Pick<BatchesContext['reads'], 'accounts' | 'batches' | 'items'>;

/** An article scanned at a wall. `quantity` is the number of pieces in a stack or pack, or undefined for one piece. */
export type ArticleScan = { article: string; quantity: number | undefined; by: string; at: number };

/** Response to an article scan at a wall. */
export type WallResult = Pick<ScanResult, 'result' | 'says' | 'text' | 'quantity' | 'order_number' | 'item_id'> &
  Pick<ScanResult, 'batch' | 'slot' | 'puts' | 'shares' | 'left_over' | 'expected'>;

/**
 * Returns the articles of a batch that is sorted at a wall, or undefined if the batch is on a cart or its pieces are still being picked in
 * bulk.
 */
export function wallArticles(tables: Tables, id: number): { itemId: number; article: string }[] | undefined {
  const { batch } = getBatch(tables, id);
  if (batch.kind === 'cart' || (batch.kind === 'bulk' && batch.state === 'picking')) return undefined;
  return batch.shares.map(({ itemId, article }) => ({ itemId, article }));
}

/** An item of a batch that is being picked. `pickId` is the pick of its open pieces, or undefined if no pieces are open. */
type PickedArticle = { itemId: number; article: string; pickId: number | undefined; picked: number };

/**
 * Returns the items of a batch that is being picked, or undefined if nobody picks it or its pieces are only sorted at a wall. Throws
 * `not_found`.
 */
export function pickedArticles(tables: Tables, id: number): PickedArticle[] | undefined {
  const { batch } = getBatch(tables, id);
  if (batch.kind === 'wall' || batch.state !== 'picking') return undefined;
  return batch.shares.filter(isLive).map((share) => ({
    itemId: share.itemId,
    article: share.article,
    pickId: openOf(share) > 0 ? (share.pickId ?? undefined) : undefined,
    picked: share.picked,
  }));
}

/** Returns what a scan would do, without doing it. Throws `not_found`, or `conflict` if the batch is not launched. */
export function readScan(tables: Tables, id: number, scan: ArticleScan): WallResult {
  const open = getBatch(tables, id);
  const answer = readWallScan(open.batch, askOf(tables, open, scan));
  const result = resultOf(tables, open, scan, answer);
  return answer.kind === 'lit' ? { ...result, result: 'lit' } : result;
}

/** Applies a scan: lights the slots, or books a single-piece shipment. Throws the same errors as `readScan`. */
export function scanAtWall(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  scan: ArticleScan,
  doer: Doer,
): WallResult {
  const open = getBatch(context.repositories, id);
  const ask = askOf(context.repositories, open, scan);
  const answer = readWallScan(open.batch, ask);
  const picker = ask.by === '' ? undefined : ask.by;
  apply(context, tx, open, { kind: 'scanned', ...ask }, { ...doer, picker });
  return resultOf(context.repositories, open, scan, answer);
}

function askOf(
  { accounts }: Pick<Tables, 'accounts'>,
  { row, batch }: Open,
  { article, quantity, by, at }: ArticleScan,
): WallScan {
  if (batch.state !== 'sorting') {
    const what = batch.state === 'done' ? 'is done' : batch.state === 'paused' ? 'is paused' : 'is not started';
    const remedy = batch.state === 'done' ? 'Load it again first.' : 'Start it first. POST .../launch/ does so.';
    throw new StationError('conflict', `${row.carrierName} ${what}. ${remedy}`);
  }
  const person = accounts.findUser(by)?.username ?? '';
  return { article, quantity, by: person, at, singles: row.singles === 1 };
}

function resultOf(tables: Tables, { row, batch }: Open, scan: ArticleScan, answer: WallAnswer): WallResult {
  const text = articleName(tables, batch, scan.article);
  const nothing = { text, quantity: null, order_number: null, item_id: null, batch: row.id, expected: [] as string[] };
  switch (answer.kind) {
    case 'lit': {
      const puts = bySlot(answer.puts);
      const [first] = answer.puts;
      const only = answer.puts.length === 1 ? first?.share : undefined;
      const left = answer.leftOver === 0 ? '' : ` Set ${answer.leftOver} aside.`;
      return {
        ...nothing,
        result: 'put',
        says: `${puts.map(({ slot, quantity }) => `${slot} takes ${quantity}`).join(', ')}.${left}`,
        quantity: puts.reduce((sum, { quantity }) => sum + quantity, 0),
        order_number: only?.orderNumber ?? null,
        item_id: only?.itemId ?? null,
        ...(first === undefined ? {} : { slot: first.slot }),
        puts,
        shares: answer.puts.map(({ slot, quantity, share: { orderNumber: order_number, itemId: item_id } }) => ({
          slot,
          order_number,
          item_id,
          quantity,
        })),
        left_over: answer.leftOver,
        expected: puts.map(({ slot }) => slot),
      };
    }
    case 'single': {
      const { orderNumber, itemId } = answer.share;
      const left = answer.leftOver === 0 ? '' : ` ${answer.leftOver} left: scan again.`;
      return {
        ...nothing,
        result: 'single',
        says: `${orderNumber} has only this piece: send it straight to packing.${left}`,
        quantity: 1,
        order_number: orderNumber,
        item_id: itemId,
        left_over: answer.leftOver,
      };
    }
    case 'press_first': {
      const puts = bySlot(answer.puts);
      const slots = puts.map(({ slot }) => slot);
      const slot = slots[0];
      return {
        ...nothing,
        result: 'press_first',
        says: `Press ${slots.join(' and ')} first.`,
        ...(slot === undefined ? {} : { slot }),
        puts,
        expected: slots,
      };
    }
    case 'wall_full': {
      const numbers = [...new Set(answer.waiting.map(({ orderNumber }) => orderNumber))];
      return { ...nothing, result: 'wall_full', says: `No slot is free. Set it aside for ${numbers.join(', ')}.` };
    }
    case 'all_done':
      return {
        ...nothing,
        result: 'all_done',
        says: `All orders have their pieces. Set ${answer.leftOver} aside.`,
        left_over: answer.leftOver,
      };
    case 'not_needed':
      return { ...nothing, result: 'not_needed', says: 'No order here has it. Set it aside.' };
  }
}

function bySlot(puts: readonly WallPut[]): { slot: string; quantity: number }[] {
  const sums = new Map<string, number>();
  for (const { slot, quantity } of puts) sums.set(slot, (sums.get(slot) ?? 0) + quantity);
  return [...sums].map(([slot, quantity]) => ({ slot, quantity }));
}

function articleName({ items }: Pick<Tables, 'items'>, { shares }: BatchContent, article: string): string {
  const share = shares.find((each) => each.article === article);
  const item = share && items.find(share.itemId);
  return item === undefined ? '' : titleOfItem(item);
}
