import { useSyncExternalStore } from 'react';
import { browserStorage, type Remembered } from '../storage.ts';

const KEY = 'pickstation.notify';

/** The parts of the browser's notification API that are used. */
export type NotificationPermit = {
  readonly permission: NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
};

/** Whether this browser notifies about alerts. Off until a person turns it on and the browser allows it. */
export type NotifyChoice = {
  isOn(): boolean;
  /** `denied`: the browser forbids notifications. `missing`: it does not support them. */
  turnOn(): Promise<'on' | 'denied' | 'missing'>;
  turnOff(): void;
  subscribe(listener: () => void): () => void;
};

/** Creates the choice stored in this browser. `permit`: returns undefined in a browser without notifications. */
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

/** The choice of this window's browser. */
export const notifyChoice = createNotifyChoice(browserStorage(), () =>
  'Notification' in window ? window.Notification : undefined,
);

export function useNotifies(): boolean {
  return useSyncExternalStore(notifyChoice.subscribe, notifyChoice.isOn);
}
