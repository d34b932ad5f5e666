/** Text values that the browser stores for the page. Setting null removes a value. */
export type Remembered = { get(key: string): string | null; set(key: string, value: string | null): void };
