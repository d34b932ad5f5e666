import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { foundPart } from '#shared/lib/text/foundPart.ts';
import { createPacedWatchers, type NextFrame } from '../../../station/live/pacedWatchers.ts';

export type Sought = {
  searched: string;
  /** Devices that match search and filter; undefined if all do. */
  matches: ReadonlySet<string> | undefined;
};

/**
 * Publishes the search directly to tiles, so that typing redraws tiles but not the map. Notifying many tiles is
 * spread over several frames.
 */
export type SoughtStore = {
  now(): Sought;
  set(next: Sought): void;
  watch(deviceid: string, changed: () => void): () => void;
  /** Notifies subscribers of the current value. */
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

/** Returns the store of a map, updated whenever the map is drawn. */
export function useSoughtStore(searched: string, matches: Sought['matches']): SoughtStore {
  const [store] = useState(() => createSoughtStore((run) => void requestAnimationFrame(run)));
  // Set the value during rendering, so that new tiles are drawn only once. The effect notifies the others.
  store.set({ searched, matches });
  useLayoutEffect(() => store.notify());
  return store;
}

/** Returns whether the device does not match, and which part of its name to mark. */
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
