import { useMemo, useState } from 'react';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readPattern, type PatternProblem } from '#shared/lib/places/placePattern.ts';
import { useStationState } from '../../station/context.ts';
import { browserStorage } from '../../storage.ts';
import { nextOnMap, nextPlace, takenPlaces } from './places.ts';
import type { Done } from './steps.ts';

const STORED_AT = 'pickstation.placePattern';
const NO_MAP = { racks: [], places: [], zones: [] };
const NONE: readonly never[] = [];

export type Places = {
  text: string;
  setText(text: string): void;
  problem: PatternProblem | undefined;
  /** All places in the pattern. `takenCount` tells how many of them are taken. */
  pattern: readonly string[];
  takenCount: number;
  /**
   * Whether a device with this label keeps the label by default: always if there is no pattern, otherwise only if the pattern contains it.
   */
  keeps(label: string): boolean;
  /** The next free place in the pattern or, without a pattern, on the map. Undefined if there is none. */
  next: string | undefined;
  /** Places that were assigned here and now belong to several devices. */
  doubles: readonly { place: string; deviceids: readonly string[] }[];
};

/** Returns the pattern, which is stored in this browser, and the free places in the pattern or on the map. */
export function usePlaces(done: readonly Done[]): Places {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NONE);
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const [text, setText] = useState(() => browserStorage().get(STORED_AT) ?? '');
  const read = useMemo(() => readPattern(text), [text]);
  const pattern = 'places' in read ? read.places : NONE;
  const keys = useMemo(() => new Set(pattern.map(nameKey)), [pattern]);
  const taken = useMemo(() => takenPlaces({ places, aliases, map }), [places, aliases, map]);
  const takenCount = useMemo(() => pattern.filter((place) => taken.isTaken(place)).length, [pattern, taken]);
  const last = done.at(-1)?.place ?? '';
  const isBlank = text.trim() === '';
  const next = useMemo(
    () => (isBlank ? nextOnMap(map, last, taken.isTaken) : nextPlace(pattern, last, taken.isTaken)),
    [isBlank, map, pattern, last, taken],
  );
  const doubles = useMemo(
    () =>
      [...new Set(done.map(({ place }) => place))].flatMap((place) => {
        const deviceids = taken.of(place, '').labels;
        return deviceids.length < 2 ? [] : [{ place, deviceids }];
      }),
    [done, taken],
  );
  return {
    text,
    setText(typed) {
      setText(typed);
      browserStorage().set(STORED_AT, typed.trim() === '' ? null : typed);
    },
    problem: 'problem' in read ? read.problem : undefined,
    pattern,
    takenCount,
    keeps: (label) => isBlank || keys.has(nameKey(label)),
    next,
    doubles,
  };
}
