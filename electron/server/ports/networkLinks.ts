/** LEDs on a strip, which are one device. `number` is permanent. Ranges are in ascending order; `start` counts from 0. */
export type LinkPlace = { number: number; label: string; ranges: readonly { start: number; count: number }[] };

/** A network controller that the station stays connected to. */
export type NetworkWish = {
  id: string;
  kind: 'openepaperlink' | 'wled' | 'opendisplay';
  /** The address of the controller's server. */
  url: string;
  /** Key of an OpenDisplay display, 32 hexadecimal digits; undefined if its connection is not encrypted. */
  key: string | undefined;
  /** Places on an LED strip. */
  places: readonly LinkPlace[];
};

/** Texts that a link keeps when the station restarts, each with a key. */
export type LinkMemory = {
  load(): ReadonlyMap<string, string>;
  /** Writes the text to disk soon. */
  save(key: string, text: string): void;
};

/** State of a network link. In the step `waiting`, the link waits for the next attempt. */
export type NetworkLinkState = {
  id: string;
  step: 'opening' | 'online' | 'waiting';
  /** Why the link is not connected, as human-readable text. */
  problem: string | undefined;
  attempts: number;
  /** Time of the next attempt, in epoch milliseconds. */
  nextTryAt: number | undefined;
  /** Serial number of the link's turbo; undefined until it is known. */
  turbo: string | undefined;
  /** Partial failures, as human-readable texts. */
  problems: readonly string[];
};

/** Keeps network controllers connected. */
export type NetworkLinks = {
  /** Sets where links store what they need after a restart, by link id. Call before the first `set`. */
  rememberIn(memoryOf: (id: string) => LinkMemory): void;
  /** Sets the wanted links, and disconnects all others. */
  set(wishes: readonly NetworkWish[]): void;
  states(): NetworkLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link immediately. */
  retry(id: string): void;
  stop(): void;
};
