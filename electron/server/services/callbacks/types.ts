import type { CallbackReceiver } from '#shared/api/callback.ts';

/** Address, credentials and connection options of a receiver. */
export type Destination = {
  /** Empty: not set. */
  url: string;
  apiKey: string | null;
  username: string;
  password: string | null;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  timeoutS: number;
  /** Extra CA certificates in PEM. Empty: none. */
  ca: string;
  verify: boolean;
};

/** One HTTP receiver. Every attempt reads the current values. */
export type CallbackTarget = {
  receiver: CallbackReceiver;
  destination(): Destination;
  /** Whether callbacks are written for it. */
  isSet(): boolean;
  isPaused(): boolean;
  /** Running time when the receiver was last resumed, in milliseconds: its callbacks fail 72 hours later. */
  resumedRanMs(): number;
  /** Why nothing can be sent, as a sentence. Undefined: sending is possible. */
  held(): string | undefined;
  /** Subject of its alerts. */
  subject(): string;
};
