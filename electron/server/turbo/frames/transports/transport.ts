import type { Admission, TurboState } from '../../../ports.ts';

export type TransportEvents = {
  /** Bytes arrived. They belong to the receiver. */
  bytes(chunk: Uint8Array): void;
  /** The other side is gone: unplugged, closed or failed. Called once, and not after `close`. */
  closed(reason: string): void;
};

/**
 * A stream of bytes to one turbo: serial port, socket or loopback. It knows nothing about frames. After a loss, open a
 * new one.
 */
export type Transport = {
  readonly kind: TurboState['transport'];
  /** Its other end, for people: `COM3`, `/dev/ttyACM0`, `10.0.0.7:52011`, `loopback`. */
  readonly port: string;
  /** Whether the station can press the buttons of devices behind it. */
  readonly canPress: boolean;
  /** Interval at which the turbo must be heard, in milliseconds, at most 65,535. Default: HEARTBEAT_MS. */
  readonly heartbeatMs?: number;
  /** Starts delivering, after this call has returned. Called once. */
  open(events: TransportEvents): void;
  /**
   * Access control, called with the sign-in from the turbo's hello (both empty if it signed in before). Undefined: no
   * sign-in needed, as on a cable.
   */
  readonly admission?: Admission;
  /**
   * Sends bytes, which must not change afterwards. Returns a promise if they have not left yet: it resolves when they
   * have, and never rejects (a failed write closes the transport). Does nothing once closed.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Closes both ends. Idempotent. */
  close(): void;
};

/** Faults of a simulated wire, read at each write, so that they can change while it is open. */
export type WireFaults = {
  /** Share of writes that are lost, 0 to 1. */
  loss: number;
  latencyMs: number;
};
