import { useSyncExternalStore } from 'react';
import type { Remembered } from '../remembered.ts';
import { browserStorage } from '../storage.ts';

const KEY = 'pickstation.notify';

/** The parts of the browser's notification API that the page uses. */
export type NotificationPermit = {
  readonly permission: NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
};

/**
 * The choice of whether this browser notifies about alerts. Off until a person turns notifications on and the browser
 * allows them.
 */
export type NotifyChoice = {
  isOn(): boolean;
  /** Turns notifications on. Returns `denied` if the browser forbids notifications, and `missing` if it does not support them. */
  turnOn(): Promise<'on' | 'denied' | 'missing'>;
  turnOff(): void;
  subscribe(listener: () => void): () => void;
};

/** Creates the choice stored in this browser. `permit` returns undefined in a browser without notifications. */
export function createNotifyChoice(storage: Remembered, permit: () => NotificationPermit | undefined): NotifyChoice {
  const listeners = new Set<() => void>();
  function choose(value: string | null): void {
    storage.set(KEY, value);
    for (const listener of listeners) listener();
  }
  return {
    isOn: () => storage.get(KEY) === 'on' && permit()?.permission === 'granted',
    async turnOn() {
      const notifications = permit();
      if (notifications === undefined) return 'missing';
      if ((await notifications.requestPermission()) !== 'granted') return 'denied';
      choose('on');
      return 'on';
    },
    turnOff: () => choose(null),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The choice that is stored in this window's browser. */
export const notifyChoice = createNotifyChoice(browserStorage(), () =>
  'Notification' in window ? window.Notification : undefined,
);

export function useNotifies(): boolean {
  return useSyncExternalStore(notifyChoice.subscribe, notifyChoice.isOn);
}
