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
  /** Moving average of the time from a frame to its acknowledgement. Undefined: none yet. */
  roundTripMs: number | undefined;
  /** Newest first. `at`: epoch milliseconds. */
  errors: readonly { at: number; problem: string }[];
};

/** A frame, decoded for display. */
export type LoggedFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  /** `in`: from the turbo. */
  direction: 'in' | 'out';
  /** Name of the message in the message table. `unsupported 0x7f` or `malformed 0x10` if none matches. */
  message: string;
  sequence: number;
  /** The message to which this frame is the answer. Undefined: none, or no longer stored. */
  answers: string | undefined;
  /** The device of the message. */
  device: string | undefined;
  /** Whether this frame repeats an earlier one. */
  repeated: boolean;
  /** JSON values. Secrets are hidden, and for bitmaps only their size is given. */
  fields: { [name: string]: unknown };
  /** The whole frame as `A5 5A ...`. Hidden bytes are `··`. */
  bytes: string;
};

/** Traffic of each turbo. Undefined for an unknown turbo. */
export type TurboWatch = {
  countsOf(serialNumber: string): TurboTraffic | undefined;
  /** Frames with a number above `after`, oldest first. Without `after`, all stored frames. */
  framesOf(serialNumber: string, after: number | undefined): LoggedFrame[] | undefined;
};
