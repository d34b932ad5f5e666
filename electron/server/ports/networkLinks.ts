/** A range of LEDs on a strip, which is one device. `number` stays when others change; `start` is from 0. */
export type LinkPlace = { number: number; label: string; start: number; count: number };

/** Hardware in the network to stay connected to. */
export type NetworkWish = {
  id: string;
  kind: 'openepaperlink' | 'wled' | 'opendisplay';
  /** The address of the controller's server. */
  url: string;
  /** Of an OpenDisplay display, 32 hexadecimal digits; undefined: its connection is not encrypted. */
  key: string | undefined;
  /** Of a strip. */
  places: readonly LinkPlace[];
};

/** Texts that a link keeps across restarts of the station, each under a key. */
export type LinkMemory = {
  load(): ReadonlyMap<string, string>;
  /** Written to disk soon. */
  save(key: string, text: string): void;
};

/** State of an address in the network. `waiting`: for the next attempt. */
export type NetworkLinkState = {
  id: string;
  step: 'opening' | 'online' | 'waiting';
  /** Why it is not connected, as text for people. */
  problem: string | undefined;
  attempts: number;
  /** Next attempt, epoch milliseconds. */
  nextTryAt: number | undefined;
  /** Serial number of the turbo that it is, once known. */
  turbo: string | undefined;
  /** Its partial failures, as texts for people. */
  problems: readonly string[];
};

/** Keeps addresses in the network connected. */
export type NetworkLinks = {
  /** Where links keep what must outlive the station, by their ids. Before the first `set`. */
  rememberIn(memoryOf: (id: string) => LinkMemory): void;
  /** Sets the wanted addresses; disconnects all others. */
  set(wishes: readonly NetworkWish[]): void;
  states(): NetworkLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link at once. */
  retry(id: string): void;
  stop(): void;
};
