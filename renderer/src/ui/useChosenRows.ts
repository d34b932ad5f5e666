import { useCallback, useMemo, useState } from 'react';

const NOTHING: ReadonlySet<string> = new Set();

export type ChosenRows = {
  chosen: ReadonlySet<string>;
  /** Of those that there are, in their order. */
  keys: readonly string[];
  /** How many of these are not in sight. */
  hidden: number;
  choose(keys: readonly string[], isChosen: boolean): void;
  clear(): void;
};

/** These keys after some of them were chosen, or are not chosen any more. */
export function withChosen(
  chosen: ReadonlySet<string>,
  keys: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  const gone = new Set(keys);
  return new Set(isChosen ? [...chosen, ...keys] : [...chosen].filter((key) => !gone.has(key)));
}

/** Which rows of a table are chosen. `all`: those that there are, in sight or not; `shown`: those in sight. */
export function useChosenRows(all: readonly { key: string }[], shown: readonly { key: string }[]): ChosenRows {
  const [chosen, setChosen] = useState(NOTHING);
  const choose = useCallback((keys: readonly string[], isChosen: boolean) => {
    setChosen((before) => withChosen(before, keys, isChosen));
  }, []);
  const clear = useCallback(() => setChosen(NOTHING), []);
  const keys = useMemo(() => all.filter(({ key }) => chosen.has(key)).map(({ key }) => key), [all, chosen]);
  const inSight = useMemo(() => shown.reduce((count, { key }) => count + Number(chosen.has(key)), 0), [shown, chosen]);
  return { chosen, keys, hidden: keys.length - inSight, choose, clear };
}
