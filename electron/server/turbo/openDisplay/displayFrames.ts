const LENGTH_BYTES = 2;
/** Maximum payload size. A frame has at most 4 KiB, including its length. */
export const MAX_PAYLOAD_BYTES = 4_094;

/** Encodes an OpenDisplay frame: the payload's length, little-endian, then the payload. */
export function encodeDisplayFrame(payload: Uint8Array): Buffer {
  if (payload.length === 0 || payload.length > MAX_PAYLOAD_BYTES)
    throw new Error(`${payload.length} bytes are no frame`);
  const frame = Buffer.alloc(LENGTH_BYTES + payload.length);
  frame.writeUInt16LE(payload.length);
  frame.set(payload, LENGTH_BYTES);
  return frame;
}

/** Finds frames in a byte stream. */
export class FrameSplitter {
  private rest: Buffer = Buffer.alloc(0);

  /** Returns the payloads that are now complete, or undefined if the bytes are not frames. */
  push(chunk: Uint8Array): Buffer[] | undefined {
    const payloads: Buffer[] = [];
    let bytes = this.rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.rest, chunk]);
    while (bytes.length >= LENGTH_BYTES) {
      const length = bytes.readUInt16LE();
      if (length === 0 || length > MAX_PAYLOAD_BYTES) return undefined;
      if (bytes.length < LENGTH_BYTES + length) break;
      payloads.push(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      bytes = bytes.subarray(LENGTH_BYTES + length);
    }
    this.rest = bytes;
    return payloads;
  }
}
