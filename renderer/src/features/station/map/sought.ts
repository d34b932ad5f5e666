import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { foundPart } from '#shared/lib/text/foundPart.ts';
import { createPacedWatchers, type NextFrame } from '../../../station/live/pacedWatchers.ts';

export type Sought = {
  searched: string;
  /** Devices that match the search and the filter, or undefined if all devices do. */
  matches: ReadonlySet<string> | undefined;
};

/**
 * Passes the search directly to the tiles, so that typing redraws tiles but not the map. If many tiles change, they are
 * notified over several frames.
 */
export type SoughtStore = {
  now(): Sought;
  set(next: Sought): void;
  watch(deviceid: string, changed: () => void): () => void;
  /** Notifies subscribers if the value has changed since the last call. */
  notify(): void;
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
    notify() {
      if (told.searched === now.searched && told.matches === now.matches) return;
      told = now;
      watchers.notify(watchers.watched());
    },
  };
}

const Context = createContext<SoughtStore>(createSoughtStore());

export const SoughtProvider = Context.Provider;

/** Returns the store of a map, and updates it whenever the map is drawn. */
export function useSoughtStore(searched: string, matches: Sought['matches']): SoughtStore {
  const [store] = useState(() => createSoughtStore((run) => void requestAnimationFrame(run)));
  // Set the value during rendering, so that new tiles are drawn only once. The effect notifies the others.
  store.set({ searched, matches });
  useLayoutEffect(() => store.notify());
  return store;
}

/** Returns whether to fade the device because it does not match, and which part of its name to mark. */
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
