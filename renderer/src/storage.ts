import type { Remembered } from './remembered.ts';

/**
 * Returns the storage of the browser or, with `sessionStorage`, of this tab. Stores nothing if the browser forbids it.
 */
export function browserStorage(area: 'localStorage' | 'sessionStorage' = 'localStorage'): Remembered {
  return {
    get(key) {
      try {
        return window[area].getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        if (value === null) window[area].removeItem(key);
        else window[area].setItem(key, value);
      } catch {
        // Ignore the error: storage is full or forbidden, so the value is not kept.
      }
    },
  };
}
