import { useCallback, useRef, useState } from 'react';

const NOBODY: ReadonlySet<string> = new Set();

export type Chosen = {
  chosen: ReadonlySet<string>;
  /** Adds or takes out one; with `between` what lies between the last one and it is added. */
  choose(deviceid: string, between: ((one: string, other: string) => readonly string[]) | undefined): void;
  set(deviceids: Iterable<string>): void;
  clear(): void;
};

/** The devices that one command shall go to. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState(NOBODY);
  const last = useRef<string>(undefined);

  const choose = useCallback<Chosen['choose']>((deviceid, between) => {
    const from = last.current;
    last.current = deviceid;
    setChosen((before) => {
      const next = new Set(before);
      if (between !== undefined && from !== undefined) for (const each of between(from, deviceid)) next.add(each);
      else if (!next.delete(deviceid)) next.add(deviceid);
      return next;
    });
  }, []);
  const set = useCallback((deviceids: Iterable<string>) => setChosen(new Set(deviceids)), []);
  const clear = useCallback(() => {
    last.current = undefined;
    setChosen(NOBODY);
  }, []);

  return { chosen, choose, set, clear };
}
