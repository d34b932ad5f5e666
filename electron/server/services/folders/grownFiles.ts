import { createHash } from 'node:crypto';
import { MAX_FILE_BYTES } from '#shared/api/imports.ts';
import type { Clock, FolderEntry, OpenFolder } from '../../ports.ts';
import { freeName, type InboxFolders } from './inboxFile.ts';
import { createSettled } from './settled.ts';

/** How long a moved file is compared with what was read of it. */
const WATCHED_MS = 10 * 60_000;

/** A file in `done` or `failed`, with its name in the inbox, and the size and SHA-256 of what was read. */
export type MovedFile = { name: string; target: string; isFailed: boolean; size: number; hash: string };

/**
 * Watches imported files for ten minutes after their move, because a program that writes slowly continues in the moved file. Only in memory:
 * a restart ends this.
 */
export function createGrownFiles(clock: Clock) {
  /** Moved files by the prefix of their folders. */
  const watched = new Map<string, (MovedFile & { until: number })[]>();
  const settled = createSettled(clock);

  async function takeBack(places: InboxFolders, file: MovedFile, entry: FolderEntry): Promise<void> {
    const folder = folderOf(places, file);
    const content = await folder.read(file.target, MAX_FILE_BYTES);
    if (content === undefined || content.bytes.length !== entry.size) return;
    // A person who corrects the file in its place changes what was read.
    const begin = createHash('sha256').update(content.bytes.subarray(0, file.size)).digest('hex');
    if (begin !== file.hash) return;
    const name = await freeName(file.name, async (each) => (await places.inbox.find(each)) === undefined);
    await folder.move(file.target, { folder: places.inbox, name });
  }

  return {
    watch({ prefix }: InboxFolders, file: MovedFile): void {
      const until = clock.monotonic() + WATCHED_MS;
      watched.set(prefix, [...(watched.get(prefix) ?? []), { ...file, until }]);
    },
    /** Moves files that have grown back into the inbox, once they no longer grow. Returns whether some still grow. */
    async takeAllBack(places: InboxFolders): Promise<boolean> {
      const now = clock.monotonic();
      const files = (watched.get(places.prefix) ?? []).filter(({ until }) => now < until);
      const kept: typeof files = [];
      let isGrowing = false;
      for (const folder of [places.done, places.failed]) {
        const own = files.filter((file) => folderOf(places, file) === folder);
        const names = new Set(own.map(({ target }) => target));
        // oxlint-disable-next-line no-await-in-loop -- one folder after the other
        const entries = names.size === 0 ? [] : await folder.list((name) => names.has(name));
        for (const file of own) {
          const entry = entries.find(({ name }) => name === file.target);
          if (entry === undefined) continue;
          const hasGrown = entry.isFile && entry.size > file.size;
          if (hasGrown && settled.isSettled(`${folder.path}/${file.target}`, entry)) {
            // oxlint-disable-next-line no-await-in-loop -- one file after the other
            await takeBack(places, file, entry);
            continue;
          }
          isGrowing ||= hasGrown;
          kept.push(file);
        }
      }
      watched.set(places.prefix, kept);
      return isGrowing;
    },
    clear(): void {
      watched.clear();
      settled.clear();
    },
  };
}

const folderOf = ({ done, failed }: InboxFolders, { isFailed }: MovedFile): OpenFolder => (isFailed ? failed : done);

export type GrownFiles = ReturnType<typeof createGrownFiles>;
