import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { foundPart } from '#shared/lib/foundPart.ts';
import { createPacedWatchers, type NextFrame } from '../../../station/pacedWatchers.ts';

/** What is looked for on the map. */
export type Sought = {
  searched: string;
  /** The devices that search and filter leave; undefined: everything. */
  matches: ReadonlySet<string> | undefined;
};

/**
 * What is looked for, told to tiles and to nobody above them: a letter typed draws tiles, not the map. Many tiles hear
 * of it over several frames.
 */
export type SoughtStore = {
  now(): Sought;
  set(next: Sought): void;
  watch(deviceid: string, changed: () => void): () => void;
  /** Tells those who watch what was set last. */
  tell(): void;
};

export function createSoughtStore(nextFrame?: NextFrame): SoughtStore {
  const watchers = createPacedWatchers(nextFrame);
  let now: Sought = { searched: '', matches: undefined };
  let told = now;
  return {
    now: () => now,
    set(next) {
      now = next;
    },
    watch: watchers.watch,
    tell() {
      if (told.searched === now.searched && told.matches === now.matches) return;
      told = now;
      watchers.tell(watchers.watched());
    },
  };
}

const Context = createContext<SoughtStore>(createSoughtStore());

export const SoughtProvider = Context.Provider;

/** The store of a map. It is updated with each drawing of the map. */
export function useSoughtStore(searched: string, matches: Sought['matches']): SoughtStore {
  const [store] = useState(() => createSoughtStore((run) => void requestAnimationFrame(run)));
  // Now, so that new tiles are drawn once; nobody else draws before the effect.
  store.set({ searched, matches });
  useLayoutEffect(() => store.tell());
  return store;
}

/** Whether a tile does not match, and what is to be marked in its name. */
export function useSought(deviceid: string, name: string): { faded: boolean; marked: string } {
  const store = use(Context);
  const [watch] = useState(() => (changed: () => void) => store.watch(deviceid, changed));
  const faded = useSyncExternalStore(watch, () => store.now().matches?.has(deviceid) === false);
  const marked = useSyncExternalStore(watch, () => {
    const { searched } = store.now();
    return foundPart(name, searched) === undefined ? '' : searched;
  });
  return { faded, marked };
}
