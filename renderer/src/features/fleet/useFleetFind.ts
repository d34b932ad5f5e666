import { useEffect, useState } from 'react';
import type { FleetFound } from '#shared/api/fleet.ts';
import { MAX_FIND_CHARACTERS, MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';

/** Pause in typing before a search, which takes longer than one in a single station. */
const TYPING_MS = 250;
const NOTHING: readonly FleetFound[] = [];

export type FleetFinding = {
  value: readonly FleetFound[];
  failure: string;
  /** Whether a search for this text is in progress. */
  isUnderWay: boolean;
  reload(): void;
};

/** Search results of all stations for the typed text. */
export function useFleetFind(wanted: string): FleetFinding {
  const { api } = useStationContext();
  const isAsked = wanted.length >= MIN_FIND_CHARACTERS && wanted.length <= MAX_FIND_CHARACTERS;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isSettled = isAsked && settled === wanted;
  const { value, failure, reload } = useStationQuery(
    ['fleetFound', wanted],
    (signal) => api.findInFleet(wanted, signal),
    { isOn: isSettled },
  );
  const isUnderWay = isAsked && (!isSettled || (value === undefined && failure === ''));
  return { value: isAsked ? (value ?? NOTHING) : NOTHING, failure: isAsked ? failure : '', isUnderWay, reload };
}
