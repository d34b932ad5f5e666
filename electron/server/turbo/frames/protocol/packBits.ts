const LONGEST = 128;

/**
 * Compresses bytes with run-length encoding as in TIFF and MacPaint: a byte n below 128 precedes n + 1 literal bytes, a byte n above 128
 * precedes one byte that repeats 257 - n times, 128 is ignored.
 */
export function packBits(bytes: Uint8Array): Uint8Array {
  // Worst case: one length byte per 128 bytes without a run.
  const packed = new Uint8Array(bytes.length + Math.ceil(bytes.length / LONGEST));
  let size = 0;
  let at = 0;
  while (at < bytes.length) {
    const run = runLength(bytes, at);
    if (run > 1) {
      packed[size++] = 257 - run;
      packed[size++] = bytes[at] ?? 0;
      at += run;
    } else {
      const start = at;
      // A run of two bytes does not interrupt a literal, because that would take as many bytes plus another length byte.
      while (at < bytes.length && at - start < LONGEST && runLength(bytes, at) < 3) at++;
      packed[size++] = at - start - 1;
      packed.set(bytes.subarray(start, at), size);
      size += at - start;
    }
  }
  return packed.subarray(0, size);
}

/** Reverses `packBits`. Returns undefined if the input is truncated or does not yield exactly `length` bytes. */
export function unpackBits(packed: Uint8Array, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let size = 0;
  let at = 0;
  while (at < packed.length) {
    const head = packed[at++] ?? 0;
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    const used = head < 128 ? count : 1;
    if (at + used > packed.length || size + count > length) return undefined;
    if (head < 128) bytes.set(packed.subarray(at, at + count), size);
    else bytes.fill(packed[at] ?? 0, size, size + count);
    at += used;
    size += count;
  }
  return size === length ? bytes : undefined;
}

function runLength(bytes: Uint8Array, start: number): number {
  const value = bytes[start];
  let end = start + 1;
  while (end < bytes.length && end - start < LONGEST && bytes[end] === value) end++;
  return end - start;
}
