import type { CallbackReceiver } from '#shared/api/callback.ts';

/** Where callbacks go, and what they carry. */
export type Destination = {
  /** Empty: nowhere. */
  url: string;
  apiKey: string | null;
  username: string;
  password: string | null;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  timeoutS: number;
  /** Empty: none. */
  ca: string;
  verify: boolean;
};

/** One receiver over HTTP. Everything is read at each attempt. */
export type CallbackTarget = {
  receiver: CallbackReceiver;
  destination(): Destination;
  /** Whether callbacks are written for it. */
  isSet(): boolean;
  isPaused(): boolean;
  /** How long the station had run when it was last resumed, in milliseconds: its callbacks fail 72 hours after that. */
  resumedRanMs(): number;
  /** Why nothing can be sent to it, as a sentence; undefined: it can. */
  held(): string | undefined;
  /** Subject of its alerts. */
  subject(): string;
};
