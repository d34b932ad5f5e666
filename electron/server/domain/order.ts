import type { ItemState, OrderState } from '#shared/api/order.ts';

/** Progress of one item. `unassigned`: the last launch found no device for it. */
export type ItemWork = { state: ItemState; ordered: number; fulfilled: number; unassigned: boolean };

export type ItemEvent =
  /** Launched, with or without a device. */
  | { kind: 'lit' }
  | { kind: 'notFound' }
  | { kind: 'acknowledged'; qty: number }
  | { kind: 'timedOut' }
  | { kind: 'killed' }
  | { kind: 'aborted' }
  | { kind: 'corrected'; to: number };

/** Totals over the items of a shipment or an order. `waiting`: neither done nor unassigned. */
export type WorkCounts = {
  items: number;
  /** Done or short. */
  done: number;
  short: number;
  active: number;
  /** Not done, and without a device since the last launch: the rest of the order continues. */
  unassigned: number;
  /** Items of quantity 0, done from the start. */
  zero: number;
  ordered: number;
  fulfilled: number;
};

export type WorkEvent =
  | { kind: 'launched'; isLit: boolean; counts: WorkCounts }
  | { kind: 'aborted' }
  /** An item has changed. `reopened`: state of a fulfilled order that has open work again. */
  | { kind: 'counted'; counts: WorkCounts; reopened: OrderState };

export const NO_ITEMS: WorkCounts = {
  items: 0,
  done: 0,
  short: 0,
  active: 0,
  unassigned: 0,
  zero: 0,
  ordered: 0,
  fulfilled: 0,
};

/** A new item. One that is already fulfilled is never lit. */
export function newItem(ordered: number, fulfilled: number): ItemWork {
  return { state: fulfilled >= ordered ? 'done' : 'open', ordered, fulfilled, unassigned: false };
}

/** State machine of an item. Unknown pairs change nothing: a done item is not lit, an unlit one cannot be pressed. */
export function nextItem<T extends ItemWork>(item: T, event: ItemEvent): T {
  switch (event.kind) {
    case 'lit':
      return isToLight(item) ? { ...item, state: 'active', unassigned: false } : item;
    case 'notFound':
      return isToLight(item) && !(item.unassigned && item.state === 'open')
        ? { ...item, state: 'open', unassigned: true }
        : item;
    case 'acknowledged': {
      if (item.state !== 'active') return item;
      const fulfilled = item.fulfilled + event.qty;
      return { ...item, fulfilled, state: fulfilled >= item.ordered ? 'done' : 'short' };
    }
    case 'timedOut':
    case 'killed':
      return item.state === 'active' ? { ...item, state: 'open' } : item;
    case 'aborted':
      return item.state === 'open' || item.state === 'active' ? { ...item, state: 'cancelled' } : item;
    case 'corrected':
      return event.to === item.fulfilled
        ? item
        : { ...item, fulfilled: event.to, state: correctedState(item, event.to) };
  }
}

/** A full item is done. Fewer pieces than before reopen it; more, but not all, leave its state. */
function correctedState({ state, ordered, fulfilled }: ItemWork, to: number): ItemState {
  if (to >= ordered) return 'done';
  const isOver = state === 'done' || state === 'short';
  return isOver && to < fulfilled ? 'open' : state;
}

/** Whether a launch lights it, if it finds a device. */
export function isToLight({ state }: Pick<ItemWork, 'state'>): boolean {
  return state === 'open' || state === 'cancelled';
}

/** Pieces left to pick. */
export function remainingOf({ ordered, fulfilled }: Pick<ItemWork, 'ordered' | 'fulfilled'>): number {
  return Math.max(0, ordered - fulfilled);
}

/** Whether it is listed as unassigned: not once it is done or lit. */
export function isUnassigned(item: ItemWork): boolean {
  return item.unassigned && isToLight(item);
}

/** Adds an item to the counts. */
export function counted(counts: WorkCounts, item: ItemWork): WorkCounts {
  return added(counts, item, 1);
}

/** Updates the counts after one of their items changed. */
export function recounted(counts: WorkCounts, before: ItemWork, after: ItemWork): WorkCounts {
  return added(added(counts, before, -1), after, 1);
}

function added(counts: WorkCounts, item: ItemWork, sign: 1 | -1): WorkCounts {
  const isOver = item.state === 'done' || item.state === 'short';
  return {
    items: counts.items + sign,
    done: counts.done + (isOver ? sign : 0),
    short: counts.short + (item.state === 'short' ? sign : 0),
    active: counts.active + (item.state === 'active' ? sign : 0),
    unassigned: counts.unassigned + (isUnassigned(item) ? sign : 0),
    zero: counts.zero + (item.ordered === 0 ? sign : 0),
    ordered: counts.ordered + sign * item.ordered,
    fulfilled: counts.fulfilled + sign * item.fulfilled,
  };
}

/**
 * Whether every item with a device is done or short, and at least one is. Beside items without a device, an item of 0
 * does not count as that one: nobody picked anything.
 */
export function isComplete({ items, done, unassigned, zero }: WorkCounts): boolean {
  return done + unassigned === items && done > (unassigned === 0 ? 0 : zero);
}

/** A new shipment or order. */
export function newWork(counts: WorkCounts): OrderState {
  return isComplete(counts) ? 'fulfilled' : 'open';
}

/** State machine of a shipment or an order. */
export function nextWork(state: OrderState, event: WorkEvent): OrderState {
  switch (event.kind) {
    case 'launched':
      if (isComplete(event.counts)) return 'fulfilled';
      if (event.isLit) return 'in_progress';
      return state === 'in_progress' ? state : 'open';
    case 'aborted':
      return state === 'fulfilled' ? state : 'aborted';
    case 'counted':
      if (isComplete(event.counts)) return 'fulfilled';
      return state === 'fulfilled' ? event.reopened : state;
  }
}
