import type { Item, NewOrder, Order } from '#shared/api/order.ts';
import type { NewItem } from '#shared/api/orderItem.ts';
import type { ModelPicker } from './people.ts';
import type { ModelCommand } from './state.ts';

type State = Order['state'];

export type ModelItem = {
  of: ModelShipment;
  id: number;
  given: NewItem;
  state: Item['state'];
  fulfilled: number;
  unassigned: boolean;
  /** Whether the item is, or was, a picker's work without a light. */
  noLight: boolean;
  /** Pieces counted by the last confirmation. */
  lastBooked: number;
  timedOut: boolean;
  /** The person who has the line or finished it, or null. */
  picker: string | null;
  /** The pickers before the current one, each with the time until which the person had the line. */
  former: { picker: string | null; until: number }[];
  verified: boolean;
  /** The device where the item is lit, or was last lit. */
  deviceId: string | null;
  command: ModelCommand | null;
  /** Number of times that the item has ended so far. */
  round: number;
};

/** The state of an order or shipment. `isTold` is true once the completion was reported, which happens once per launch. */
type Work = { state: State; isTold: boolean };

export type ModelShipment = Work & {
  of: ModelOrder;
  id: number;
  number: string;
  nonce: string | undefined;
  items: ModelItem[];
};

export type ModelOrder = Work & {
  id: number;
  number: string;
  given: NewOrder;
  /** Token in the nonces of items without a nonce. Undefined until it is first seen. */
  token: string | undefined;
  createdAt: number;
  launchedAt: number | null;
  fulfilledAt: number | null;
  shipments: ModelShipment[];
  /** The order's pickers, sorted by name. */
  pickers: ModelPicker[];
};

const UNUSED = { priority: 0, due_time: null, scan_required: false };

/** Returns the reasons for attention, except those about turbos and missing presses, which `compareWorks` ignores. */
function attentionOf(state: State, items: readonly ModelItem[]): string[] {
  if (state === 'aborted') return [];
  return [
    ...(state !== 'fulfilled' && items.some(({ timedOut }) => timedOut) ? ['timed_out'] : []),
    ...(items.some((item) => item.unassigned && isToLight(item)) ? ['unassigned'] : []),
  ];
}

/** Returns an order as `GET /api/orders/` does. */
export function answerOfOrder(order: ModelOrder): object {
  const { id, number, given, state, createdAt, launchedAt, fulfilledAt, shipments } = order;
  const { ordernonce, color, seconds } = given;
  return plain({
    id,
    order_number: number,
    ordernonce,
    color,
    seconds,
    ...UNUSED,
    pickers: answerOfPickers(order),
    waits: order.pickers.some(({ waits }) => waits),
    state,
    attention: attentionOf(state, itemsOf(order)),
    created_time: iso(createdAt),
    launched_time: iso(launchedAt),
    fulfilled_time: iso(fulfilledAt),
    shipments: shipments.map((shipment) => ({
      id: shipment.id,
      shipment_number: shipment.number,
      shipmentnonce: shipment.nonce,
      state: shipment.state,
      attention: attentionOf(shipment.state, shipment.items),
      items: shipment.items.map(answerOfItem),
    })),
    items: given.items === undefined ? undefined : itemsOf(order).map(answerOfItem),
    unassigned: itemsOf(order)
      .filter((item) => item.unassigned && isToLight(item))
      .map(answerOfItem),
  });
}

/** Returns the pickers in the order in which they joined. */
export function answerOfPickers({ pickers }: Pick<ModelOrder, 'pickers'>) {
  return pickers
    .toSorted((a, b) => a.joinedAt - b.joinedAt)
    .map(({ name, color, paused, deviceid }) => ({ name, color, paused, deviceid }));
}

/** Checks that counts never go below 0, and that no item of an aborted order is lit. */
export function checkCounts({ order_number: number, state, shipments }: Order): void {
  for (const item of shipments.flatMap(({ items }) => items)) {
    const { quantity_fulfilled: fulfilled, quantity_remaining: remaining, ordered_quantity: ordered } = item;
    if (fulfilled < 0 || remaining !== Math.max(0, ordered - fulfilled)) {
      throw new Error(`Order ${number} counts ${JSON.stringify(item)}`);
    }
    const isOut = item.command_id === null && item.state !== 'active';
    if (state === 'aborted' && !isOut) throw new Error(`Of the aborted order ${number} is lit ${JSON.stringify(item)}`);
  }
}

export function itemsOf({ shipments }: ModelOrder): ModelItem[] {
  return shipments.flatMap(({ items }) => items);
}

