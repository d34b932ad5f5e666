import type { SerialPortInfo } from './serialPorts.ts';

/** A serial port to keep open for a turbo. */
export type SerialWish = {
  id: string;
  /** Last known path. Without an identity, the port is expected only there. */
  path: string;
  /** USB identity, by which the adapter is recognized in any port. */
  identity: Pick<SerialPortInfo, 'vendorId' | 'productId' | 'serialNumber'> | null;
  baudRate: number;
  flowControl: boolean;
};

/** State of a port. It is `absent` while not plugged in, and `waiting` until the next attempt. */
export type SerialStep = 'absent' | 'opening' | 'listening' | 'online' | 'resetting' | 'waiting';

export type SerialLinkState = {
  id: string;
  path: string;
  step: SerialStep;
  /** A sentence that says why no turbo responds; undefined if there is no problem. */
  problem: string | undefined;
  /** Number of consecutive attempts without a response from a turbo. */
  attempts: number;
  /** Time of the next attempt, in epoch milliseconds; undefined during an attempt, or if the port is watched continuously. */
  nextTryAt: number | undefined;
};

/** Keeps serial ports open for turbos. */
export type SerialLinks = {
  /** Sets the wanted ports, and closes all others. */
  set(wishes: readonly SerialWish[]): void;
  states(): SerialLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link immediately. */
  retry(id: string): void;
  stop(): void;
};
