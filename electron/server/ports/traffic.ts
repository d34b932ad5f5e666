/** Traffic between the station and a turbo since its first contact, over all its connections. */
export type TurboTraffic = {
  /** Epoch milliseconds. */
  since: number;
  framesIn: number;
  framesOut: number;
  bytesIn: number;
  bytesOut: number;
  /** Number of these frames that were repeated because their answer was late or lost. */
  repeatedIn: number;
  repeatedOut: number;
  /** Number of frames that arrived damaged or incomplete. */
  brokenFrames: number;
  /** Moving average of the time from a frame to its acknowledgement; undefined if no frame was acknowledged yet. */
  roundTripMs: number | undefined;
  /** Errors, newest first. `at` is in epoch milliseconds. */
  errors: readonly { at: number; problem: string }[];
};

/** A frame, decoded for display. */
export type LoggedFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  /** `in` for frames from the turbo, `out` for frames to it. */
  direction: 'in' | 'out';
  /** Name of the message in the message table; `unsupported 0x7f` or `malformed 0x10` if none matches. */
  message: string;
  sequence: number;
  /** The message that this frame answers; undefined if there is none, or if it is no longer stored. */
  answers: string | undefined;
  /** The device of the message. */
  device: string | undefined;
  /** Whether this frame repeats an earlier one. */
  repeated: boolean;
  /** Fields of the message as JSON values. Secrets are hidden, and bitmaps are replaced by their size. */
  fields: { [name: string]: unknown };
  /** The whole frame as `A5 5A ...`. Hidden bytes are `··`. */
  bytes: string;
};

/** Traffic of each turbo. Functions return undefined for an unknown turbo. */
export type TurboWatch = {
  countsOf(serialNumber: string): TurboTraffic | undefined;
  /** Returns frames with a number above `after`, oldest first. Without `after`, returns all stored frames. */
  framesOf(serialNumber: string, after: number | undefined): LoggedFrame[] | undefined;
};
