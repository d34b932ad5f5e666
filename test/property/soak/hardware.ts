import type { Press } from './floor.ts';

/** ShopHardware that can be bought, beside the turbos of the floor, with its workers. It lives on while stations die. */
export type ShopHardware = {
  name: string;
  /** For `POST /api/turbo/links/`. */
  link: object;
  deviceIds: readonly [string, ...string[]];
  /** Commands that all of it can serve. */
  perMinute: number;
  /** What reaches a station from here, and it from a station: nothing while it is false. */
  connect(isConnected: boolean): void;
  /** A worker goes to the device after `delayMs`, and again later where it is not lit yet. */
  sendWorker(deviceId: string, delayMs: number): void;
  /** Something of its own happens to it. */
  haveAccident(): Promise<void> | void;
  setLoss(isLossy: boolean): void;
  /** Devices that are lit, or keep reports. */
  restless(): string[];
  /** Whether it waits for nothing but time. */
  idle(): boolean;
  stop(): Promise<void>;
};

/** Of a tag: a press is `sure` where a station heard of it in time. */
export type TagPress = { atMs: number; sure: boolean };

/** What fingers did, by DeviceID, in the words of each kind. */
export type Fingers = {
  /** Devices that keep each press until a station has it. */
  presses: ReadonlyMap<string, readonly Press[]>;
  tags: ReadonlyMap<string, readonly TagPress[]>;
  /** Commands that a station said it has confirmed. */
  confirmed: readonly number[];
};
