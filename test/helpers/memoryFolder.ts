import { accessSync, constants, statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** Containers have 64 MiB of it, which a few backups fill. */
const MIN_FREE = 2 ** 30;

/**
 * Where the folders of tests are made: in memory where the system has a place for that, so that a commit waits for no disk.
 * The station does just the same there, and what happens to a disk that loses power is tested with a disk of its own.
 * Somebody's own TMPDIR counts before.
 */
export function temporaryFolder(): Record<string, string> {
  if (process.env['TMPDIR'] !== undefined) return {};
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize < MIN_FREE ? {} : { TMPDIR: IN_MEMORY };
  } catch {
    return {};
  }
}
