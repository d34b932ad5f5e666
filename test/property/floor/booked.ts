import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { Fact } from '#shared/api/station.ts';
import { type ModelFloor, live, sharesOf, sum } from './shop.ts';

export type Booked = Extract<Fact, { type: 'line.booked' }>;

/** What is counted: pieces and state of each item, and everything in the batches. */
export type ShopCount = {
  items: Record<number, { fulfilled: number; ordered: number; state: string }>;
  batches: Batch[];
  /** Numbers of callbacks and movements, and the number of the last commit. */
  callbacks: number;
  movements: number;
  revision: number;
};

export async function countAll(floor: ModelFloor): Promise<ShopCount> {
  const { station } = floor;
  const batches = await live(floor);
  const rows = station.rows<{ id: number; fulfilled: number; ordered: number; state: string }>(
    'SELECT id, quantity_fulfilled AS fulfilled, ordered_quantity AS ordered, state FROM items',
  );
  const count = (sql: string): number => station.rows<{ count: number }>(sql)[0]?.count ?? 0;
  return {
    items: Object.fromEntries(rows.map(({ id, ...item }) => [id, item])),
    batches,
    callbacks: count('SELECT count(*) AS count FROM outbox'),
    movements: count('SELECT count(*) AS count FROM movements'),
    revision: count('SELECT coalesce(max(revision), 0) AS count FROM commits'),
  };
}

export function bookedSince(floor: ModelFloor, revision: number): Booked[] {
  return factsSince(floor, revision).filter((fact) => fact.type === 'line.booked');
}

/** Returns the facts about presses at wrong slots since a revision. */
export function wrongSince(floor: ModelFloor, revision: number): Extract<Fact, { type: 'batch.wrong_slot' }>[] {
  return factsSince(floor, revision).filter((fact) => fact.type === 'batch.wrong_slot');
}

function factsSince({ station }: ModelFloor, revision: number): Fact[] {
  return station
    .rows<{ facts: string }>('SELECT facts FROM commits WHERE revision > ? ORDER BY revision', revision)
    .flatMap(({ facts }) => JSON.parse(facts) as Fact[]);
}

/** Returns by how much the fulfilled quantity of each item has changed, without items that are unchanged. */
export function changesOf(before: ShopCount, after: ShopCount): Record<string, number> {
  const deltas = Object.entries(after.items).map(
    ([id, { fulfilled }]) => [id, fulfilled - (before.items[Number(id)]?.fulfilled ?? 0)] as const,
  );
  return Object.fromEntries(deltas.filter(([, delta]) => delta !== 0));
}

/** Returns the number of pieces in each person's hand in a batch, without empty hands. `slot` counts only pieces for this slot. */
export function handsIn(batch: Batch | undefined, slot?: string): Record<string, number> {
  const hands: Record<string, number> = {};
  for (const { by, shares } of batch?.hands ?? []) {
    const own = sum(shares.filter((share) => slot === undefined || share.slot === slot).map((share) => share.quantity));
    if (own > 0) hands[by] = (hands[by] ?? 0) + own;
  }
  return hands;
}

/** Pieces of one item in a hand, for one slot. */
export type HeldPiece = { slot: string | null; item_id: number; quantity: number };

/** Returns the pieces in a person's hand in a batch. */
export function heldBy(batch: Batch | undefined, person: string): HeldPiece[] {
  const held = new Map<string, HeldPiece>();
  for (const { shares } of batch?.hands.filter(({ by }) => by === person) ?? [])
    for (const { slot, item_id: item, quantity } of shares) {
      const key = `${slot} ${item}`;
      held.set(key, { slot, item_id: item, quantity: quantity + (held.get(key)?.quantity ?? 0) });
    }
  return [...held.values()];
}

/** Returns the pieces that a person held in one batch and no longer holds in the other. */
export function leftHand(before: Batch, after: Batch | undefined, person: string): HeldPiece[] {
  const left = heldBy(after, person);
  return heldBy(before, person).flatMap((piece) => {
    const same = left.find(({ slot, item_id: item }) => slot === piece.slot && item === piece.item_id);
    const quantity = piece.quantity - (same?.quantity ?? 0);
    return quantity === 0 ? [] : [{ ...piece, quantity }];
  });
}

export const putIn = (batch: Batch | undefined): number =>
  batch === undefined ? 0 : sum(sharesOf(batch).map(({ put }) => put));

export const batchIn = ({ batches }: ShopCount, id: number | string | undefined): Batch | undefined =>
  batches.find((batch) => batch.id === Number(id));

/**
 * Returns the people whose hands in a batch take presses: those who pick it, and nobody in particular. If the batch has no main picker,
 * these are all holders who have not left it.
 */
export function presentIn({ picker, pickers, hands }: Batch): Set<string> {
  if (picker !== null) return new Set(['', ...pickers.map(({ name }) => name)]);
  return new Set(hands.flatMap(({ by, left }) => (left === true ? [] : [by])));
}

/** Checks that a refused request changed nothing: no piece, callback, movement or commit. */
export function expectUnchanged(before: ShopCount, after: ShopCount, what: string): void {
  expect(after, what).toEqual(before);
}
