import { useEffect } from 'react';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import type { PickEvent } from './session/sessionTypes.ts';

/** The events that the session of an order and that of a cart or wall have in common. */
type CommonEvent = Extract<PickEvent, { kind: 'told' | 'connection' | 'reasons' | 'tick' }>;

/**
 * Tells a session of facts, of the connection, of the reasons for a short, and of its next time. Call it before the hooks that pass on what
 * was read: the session must hear of a press before it sees what the press changed. `wakeAt`: the next time of the session, and `drawnAt`:
 * when the page was drawn, both in milliseconds of `performance.now`.
 */
export function useSessionEvents(
  dispatch: (event: CommonEvent) => void,
  { isLost, wakeAt, drawnAt }: { isLost: boolean; wakeAt: number | undefined; drawnAt: number },
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
  const reasons = useStationQuery(['shortReasons'], () => api.listShortReasons()).value;
  useEffect(() => {
    if (reasons !== undefined) dispatch({ kind: 'reasons', reasons: reasons.map(({ key }) => key) });
  }, [dispatch, reasons]);
  useEffect(() => {
    if (wakeAt === undefined) return undefined;
    const timer = setTimeout(() => dispatch({ kind: 'tick' }), Math.max(1, wakeAt - performance.now() + 1));
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Each drawing sets the timer again, even for the same time.
  }, [drawnAt, dispatch, wakeAt]);
}
