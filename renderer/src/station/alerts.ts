import type { Alert } from '#shared/api/alert.ts';
import type { StationState } from './live/store.ts';

const NONE: readonly Alert[] = [];

/** Returns open alerts, oldest first. */
export function openAlerts({ station }: StationState): readonly Alert[] {
  return station?.alerts ?? NONE;
}

/** Counts orders that need attention. Each order counts once, although it has one alert per reason. */
export function countOrderAttention(state: StationState): number {
  const waiting = openAlerts(state).filter(({ kind }) => kind === 'order_attention');
  return new Set(waiting.map(({ order_number: number }) => number)).size;
}

/** Counts open alerts that nobody has acknowledged. */
export function countUnseen(state: StationState): number {
  return openAlerts(state).reduce((count, { acknowledged }) => count + Number(acknowledged === null), 0);
}

/** Counts callbacks that wait for a failing receiver. Returns at least 1 while the receiver is failing, and otherwise 0. */
export function countStuck({ station }: StationState): number {
  const receiver = station?.receiver ?? null;
  return receiver === null ? 0 : Math.max(1, receiver.waiting);
}
