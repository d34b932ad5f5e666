import { useMemo, useState } from 'react';
import type { FoundThing } from '#shared/api/find.ts';
import { MAX_FIND_CHARACTERS, MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { foundPart } from '#shared/lib/text/foundPart.ts';
import { useStationContext } from './context.ts';
import { useSettled } from './useSettled.ts';
import { useStationQuery } from './useStationQuery.ts';

const NOTHING: readonly FoundThing[] = [];

/**
 * Returns what the station finds for the typed text. While an answer is pending, returns those previous results that
 * also match the text. Returns nothing while the station is offline.
 */
export function useFind(typed: string): readonly FoundThing[] {
  const { api } = useStationContext();
  const wanted = typed.trim();
  const isAsked = wanted.length >= MIN_FIND_CHARACTERS && wanted.length <= MAX_FIND_CHARACTERS;
  const settled = useSettled(isAsked ? wanted : '');
  const { value } = useStationQuery(['find', settled], (signal) => api.find({ query: { q: settled } }, { signal }), {
    isOn: settled !== '' && settled === wanted,
  });
  const [last, setLast] = useState(NOTHING);
  if (value !== undefined && value !== last) setLast(value);
  return useMemo(() => {
    if (!isAsked) return NOTHING;
    if (settled === wanted && value !== undefined) return value;
    return last.filter(({ text }) => foundPart(text, wanted) !== undefined);
  }, [isAsked, settled, wanted, value, last]);
}
