/** Traffic between the station and a turbo since its first contact, over all its connections. */
export type TurboTraffic = {
  /** Epoch milliseconds. */
  since: number;
  framesIn: number;
  framesOut: number;
  bytesIn: number;
  bytesOut: number;
  /** Repeated frames among these: their answer was late or lost. */
  repeatedIn: number;
  repeatedOut: number;
  /** Frames that arrived damaged or incomplete. */
  brokenFrames: number;
  /** Running mean from a frame to its ack; undefined: none yet. */
  roundTripMs: number | undefined;
  /** Newest first. `at`: epoch milliseconds. */
  errors: readonly { at: number; problem: string }[];
};

/** A frame, decoded for people. */
export type LoggedFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  /** `in`: from the turbo. */
  direction: 'in' | 'out';
  /** Row of the message table; `unsupported 0x7f` or `malformed 0x10` if none matches. */
  message: string;
  sequence: number;
  /** The message that this one answers; undefined: none that is still kept. */
  answers: string | undefined;
  /** The device of the message. */
  device: string | undefined;
  /** A repeat of an earlier frame. */
  repeated: boolean;
  /** JSON values; secrets hidden, bitmaps only as their size. */
  fields: { [name: string]: unknown };
  /** The whole frame, `A5 5A ...`; `··` for hidden bytes. */
  bytes: string;
};

/** Traffic of each turbo; undefined for an unknown one. */
export type TurboWatch = {
  countsOf(serialNumber: string): TurboTraffic | undefined;
  /** Frames with a number above `after`, oldest first; without `after`, all that are kept. */
  framesOf(serialNumber: string, after: number | undefined): LoggedFrame[] | undefined;
};
