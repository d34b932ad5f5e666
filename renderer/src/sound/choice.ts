import { useSyncExternalStore } from 'react';
import type { Remembered } from '../remembered.ts';
import { browserStorage } from '../storage.ts';

/** The setting of a browser: whether it plays device sounds, and the volume from 0 to 100. */
export type SoundSetting = { on: boolean; volume: number };

export type SoundChoice = {
  get(): SoundSetting;
  set(change: Partial<SoundSetting>): void;
  /** Reads the stored setting again, because another tab may have changed it. */
  lookAgain(): void;
  subscribe(listener: () => void): () => void;
};

const ON_KEY = 'pickstation.sound';
const VOLUME_KEY = 'pickstation.volume';
const USUAL_VOLUME = 70;

/** Creates the sound setting stored in this browser; off by default. */
export function createSoundChoice(storage: Remembered): SoundChoice {
  const listeners = new Set<() => void>();
  let setting = read();

  function read(): SoundSetting {
    const volume = Number(storage.get(VOLUME_KEY) ?? USUAL_VOLUME);
    return { on: storage.get(ON_KEY) === 'on', volume: volume >= 0 && volume <= 100 ? volume : USUAL_VOLUME };
  }

  function notify(): void {
    for (const listener of listeners) listener();
  }

  return {
    get: () => setting,
    set(change) {
      setting = { ...setting, ...change };
      storage.set(ON_KEY, setting.on ? 'on' : null);
      storage.set(VOLUME_KEY, setting.volume === USUAL_VOLUME ? null : String(setting.volume));
      notify();
    },
    lookAgain() {
      const next = read();
      if (next.on === setting.on && next.volume === setting.volume) return;
      setting = next;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const soundChoice = createSoundChoice(browserStorage());

export function useSoundSetting(choice: SoundChoice = soundChoice): SoundSetting {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
