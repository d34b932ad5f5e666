/** What a browser remembers for this page, as far as it lets us. */
export type Remembered = { get(key: string): string | null; set(key: string, value: string | null): void };

/** The browser's own storage; where it is forbidden, nothing is remembered. */
export function browserStorage(): Remembered {
  return {
    get(key) {
      try {
        return window.localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        if (value === null) window.localStorage.removeItem(key);
        else window.localStorage.setItem(key, value);
      } catch {
        // It is forgotten with the page.
      }
    },
  };
}
