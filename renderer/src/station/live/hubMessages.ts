import type { RawMessage, StreamEnd } from './stream.ts';

/** Messages from a tab to the hub. A tab numbers its streams; a newer stream replaces the previous one. */
export type TabMessage =
  | { kind: 'open'; stream: number; after: number | undefined }
  | { kind: 'close' }
  /** Acknowledges a `heard` message with this number of characters. */
  | { kind: 'took'; stream: number; size: number }
  /** Asks whether the hub is running and still has this stream. */
  | { kind: 'ping'; stream: number | undefined }
  /** Reports that the user has signed out in this tab. All tabs are then signed out. */
  | { kind: 'signedOut' }
  /** Reports that the page is being closed or hidden. */
  | { kind: 'leave' };

/** Messages from the hub to a tab. */
export type HubMessage =
  | { kind: 'opened'; stream: number }
  | { kind: 'heard'; stream: number; messages: readonly RawMessage[]; size: number }
  | { kind: 'failed'; stream: number; reason: StreamEnd }
  | { kind: 'pong' }
  /** Reports that the station answers again, so that tabs stop waiting. */
  | { kind: 'up' };
