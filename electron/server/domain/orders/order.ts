import type { ItemState, OrderState } from '#shared/api/order.ts';
import { ATTENTION, type Attention } from '#shared/lib/orders/attention.ts';

/**
 * Why an item is not lit normally:
 * - `timed_out`, `unreachable` and `unassigned` (the last launch found no device) require that somebody acts.
 * - `no_light` marks a picker's item that no device serves. It is kept after the item is finished.
 * - `dismissed` marks an item that will not be picked.
 */
export type ItemTrouble = 'timed_out' | 'unreachable' | 'unassigned' | 'no_light' | 'dismissed';

export type ItemWork = {
  state: ItemState;
  ordered: number;
  fulfilled: number;
  trouble: ItemTrouble | null;
  /** Whether the item is picked, but the order not complete until the article is scanned. */
  awaitsScan?: boolean;
  /** Whether somebody decided that the article cannot be scanned. */
  isScanWaived?: boolean;
  /** Whether the place was guessed from a part of a name, or from a label that several devices have. */
  isGuessed?: boolean;
  /** Whether no place of the article had any pieces when the item was lit. */
  lacksStock?: boolean;
};

export type ItemEvent =
  /** The item was launched. `isReached` tells whether a turbo reaches the item's device. */
  | { kind: 'lit'; isReached: boolean }
  /** The item was launched without a picker, and no device was found. */
  | { kind: 'notFound' }
  /** The item was launched for a picker, and no device was found. It becomes work without a light. */
  | { kind: 'unlit' }
  /** A turbo reaches the item's device again, or no turbo reaches it. */
  | { kind: 'reach'; isReached: boolean }
  /** Somebody pressed for the item, so that at least `to` pieces are fulfilled now. A press may arrive after the light went out. */
  | { kind: 'acknowledged'; to: number }
  /** Somebody confirmed `qty` pieces without a press, because no device serves the item. */
  | { kind: 'confirmed'; qty: number }
  /** The item will not be picked. */
  | { kind: 'dismissed' }
  /** Somebody closed the item with the quantity found. */
  | { kind: 'short'; fulfilled: number }
  | { kind: 'reopened' }
  | { kind: 'timedOut' }
  | { kind: 'killed' }
  | { kind: 'aborted' }
  | { kind: 'corrected'; to: number }
  /** Somebody changed the ordered quantity. */
  | { kind: 'asked'; ordered: number };

/** Totals over the items in a shipment or an order. */
export type WorkCounts = {
  items: number;
  /** Items that are done or short. */
  done: number;
  short: number;
  active: number;
  /** Items that are not done and for which the last launch found no device. The rest of the order continues. */
  unassigned: number;
  /** Items that timed out and have not been lit again since. */
  timedOut: number;
  /** Items that are lit on a device that no turbo reaches. */
  unreachable: number;
  /** Items that will not be picked; the rest of the order continues. */
  dismissed: number;
  /** Items that are picked but still wait for a scan of the article. */
  unscanned: number;
  /** Items that are still to be picked, at a guessed place. */
  guessed: number;
  /** Items that are still to be picked, at a place without pieces. */
  noStock: number;
  /** Items with quantity 0, which are done from the start. */
  zero: number;
  ordered: number;
  fulfilled: number;
};

export type WorkEvent =
  | { kind: 'launched'; isLit: boolean; counts: WorkCounts }
  | { kind: 'aborted' }
  /** An item has changed. `reopened` is the new state of a fulfilled order that has open work again. */
  | { kind: 'counted'; counts: WorkCounts; reopened: OrderState };

export const NO_ITEMS: WorkCounts = {
  items: 0,
  done: 0,
  short: 0,
  active: 0,
  unassigned: 0,
  timedOut: 0,
  unreachable: 0,
  dismissed: 0,
  unscanned: 0,
  guessed: 0,
  noStock: 0,
  zero: 0,
  ordered: 0,
  fulfilled: 0,
};

/** Creates an item. An item that is already fulfilled is never lit. */
export function newItem(ordered: number, fulfilled: number): ItemWork {
  return { state: fulfilled >= ordered ? 'done' : 'open', ordered, fulfilled, trouble: null };
}

/**
 * Returns the item as it is after an event. Returns the same item if the event does not apply, such as lighting a done item or pressing for
 * an aborted one.
 */
