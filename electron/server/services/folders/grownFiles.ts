import { createHash } from 'node:crypto';
import { MAX_FILE_BYTES } from '#shared/api/imports.ts';
import type { MovedFileRow } from '../../db/repositories/inboxFiles.ts';
import type { FolderEntry, OpenFolder } from '../../ports.ts';
import { freeName, type InboxContext, type InboxFolders, WATCHED_MS } from './inboxFile.ts';
import { createSettled } from './settled.ts';

type GrownContext = Pick<InboxContext, 'clock' | 'reads' | 'repositories' | 'writer'>;

/** Watches imported files after their move, because a program that writes slowly continues in the moved file. */
export function createGrownFiles({ clock, reads, repositories, writer }: GrownContext) {
  const settled = createSettled(clock);

  async function takeBack(
    inbox: OpenFolder,
    folder: OpenFolder,
    file: MovedFileRow,
    entry: FolderEntry,
  ): Promise<void> {
    const content = await folder.read(file.target, MAX_FILE_BYTES);
    if (content === undefined || content.bytes.length !== entry.size) return;
    // A person who corrects the file in its place changes what was read.
    const begin = createHash('sha256').update(content.bytes.subarray(0, file.size)).digest('hex');
    if (begin !== file.hash) return;
    const name = await freeName(file.name, async (each) => (await inbox.find(each)) === undefined);
    await folder.move(file.target, { folder: inbox, name });
  }

  return {
    /** Moves files that have grown back into the inbox, once they no longer grow. Returns whether some still grow. */
    async takeAllBack({ inbox, done, failed }: InboxFolders): Promise<boolean> {
      const now = clock.now();
      const ended: MovedFileRow[] = [];
      let isGrowing = false;
      for (const folder of [done, failed]) {
        const files = reads.inboxFiles
          .listMoved(folder.path)
          .filter(({ movedAt }) => Math.abs(now - movedAt) < WATCHED_MS);
        const names = new Set(files.map(({ target }) => target));
        // oxlint-disable-next-line no-await-in-loop -- one folder after the other
        const entries = names.size === 0 ? [] : await folder.list((name) => names.has(name));
        for (const file of files) {
          const entry = entries.find(({ name }) => name === file.target);
          const hasGrown = entry?.isFile === true && entry.size > file.size;
          if (entry === undefined) ended.push(file);
          else if (hasGrown && settled.isSettled(`${folder.path}/${file.target}`, entry)) {
            // oxlint-disable-next-line no-await-in-loop -- one file after the other
            await takeBack(inbox, folder, file, entry);
            ended.push(file);
          } else isGrowing ||= hasGrown;
        }
      }
      if (ended.length > 0)
        await writer.write(() => {
          for (const file of ended) repositories.inboxFiles.removeMoved(file);
        });
      return isGrowing;
    },
    /** Forgets which files still grow. */
    clear: settled.clear,
  };
}

export type GrownFiles = ReturnType<typeof createGrownFiles>;
