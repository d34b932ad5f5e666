import type { OrderProgress } from '#shared/api/order.ts';
import type { SequenceProgress } from '#shared/api/sequence.ts';
import type { WorkFact } from './followed.ts';

/** One that came, changed or went (`row` undefined). */
export type RowChange<T> = { key: string; row: T | undefined };

/**
 * How far all orders or all sequences are. No part of the snapshot: asked for when something needs it first, kept by the facts
 * from then on, and asked for again after a new snapshot, which may have leapt over some.
 */
export type Listing<T> = {
  /** As the station lists them, what came since at the end. Undefined until it was there once. */
  rows: readonly T[] | undefined;
  /** The number of the snapshot after which it was asked for; undefined: not asked, or in vain. */
  askedAfter: number | undefined;
  /** Changes since it was asked for and not yet answered: as new as the answer, or newer. */
  pending: readonly RowChange<T>[] | undefined;
  /** Why the last try failed; empty where it did not. */
  failure: string;
};

export type Listings = { orders: Listing<OrderProgress>; sequences: Listing<SequenceProgress> };
export type ListingKind = keyof Listings;

const NEVER = { rows: undefined, askedAfter: undefined, pending: undefined, failure: '' } as const;
export const NO_LISTINGS: Listings = { orders: NEVER, sequences: NEVER };

export const KEY_OF = {
  orders: ({ order_number }: OrderProgress) => order_number,
  sequences: ({ sequenceid }: SequenceProgress) => sequenceid,
};

export function beginLoad<T>(listing: Listing<T>, snapshot: number): Listing<T> {
  return { ...listing, askedAfter: snapshot, pending: [] };
}

export function completeLoad<T>(listing: Listing<T>, rows: readonly T[], keyOf: (row: T) => string): Listing<T> {
  return { ...listing, rows: withChanges(rows, listing.pending ?? [], keyOf), pending: undefined, failure: '' };
}

export function failLoad<T>(listing: Listing<T>, failure: string): Listing<T> {
  return { ...listing, askedAfter: undefined, pending: undefined, failure };
}

export function applyChanges<T>(
  listing: Listing<T>,
  changes: readonly RowChange<T>[],
  keyOf: (row: T) => string,
): Listing<T> {
  if (changes.length === 0) return listing;
  const { rows, pending } = listing;
  if (rows === undefined && pending === undefined) return listing;
  return {
    ...listing,
    rows: rows === undefined ? undefined : withChanges(rows, changes, keyOf),
    pending: pending === undefined ? undefined : [...pending, ...changes],
  };
}

/** The changes of both listings. */
export function readFacts(facts: readonly WorkFact[]) {
  const orders: RowChange<OrderProgress>[] = [];
  const sequences: RowChange<SequenceProgress>[] = [];
  for (const fact of facts) {
    switch (fact.type) {
      case 'order.changed':
        orders.push({ key: fact.order.order_number, row: fact.order });
        break;
      case 'order.removed':
        orders.push({ key: fact.order_number, row: undefined });
        break;
      case 'sequence.changed':
        sequences.push({ key: fact.sequence.sequenceid, row: fact.sequence });
        break;
      case 'sequence.removed':
        sequences.push({ key: fact.sequenceid, row: undefined });
        break;
      default:
        break;
    }
  }
  return { orders, sequences };
}

function withChanges<T>(rows: readonly T[], changes: readonly RowChange<T>[], keyOf: (row: T) => string): readonly T[] {
  if (changes.length === 0) return rows;
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  for (const { key, row } of changes) {
    if (row === undefined) known.delete(key);
    else known.set(key, row);
  }
  return [...known.values()];
}