export function answerOfItem(item: ModelItem): object {
  const { id, given, fulfilled, deviceId, state, command, timedOut } = item;
  const { ordered_quantity } = given;
  return {
    ...given,
    id,
    quantity_fulfilled: fulfilled,
    quantity_remaining: remainingOf(item),
    deviceid: deviceId ?? given.deviceid ?? null,
    state,
    ordered_quantity,
    command_id: command === null ? null : String(command.id),
    timed_out: timedOut,
    picker: item.picker,
    verified: item.verified,
    awaits_scan: false,
    no_stock: false,
  };
}

function newItem(of: ModelShipment, given: NewItem, id: number): ModelItem {
  const fulfilled = given.quantity_fulfilled ?? 0;
  const state = fulfilled >= given.ordered_quantity ? 'done' : 'open';
  const unlit = { unassigned: false, noLight: false, timedOut: false, deviceId: null, command: null };
  const nowhere = { ...unlit, lastBooked: 0, picker: null, verified: false, round: 0 };
  return { of, id, given, state, fulfilled, ...nowhere, former: [] };
}

/** Creates the requested order with the ids that the station chose. */
export function newOrder(given: NewOrder, answered: Order, createdAt: number): ModelOrder {
  const { order_number: number } = given;
  const work = { state: 'open', isTold: false } as const;
  const times = { createdAt, launchedAt: null, fulfilledAt: null };
  const order: ModelOrder = {
    id: answered.id,
    number,
    given,
    token: undefined,
    ...work,
    ...times,
    shipments: [],
    pickers: [],
  };
  const shipments = given.shipments ?? [{ shipment_number: number, items: given.items ?? [] }];
  order.shipments = shipments.map(({ shipment_number, shipmentnonce: nonce, items }, at) => {
    const { id = 0, items: ids = [] } = answered.shipments[at] ?? {};
    const shipment: ModelShipment = { of: order, id, number: shipment_number, nonce, ...work, items: [] };
    shipment.items = items.map((item, index) => newItem(shipment, item, ids[index]?.id ?? 0));
    if (isComplete(shipment.items)) shipment.state = 'fulfilled';
    return shipment;
  });
  if (isComplete(itemsOf(order))) Object.assign(order, { state: 'fulfilled', fulfilledAt: createdAt });
  return order;
}

/** Returns the text that identifies an item to people and receivers. */
export function articleOf({ given: { name, SKU, UPC } }: Pick<ModelItem, 'given'>): string {
  return name ?? SKU ?? UPC ?? '';
}

export function remainingOf({ given, fulfilled }: ModelItem): number {
  return Math.max(0, given.ordered_quantity - fulfilled);
}

export function isToLight({ state, noLight }: ModelItem): boolean {
  return state === 'open' || state === 'cancelled' || (state === 'active' && noLight);
}

/** Stores what the last confirmation booked. One that closes the item as short may book nothing. */
export function noteBooked(item: ModelItem, before: { fulfilled: number; isShort: boolean }): void {
  const pieces = item.fulfilled - before.fulfilled;
  if (pieces > 0 || (item.state === 'short' && !before.isShort)) item.lastBooked = Math.max(0, pieces);
}

export function isOver({ state }: Pick<ModelItem, 'state'>): boolean {
  return state === 'done' || state === 'short';
}

/**
 * Returns whether every item with a device is done, and at least one item is done. If some items have no device, an item of quantity 0 does
 * not count as the latter.
 */
export function isComplete(items: readonly ModelItem[]): boolean {
  if (items.every(isOver)) return items.length > 0;
  return (
    items.some((item) => isOver(item) && item.given.ordered_quantity > 0) &&
    items.every((item) => isOver(item) || (item.unassigned && isToLight(item)))
  );
}

/**
 * Updates the state, and returns whether the work has just become fulfilled. If it is no longer fulfilled, the state
 * becomes `reopened`.
 */
export function becomes(work: Work, isFulfilled: boolean, reopened: State): boolean {
  const was = work.state;
  if (isFulfilled) work.state = 'fulfilled';
  else if (was === 'fulfilled') work.state = reopened;
  return isFulfilled && was !== 'fulfilled';
}

export function fulfilledOf(order: ModelOrder): number {
  return itemsOf(order).reduce((sum, { fulfilled }) => sum + fulfilled, 0);
}

function plain(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** How many former pickers the station keeps. With so many, nobody knows who had the line before the first of them. */
const KEPT_FORMER = 8;

/** Gives a line to another picker, or to nobody. */
export function handTo(item: ModelItem, picker: string | null, at: number): void {
  if (item.picker === picker) return;
  item.former = [...item.former, { picker: item.picker, until: at }].slice(-KEPT_FORMER);
  item.picker = picker;
}

/** Returns who had a line when it was pressed, which the station may learn later, or null for nobody. */
export function pickerAt({ picker, former }: ModelItem, at: number, now: number): string | null {
  const index = former.findIndex(({ until }) => at < until && until <= now);
  if (index === 0 && former.length === KEPT_FORMER) return null;
  return index === -1 ? picker : (former[index]?.picker ?? null);
}
