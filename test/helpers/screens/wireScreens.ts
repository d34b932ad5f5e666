/** Reads the bitmaps of show messages from a byte stream. Follows docs/turbo-protocol.md and does not use the station's code. */
import { crc32 } from 'node:zlib';

const SHOW = 0x10;
const BITMAP = 2;
const HEAD = 10;

/** Returns the type and payload of each whole frame, in order. Throws if bytes do not belong to a frame. */
export function readFrames(stream: Buffer): { type: number; isReply: boolean; seq: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at < stream.length;) {
    if (stream.readUInt16BE(at) !== 0xa55a) throw new Error(`No frame begins at byte ${at}.`);
    const length = stream.readUInt16LE(at + 6);
    if (stream.readUInt16LE(at + 8) !== (crc32(stream.subarray(at + 2, at + 8)) & 0xffff)) throw new Error('Bad head.');
    const end = at + HEAD + length;
    if (stream.readUInt32LE(end) !== crc32(stream.subarray(at + 2, end))) throw new Error('Bad frame.');
    const payload = stream.subarray(at + HEAD, end);
    frames.push({
      type: stream.readUInt8(at + 2),
      isReply: (stream.readUInt8(at + 3) & 1) === 1,
      seq: stream.readUInt16LE(at + 4),
      payload,
    });
    at = end + 4;
  }
  return frames;
}

/** Returns the pixels in each show message, 37 bytes per row, by token. */
export function readBitmaps(stream: Buffer): Map<number, Buffer> {
  const bitmaps = new Map<number, Buffer>();
  for (const { type, payload } of readFrames(stream)) {
    if (type !== SHOW) continue;
    const token = payload.readUInt32LE(6);
    // device 6, token 4, checksum 4, seconds 4; then the optional quantity.
    let at = 18 + (payload[18] === 0 ? 1 : 5);
    // led, color 3, brightness, fixedBrightness; then the sound.
    at += 6;
    at += 2 + payload.readUInt16LE(at);
    if (payload[at] !== BITMAP) throw new Error(`Show ${token} carries no bitmap.`);
    const packing = payload[at + 1];
    const length = payload.readUInt16LE(at + 2);
    const pixels = payload.subarray(at + 4, at + 4 + length);
    bitmaps.set(token, packing === 0 ? Buffer.from(pixels) : unpack(pixels));
  }
  return bitmaps;
}

function unpack(packed: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < packed.length;) {
    const n = packed.readUInt8(at);
    if (n < 128) parts.push(packed.subarray(at + 1, at + n + 2));
    else if (n > 128) parts.push(Buffer.alloc(257 - n, packed.readUInt8(at + 1)));
    at += n < 128 ? n + 2 : n > 128 ? 2 : 1;
  }
  return Buffer.concat(parts);
}
