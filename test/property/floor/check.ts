import { expect } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { Batch } from '#shared/api/batch.ts';
import type { Item } from '#shared/api/order.ts';
import type { Movement } from '#shared/api/stock.ts';
import { type ModelFloor, itemsIn, live, type OrderedItem, sharesOf, sum } from './shop.ts';
import { checkLights } from './slotPresses.ts';

/** Checks the invariants of the contract, sections 16, 20 and 21. */
export async function check(floor: ModelFloor): Promise<void> {
  const { station, counts } = floor;
  const items = new Map((await itemsIn(floor)).map((item) => [item.id, item]));
  checkCallbacks(floor, items);
  await checkStock(floor, items);
  for (const batch of await live(floor)) {
    checkPieces(batch);
    checkSlots(batch, items);
    await checkLights(floor, batch);
    counts.picked += Number(batch.hands.length > 0);
    counts.put += Number(batch.slots.some(({ shares }) => shares.some(({ put }) => put > 0)));
    counts.complete += Number(batch.slots.some(({ state }) => state === 'complete'));
  }
  counts.moved = station.rows("SELECT id FROM history WHERE kind = 'order_moved'").length;
}

/** Checks that each picked piece is in a slot, in a hand or to be put back, and that the hands match the shares. */
function checkPieces(batch: Batch): void {
  const shares = sharesOf(batch);
  for (const share of shares) {
    expect(share.picked, `share of ${share.item_id}`).toBe(share.put + share.in_hand + share.put_back);
    expect(share.picked).toBeLessThanOrEqual(share.quantity);
  }
  const ids = new Set(shares.map(({ item_id: id }) => id));
  for (const id of ids) {
    const held = batch.hands.flatMap((hand) => hand.shares.filter((share) => share.item_id === id));
    const inHand = sum(shares.filter(({ item_id: of }) => of === id).map(({ in_hand: each }) => each));
    expect(sum(held.map(({ quantity }) => quantity)), `hands of item ${id}`).toBe(inHand);
  }
}

/** Checks that no slot is complete before all its pieces are put or closed short. */
function checkSlots(batch: Batch, items: ReadonlyMap<number, Item>): void {
  for (const { slot, state, shares } of batch.slots) {
    for (const share of shares) {
      const item = items.get(share.item_id);
      const isOver = item?.state === 'done' || item?.state === 'short';
      if (share.state !== 'stopped' && share.in_hand > 0)
        expect(isOver, `item ${share.item_id} is in hand`).toBe(false);
      if (state === 'complete' && share.state !== 'stopped') {
        expect([share.in_hand, share.put], `${slot} is complete`).toEqual([0, share.picked]);
        expect(isOver, `item ${share.item_id} in ${slot}`).toBe(true);
      }
    }
  }
}

/** Checks that the callbacks report each fulfilled piece exactly once. */
function checkCallbacks({ station }: ModelFloor, items: ReadonlyMap<number, OrderedItem>): void {
  const told = new Map<string, number>();
  const rows = station.rows<{ payload: string; picked: number }>('SELECT payload, picked FROM outbox ORDER BY id');
  for (const { payload, picked } of rows) {
    const { order, SKU } = JSON.parse(payload) as { order?: string; SKU?: string };
    const item = `${order} ${SKU}`;
    if (SKU !== undefined) told.set(item, (told.get(item) ?? 0) + picked);
  }
  for (const { order, SKU, quantity_fulfilled: fulfilled } of items.values())
    expect(told.get(`${order} ${SKU}`) ?? 0, `callbacks of ${order} ${SKU}`).toBe(fulfilled);
}

/**
 * Checks that the stock of a place changes only by its movements, and that the pick movements of an item add up to its
 * fulfilled quantity.
 */
async function checkStock({ station, initial }: ModelFloor, items: ReadonlyMap<number, Item>): Promise<void> {
  const movements = await station.get<Movement[]>('/api/movements/?limit=1000');
  const moved = new Map(initial);
  const left = new Map<number, number>();
  for (const { SKU, location, delta, kind, item } of movements) {
    const at = `${SKU} ${location}`;
    if (moved.has(at)) moved.set(at, (moved.get(at) ?? 0) + delta);
    if (kind === 'pick' && item !== null) left.set(item, (left.get(item) ?? 0) - delta);
  }
  for (const { sku, places } of await station.get<Article[]>('/api/articles/'))
    for (const { location, on_hand: pieces } of places) {
      const wanted = moved.get(`${sku} ${location}`);
      if (wanted !== undefined) expect(pieces, `stock of ${sku} at ${location}`).toBe(wanted);
    }
  for (const [id, item] of items) expect(left.get(id) ?? 0, `left for item ${id}`).toBe(item.quantity_fulfilled);
}
