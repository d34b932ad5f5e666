import { useEffect, useMemo, useState } from 'react';
import type { FoundThing } from '#shared/api/find.ts';
import { MAX_FIND_CHARACTERS, MIN_FIND_CHARACTERS } from '#shared/lib/text/findLimits.ts';
import { foundPart } from '#shared/lib/text/foundPart.ts';
import { useStationContext } from './context.ts';
import { useStationQuery } from './useStationQuery.ts';

/** Pause in typing, in milliseconds, before a request is sent. */
const TYPING_MS = 120;

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

/** Returns the text once it has not changed for TYPING_MS. An empty text is returned immediately. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : settled;
}
