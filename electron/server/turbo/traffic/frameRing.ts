/** Maximum number of frames: minutes for a busy turbo, or hours for a quiet one. */
const MAX_FRAMES = 1_000;
/** Maximum number of bytes of all frames. If there are many long bitmap frames, fewer than `MAX_FRAMES` fit. */
const MAX_BYTES = 256 * 1_024;

/** A stored frame. `bytes` are valid until the next frame is added. */
export type KeptFrame = {
  number: number;
  /** When the frame was sent or received, in epoch milliseconds. */
  at: number;
  direction: 'in' | 'out';
  repeated: boolean;
  /** The whole frame, with zeros in place of hidden bytes. */
  bytes: Buffer;
  /** Index of the first hidden byte; undefined if nothing is hidden. */
  hiddenFrom: number | undefined;
};

const OUT = 1;
const REPEATED = 2;

/**
 * The last frames, numbered from 1. All frames share one buffer with parallel columns, so that storing a frame creates no garbage, because
 * most frames are never read.
 */
export class FrameRing {
  /** Number of the oldest kept frame, and of the next frame. */
  first = 1;
  next = 1;
  private bytes: Buffer | undefined;
  /** Position where the next frame begins, counted over all rounds of the buffer. */
  private position = 0;
  private readonly starts = new Float64Array(MAX_FRAMES);
  private readonly lengths = new Uint16Array(MAX_FRAMES);
  private readonly times = new Float64Array(MAX_FRAMES);
  private readonly flags = new Uint8Array(MAX_FRAMES);
  /** Index of the first hidden byte of each frame; 0 if nothing is hidden. */
  private readonly hidden = new Uint16Array(MAX_FRAMES);

  add(at: number, direction: 'in' | 'out', frame: Uint8Array, repeated: boolean): void {
    this.bytes ??= Buffer.alloc(MAX_BYTES);
    const { length } = frame;
    const start = placeFor(this.position, length);
    this.position = start + length;
    while (this.first < this.next && this.isInTheWay(this.first)) this.first++;
    this.bytes.set(frame, start % MAX_BYTES);
    const column = this.next++ % MAX_FRAMES;
    this.starts[column] = start;
    this.lengths[column] = length;
    this.times[column] = at;
    this.flags[column] = (direction === 'out' ? OUT : 0) | (repeated ? REPEATED : 0);
    this.hidden[column] = 0;
  }

  /** Erases the bytes of a frame starting at this index. */
  hide(number: number, from: number): void {
    this.at(number)?.bytes.fill(0, from);
    this.hidden[number % MAX_FRAMES] = from;
  }

  /** Returns a frame, or undefined if it was dropped or has not been added yet. */
  at(number: number): KeptFrame | undefined {
    if (number < this.first || number >= this.next || this.bytes === undefined) return undefined;
    const column = number % MAX_FRAMES;
    const start = (this.starts[column] ?? 0) % MAX_BYTES;
    const flags = this.flags[column] ?? 0;
    const hiddenFrom = this.hidden[column];
    return {
      number,
      at: this.times[column] ?? 0,
      direction: (flags & OUT) === 0 ? 'in' : 'out',
      repeated: (flags & REPEATED) !== 0,
      bytes: this.bytes.subarray(start, start + (this.lengths[column] ?? 0)),
      hiddenFrom: hiddenFrom === 0 ? undefined : hiddenFrom,
    };
  }

  /** Whether the next frame needs the column or the bytes of this frame. */
  private isInTheWay(number: number): boolean {
    const start = this.starts[number % MAX_FRAMES] ?? 0;
    return this.next - number >= MAX_FRAMES || this.position - start > MAX_BYTES;
  }
}

/** Returns `position`, or the beginning of the next round if the bytes do not fit before the end of the buffer. */
function placeFor(position: number, length: number): number {
  const left = MAX_BYTES - (position % MAX_BYTES);
  return length > left ? position + left : position;
}
