import type { CallbackReceiver } from '#shared/api/callback.ts';

/** Address, credentials and connection options of a receiver. */
export type Destination = {
  /** The address, or an empty string if none is set. */
  url: string;
  apiKey: string | null;
  username: string;
  password: string | null;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  timeoutS: number;
  /** Extra CA certificates in PEM format, or an empty string for none. */
  ca: string;
  verify: boolean;
};

/** An HTTP receiver. Every attempt reads the current values. */
export type CallbackTarget = {
  receiver: CallbackReceiver;
  destination(): Destination;
  /** Whether callbacks are created for this receiver. */
  isSet(): boolean;
  isPaused(): boolean;
  /**
   * Returns the running time when the receiver was last resumed, in milliseconds. Callbacks that were waiting at that time fail 72 hours
   * later.
   */
  resumedRanMs(): number;
  /** Returns why nothing can be sent, as a message for the user, or undefined if sending is possible. */
  held(): string | undefined;
  /** Subject of the receiver's alerts. */
  subject(): string;
};
