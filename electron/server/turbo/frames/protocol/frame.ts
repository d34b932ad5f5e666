import { crc32 } from 'node:zlib';
import { encodePayload } from './codec.ts';
import type { Message } from './messages.ts';
import { Reader, ByteWriter } from './wire.ts';

/*
 * A5 5A | type u8 | flags u8 | seq u16 | length u16 | header check u16 | payload | CRC-32 u32
 *
 * The header has its own check, so that a corrupt length is detected immediately and never swallows the next frame.
 */
const MAGIC_FIRST = 0xa5;
const MAGIC_SECOND = 0x5a;
export const HEADER_BYTES = 10;
export const CRC_BYTES = 4;

export const FLAG_REPLY = 1;
export const MAX_PAYLOAD_BYTES = 8_192;
const MAX_FRAME_BYTES = HEADER_BYTES + MAX_PAYLOAD_BYTES + CRC_BYTES;

/**
 * Maximum payload of a hello: six of its fields are texts of at most 255 bytes, and three have 16 bytes. An answer to a challenge is a key,
 * which is also a text.
 */
export const LONGEST_HELLO_BYTES = 2_048;

/**
 * How many bytes the checksums of damaged frames may cover for each received byte, and how many can be saved up. Without this limit, a
 * header every ten bytes that announces the longest frame would cost 819 times its input.
 */
const CHECKED_PER_BYTE = 4;
const MAX_CHECKED_BYTES = 4 * MAX_FRAME_BYTES;

/** Time limit for the rest of an incomplete frame. At 115,200 baud, the slowest supported speed, the longest frame takes 0.71 s. */
export const HALF_FRAME_MS = 1_000;

/** Creates a buffer for the longest frame, to pass to each `encodeFrame` call of one connection. */
export function createFrameWriter(): ByteWriter {
  return new ByteWriter(MAX_FRAME_BYTES);
}

/** Encodes one frame. Returns a copy of the bytes. Throws a RangeError if the payload exceeds 8,192 bytes. */
export function encodeFrame(scratch: ByteWriter, message: Message, seq: number, reply: boolean): Buffer {
  scratch.position = HEADER_BYTES;
  const id = encodePayload(scratch, message);
  const end = scratch.position;
  const length = end - HEADER_BYTES;
  if (length > MAX_PAYLOAD_BYTES) throw new RangeError(`A ${message.name} of ${length} bytes does not fit a frame`);
  const { bytes } = scratch;
  bytes[0] = MAGIC_FIRST;
  bytes[1] = MAGIC_SECOND;
  bytes[2] = id;
  bytes[3] = reply ? FLAG_REPLY : 0;
  scratch.position = 4;
  scratch.u16(seq);
  scratch.u16(length);
  scratch.u16(headerCheck(bytes, 0));
  scratch.position = end;
  scratch.u32(crc32(bytes.subarray(2, end)));
  const frame = Buffer.allocUnsafe(end + CRC_BYTES);
  bytes.copy(frame, 0, 0, frame.length);
  return frame;
}

export type FrameSink = {
  /** Called for each whole frame. `payload` is valid only during the call. */
  frame(type: number, flags: number, seq: number, payload: Reader): void;
  /** Called with the number of bytes that belonged to no frame. */
  junk(count: number): void;
  /** Called when a damaged or incomplete frame arrived, to count it. */
  broken?(): void;
};

/**
 * Finds frames in a byte stream. Never throws: skips and counts other bytes one at a time, so that no valid frame is lost. Holds at most
 * one incomplete frame. Counts a frame as damaged without checking it if earlier damaged frames have used up `checkableBytes`. Line noise never
 * does.
 */
export class FrameParser {
  /** Maximum payload size. Longer frames are damaged ones. */
  maxPayloadBytes = MAX_PAYLOAD_BYTES;
  private readonly sink: FrameSink;
  private readonly payload = new Reader();
  /** Buffer for an incomplete frame, from `heldFrom` to `heldTo`. */
  private held: Buffer | undefined;
  private heldFrom = 0;
  private heldTo = 0;
  private incompleteSinceMs = 0;
  /** Number of bytes that the incomplete frame needs before it can be examined again. */
  private wantedBytes = 0;
  /** Number of bytes that the checksums of damaged frames may still cover. */
  private checkableBytes = MAX_CHECKED_BYTES;
  private resets = 0;

  constructor(sink: FrameSink) {
    this.sink = sink;
  }

  /** Returns the monotonic time for the next `expire` call; undefined while no frame is incomplete. */
  deadline(): number | undefined {
    return this.held === undefined ? undefined : this.incompleteSinceMs + HALF_FRAME_MS;
  }

