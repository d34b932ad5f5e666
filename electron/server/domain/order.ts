import type { ItemState, OrderState } from '#shared/api/order.ts';

/** How far one item is. `unassigned`: the last launch found no device for it. */
export type ItemWork = { state: ItemState; ordered: number; fulfilled: number; unassigned: boolean };

export type ItemEvent =
  /** Launched: at a device, or nowhere. */
  | { kind: 'lit' }
  | { kind: 'notFound' }
  | { kind: 'acknowledged'; qty: number }
  | { kind: 'timedOut' }
  | { kind: 'killed' }
  | { kind: 'aborted' }
  | { kind: 'corrected'; to: number };

/** Of a shipment or an order: what its items come to. `waiting`: neither done nor held to have a device. */
export type Counts = {
  items: number;
  /** Done or short. */
  done: number;
  short: number;
  active: number;
  /** Not done, and the last launch found no device: they hold back nothing. */
  unassigned: number;
  /** Items of 0, which are done from the start. */
  zero: number;
  ordered: number;
  fulfilled: number;
};

export type WorkEvent =
  | { kind: 'launched'; isLit: boolean; counts: Counts }
  | { kind: 'aborted' }
  /** An item has changed. `reopened`: what a fulfilled one is again where something is to be done after all. */
  | { kind: 'counted'; counts: Counts; reopened: OrderState };

export const NO_ITEMS: Counts = {
  items: 0,
  done: 0,
  short: 0,
  active: 0,
  unassigned: 0,
  zero: 0,
  ordered: 0,
  fulfilled: 0,
};

/** An item as it is made. What is full already is never lit. */
export function newItem(ordered: number, fulfilled: number): ItemWork {
  return { state: fulfilled >= ordered ? 'done' : 'open', ordered, fulfilled, unassigned: false };
}

/** The life of an item. Unknown pairs change nothing: what is done is not lit, and what is not lit cannot be pressed. */
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

/** Full is done. Less than before is to be picked again; more, yet not full, leaves it as it is. */
function correctedState({ state, ordered, fulfilled }: ItemWork, to: number): ItemState {
  if (to >= ordered) return 'done';
  const isOver = state === 'done' || state === 'short';
  return isOver && to < fulfilled ? 'open' : state;
}

/** Whether a launch lights it, where it finds a device. */
export function isToLight({ state }: Pick<ItemWork, 'state'>): boolean {
  return state === 'open' || state === 'cancelled';
}

/** What is to be picked still. */
export function remainingOf({ ordered, fulfilled }: Pick<ItemWork, 'ordered' | 'fulfilled'>): number {
  return Math.max(0, ordered - fulfilled);
}

/** Whether it is listed as one that no device was found for: once it is done or lit that does not matter. */
export function isUnassigned(item: ItemWork): boolean {
  return item.unassigned && isToLight(item);
}

/** The counts with this item among them. */
export function counted(counts: Counts, item: ItemWork): Counts {
  return added(counts, item, 1);
}

/** The counts after one of their items has changed. */
export function recounted(counts: Counts, before: ItemWork, after: ItemWork): Counts {
  return added(added(counts, before, -1), after, 1);
}

function added(counts: Counts, item: ItemWork, sign: 1 | -1): Counts {
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
 * Every item that has a device is done or short, and at least one is. Next to items without a device an item of 0 does not
 * count as that one: nobody picked anything.
 */
export function isComplete({ items, done, unassigned, zero }: Counts): boolean {
  return done + unassigned === items && done > (unassigned === 0 ? 0 : zero);
}

/** A shipment or an order as it is made. */
export function newWork(counts: Counts): OrderState {
  return isComplete(counts) ? 'fulfilled' : 'open';
}

/** The life of a shipment or of an order. */
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
