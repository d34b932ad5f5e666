import type { Alert } from '#shared/api/alert.ts';
import type { StationState } from './store.ts';

const NONE: readonly Alert[] = [];

/** Those that are open, the oldest first. */
export function openAlerts({ station }: StationState): readonly Alert[] {
  return station?.alerts ?? NONE;
}

/** How many orders wait for somebody: each has an alert for each reason. */
export function countOrderAttention(state: StationState): number {
  const waiting = openAlerts(state).filter(({ kind }) => kind === 'order_attention');
  return new Set(waiting.map(({ order_number: number }) => number)).size;
}

/** How many of them nobody has seen yet. */
export function countUnseen(state: StationState): number {
  return openAlerts(state).reduce((count, { acknowledged }) => count + Number(acknowledged === null), 0);
}

/** How many callbacks wait for a receiver that fails; at least 1 while it does. */
export function countStuck({ station }: StationState): number {
  const receiver = station?.receiver ?? null;
  return receiver === null ? 0 : Math.max(1, receiver.waiting);
}
