import type { CallbackReceiver } from '#shared/api/callback.ts';

/** Address, credentials and connection options of a receiver. */
export type Destination = {
  /** Empty if not set. */
  url: string;
  apiKey: string | null;
  username: string;
  password: string | null;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  timeoutS: number;
  /** Extra CA certificates in PEM format; empty for none. */
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
  /** Running time when the receiver was last resumed, in milliseconds. Its callbacks fail 72 hours later. */
  resumedRanMs(): number;
  /** Why nothing can be sent, as a message for the user; undefined if sending is possible. */
  held(): string | undefined;
  /** Subject of the receiver's alerts. */
  subject(): string;
};
