import { useEffect, useState } from 'react';
import type { FleetFound } from '#shared/api/fleet.ts';
import { MAX_FIND_CHARACTERS, MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { useStationContext } from '../../station/context.ts';
import { type Loaded, useStationQuery } from '../../station/useStationQuery.ts';

/** Pause in typing after which the search begins, in milliseconds. Searching all stations takes longer than searching one. */
const TYPING_MS = 250;

export type FleetFinding = Loaded<readonly FleetFound[]> & {
  /** Whether a search for this text is in progress. */
  isUnderWay: boolean;
};

/** Returns what all stations find for the typed text. */
export function useFleetFind(wanted: string): FleetFinding {
  const { api } = useStationContext();
  const isAsked = wanted.length >= MIN_FIND_CHARACTERS && wanted.length <= MAX_FIND_CHARACTERS;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isSettled = isAsked && settled === wanted;
  const found = useStationQuery(
    ['fleetFound', wanted],
    (signal) => api.findInFleet({ query: { q: wanted } }, { signal }),
    { isOn: isSettled },
  );
  return { ...found, isUnderWay: isAsked && (!isSettled || found.status === 'waiting') };
}
