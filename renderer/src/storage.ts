/** What a browser remembers for this page, as far as it lets us. */
export type Remembered = { get(key: string): string | null; set(key: string, value: string | null): void };

/** The browser's own storage, or that of this tab; where it is forbidden, nothing is remembered. */
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
        // It is forgotten with the page.
      }
    },
  };
}
