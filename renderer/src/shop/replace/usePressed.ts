import { useState } from 'react';
import { useStationContext, useStationState } from '../../station/context.ts';
import type { Pressed } from '../../station/live/store.ts';

/** A press counts if it happened at most this many milliseconds before the dialog opened. */
const JUST_NOW_MS = 3_000;

/**
 * Returns the idle device that was pressed last. Ignores presses from more than JUST_NOW_MS before mounting, because
 * reports of presses may arrive late.
 */
export function usePressed(): Pressed | undefined {
  const { store } = useStationContext();
  const pressed = useStationState((state) => state.pressed);
  const [since] = useState(() => Date.now() - store.getState().clockSkewMs - JUST_NOW_MS);
  return pressed !== undefined && Date.parse(pressed.at) >= since ? pressed : undefined;
}
