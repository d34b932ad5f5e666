import { useCallback, useSyncExternalStore } from 'react';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { useStationState } from '../station/context.ts';
import type { Remembered } from '../remembered.ts';
import { browserStorage } from '../storage.ts';

const KEY = 'pickstation.advanced.';

/** Creates a store that remembers who sees the advanced pages and parts in this browser. By default, nobody does. */
export function createAdvancedChoice(storage: Remembered) {
  const listeners = new Set<() => void>();
  return {
    isOn: (person: string): boolean => storage.get(KEY + nameKey(person)) === 'on',
    set(person: string, isOn: boolean): void {
      storage.set(KEY + nameKey(person), isOn ? 'on' : null);
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The choices that are stored in this window's browser. */
export const advancedChoice = createAdvancedChoice(browserStorage());

/** Returns whether the signed-in person sees advanced parts, and a function to change that. */
export function useAdvanced(): { isOn: boolean; set(isOn: boolean): void } {
  const person = useStationState(({ station }) => station?.user.name ?? '');
  const isOn = useSyncExternalStore(
    advancedChoice.subscribe,
    useCallback(() => advancedChoice.isOn(person), [person]),
  );
  return { isOn, set: (next) => advancedChoice.set(person, next) };
}
