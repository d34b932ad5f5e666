import type { Item, Order } from '#shared/api/order.ts';
import { itemName } from './itemName.ts';

/** An article on a packing slip. */
export type SlipLine = { name: string; description: string; codes: string; pieces: number };

/** What a customer reads about an order. */
export type SlipParts = {
  /** What is in this parcel. */
  here: readonly SlipLine[];
  /** What was picked for the other shipments of the order. */
  elsewhere: readonly SlipLine[];
  /** What is not picked, and not canceled. */
  later: readonly SlipLine[];
};

/**
 * Returns the articles of an order as its customer sees them, each once, in the order of the lines. `shipment` is the number of the shipment
 * in the parcel, or undefined if the parcel holds the whole order.
 */
export function slipParts({ shipments, state }: Order, shipment: string | undefined): SlipParts {
  const isWhole = !shipments.some(({ shipment_number: number }) => number === shipment);
  const isHere = (number: string): boolean => isWhole || number === shipment;
  const items = shipments.flatMap((each) => each.items.map((item) => ({ item, number: each.shipment_number })));
  const picked = ({ quantity_fulfilled: pieces }: Item): number => pieces;
  return {
    here: merge(
      items.filter(({ number }) => isHere(number)).map(({ item }) => item),
      picked,
    ),
    elsewhere: merge(
      items.filter(({ number }) => !isHere(number)).map(({ item }) => item),
      picked,
    ),
    later:
      state === 'aborted'
        ? []
        : merge(
            items.map(({ item }) => item),
            missingOf,
          ),
  };
}

function missingOf({ state, ordered_quantity: ordered, quantity_fulfilled: picked }: Item): number {
  return state === 'cancelled' ? 0 : Math.max(0, ordered - picked);
}

/** Adds up the lines of each article, because one article may lie at several places. Omits articles without pieces. */
function merge(items: readonly Item[], piecesOf: (item: Item) => number): readonly SlipLine[] {
  const lines = new Map<string, SlipLine>();
  for (const item of items) {
    const { SKU = '', UPC = '', description = '' } = item;
    const name = itemName(item);
    const codes = [SKU, UPC].filter((code) => code !== '' && code !== name).join(' · ');
    const key = JSON.stringify([name, description, codes]);
    const pieces = (lines.get(key)?.pieces ?? 0) + piecesOf(item);
    if (pieces > 0) lines.set(key, { name, description, codes, pieces });
  }
  return [...lines.values()];
}

/** Returns the lines of an order's address as on a letter. Its name replaces the customer; without an address, only the customer is left. */
export function addressLines({ customer = '', address = {} }: Pick<Order, 'address' | 'customer'>): string[] {
  const { name = customer, lines = [], postcode = '', city = '', country = '' } = address;
  return [name, ...lines, `${postcode} ${city}`.trim(), country].filter((line) => line !== '');
}
