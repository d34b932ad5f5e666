import { browserStorage, type Remembered } from '../../storage.ts';

export type TourMemory = {
  /** The order of a running tour. */
  order(): string | undefined;
  isEnded(): boolean;
  begin(orderNumber: string): void;
  /** Ends the tour permanently: it does not start automatically again. */
  end(): void;
};

const ENDED = 'ended';
const RUNNING = 'order ';

/** Accesses the state of a person's tour, stored in this browser. */
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
