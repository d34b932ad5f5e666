import type { Batch as BatchAnswer, BatchProgress, BatchShare } from '#shared/api/batch.ts';
import type { BatchRow } from '../../db/repositories/batches.ts';
import { inHandOf, isLive, isWaiting, shareState } from '../../domain/batches/shares.ts';
import type { Share } from '../../domain/batches/types.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { needsScanOf, type OrderDefaults } from '../orders/index.ts';
import { memoized } from '../base/index.ts';
import { piecesOf } from './apply.ts';
import { absentFrom } from './lights.ts';
import { pickersOf } from './people.ts';
import type { BatchesContext, Open } from './types.ts';

type Tables = Pick<BatchesContext['reads'], 'articles' | 'batches' | 'items' | 'orders' | 'tasks'>;

/** Converts a batch to its API form for lists, without its slots. */
export function batchProgress(tables: Pick<Tables, 'batches'>, row: BatchRow): BatchProgress {
  return {
    id: row.id,
    mode: row.mode,
    cart: row.mode === 'cart' ? row.carrierId : row.cartId,
    cart_name: row.mode === 'cart' ? row.carrierName : (row.cartName ?? ''),
    wall: row.mode === 'wall' ? row.carrierId : null,
    wall_name: row.mode === 'wall' ? row.carrierName : '',
    state: row.state,
    put_confirmation: row.putConfirmation,
    singles: row.singles === 1,
    picker: row.picker,
    pickers: pickersOf(tables, row),
    attention: row.isStalled === 1 ? ['stalled'] : [],
    created_time: isoTime(row.createdAt),
    updated_time: isoTime(row.updatedAt),
  };
}

/** Converts a batch to its API form, with its slots, pieces in hand and shares. */
export function batchAnswer(tables: Tables, { row, batch }: Open, defaults: OrderDefaults): BatchAnswer {
  const unscannedOf = memoized((orderId: number) => listUnscanned(tables, orderId, defaults));
  const answerOf = (share: Share): BatchShare =>
    shareAnswer(share, isLive(share) && unscannedOf(share.orderId).has(share.itemId));
  const shareOf = new Map(batch.shares.map((share) => [share.id, share]));
  const absent = absentFrom(tables.batches, row, batch);
  return {
    ...batchProgress(tables, row),
    slots: batch.slots.map(({ slot, state, held, tote, freed }) => {
      const isHeld = state !== 'free' && held !== null;
      return {
        slot,
        state,
        order_number: isHeld ? held.orderNumber : null,
        shipment_number: isHeld ? held.shipmentNumber : null,
        tote: isHeld ? tote : null,
        shares: isHeld ? batch.shares.filter((share) => share.slot === slot).map(answerOf) : [],
        freed:
          state === 'free' && freed !== null && held !== null
            ? { at: isoTime(freed.at), by: freed.by, order_number: held.orderNumber }
            : null,
      };
    }),
    hands: [...new Set(batch.hands.map(({ by }) => by))].map((by) => ({
      by,
      ...(absent.has(by) ? { left: true } : {}),
      shares: batch.hands
        .filter((hand) => hand.by === by)
        .flatMap(({ shareId, quantity }) => {
          const share = shareOf.get(shareId);
          return share === undefined
            ? []
            : [{ slot: share.slot, order_number: share.orderNumber, item_id: share.itemId, quantity }];
        }),
    })),
    put_back: listToPutBack(tables, batch.shares).map(answerOf),
    waiting: batch.shares.filter(isWaiting).map(answerOf),
    scanned: batch.scanned.flatMap(({ by, shareId, quantity }) => {
      const share = shareOf.get(shareId);
      return share === undefined
        ? []
        : [{ by, slot: share.slot, order_number: share.orderNumber, item_id: share.itemId, quantity }];
    }),
  };
}

function shareAnswer(share: Share, awaitsScan: boolean): BatchShare {
  const { slot, orderNumber, itemId, quantity, picked, put, putBack } = share;
  return {
    slot,
    order_number: orderNumber,
    item_id: itemId,
    quantity,
    picked,
    put,
    put_back: putBack,
    in_hand: inHandOf(share),
    state: shareState(share),
    awaits_scan: awaitsScan,
  };
}

/**
 * Lists shares with pieces that are still to be put back. Omits pieces of stopped orders whose task has ended, because nobody will return
 * them.
 */
function listToPutBack(tables: Tables, shares: readonly Share[]): Share[] {
  const asked = shares.filter(({ putBack }) => putBack > 0);
  const live = asked.filter(isLive);
  const left = new Map<string, number>();
  const stopped = asked.flatMap((share): Share[] => {
    if (isLive(share)) return [];
    const { key, pieces } = openPieces(tables, share, live);
    const rest = left.get(key) ?? pieces;
    const putBack = Math.min(share.putBack, rest);
    left.set(key, rest - putBack);
    return putBack > 0 ? [{ ...share, putBack }] : [];
  });
  return [...live, ...stopped];
}

/** Counts the pieces that are still to be put back for all stopped shares with the same key. */
function openPieces(
  { articles, batches, items, orders, tasks }: Tables,
  share: Share,
  live: readonly Share[],
): { key: string; pieces: number } {
  const { itemId, orderId, orderNumber } = share;
  const { articleId } = piecesOf(share);
  const hasArticle = articleId !== undefined && articles.find(articleId) !== undefined;
  const item = items.find(itemId);
  if (item === undefined) {
    // After an order is deleted, its task has only the order number and the article.
    const open = tasks
      .listOpenOfOrder(orderNumber)
      .filter((task) => task.itemId === null && task.articleId === articleId);
    const pieces = open.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
    return { key: `${orderNumber}/${articleId}`, pieces: hasArticle || pieces > 0 ? pieces : Infinity };
  }
  const key = String(itemId);
  const ofLive = live.reduce((sum, each) => sum + (each.itemId === itemId ? each.putBack : 0), 0);
  const task = tasks.findOpenOfItem(itemId);
  if (task !== undefined || hasArticle) return { key, pieces: Math.max(0, (task?.quantity ?? 0) - ofLive) };
  // Pieces without an article have no task. An order that is picked again keeps its pieces.
  const state = orders.find(orderId)?.state;
  const isKept = state === 'in_progress' || state === 'fulfilled' || batches.findOf(orderId) !== undefined;
  return { key, pieces: isKept ? 0 : item.fulfilled };
}

/** Returns the ids of the order's items that still need a scan of their article. */
function listUnscanned(
  { items, orders }: Pick<Tables, 'items' | 'orders'>,
  orderId: number,
  defaults: OrderDefaults,
): ReadonlySet<number> {
  const order = orders.find(orderId);
  const all = order === undefined ? [] : items.listOf(orderId).filter((item) => needsScanOf({ item, order }, defaults));
  return new Set(all.map(({ id }) => id));
}
