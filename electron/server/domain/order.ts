import type { ItemState, OrderState } from '#shared/api/order.ts';
import { ATTENTION, type Attention } from '#shared/lib/attention.ts';

/** Why an item waits for somebody: it timed out, its device cannot be reached, or the last launch found no device. */
export type ItemTrouble = 'timed_out' | 'unreachable' | 'unassigned';

/** Progress of one item. */
export type ItemWork = { state: ItemState; ordered: number; fulfilled: number; trouble: ItemTrouble | null };

export type ItemEvent =
  /** Launched, with or without a device. */
  | { kind: 'lit'; isReached: boolean }
  | { kind: 'notFound' }
  /** A turbo reaches its device again, or none does. */
  | { kind: 'reach'; isReached: boolean }
  /** Somebody pressed for it: at least this many are fulfilled now. A press may come after its light went out. */
  | { kind: 'acknowledged'; to: number }
  /** Somebody closes it with what was found. */
  | { kind: 'short'; fulfilled: number }
  | { kind: 'reopened' }
  | { kind: 'timedOut' }
  | { kind: 'killed' }
  | { kind: 'aborted' }
  | { kind: 'corrected'; to: number };

/** Totals over the items of a shipment or an order. */
export type WorkCounts = {
  items: number;
  /** Done or short. */
  done: number;
  short: number;
  active: number;
  /** Not done, and without a device since the last launch: the rest of the order continues. */
  unassigned: number;
  /** Timed out, and not lit again since. */
  timedOut: number;
  /** Lit at a device that no turbo reaches. */
  unreachable: number;
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
  timedOut: 0,
  unreachable: 0,
  zero: 0,
  ordered: 0,
  fulfilled: 0,
};

/** A new item. One that is already fulfilled is never lit. */
export function newItem(ordered: number, fulfilled: number): ItemWork {
  return { state: fulfilled >= ordered ? 'done' : 'open', ordered, fulfilled, trouble: null };
}

/** State machine of an item. Unknown pairs change nothing: a done item is not lit, an aborted one is not pressed. */
export function nextItem<T extends ItemWork>(item: T, event: ItemEvent): T {
  switch (event.kind) {
    case 'lit':
      return isToLight(item) ? { ...item, state: 'active', trouble: event.isReached ? null : 'unreachable' } : item;
    case 'notFound':
      return isToLight(item) && !(item.trouble === 'unassigned' && item.state === 'open')
        ? { ...item, state: 'open', trouble: 'unassigned' }
        : item;
    case 'reach': {
      const trouble = event.isReached ? null : 'unreachable';
      return item.state === 'active' && item.trouble !== trouble ? { ...item, trouble } : item;
    }
    case 'acknowledged':
      return item.state === 'active' || item.state === 'open' ? closed(item, Math.max(item.fulfilled, event.to)) : item;
    case 'short':
      return isOver(item) ? item : closed(item, event.fulfilled);
    case 'reopened':
      // Somebody wants to pick it: until the next launch looks for a device, it keeps the order open.
      return isOver(item) && item.ordered > 0 ? { ...item, state: 'open', trouble: null } : item;
    case 'timedOut':
      return item.state === 'active' ? { ...item, state: 'open', trouble: 'timed_out' } : item;
    case 'killed':
      return item.state === 'active' ? { ...item, state: 'open', trouble: null } : item;
    case 'aborted':
      if (item.state !== 'open' && item.state !== 'active') return item;
      return { ...item, state: 'cancelled', trouble: lastingTrouble(item) };
    case 'corrected': {
      if (event.to === item.fulfilled) return item;
      const state = correctedState(item, event.to);
      return {
        ...item,
        fulfilled: event.to,
        state,
        trouble: state === item.state ? item.trouble : lastingTrouble(item),
      };
    }
  }
}

/** An item that is over: done if it is full, else short. */
function closed<T extends ItemWork>(item: T, fulfilled: number): T {
  return { ...item, fulfilled, state: fulfilled >= item.ordered ? 'done' : 'short', trouble: lastingTrouble(item) };
}

/** That no device was found stays true of an item that is over, should a correction open it again. */
function lastingTrouble({ trouble }: ItemWork): ItemTrouble | null {
  return trouble === 'unassigned' ? trouble : null;
}

/** Whether nobody is to pick it any more: done or short. */
export function isOver({ state }: Pick<ItemWork, 'state'>): boolean {
  return state === 'done' || state === 'short';
}

/** A full item is done. Fewer pieces than before reopen it; more, but not all, leave its state. */
function correctedState(item: ItemWork, to: number): ItemState {
  if (to >= item.ordered) return 'done';
  return isOver(item) && to < item.fulfilled ? 'open' : item.state;
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
  return item.trouble === 'unassigned' && isToLight(item);
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
  return {
    items: counts.items + sign,
    done: counts.done + (isOver(item) ? sign : 0),
    short: counts.short + (item.state === 'short' ? sign : 0),
    active: counts.active + (item.state === 'active' ? sign : 0),
    unassigned: counts.unassigned + (isUnassigned(item) ? sign : 0),
    timedOut: counts.timedOut + (item.trouble === 'timed_out' ? sign : 0),
    unreachable: counts.unreachable + (item.trouble === 'unreachable' ? sign : 0),
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

/** Why a shipment or an order waits for somebody; nothing once it is fulfilled or aborted. Contract, section 16. */
export function attentionOf(
  { state, counts }: { state: OrderState; counts: WorkCounts },
  isStalled: boolean,
): Attention[] {
  if (state === 'fulfilled' || state === 'aborted') return [];
  const reasons = {
    timed_out: counts.timedOut > 0,
    unassigned: counts.unassigned > 0,
    unreachable: counts.unreachable > 0,
    stalled: isStalled && counts.active > 0,
  };
  return ATTENTION.filter((reason) => reasons[reason]);
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
