import type { Transaction } from '../../db/writer.ts';

/** Called within the use-case when a person signs in, and when a person's last session ends. */
export type PresenceListener = {
  cameBack(tx: Transaction, username: string): void;
  wentAway(tx: Transaction, username: string): void;
};

/** Reports sign-ins and sign-outs to other services, within the same commit. */
export function createPresence() {
  const listeners: PresenceListener[] = [];
  return {
    follow: (listener: PresenceListener): void => void listeners.push(listener),
    notify(tx: Transaction, event: keyof PresenceListener, username: string): void {
      for (const listener of listeners) listener[event](tx, username);
    },
  };
}

export type Presence = ReturnType<typeof createPresence>;
