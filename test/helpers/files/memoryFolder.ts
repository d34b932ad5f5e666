import { accessSync, constants, statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** Minimum free memory in bytes for using it as a disk. Containers often have only 64 MiB of shared memory, which a few backups fill. */
const MIN_FREE = 2 ** 30;

/**
 * Returns the environment with the folder in which tests create their folders: in memory if possible, so that commits do not wait for a
 * disk. The station behaves the same there, and power loss is tested on a separate disk. An explicit TMPDIR takes precedence.
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
