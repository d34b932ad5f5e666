import type { SerialPortInfo } from './serialPorts.ts';

/** A serial port to keep open for a turbo. */
export type SerialWish = {
  id: string;
  /** Last known path; without an identity, the only place to look. */
  path: string;
  /** USB identity: found again in any socket. */
  identity: Pick<SerialPortInfo, 'vendorId' | 'productId' | 'serialNumber'> | null;
  baudRate: number;
  flowControl: boolean;
};

/** State of a port. `absent`: not plugged in; `waiting`: for the next attempt. */
export type SerialStep = 'absent' | 'opening' | 'listening' | 'online' | 'resetting' | 'waiting';

export type SerialLinkState = {
  id: string;
  path: string;
  step: SerialStep;
  /** A sentence that says why no turbo answers; undefined: nothing is wrong. */
  problem: string | undefined;
  /** Consecutive attempts without an answer from a turbo. */
  attempts: number;
  /** Next attempt, epoch milliseconds; undefined: in progress, or watched all the time. */
  nextTryAt: number | undefined;
};

/** Keeps serial ports open for turbos. */
export type SerialLinks = {
  /** The wanted ports from now on; all others are closed. */
  set(wishes: readonly SerialWish[]): void;
  states(): SerialLinkState[];
  /** Calls `changed` when the state of a link changes. */
  watch(changed: () => void): void;
  /** Retries a waiting link at once. */
  retry(id: string): void;
  stop(): void;
};