  /** Parses received bytes, which must not change afterwards. */
  push(chunk: Uint8Array, nowMs: number): void {
    const bytes = asBuffer(chunk);
    this.checkableBytes = Math.min(MAX_CHECKED_BYTES, this.checkableBytes + CHECKED_PER_BYTE * bytes.length);
    const { held, heldFrom, heldTo } = this;
    if (held === undefined) return this.hold(bytes, this.scan(bytes, nowMs));
    if (heldTo + bytes.length > held.length) {
      const all = Buffer.concat([held.subarray(heldFrom, heldTo), bytes]);
      return this.hold(all, this.scan(all, this.incompleteSinceMs, nowMs));
    }
    // Do not scan or move single bytes, because a long frame may arrive in a thousand pieces.
    held.set(bytes, heldTo);
    this.heldTo += bytes.length;
    if (this.heldTo - heldFrom >= this.wantedBytes) this.look(held, heldFrom, nowMs);
  }

  /** Drops the first byte of a frame that has been incomplete for too long. A valid frame may start after this byte. */
  expire(nowMs: number): void {
    const { held, heldFrom } = this;
    if (held === undefined || nowMs < this.incompleteSinceMs + HALF_FRAME_MS) return;
    this.sink.broken?.();
    this.sink.junk(1);
    this.incompleteSinceMs = nowMs;
    this.look(held, heldFrom + 1, nowMs);
  }

  /** Drops an incomplete frame, and the bytes that are being parsed, after the connection was closed. */
  reset(): void {
    this.resets += 1;
    this.held = undefined;
  }

  /** Scans the held bytes again, starting at an index. */
  private look(held: Buffer, from: number, nowMs: number): void {
    const bytes = held.subarray(from, this.heldTo);
    const start = this.scan(bytes, this.incompleteSinceMs, nowMs);
    const isRoom = start < bytes.length && from + start + this.wantedBytes <= held.length;
    if (isRoom) this.heldFrom = from + start;
    else this.hold(bytes, start);
  }

  /** Copies the bytes starting at an index, so that a few bytes do not keep a large chunk in memory. */
  private hold(bytes: Buffer, start: number): void {
    this.held = start < bytes.length ? Buffer.allocUnsafe(2 * this.wantedBytes) : undefined;
    this.heldFrom = 0;
    this.heldTo = this.held === undefined ? 0 : bytes.copy(this.held, 0, start);
  }

  /** Passes on all whole frames. Returns the index of the incomplete frame, or the length of the bytes. */
  private scan(bytes: Buffer, firstSinceMs: number, nowMs = firstSinceMs): number {
    let junk = 0;
    let start = 0;
    let since = firstSinceMs;
    const { resets } = this;
    while (start < bytes.length) {
      if (resets !== this.resets) return bytes.length;
      const length = this.take(bytes, start, junk);
      if (length === INCOMPLETE) break;
      if (length === NONE) {
        const next = bytes.indexOf(MAGIC_FIRST, start + 1);
        const skipped = (next === -1 ? bytes.length : next) - start;
        junk += skipped;
        start += skipped;
      } else {
        junk = 0;
        start += length;
      }
      since = nowMs;
    }
    if (junk > 0) this.sink.junk(junk);
    this.incompleteSinceMs = since;
    return start;
  }

  private incomplete(wantedBytes: number): typeof INCOMPLETE {
    this.wantedBytes = wantedBytes;
    return INCOMPLETE;
  }

  /**
   * Passes on the frame that starts here and returns its length. Returns NONE if no valid frame starts here, or INCOMPLETE if more bytes
   * are needed.
   */
  private take(bytes: Buffer, start: number, junk: number): number {
    const left = bytes.length - start;
    if (bytes[start] !== MAGIC_FIRST) return NONE;
    if (left < 2) return this.incomplete(2);
    if (bytes[start + 1] !== MAGIC_SECOND) return NONE;
    if (left < HEADER_BYTES) return this.incomplete(HEADER_BYTES);
    const length = u16(bytes, start + 6);
    if (length > this.maxPayloadBytes || u16(bytes, start + 8) !== headerCheck(bytes, start)) return this.broken();
    const end = start + HEADER_BYTES + length;
    const whole = HEADER_BYTES + length + CRC_BYTES;
    if (left < whole) return this.incomplete(whole);
    if (whole > this.checkableBytes) return this.broken();
    if (u16(bytes, end) + u16(bytes, end + 2) * 0x10000 !== crc32(bytes.subarray(start + 2, end))) {
      this.checkableBytes -= whole;
      return this.broken();
    }
    if (junk > 0) this.sink.junk(junk);
    const payload = this.payload.over(bytes, start + HEADER_BYTES, end);
    this.sink.frame(bytes[start + 2] ?? 0, bytes[start + 3] ?? 0, u16(bytes, start + 4), payload);
    return whole;
  }

  private broken(): typeof NONE {
    this.sink.broken?.();
    return NONE;
  }
}

const INCOMPLETE = -1;
const NONE = 0;

/** The CRC-32 of each byte value. */
const CRC_OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** Returns the lower half of the header's CRC-32. Computed here because calling zlib for six bytes takes ten times as long. */
function headerCheck(bytes: Buffer, start: number): number {
  let crc = -1;
  for (let at = start + 2; at < start + 8; at++) {
    crc = (CRC_OF_BYTE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc & 0xffff;
}

function u16(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
