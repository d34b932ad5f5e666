import type { ItemState, OrderState } from '#shared/api/order.ts';
import { ATTENTION, type Attention } from '#shared/lib/orders/attention.ts';

/**
 * Why an item is not simply lit. timed_out, unreachable, unassigned (the last launch found no device): somebody has to act. no_light: a
 * picker's item that no device serves, even after it is finished. dismissed: it will not be picked.
 */
export type ItemTrouble = 'timed_out' | 'unreachable' | 'unassigned' | 'no_light' | 'dismissed';

/** Progress of one item. */
export type ItemWork = {
  state: ItemState;
  ordered: number;
  fulfilled: number;
  trouble: ItemTrouble | null;
  /** Picked, but the order is not complete until the article is scanned. */
  awaitsScan?: boolean;
  /** Somebody decided that its article cannot be scanned. */
  isScanWaived?: boolean;
  /** Its place was guessed: by a part of a name, or by a label that several devices have. */
  isGuessed?: boolean;
  /** No place of its article had any pieces when it was lit. */
  lacksStock?: boolean;
};

export type ItemEvent =
  /** Launched, with or without a device. */
  | { kind: 'lit'; isReached: boolean }
  /** Launched without a picker and without a device. */
  | { kind: 'notFound' }
  /** Launched for a picker without a device: becomes work without a light. */
  | { kind: 'unlit' }
  /** A turbo reaches its device again, or none does. */
  | { kind: 'reach'; isReached: boolean }
  /** Somebody pressed for it: at least this many are fulfilled now. A press may come after its light went out. */
  | { kind: 'acknowledged'; to: number }
  /** Somebody confirmed this quantity without a press, because no device serves the item. */
  | { kind: 'confirmed'; qty: number }
  /** The item will not be picked. */
  | { kind: 'dismissed' }
  /** Somebody closes the item with the quantity found. */
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
  /** Items that will not be picked; the rest of the order continues. */
  dismissed: number;
  /** Picked, but still waiting for a scan of the article. */
  unscanned: number;
  /** Still to be picked, at a guessed place. */
  guessed: number;
  /** Still to be picked, where nothing was left. */
  noStock: number;
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
  dismissed: 0,
  unscanned: 0,
  guessed: 0,
  noStock: 0,
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
      // Somebody wants to pick it, so it keeps the order open until the next launch searches for a device.
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
  }
}

/** Ends an item: done if it is complete, otherwise short. Keeps the trouble that no device served it. */
function closed<T extends ItemWork>(item: T, fulfilled: number): T {
  const trouble = item.trouble === 'no_light' ? item.trouble : lastingTrouble(item);
  return { ...item, fulfilled, state: fulfilled >= item.ordered ? 'done' : 'short', trouble };
}

/** Keeps the trouble that no device was found, in case a correction opens the ended item again. */
function lastingTrouble({ trouble }: ItemWork): ItemTrouble | null {
  return trouble === 'unassigned' ? trouble : null;
}

/**
 * Whether an item waits for a scan after this change. `isRequired`: pieces booked now need a scan. An item without pieces needs none, and a
 * waived scan is not asked for again.
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

/** A full item is done. Fewer pieces than before reopen it; more, but not all, leave its state. */
function correctedState(item: ItemWork, to: number): ItemState {
  if (to >= item.ordered) return 'done';
  return isOver(item) && to < item.fulfilled ? 'open' : item.state;
}

/** Whether a launch lights it if it finds a device. Includes work that has no light yet. */
export function isToLight(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return item.state === 'open' || (item.state === 'cancelled' && item.trouble !== 'dismissed') || isWithoutLight(item);
}

/** Whether it is work of a picker that no device serves. */
export function isWithoutLight({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'active' && trouble === 'no_light';
}

/** Whether a device shows it or will show it. */
export function isLit({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'active' && trouble !== 'no_light';
}

/** Whether the last launch found no device for it, and it is nobody's work. */
function isLeftOver({ state, trouble }: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return state === 'open' && trouble === 'unassigned';
}

/** Whether a person confirms it by hand, because no press can. */
export function isByHand(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return isWithoutLight(item) || isLeftOver(item);
}

/** Whether it still has to be picked, with or without a light. */
function isToPick(item: Pick<ItemWork, 'state' | 'trouble'>): boolean {
  return isToLight(item) || isLit(item);
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
 * Whether every assigned item is done, short or dismissed, at least one of them is, and none waits for a scan. If some items are
 * unassigned, an item of quantity 0 is not enough, since nobody picked it.
 */
export function isComplete({ items, done, unassigned, dismissed, unscanned, zero }: WorkCounts): boolean {
  if (unscanned > 0) return false;
  return done + dismissed + unassigned === items && done + dismissed > (unassigned === 0 ? 0 : zero);
}

/** Whether nobody has worked on an order for too long, and whether its pickers paused it and nothing is lit. */
export type Halt = { isStalled: boolean; isPaused: boolean };

type HaltedWork = {
  isStalled: boolean;
  counts: WorkCounts;
  pickers: readonly { isPaused: boolean; waits: boolean }[];
};

/** An order that waits for a busy picker is not paused, since nobody has started it. */
export function haltOf({ isStalled, counts, pickers }: HaltedWork): Halt {
  return { isStalled, isPaused: counts.active === 0 && pickers.some(({ isPaused, waits }) => isPaused && !waits) };
}

/**
 * Why a shipment or an order waits for somebody. Nothing once it is aborted; a fulfilled one keeps what no device served.
 * Contract, section 16.
 */
export function attentionOf(
  { state, counts }: { state: OrderState; counts: WorkCounts },
  { isStalled, isPaused }: Halt,
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
