import type { Press } from './floor.ts';

/** Off-the-shelf hardware and its workers, in addition to the floor's turbos. It keeps running when the station is killed. */
export type ShopHardware = {
  name: string;
  /** The body for `POST /api/turbo/links/`. */
  link: object;
  deviceIds: readonly [string, ...string[]];
  /** Number of commands per minute that all devices of this hardware together can handle. */
  perMinute: number;
  /** Connects the hardware to the station or disconnects it, in both directions. */
  connect(isConnected: boolean): void;
  /** Sends a worker to the device after `delayMs`, and again later if it is not lit yet. */
  sendWorker(deviceId: string, delayMs: number): void;
  /** Causes an accident typical of this hardware. */
  haveAccident(): Promise<void> | void;
  setLoss(isLossy: boolean): void;
  /** Lists devices that are lit or hold reports. */
  restless(): string[];
  /** Whether nothing is pending except timers. */
  idle(): boolean;
  stop(): Promise<void>;
};

/** A press on a tag. `sure` is true if the station certainly received it. */
export type TagPress = { atMs: number; sure: boolean };

/** What the workers did at each kind of hardware. */
export type Fingers = {
  /** Presses at devices that keep each press until a station has received it. */
  presses: ReadonlyMap<string, readonly Press[]>;
  tags: ReadonlyMap<string, readonly TagPress[]>;
  /** Ids of the commands whose confirmation a station acknowledged. */
  confirmed: readonly number[];
};
