import type { Transaction } from '../../db/writer.ts';

/**
 * A listener whose functions are called inside the transaction in which a person signs in (`cameBack`), or in which the person's last
 * session ends (`wentAway`).
 */
export type PresenceListener = {
  cameBack(tx: Transaction, username: string): void;
  wentAway(tx: Transaction, username: string): void;
};

/** Notifies other services of sign-ins and sign-outs, so that they can react in the same commit. */
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
