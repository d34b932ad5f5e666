import type { Item, Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';

/** The current step of the tour, with the line to pick, if any. */
export type TourStep =
  | { kind: 'loading' | 'missing' | 'away' | 'aborted' | 'paused' | 'taken' | 'dark' | 'done' }
  | { kind: 'shelf' | 'here' | 'either' | 'last'; line: WorkLine };

type Facts = {
  order: Order | undefined;
  isMissing: boolean;
  /** Whether the page shows the tour's order. */
  isHere: boolean;
  /** Remaining lines of this person, next one first, or undefined until they are loaded. */
  lines: readonly WorkLine[] | undefined;
  me: string;
};

/**
 * Returns the step of the tour. The step depends only on the current state, so that actions in any order lead to the
 * right step.
 */
export function stepOf({ order, isMissing, isHere, lines, me }: Facts): TourStep {
  if (isMissing) return { kind: 'missing' };
  if (order === undefined) return { kind: 'loading' };
  if (order.state === 'fulfilled') return { kind: 'done' };
  if (!isHere) return { kind: 'away' };
  if (order.state === 'aborted') return { kind: 'aborted' };
  const mine = order.pickers.find(({ name }) => name === me);
  if (mine === undefined) return { kind: 'taken' };
  if (mine.paused) return { kind: 'paused' };
  const items = itemsOf(order);
  const line = lines?.[0];
  if (lines === undefined || line === undefined) {
    // Either the line was just confirmed on the page, or it is not loaded yet.
    return { kind: items.some(({ state, picker }) => state === 'active' && picker === me) ? 'loading' : 'dark' };
  }
  return { kind: kindOf(items.length, lines.length), line };
}

function kindOf(all: number, left: number): 'shelf' | 'here' | 'either' | 'last' {
  if (left === 1 && all > 1) return 'last';
  if (left === all) return 'shelf';
  return left === all - 1 ? 'here' : 'either';
}

export function itemsOf({ shipments }: Order): readonly Item[] {
  return shipments.flatMap(({ items }) => items);
}

/** Returns the progress of the tour. Each item is one step, and the end of the tour is the last one. */
export function progressOf(order: Order, step: TourStep, left: number): { step: number; steps: number } {
  const all = itemsOf(order).length;
  return { step: step.kind === 'done' ? all + 1 : Math.min(all, all - left + 1), steps: all + 1 };
}