export function nextItem<T extends ItemWork>(item: T, event: ItemEvent): T {
  switch (event.kind) {
    case 'lit':
      return isToLight(item) ? { ...item, state: 'active', trouble: event.isReached ? null : 'unreachable' } : item;
    case 'notFound':
      return isToLight(item) && !isLeftOver(item) ? { ...item, state: 'open', trouble: 'unassigned' } : item;
    case 'unlit':
      return isToLight(item) && !isWithoutLight(item) ? { ...item, state: 'active', trouble: 'no_light' } : item;
    case 'reach': {
      const trouble = event.isReached ? null : 'unreachable';
      return isLit(item) && item.trouble !== trouble ? { ...item, trouble } : item;
    }
    case 'acknowledged':
      return item.state === 'active' || item.state === 'open' ? closed(item, Math.max(item.fulfilled, event.to)) : item;
    case 'confirmed':
      return isByHand(item) ? closed(item, item.fulfilled + event.qty) : item;
    case 'dismissed':
      return isByHand(item) ? { ...item, state: 'cancelled', trouble: 'dismissed' } : item;
    case 'short':
      return isOver(item) ? item : closed(item, event.fulfilled);
    case 'reopened':
      // Clear the trouble, so that the item keeps the order open until the next launch searches for a device.
      return isOver(item) && item.ordered > 0 ? { ...item, state: 'open', trouble: null } : item;
    case 'timedOut':
      return isLit(item) ? { ...item, state: 'open', trouble: 'timed_out' } : item;
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
    case 'asked':
      return event.ordered === item.ordered ? item : withOrdered(item, event.ordered);
  }
}

/** Returns the item with another ordered quantity. A full item is done. More pieces than before reopen an ended item. */
function withOrdered<T extends ItemWork>(item: T, ordered: number): T {
  const after = { ...item, ordered };
  if (item.state === 'cancelled') return after;
  if (item.fulfilled >= ordered) return closed(after, item.fulfilled);
  return isOver(item) && ordered > item.ordered ? { ...after, state: 'open', trouble: null } : after;
}

/** Ends an item, which is done if complete and short otherwise. Keeps the trouble `no_light` or `unassigned`. */
function closed<T extends ItemWork>(item: T, fulfilled: number): T {
  const trouble = item.trouble === 'no_light' ? item.trouble : lastingTrouble(item);
  return { ...item, fulfilled, state: fulfilled >= item.ordered ? 'done' : 'short', trouble };
}

/** Returns the trouble that remains after the item ends: only `unassigned`, in case a correction reopens the item. */
function lastingTrouble({ trouble }: ItemWork): ItemTrouble | null {
  return trouble === 'unassigned' ? trouble : null;
}

/**
 * Whether an item waits for a scan after a change. `isRequired` tells whether pieces booked now need a scan. An item without pieces needs
 * no scan, and a waived scan is not requested again.
 */
export function awaitsScan(before: ItemWork, after: ItemWork & { isVerified: boolean }, isRequired: boolean): boolean {
  if (!isOver(after) || after.isVerified || after.isScanWaived === true || after.fulfilled === 0) return false;
  if (!isOver(before) || after.fulfilled > before.fulfilled) return isRequired;
  return before.awaitsScan === true && after.awaitsScan === true;
}

/** Whether the item needs no more picking: done or short. */
export function isOver({ state }: Pick<ItemWork, 'state'>): boolean {
  return state === 'done' || state === 'short';
}

/**
 * Returns the state after a correction. A full item is done. Fewer pieces than before reopen an ended item. Any other change keeps the
 * state.
 */
function correctedState(item: ItemWork, to: number): ItemState {
  if (to >= item.ordered) return 'done';
  return isOver(item) && to < item.fulfilled ? 'open' : item.state;
}

/** Whether a launch lights the item if it finds a device. This includes items that a picker works on without a light. */
export function isToLight(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return item.state === 'open' || (item.state === 'cancelled' && item.trouble !== 'dismissed') || isWithoutLight(item);
}

