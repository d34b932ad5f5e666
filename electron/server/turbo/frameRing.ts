/** Some minutes of a busy turbo, hours of a quiet one. */
const MAX_FRAMES = 1_000;
/** Screens as bitmaps are long: then fewer are kept. */
const MAX_BYTES = 256 * 1_024;

/** A frame as it passed; `bytes` are good until the next one is added. */
export type KeptFrame = {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  direction: 'in' | 'out';
  repeated: boolean;
  /** The whole frame, zeros where it is hidden. */
  bytes: Buffer;
  /** From this byte on nothing is shown; undefined: all of it is. */
  hiddenFrom: number | undefined;
};

const OUT = 1;
const REPEATED = 2;

/**
 * The last frames, by numbers that count up from 1. All of them lie in one piece of memory and in columns beside it, so
 * that a frame that passes leaves nothing behind to be cleared away: most are never looked at.
 */
export class FrameRing {
  /** The oldest that is kept, and the one that comes next. */
  first = 1;
  next = 1;
  private bytes: Buffer | undefined;
  /** Where the next frame begins, counted on over all rounds. */
  private position = 0;
  private readonly starts = new Float64Array(MAX_FRAMES);
  private readonly lengths = new Uint16Array(MAX_FRAMES);
  private readonly times = new Float64Array(MAX_FRAMES);
  private readonly flags = new Uint8Array(MAX_FRAMES);
  /** 0: nothing is. */
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

  /** Forgets this frame's bytes from there on. */
  hide(number: number, from: number): void {
    this.at(number)?.bytes.fill(0, from);
    this.hidden[number % MAX_FRAMES] = from;
  }

  /** Undefined: dropped, or not there yet. */
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

  /** Whether what comes next needs this one's column or bytes. */
  private isInTheWay(number: number): boolean {
    const start = this.starts[number % MAX_FRAMES] ?? 0;
    return this.next - number >= MAX_FRAMES || this.position - start > MAX_BYTES;
  }
}

/** At `position`, unless that many bytes would go over the end: then at the beginning of the next round. */
function placeFor(position: number, length: number): number {
  const left = MAX_BYTES - (position % MAX_BYTES);
  return length > left ? position + left : position;
}
