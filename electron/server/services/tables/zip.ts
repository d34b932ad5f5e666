import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { damaged, refused } from './refusals.ts';

/** File in an archive. Sizes and the offset are in bytes. */
export type ZipEntry = { name: string; method: number; crc: number; packed: number; unpacked: number; offset: number };

/** Maximum number of bytes to unpack from one archive. It limits memory and time, because a crafted archive can expand a thousandfold. */
export const MAX_UNPACKED = 64 * 1024 * 1024;
/** Maximum number of files in an archive. Real workbooks have fewer. */
const MAX_ENTRIES = 20_000;
/** Number of compressed bytes to process per step. They unpack to at most 0.5 MiB. */
const PACKED_PART = 512;
const STORED_PART = 65_536;

const END = 0x06_05_4b_50;
const END_BYTES = 22;
const END_64 = 0x06_06_4b_50;
const LOCATOR_64 = 0x07_06_4b_50;
const CENTRAL = 0x02_01_4b_50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04_03_4b_50;
const LOCAL_BYTES = 30;
const IN_EXTRA = 0xff_ff_ff_ff;
const MAX_COMMENT = 65_535;
const ENCRYPTED = 1;
const METHODS = [0, 8];

/** Lists the files in an archive by normalized name. Throws `invalid` if the archive is incomplete or encrypted. */
export function* listEntries(bytes: Uint8Array): InParts<Map<string, ZipEntry>> {
  const pace = createPace();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = new Map<string, ZipEntry>();
  let at = centralStart(view);
  while (at + CENTRAL_BYTES <= view.byteLength && view.getUint32(at, true) === CENTRAL) {
    if (entries.size >= MAX_ENTRIES) throw damaged('it contains too many files');
    if (pace.isDue()) yield* pace.rest();
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const end = at + CENTRAL_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (end > view.byteLength) throw damaged('its list of files is incomplete');
    if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0) throw refused('password');
    const name = Buffer.from(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)).toString('latin1');
    const entry: ZipEntry = {
      name: normalized(name),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    readLongSizes(view, at + CENTRAL_BYTES + nameBytes, extraBytes, entry);
    if (entries.has(entry.name)) throw damaged('it contains a file twice');
    entries.set(entry.name, entry);
    at = end;
  }
  return entries;
}

/** Converts a name to lower case with slashes, because Excel ignores case and some programs write backslashes. */
export function normalized(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}

/** Number of bytes (`left`) that may still be unpacked from an archive. */
export type Unpacking = { left: number };

/** Unpacks a file in chunks of up to 0.5 MiB. Throws `invalid` if the file is damaged or exceeds `unpacking.left`. */
export function* unpack(
  bytes: Uint8Array,
  entry: ZipEntry,
  unpacking: Unpacking,
  take: (chunk: Uint8Array) => InParts<void>,
): InParts<void> {
  const packed = packedBytes(bytes, entry);
  if (entry.unpacked > unpacking.left) throw refused('tooLarge');
  let crc = 0;
  let unpacked = 0;
  let chunks: Uint8Array[] = [];
  const inflate = entry.method === 0 ? undefined : new Inflate((chunk) => void chunks.push(chunk));
  const step = inflate === undefined ? STORED_PART : PACKED_PART;
  for (let from = 0; from < packed.length; from += step) {
    const part = packed.subarray(from, from + step);
    try {
      if (inflate === undefined) chunks = [part];
      else inflate.push(part, from + step >= packed.length);
    } catch {
      throw damaged(`${entry.name} cannot be unpacked`);
    }
    for (const chunk of chunks) {
      unpacked += chunk.length;
      unpacking.left -= chunk.length;
      if (unpacking.left < 0) throw refused('tooLarge');
      if (unpacked > entry.unpacked) throw damaged(`${entry.name} is longer than it says`);
      crc = crc32(chunk, crc);
      yield* take(chunk);
    }
    chunks = [];
    yield;
  }
  if (unpacked !== entry.unpacked || crc !== entry.crc) throw damaged(`${entry.name} is not as it was written`);
}

function packedBytes(bytes: Uint8Array, { name, method, packed, offset }: ZipEntry): Uint8Array {
  if (!METHODS.includes(method)) throw damaged(`${name} is packed in an unusual way`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + LOCAL_BYTES > view.byteLength || view.getUint32(offset, true) !== LOCAL) {
    throw damaged(`${name} is missing`);
  }
  const start = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > view.byteLength) throw damaged(`${name} is incomplete`);
  return bytes.subarray(start, start + packed);
}

/** Returns the offset of the central directory. Throws `invalid` if the end of the archive is missing. */
function centralStart(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) {
    if (view.getUint32(at, true) !== END) continue;
    const start = view.getUint32(at + 16, true);
    return start === IN_EXTRA ? longStart(view, at) : start;
  }
  throw damaged('its end is missing');
}

/** Returns the offset of the central directory from the ZIP64 records, which some programs write for archives of any size. */
function longStart(view: DataView, end: number): number {
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
    const at = Number(view.getBigUint64(locator + 8, true));
    if (at + 56 <= view.byteLength && view.getUint32(at, true) === END_64) {
      return Number(view.getBigUint64(at + 48, true));
    }
  }
  throw damaged('its end is missing');
}

/** Replaces sizes and an offset that do not fit into four bytes with those in the ZIP64 extra field, which have eight. */
function readLongSizes(view: DataView, from: number, length: number, entry: ZipEntry): void {
  for (let at = from; at + 4 <= from + length;) {
    const size = view.getUint16(at + 2, true);
    const end = at + 4 + size;
    if (view.getUint16(at, true) === 1 && end <= from + length) {
      let value = at + 4;
      for (const field of ['unpacked', 'packed', 'offset'] as const) {
        if (entry[field] !== IN_EXTRA || value + 8 > end) continue;
        entry[field] = Number(view.getBigUint64(value, true));
        value += 8;
      }
    }
    at = end;
  }
}