/** Whether a picker works on the item without a light, because no device serves it. */
export function isWithoutLight({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'active' && trouble === 'no_light';
}

/** Whether a device shows the item or will show it. */
export function isLit({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'active' && trouble !== 'no_light';
}

/** Whether the last launch found no device for the item, and no picker works on it. */
function isLeftOver({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'open' && trouble === 'unassigned';
}

/** Whether a person must confirm the item by hand, because no device can. */
export function isByHand(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return isWithoutLight(item) || isLeftOver(item);
}

/** Whether the item still has to be picked, with or without a light. */
function isToPick(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return isToLight(item) || isLit(item);
}

/** Returns the number of pieces left to pick. */
export function remainingOf({ ordered, fulfilled }: Pick<ItemWork, 'ordered' | 'fulfilled'>): number {
  return Math.max(0, ordered - fulfilled);
}

/** Whether the item is listed as unassigned. Done and lit items are not. */
export function isUnassigned(item: ItemWork): boolean {
  return item.trouble === 'unassigned' && isToLight(item);
}

export function counted(counts: WorkCounts, item: ItemWork): WorkCounts {
  return added(counts, item, 1);
}

/** Returns the counts without an item that was removed. */
export function uncounted(counts: WorkCounts, item: ItemWork): WorkCounts {
  return added(counts, item, -1);
}

/** Updates the counts after one of the items changed. */
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
    dismissed: counts.dismissed + (item.trouble === 'dismissed' ? sign : 0),
    unscanned: counts.unscanned + (item.awaitsScan === true ? sign : 0),
    guessed: counts.guessed + (item.isGuessed === true && isToPick(item) ? sign : 0),
    noStock: counts.noStock + (item.lacksStock === true && isToPick(item) ? sign : 0),
    zero: counts.zero + (item.ordered === 0 ? sign : 0),
    ordered: counts.ordered + sign * item.ordered,
    fulfilled: counts.fulfilled + sign * item.fulfilled,
  };
}

/**
 * Whether all items except unassigned ones are done, short or dismissed, at least one item is, and none waits for a scan. If some items are
 * unassigned, an item with quantity 0 does not count, because nobody picked it.
 */
export function isComplete({ items, done, unassigned, dismissed, unscanned, zero }: WorkCounts): boolean {
  if (unscanned > 0) return false;
  return done + dismissed + unassigned === items && done + dismissed > (unassigned === 0 ? 0 : zero);
}

/**
 * Whether nobody has worked on an order for too long, whether its pickers paused it while nothing is lit, and whether a file says that it
 * ended elsewhere.
 */
export type Halt = { isStalled: boolean; isPaused: boolean; isEndedElsewhere?: boolean };

type HaltedWork = {
  isStalled: boolean;
  endedElsewhere?: string | null;
  isContinued?: boolean;
  counts: WorkCounts;
  pickers: readonly { isPaused: boolean; waits: boolean }[];
};

/**
 * Returns whether the work is stalled or paused. An order that waits for a busy picker does not count as paused, because nobody has started
 * it.
 */
export function haltOf({ isStalled, endedElsewhere = null, isContinued = false, counts, pickers }: HaltedWork): Halt {
  return {
    isStalled,
    isPaused: counts.active === 0 && pickers.some(({ isPaused, waits }) => isPaused && !waits),
    isEndedElsewhere: endedElsewhere !== null && !isContinued,
  };
}

/**
 * Returns why a shipment or an order needs attention. The list is empty for aborted work, and contains at most `unassigned` for fulfilled
 * work. Contract, section 16.
 */
export function attentionOf(
  { state, counts }: { state: OrderState; counts: WorkCounts },
  { isStalled, isPaused, isEndedElsewhere = false }: Halt,
): Attention[] {
  if (state === 'aborted') return [];
  if (state === 'fulfilled') return counts.unassigned > 0 ? ['unassigned'] : [];
  const isOpen = counts.items > counts.done + counts.dismissed + counts.unassigned;
  const reasons = {
    timed_out: counts.timedOut > 0,
    unassigned: counts.unassigned > 0,
    unreachable: counts.unreachable > 0,
    guessed: counts.guessed > 0,
    no_stock: counts.noStock > 0,
    stalled: isStalled && counts.active > 0,
    paused: isStalled && isPaused && isOpen,
    ended_elsewhere: isEndedElsewhere,
  };
  return ATTENTION.filter((reason) => reasons[reason]);
}

/** Returns the initial state of a shipment or an order. */
export function newWork(counts: WorkCounts): OrderState {
  return isComplete(counts) ? 'fulfilled' : 'open';
}

/** Returns the next state of a shipment or an order. */
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
