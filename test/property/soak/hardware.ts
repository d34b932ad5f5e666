import type { Press } from './floor.ts';

/** Off-the-shelf hardware beside the turbos of the floor, with its workers. It keeps running while stations die. */
export type ShopHardware = {
  name: string;
  /** The body for `POST /api/turbo/links/`. */
  link: object;
  deviceIds: readonly [string, ...string[]];
  /** Commands per minute that all of its devices can serve. */
  perMinute: number;
  /** Connects it to the station or disconnects it, in both directions. */
  connect(isConnected: boolean): void;
  /** Sends a worker to the device after `delayMs`, and again later if it is not lit yet. */
  sendWorker(deviceId: string, delayMs: number): void;
  /** Causes an accident typical of this hardware. */
  haveAccident(): Promise<void> | void;
  setLoss(isLossy: boolean): void;
  /** Devices that are lit or hold reports. */
  restless(): string[];
  /** Whether nothing happens until time passes. */
  idle(): boolean;
  stop(): Promise<void>;
};

/** A press on a tag; `sure`: a station received it in time. */
export type TagPress = { atMs: number; sure: boolean };

/** Actions of workers by DeviceID, for each kind of hardware. */
export type Fingers = {
  /** Devices that keep each press until a station has it. */
  presses: ReadonlyMap<string, readonly Press[]>;
  tags: ReadonlyMap<string, readonly TagPress[]>;
  /** Commands whose confirmation a station acknowledged. */
  confirmed: readonly number[];
};
