import type { Admission, TurboState } from '../../ports.ts';

export type TransportEvents = {
  /** Bytes arrived. They belong to the receiver. */
  bytes(chunk: Uint8Array): void;
  /** The other side is gone: unplugged, closed or failed. Called once, and not after `close`. */
  closed(reason: string): void;
};

/**
 * A stream of bytes to one turbo: serial port, socket or loopback. It knows nothing of frames. A lost transport is never
 * used again; who opened it opens another.
 */
export type Transport = {
  readonly kind: TurboState['transport'];
  /** Where it goes, for people: `COM3`, `/dev/ttyACM0`, `10.0.0.7:52011`, `loopback`. */
  readonly port: string;
  /** Whether the buttons of the devices behind it can be pressed for us (architecture, rule 10). */
  readonly canPress: boolean;
  /** Begins to deliver, never before this call has returned. Called once. */
  open(events: TransportEvents): void;
  /**
   * Who may be behind it, where not everybody may: asked with what the turbo said of itself in its hello (both empty where it
   * signed in before). Undefined: nobody has to sign in, as at a cable.
   */
  readonly admission?: Admission;
  /**
   * Sends bytes, which must not change afterwards. Returns a promise where they have not left yet: it fulfils when they
   * have, and never rejects (a failed write closes the transport). Does nothing once closed.
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Ends it; the other side notices. Idempotent. */
  close(): void;
};

/** Faults of a simulated link, read at each write, so that they can change while it is open. */
export type LinkFaults = {
  /** Part of the writes that are lost, 0 to 1. */
  loss: number;
  latencyMs: number;
};
