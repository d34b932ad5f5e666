import { browserStorage, type Remembered } from '../../storage.ts';

export type TourMemory = {
  /** The order of a tour that has begun and not ended. */
  order(): string | undefined;
  isEnded(): boolean;
  begin(orderNumber: string): void;
  /** It never begins by itself again. */
  end(): void;
};

const ENDED = 'ended';
const RUNNING = 'order ';

/** What this browser remembers of the tour of a person. */
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
