import type { RawMessage, StreamEnd } from './stream.ts';

/** What a tab says to the hub. Its streams are numbered; a newer one takes the place of the one before. */
export type TabMessage =
  | { kind: 'open'; stream: number; after: number | undefined }
  | { kind: 'close' }
  /** It has read what was told with this size. */
  | { kind: 'took'; stream: number; size: number }
  /** Is the hub there, and this stream in it? */
  | { kind: 'ping'; stream: number | undefined }
  /** Somebody signed out here: that is the end for every tab. */
  | { kind: 'signedOut' }
  /** The page goes. */
  | { kind: 'leave' };

/** What the hub says to a tab. */
export type HubMessage =
  | { kind: 'opened'; stream: number }
  | { kind: 'heard'; stream: number; messages: readonly RawMessage[]; size: number }
  | { kind: 'failed'; stream: number; reason: StreamEnd }
  | { kind: 'pong' }
  /** The station answers; stop waiting. */
  | { kind: 'up' };
