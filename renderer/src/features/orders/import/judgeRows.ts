import type { LocationAlias } from '#shared/api/alias.ts';
import type { NewOrder } from '#shared/api/order.ts';
import { ordersOf, type OrderCsvRow } from '#shared/lib/orderCsv.ts';
import type { Place } from '../../../station/places.ts';

/** What a row becomes: part of a new order, nothing since its order is there already, nothing since another row of its order is wrong, nothing since it is wrong. */
export const ROW_OUTCOMES = ['new', 'known', 'held', 'refused'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

export type JudgedRow = OrderCsvRow & {
  outcome: RowOutcome;
  /** Of those held: the line that is wrong. */
  heldBy: number | undefined;
  /** The device that it would light now; undefined: none is called so yet. */
  device: Place | undefined;
};

export type Judged = {
  rows: readonly JudgedRow[];
  counts: Readonly<Record<RowOutcome, number>>;
  /** Those that would be made. */
  orders: readonly NewOrder[];
  /** Items of these that find no device yet. */
  withoutDevice: number;
};

/**
 * What becomes of each row. An order of which one row is wrong is left out as a whole: half an order would be picked as if it
 * were all of it.
 */
export function judgeRows(
  rows: readonly OrderCsvRow[],
  known: ReadonlySet<string>,
  deviceFor: (cells: OrderCsvRow['cells']) => Place | undefined,
): Judged {
  const wrong = new Map<string, number>();
  for (const { cells, line, message } of rows) {
    if (message !== '' && !wrong.has(cells.order_number)) wrong.set(cells.order_number, line);
  }
  const judged = rows.map((row): JudgedRow => {
    const heldBy = wrong.get(row.cells.order_number);
    const outcome = outcomeOf(row, heldBy, known.has(row.cells.order_number));
    return { ...row, outcome, heldBy, device: outcome === 'new' ? deviceFor(row.cells) : undefined };
  });
  const counts = { new: 0, known: 0, held: 0, refused: 0 };
  for (const { outcome } of judged) counts[outcome] += 1;
  const made = judged.filter(({ outcome }) => outcome === 'new');
  const orders = [...ordersOf(made).values()];
  return { rows: judged, counts, orders, withoutDevice: made.filter(({ device }) => device === undefined).length };
}

function outcomeOf({ message }: OrderCsvRow, heldBy: number | undefined, isKnown: boolean): RowOutcome {
  if (message !== '') return 'refused';
  if (heldBy !== undefined) return 'held';
  return isKnown ? 'known' : 'new';
}

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Finds the device that a launch would find now: by DeviceID, place, SKU, UPC and name, in this order. */
export function deviceFinder(places: readonly Place[], aliases: readonly LocationAlias[]) {
  const byId = new Map(places.map((place) => [place.deviceid, place]));
  const named = new Map<string, Place>();
  // Aliases come before labels, and labels before DeviceIDs: what is set last counts.
  for (const place of places) named.set(place.deviceid.toLowerCase(), place);
  for (const place of places.toReversed()) named.set(place.name.toLowerCase(), place);
  const called = aliases.flatMap(({ name, deviceid }) => {
    const place = byId.get(deviceid);
    return place === undefined ? [] : [{ name, place }];
  });
  for (const { name, place } of called) named.set(name.toLowerCase(), place);
  const inOrder = [
    ...called,
    ...places.filter(({ name, deviceid }) => name !== deviceid).map((place) => ({ name: place.name, place })),
  ].toSorted((a, b) => naturally.compare(a.name, b.name));

  return (cells: OrderCsvRow['cells']): Place | undefined => {
    if (cells.deviceid !== '') return byId.get(cells.deviceid.toUpperCase());
    const wanted = cells.warehouse_location.toLowerCase();
    if (wanted !== '') {
      const found = named.get(wanted) ?? inOrder.find(({ name }) => name.toLowerCase().includes(wanted))?.place;
      if (found !== undefined) return found;
    }
    for (const text of [cells.SKU, cells.UPC, cells.name]) {
      const found = text === '' ? undefined : named.get(text.toLowerCase());
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
