import { closeSync, constants, copyFileSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import Database from 'better-sqlite3';
import { StationError } from '../errors.ts';
import type { Db } from './db.ts';
import { APPLICATION_ID, DEVELOPMENT_IDS } from './inspection.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES = 4_096;
/** Offset in the header of two bytes for the journal mode. Both are 1 without a write-ahead log, and 2 with one. */
const VERSIONS_AT = 18;
const WITHOUT_LOG = 1;
const WITH_LOG = 2;
/** Suffixes of logs that SQLite leaves if a database was not closed. */
const LOGS = ['-wal', '-journal'];

/** An untrusted file, open for reading. */
export type ForeignFile = { db: Db; schema: number };

/**
 * Opens a possibly crafted backup for `use`: checks its header before SQLite sees it, trusts nothing in its schema, and never writes.
 * `scratch` is the path for a temporary copy, and `known` the number of our migrations. Throws `invalid` if the file is not a backup of a
 * station.
 */
export function withForeign<T>(
  { file, scratch, known }: { file: string; scratch: string; known: number },
  use: (foreign: ForeignFile) => T,
): T {
  const { schema, hasLog } = readHeader(file, known);
  refuseLogs(file);
  if (!hasLog) return using(file, (db) => use({ db, schema }));
  try {
    copyFileSync(file, scratch, constants.COPYFILE_FICLONE);
    clearLogFlag(scratch);
    return using(scratch, (db) => use({ db, schema }));
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** Clears the log flag in the header of a copy without a log. */
export function clearLogFlag(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    const versions = Buffer.alloc(2);
    if (readSync(handle, versions, 0, 2, VERSIONS_AT) < 2 || !versions.every((version) => version === WITH_LOG)) return;
    writeSync(handle, Buffer.from([WITHOUT_LOG, WITHOUT_LOG]), 0, 2, VERSIONS_AT);
  } finally {
    closeSync(handle);
  }
}

/** Returns the error for a file that cannot be restored, for the reason `why`. */
export function unfit(why: string): StationError {
  return new StationError('invalid', `This cannot be restored. ${why}`);
}

function using<T>(file: string, use: (db: Db) => T): T {
  // better-sqlite3 already opens databases in defensive mode.
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0', 'query_only = ON'])
      db.pragma(setting);
    return use(db);
  } finally {
    db.close();
  }
}

/** Refuses a file with a log: the log contains commits that the file lacks, or was planted to change what is read. */
function refuseLogs(file: string): void {
  const log = LOGS.find((end) => (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (log === undefined) return;
  throw unfit(
    `${basename(file)}${log} is beside it: this is the database of a station that was not stopped. Start and stop that station, or make a backup there.`,
  );
}

/** Compares the header with the header of our databases. https://sqlite.org/fileformat2.html#the_database_header */
function readHeader(file: string, known: number): { schema: number; hasLog: boolean } {
  const { header, size } = readStart(file);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 16) !== MAGIC)
    throw unfit('It is damaged, or not a database. Choose another backup.');
  const applicationId = header.readUInt32BE(68);
  if (DEVELOPMENT_IDS.includes(applicationId))
    throw unfit(
      'A development version of Pickstation made it, and this version cannot read it. Choose a newer backup.',
    );
  if (applicationId !== APPLICATION_ID)
    throw unfit('It is a database of another program. Choose a backup that Pickstation made.');
  const schema = header.readUInt32BE(60);
  if (schema > known) {
    throw unfit(
      `It was made by a newer Pickstation (schema ${schema}; this one supports ${known}). Install that version first.`,
    );
  }
  const expected = [
    ['page size', header.readUInt16BE(16), PAGE_BYTES],
    ['reserved bytes', header[20], 0],
    ['payload fractions', header.readUIntBE(21, 3), 0x402020],
    ['schema format', header.readUInt32BE(44), 4],
    ['auto-vacuum', header.readUInt32BE(52), 0],
    ['text encoding', header.readUInt32BE(56), 1],
    ['incremental vacuum', header.readUInt32BE(64), 0],
  ] as const;
  const odd = expected.find(([, found, ours]) => found !== ours);
  if (odd !== undefined)
    throw unfit(`Its ${odd[0]} differs from that of a Pickstation database. Choose another backup.`);
  const hasLog = header[VERSIONS_AT] === WITH_LOG;
  const version = hasLog ? WITH_LOG : WITHOUT_LOG;
  if (header[VERSIONS_AT] !== version || header[VERSIONS_AT + 1] !== version)
    throw unfit('Its file format differs from that of a Pickstation database. Choose another backup.');
  const pages = header.readUInt32BE(28);
  const [freeTrunk, freePages] = [header.readUInt32BE(32), header.readUInt32BE(36)];
  if (size !== pages * PAGE_BYTES || freeTrunk > pages || freePages >= pages)
    throw unfit('It is damaged: its size contradicts its header. Choose another backup.');
  return { schema, hasLog };
}

function readStart(file: string): { header: Buffer; size: number } {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) throw new StationError('invalid', `There is no file ${file}. Name a backup.`);
  if (!status.isFile()) throw unfit(`${file} is not a file.`);
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  try {
    return { header: header.subarray(0, readSync(handle, header, 0, HEADER_BYTES, 0)), size: status.size };
  } finally {
    closeSync(handle);
  }
}
