import type { Item, Order } from '#shared/api/order.ts';
import type { StationMap } from '#shared/api/map.ts';
import * as texts from '../../../words/texts.ts';
import type { PickLine } from './sessionTypes.ts';
import { timeText } from '../../../words/formats.ts';
import { isSameDay } from '../../../words/shopClock.ts';

type Known = {
  /** Whether this page has already booked the line. */
  isBooked(line: PickLine): boolean;
  /** Items to list last. */
  skipped: readonly number[];
  /** The order with the latest events applied. It may be newer than the lines. */
  order: Order | undefined;
  me: string;
};

/**
 * Returns the lines to pick, in order. The list of lines may lag behind the event stream, so lines that have already
 * been picked are omitted.
 */
export function toPick(lines: readonly PickLine[], { isBooked, skipped, order, me }: Known): PickLine[] {
  const items = order?.shipments.flatMap((shipment) => shipment.items) ?? [];
  const over = new Set(items.filter(({ state }) => state === 'done' || state === 'short').map(({ id }) => id));
  const ofOthers = new Set(
    items.filter(({ state, picker }) => state === 'active' && picker !== null && picker !== me).map(({ id }) => id),
  );
  const last = order?.pickers.find(({ name }) => name === me)?.deviceid;
  const at = lines.findIndex(({ deviceid, item_id: id }) => deviceid === last && over.has(id ?? 0));
  const open = [...lines.slice(at + 1), ...lines.slice(0, at + 1)].filter(
    (line) => line.item_id !== null && !isBooked(line) && !over.has(line.item_id) && !ofOthers.has(line.item_id),
  );
  const rank = ({ item_id: id }: PickLine) => skipped.indexOf(id ?? 0);
  const next = open.filter((line) => rank(line) < 0);
  return [
    ...next.filter(({ found_empty: found }) => found === null),
    ...next.filter(({ found_empty: found }) => found !== null),
    ...open.filter((line) => rank(line) >= 0).toSorted((a, b) => rank(a) - rank(b)),
  ];
}

/** Returns the codes of a line's article: SKU, UPC and barcodes. */
export const codesOf = ({ SKU, UPC, barcodes = [] }: PickLine): string[] =>
  [SKU, UPC, ...barcodes.map(({ code }) => code)].filter((code) => code !== '');

/**
 * Describes a device's location, such as `Rack A, third shelf`. Returns an empty text if the device is not on the map.
 */
export function shelfWords({ racks, places }: StationMap, deviceid: string | null): string {
  const place = places.find((each) => each.deviceid === deviceid);
  for (const { name, shelves } of racks) {
    const at = shelves.findIndex(({ id }) => id === place?.shelf);
    if (at >= 0) return shelves.length === 1 ? name : texts.pick.shelf(name, at);
  }
  return '';
}

/** Returns the name of a line's place. A line without a place or a device is called by its article. */
export function placeOf(line: Pick<PickLine, 'location' | 'deviceid'> & { text?: string }): string {
  return line.location === '' ? (line.deviceid ?? line.text ?? '') : line.location;
}

export function progressOf({ shipments }: Order) {
  const items = shipments.flatMap((shipment) => shipment.items);
  const isOver = ({ state }: Item) => state === 'done' || state === 'short';
  const sum = (of: (item: Item) => number) => items.reduce((total, item) => total + of(item), 0);
  return {
    items,
    lines: items.length,
    done: items.filter(isOver).length,
    shorts: items.filter(({ state }) => state === 'short').length,
    units: sum((item) => item.ordered_quantity),
    picked: sum((item) => Math.min(item.quantity_fulfilled, item.ordered_quantity)),
  };
}

/** Whether the order's item is still lit for this person, even if by another command. */
export function isStillLit(item: Item | undefined, me: string): boolean {
  return item?.state === 'active' && item.command_id !== null && item.picker === me;
}

/** What happened to a line that is no longer lit. `withdrawn` means that its command ended without a press. */
export type Became = 'picked' | 'withdrawn' | 'timedOut' | 'moved' | 'unlit' | 'gone';

export function whatBecame(
  item: Item | undefined,
  me: string,
  end: 'pressed' | 'withdrawn' | 'removed' | undefined,
): Became {
  if (item?.state === 'done' || item?.state === 'short') return end === 'withdrawn' ? 'withdrawn' : 'picked';
  if (item?.timed_out === true) return 'timedOut';
  if (item?.state !== 'active' || item.picker === null) return 'gone';
  return item.picker === me ? 'unlit' : 'moved';
}

/** Formats a quantity in packs, largest pack first, as in `2 × 10 + 3`. Returns undefined if the quantity does not fill a pack. */
export function packWords(quantity: number, packs: readonly number[]): string | undefined {
  const parts: string[] = [];
  let rest = quantity;
  for (const size of packs) {
    const count = Math.floor(rest / size);
    if (count === 0) continue;
    parts.push(`${count} × ${size}`);
    rest -= count * size;
  }
  if (parts.length === 0) return undefined;
  return [...parts, ...(rest === 0 ? [] : [String(rest)])].join(' + ');
}

/** Formats a duration, such as `2:14`, or `1:02:14` with hours. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function clockWords(at: number): string {
  return timeText('clock', at);
}

/** Formats a due time as the time of day, with the date unless it is today. `now` is in epoch milliseconds of the station's clock. */
export function dueWords(time: string, now: number): string {
  const due = Date.parse(time);
  return isSameDay(due, now) ? clockWords(due) : `${timeText('weekdayAndDay', due)} ${clockWords(due)}`;
}
