import type { Remembered } from '../../remembered.ts';
import { browserStorage } from '../../storage.ts';

export type TourMemory = {
  /** Returns the number of the running tour's order, or undefined if no tour is running. */
  order(): string | undefined;
  isEnded(): boolean;
  begin(orderNumber: string): void;
  /** Ends the tour permanently, so that it does not start automatically again. */
  end(): void;
};

const ENDED = 'ended';
const RUNNING = 'order ';

/** Returns functions that read and change the state of a person's tour, which is stored in this browser. */
export function tourMemory(name: string, storage: Remembered = browserStorage()): TourMemory {
  const key = `pickstation.tour.${name}`;
  return {
    order() {
      const stored = storage.get(key);
      return stored?.startsWith(RUNNING) === true ? stored.slice(RUNNING.length) : undefined;
    },
    isEnded: () => storage.get(key) === ENDED,
    begin: (orderNumber) => storage.set(key, RUNNING + orderNumber),
    end: () => storage.set(key, ENDED),
  };
}
