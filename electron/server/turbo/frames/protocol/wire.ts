/**
 * Writes little-endian values. Clamps numbers out of range. Does not throw if the buffer is too small; its position is then the required
 * size.
 */
export class ByteWriter {
  readonly bytes: Buffer;
  position = 0;

  constructor(size: number) {
    this.bytes = Buffer.alloc(size);
  }

  u8(value: number): void {
    this.bytes[this.position++] = clamp(value, 0, 0xff);
  }

  u16(value: number): void {
    const whole = clamp(value, 0, 0xffff);
    this.bytes[this.position++] = whole;
    this.bytes[this.position++] = whole >>> 8;
  }

  u32(value: number): void {
    const whole = clamp(value, 0, 0xffffffff);
    this.bytes[this.position++] = whole;
    this.bytes[this.position++] = whole >>> 8;
    this.bytes[this.position++] = whole >>> 16;
    this.bytes[this.position++] = whole >>> 24;
  }

  i8(value: number): void {
    this.bytes[this.position++] = clamp(value, -0x80, 0x7f);
  }

  /** Writes UTF-8 with a one-byte length. Cuts text over 255 bytes between two characters. */
  text8(value: string): void {
    const start = this.position + 1;
    const length = value === '' ? 0 : this.text(value, start, 0xff);
    this.bytes[this.position] = length;
    this.position = start + length;
  }

  /** Writes UTF-8 with a two-byte length. */
  text16(value: string): void {
    const start = this.position + 2;
    const length = value === '' ? 0 : this.text(value, start, 0xffff);
    this.u16(length);
    this.position = start + length;
  }

  /** Writes bytes with a two-byte length. */
  bytes16(value: Uint8Array): void {
    this.u16(value.length);
    if (this.position + value.length <= this.bytes.length) this.bytes.set(value, this.position);
    this.position += value.length;
  }

  /** Writes text and returns its number of bytes. Text that does not fit is not written, so that the position ends beyond the buffer. */
  private text(value: string, start: number, longest: number): number {
    const room = this.bytes.length - start;
    if (room >= longest) return this.bytes.write(value, start, longest, 'utf8');
    const needed = Math.min(Buffer.byteLength(value), longest);
    return needed > room ? needed : this.bytes.write(value, start, needed, 'utf8');
  }
}

/** Reads the payload of one frame. Reading past the end returns zeros and sets `failed`. Never throws. */
export class Reader {
  bytes: Buffer = Buffer.alloc(0);
  position = 0;
  end = 0;
  failed = false;

  /** Sets the range of bytes to read. */
  over(bytes: Buffer, start: number, end: number): this {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
    this.failed = false;
    return this;
  }

  atEnd(): boolean {
    return this.position >= this.end;
  }

  u8(): number {
    return this.unsigned(1);
  }

  u16(): number {
    return this.unsigned(2);
  }

  u32(): number {
    return this.unsigned(4);
  }

  i8(): number {
    return (this.unsigned(1) << 24) >> 24;
  }

  text8(): string {
    return this.text(this.unsigned(1));
  }

  text16(): string {
    return this.text(this.unsigned(2));
  }

  /** Returns a copy of the bytes, because the receive buffer is reused. */
  bytes16(): Uint8Array {
    const length = this.unsigned(2);
    if (!this.take(length)) return new Uint8Array(0);
    return new Uint8Array(this.bytes.subarray(this.position - length, this.position));
  }

  private text(length: number): string {
    if (!this.take(length) || length === 0) return '';
    return this.bytes.toString('utf8', this.position - length, this.position);
  }

  private unsigned(size: 1 | 2 | 4): number {
    if (!this.take(size)) return 0;
    const { bytes, position } = this;
    let value = bytes[position - 1] ?? 0;
    for (let at = position - 2; at >= position - size; at--) value = value * 0x100 + (bytes[at] ?? 0);
    return value;
  }

  private take(length: number): boolean {
    if (this.failed || this.position + length > this.end) {
      this.failed = true;
      return false;
    }
    this.position += length;
    return true;
  }
}

function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : Math.trunc(value);
}
