import { createHash } from 'node:crypto';
import type { Firmware, FirmwareFile } from '../../ports.ts';

/** Path of the file from which the board reads its version. */
const VERSION_FILE = 'core/version.py';
const VERSION_DIGITS = 16;
/** Size of the blocks in which the file system of a board allocates flash. */
const BLOCK_BYTES = 4_096;

/** Computes the version, a hash of the files that an update replaces, and writes it into the version file. */
export function sealFirmware(files: readonly FirmwareFile[]): Firmware {
  const hash = createHash('sha256');
  for (const { path, bytes } of files) {
    if (isReplaced(path) && path !== VERSION_FILE) hash.update(`${path}\0`).update(sha256(bytes));
  }
  const version = hash.digest('hex').slice(0, VERSION_DIGITS);
  const stamp = Buffer.from(`HASH = "${version}"\n`, 'utf8');
  return {
    version,
    files: files.map(({ path, bytes }) => ({ path, bytes: path === VERSION_FILE ? stamp : bytes })),
  };
}

/** Whether updates replace this file. Updates do not replace the files in the root folder, which select the version to start. */
export function isReplaced(path: string): boolean {
  return path.includes('/');
}

/** Returns the number of bytes of flash that the files and their folders need. */
export function flashBytes(files: readonly FirmwareFile[]): number {
  const folders = new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))));
  const blocks = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / BLOCK_BYTES), 0);
  return (blocks + 2 * (folders.size + 1)) * BLOCK_BYTES;
}

/** Returns the hash of all files of a version, in the order in which they are sent. */
export function hashOfAll(files: readonly FirmwareFile[]): Buffer {
  let all: Buffer = Buffer.alloc(0);
  for (const { path, bytes } of files) all = sha256(Buffer.concat([all, Buffer.from(path, 'utf8'), sha256(bytes)]));
  return all;
}

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
