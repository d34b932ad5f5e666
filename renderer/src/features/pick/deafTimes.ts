/**
 * When Picked is deaf, so that a bounce or a finger that comes late books nothing unseen. Times are in milliseconds on the
 * clock of `performance.now()`.
 */
export type DeafState = { until: number };

/** What happened to the instruction. `drawn`: it shows another line, since the person confirmed the one before or not. */
export type DeafEvent = { kind: 'confirmed'; at: number } | { kind: 'drawn'; at: number; isOwn: boolean };

/** After a person's own touch or Enter: fingers bounce for up to 200 ms, and honest ones press every 300 ms. */
export const DEAF_AFTER_OWN_MS = 220;
/** After a shelf press, a scan or somebody else changed the instruction: so long takes a look at it. */
export const DEAF_AFTER_CHANGE_MS = 600;
/** Before Next order of a completed order: the finger was on its way to Picked. */
export const DEAF_NEXT_ORDER_MS = 800;

export const LISTENING: DeafState = { until: -Infinity };

export function nextDeaf({ until }: DeafState, event: DeafEvent): DeafState {
  const deafMs = event.kind === 'confirmed' ? DEAF_AFTER_OWN_MS : event.isOwn ? 0 : DEAF_AFTER_CHANGE_MS;
  return { until: Math.max(until, event.at + deafMs) };
}

export function isDeaf({ until }: DeafState, at: number): boolean {
  return at < until;
}
