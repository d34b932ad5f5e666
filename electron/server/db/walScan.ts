import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** Sizes in the log format. https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Magic number of a log, without the lowest bit, which selects the byte order of the checksums. */
const MAGIC = 0x377f0682;
/** Offset of the page size in the database header. */
const PAGE_SIZE_AT = 16;

type Sum = { one: number; two: number };

/**
 * A frame of the log. `commitPages` is the size of the database in pages after this commit, or 0 if the frame does not end a commit.
 * `stored` is the checksum in the frame.
 */
type Frame = { page: number; commitPages: number; salts: bigint; stored: Sum; bytes: Buffer };

/** The log of a database, read frame by frame. */
type Wal = { count: number; littleEndian: boolean; frame: (index: number) => Frame };

/**
 * Whether the write-ahead log `${database}-wal` contains commits that SQLite will not find because of damage before them. Ignores a torn
 * end, because unsynced commits were never acknowledged, and frames of an earlier use of the log. Reads only; the database must be closed.
 */
export function hasLostCommits(database: string): boolean {
  return reading(`${database}-wal`, false, (log) => {
    const header = bytesAt(log, 0, HEADER_BYTES);
    const size = fstatSync(log).size;
    if (header === undefined) return false;
    const littleEndian = (header.readUInt32BE(0) & 1) === 0;
    const seed = sumOf({ one: 0, two: 0 }, header.subarray(0, 24), littleEndian);
    const isWhole =
      (header.readUInt32BE(0) & ~1) === MAGIC &&
      isSame(seed, { one: header.readUInt32BE(24), two: header.readUInt32BE(28) });
    if (!isWhole) return isMissingIn(database, log, size);
    const wal = walOf(log, { size, pageSize: header.readUInt32BE(8), littleEndian });
    return hasCommitsBehind(wal, firstBad(wal, header.readBigUInt64BE(16), seed), header.readBigUInt64BE(16));
  });
}

/** Returns the index of the frame at which SQLite stops reading. */
function firstBad({ count, frame, littleEndian }: Wal, salts: bigint, seed: Sum): number {
  let sum = seed;
  for (let index = 0; index < count; index += 1) {
    const next = frame(index);
    if (next.salts !== salts || next.page === 0 || !continues(next, sum, littleEndian)) return index;
    sum = next.stored;
  }
  return count;
}

/** Whether a frame after the damage continues a complete commit. Such a frame is written only once that commit is on disk. */
function hasCommitsBehind({ count, frame, littleEndian }: Wal, bad: number, salts: bigint): boolean {
  let before: Frame | undefined;
  for (let index = bad; index < count; index += 1) {
    const next = frame(index);
    const isCommitted = before !== undefined && before.commitPages > 0 && before.salts === salts;
    if (isCommitted && next.salts === salts && before !== undefined && continues(next, before.stored, littleEndian))
      return true;
    before = next;
  }
  return false;
}

/**
 * Whether the database lacks pages of a log that SQLite ignores because the log's header is damaged. Nothing is missing if the log was
 * copied into the database before the damage.
 */
function isMissingIn(database: string, log: number, size: number): boolean {
  return reading(database, true, (file) => {
    const head = bytesAt(file, 0, PAGE_SIZE_AT + 2);
    if (head === undefined) return size > HEADER_BYTES;
    const stored = head.readUInt16BE(PAGE_SIZE_AT);
    const pageSize = stored === 1 ? 65_536 : stored;
    if (pageSize < 512) return true;
    return [true, false].some((littleEndian) => {
      const wal = walOf(log, { size, pageSize, littleEndian });
      const pages = lastPages(wal);
      return [...pages].some(([page, index]) => {
        const there = bytesAt(file, (page - 1) * pageSize, pageSize);
        return there === undefined || !there.equals(wal.frame(index).bytes.subarray(FRAME_HEADER_BYTES));
      });
    });
  });
}

/** Returns the last frame of each page, from the commits in the first run of valid frames. */
function lastPages({ count, frame, littleEndian }: Wal): Map<number, number> {
  const committed = new Map<number, number>();
  let open: [number, number][] = [];
  let before: Frame | undefined;
  let run: bigint | undefined;
  for (let index = 0; index < count; index += 1) {
    const next = frame(index);
    const isNext = before !== undefined && before.salts === next.salts && continues(next, before.stored, littleEndian);
    before = next;
    if (!isNext) {
      if (run !== undefined) break;
      continue;
    }
    run ??= next.salts;
    open.push([next.page, index]);
    if (next.commitPages === 0) continue;
    for (const [page, at] of open) committed.set(page, at);
    for (const page of committed.keys()) if (page > next.commitPages) committed.delete(page);
    open = [];
  }
  return committed;
}

function walOf(log: number, how: { size: number; pageSize: number; littleEndian: boolean }): Wal {
  const { size, pageSize, littleEndian } = how;
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  const count = Math.max(0, Math.floor((size - HEADER_BYTES) / frameBytes));
  return {
    count,
    littleEndian,
    frame(index) {
      const bytes = bytesAt(log, HEADER_BYTES + index * frameBytes, frameBytes) ?? Buffer.alloc(frameBytes);
      return {
        page: bytes.readUInt32BE(0),
        commitPages: bytes.readUInt32BE(4),
        salts: bytes.readBigUInt64BE(8),
        stored: { one: bytes.readUInt32BE(16), two: bytes.readUInt32BE(20) },
        bytes,
      };
    },
  };
}

/** Whether the frame's checksum continues that of the previous frame. */
function continues({ bytes, stored }: Frame, before: Sum, littleEndian: boolean): boolean {
  const head = sumOf(before, bytes.subarray(0, 8), littleEndian);
  return isSame(sumOf(head, bytes.subarray(FRAME_HEADER_BYTES), littleEndian), stored);
}

function sumOf({ one, two }: Sum, bytes: Buffer, littleEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + view.getUint32(at, littleEndian) + two) >>> 0;
    two = (two + view.getUint32(at + 4, littleEndian) + one) >>> 0;
  }
  return { one, two };
}

function isSame(sum: Sum, other: Sum): boolean {
  return sum.one === other.one && sum.two === other.two;
}

function bytesAt(file: number, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, position) === length ? bytes : undefined;
}

function reading<T>(file: string, otherwise: T, use: (handle: number) => T): T {
  if (!existsSync(file)) return otherwise;
  const handle = openSync(file, 'r');
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}
