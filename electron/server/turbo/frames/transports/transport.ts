import type { Admission, TurboState } from '../../../ports.ts';

export type TransportEvents = {
  /** Called with received bytes, which the receiver may keep. */
  bytes(chunk: Uint8Array): void;
  /** Called when the other end was unplugged, closed or failed. Called at most once, and not after `close`. */
  closed(reason: string): void;
};

/** A byte stream to one turbo: serial port, socket or loopback. It is independent of frames. After it closes, open a new one. */
export type Transport = {
  readonly kind: TurboState['transport'];
  /** Name of the other end for people, such as `COM3`, `/dev/ttyACM0`, `10.0.0.7:52011`, `loopback`. */
  readonly port: string;
  /** Whether the station can press the buttons of devices on this transport, because they are simulated. */
  readonly canPress: boolean;
  /** Heartbeat interval for the turbo in milliseconds, at most 65,535. HEARTBEAT_MS by default. */
  readonly heartbeatMs?: number;
  /** Starts delivering events after this call has returned. Must be called once. */
  open(events: TransportEvents): void;
  /** Access control for the turbo's sign-in. Undefined if no sign-in is needed, as on a cable. */
  readonly admission?: Admission;
  /**
   * Sends bytes, which must not change afterwards. Returns undefined if the bytes were sent at once, otherwise a promise that resolves once
   * they are. The promise never rejects, because a failed write closes the transport. Does nothing after the transport closed.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Closes both ends. Idempotent. */
  close(): void;
};

/** Faults of a simulated wire, read at each write, so that they can change while the wire is open. */
export type WireFaults = {
  /** Fraction of writes that are lost, from 0 to 1. */
  loss: number;
  latencyMs: number;
};
