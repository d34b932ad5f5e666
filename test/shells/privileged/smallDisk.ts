import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderOnDisk } from '../stationProcess.ts';

const BLOCK = 4_096;

export type SmallDisk = {
  /** Mount point of the disk. */
  folder: string;
  /** A real file system, or one in memory if the machine has no loop device. */
  kind: 'ext4' | 'tmpfs';
  /** Fills the disk to the last byte. */
  fill(): void;
  /** Frees the space that `fill` occupied. */
  makeRoom(): void;
  /** Remounts the disk. Fails if the system refuses. */
  remount(how: 'ro' | 'rw'): void;
  stop(): void;
};

/** Mounts a separate file system that is small enough to be filled. Needs root. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const parent = folderOnDisk('disk');
  const folder = join(parent, 'mounted');
  mkdirSync(folder);
  const kind = mount(parent, folder, megabytes);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    kind,
    fill() {
      // Large blocks first, then single bytes.
      for (const size of [64 * BLOCK, BLOCK, 1]) takeAll(ballast, Buffer.alloc(size, 1));
    },
    makeRoom: () => rmSync(ballast),
    remount(how) {
      const refused = run('mount', '-o', `remount,${how}`, folder);
      if (refused !== '') throw new Error(refused);
    },
    stop() {
      run('umount', folder);
      rmSync(parent, { recursive: true });
    },
  };
}

function mount(parent: string, folder: string, megabytes: number): SmallDisk['kind'] {
  const image = join(parent, 'image');
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  // Use the block size of large disks, and do not reserve blocks for root, because the station may run as root here.
  const made = run('mkfs.ext4', '-q', '-m', '0', '-b', String(BLOCK), image);
  const mounted = made === '' ? run('mount', '-o', 'loop', image, folder) : made;
  if (mounted === '') return 'ext4';
  const inMemory = run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
  if (inMemory === '') return 'tmpfs';
  throw new Error(
    `A small disk can be mounted neither from a file (${mounted}) nor in memory (${inMemory}); root may.`,
  );
}

/** Runs a command. Returns the error message, or an empty string on success. */
function run(command: string, ...args: string[]): string {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? '' : (error?.message ?? stderr.trim());
}

function takeAll(file: string, block: Buffer): void {
  const descriptor = openSync(file, 'a');
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
