import { useEffect, useLayoutEffect } from 'react';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import type { InertTimes } from './session/inertTimes.ts';
import type { PickEvent } from './session/sessionTypes.ts';
import type { PressNotice } from './whose/pressNotices.ts';

/** Events that both the session of an order and the session of a cart or wall handle. */
type CommonEvent = Extract<PickEvent, { kind: 'told' | 'connection' | 'reasons' | 'tick' | 'presses' }>;

/**
 * Passes the station's facts, the connection state, the reasons for a short, and ticks to a session. Call this hook
 * before the hooks that pass loaded data: the session must get the fact about a press before the data that the press
 * changed. `wakeAt` is the time of the next tick, and `drawnAt` the time at which the page was drawn, both in
 * milliseconds of `performance.now`.
 */
export function useSessionEvents(
  dispatch: (event: CommonEvent) => void,
  {
    isLost,
    wakeAt,
    drawnAt,
    presses,
  }: { isLost: boolean; wakeAt: number | undefined; drawnAt: number; presses: readonly PressNotice[] },
): void {
  const { api, store } = useStationContext();
  useEffect(
    () =>
      store.subscribe(({ told }, before) => {
        if (told !== before.told) dispatch({ kind: 'told', facts: told.filter((fact) => fact.type !== 'deliveries') });
      }),
    [store, dispatch],
  );
  useEffect(() => dispatch({ kind: 'connection', isLost }), [dispatch, isLost]);
  useEffect(() => dispatch({ kind: 'presses', presses }), [dispatch, presses]);
  const reasons = useStationQuery(['shortReasons'], () => api.listShortReasons()).value;
  useEffect(() => {
    if (reasons !== undefined) dispatch({ kind: 'reasons', reasons: reasons.map(({ key }) => key) });
  }, [dispatch, reasons]);
  useEffect(() => {
    if (wakeAt === undefined) return undefined;
    const timer = setTimeout(() => dispatch({ kind: 'tick' }), Math.max(1, wakeAt - performance.now() + 1));
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each rendering sets the timer again, even for the same time
  }, [drawnAt, dispatch, wakeAt]);
}

/** Tells a session when the browser paints its content and its messages with these numbers. */
export function usePainted(
  { shows, offers }: InertTimes,
  dispatch: (event: Extract<PickEvent, { kind: 'drawn' }>) => void,
): void {
  useLayoutEffect(() => onPainted(() => dispatch({ kind: 'drawn', shows, offers })), [dispatch, shows, offers]);
}

/** Calls `run` in the frame that paints the committed changes. Returns a function that cancels this. */
export function onPainted(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
