import { createHash } from 'node:crypto';
import type { MovedFileRow } from '../../db/repositories/inboxFiles.ts';
import type { OpenFolder } from '../../ports.ts';
import {
  type FileOutcome,
  freeName,
  type InboxContext,
  type InboxFolders,
  outcomeOfRefused,
  read,
  refuse,
  WATCHED_MS,
} from './inboxFile.ts';
import { createSettled } from './completeFiles.ts';

const REWRITTEN = 'The file was rewritten after it was read: its changes are missing. Copy it to the inbox again.';
const GROWN = 'The file grew after it was read: the new part is missing.';

/** `hold` handles errors that affect only one file, which stays watched. `note` gets each file whose growth cannot be imported. */
type Watcher = { hold: (name: string) => (error: unknown) => 'held'; note: (lost: FileOutcome) => void };

/** Watches imported files after their move, because a program that writes slowly continues in the moved file. */
export function createGrownFiles(context: InboxContext) {
  const { clock, reads, repositories, writer } = context;
  const settled = createSettled(clock);

  /** Moves a grown file back into the inbox, or to failed if its growth cannot be imported. */
  async function takeBack(
    places: InboxFolders,
    folder: OpenFolder,
    file: MovedFileRow,
  ): Promise<FileOutcome | undefined> {
    const { inbox, failed } = places;
    const content = await read(folder, file.target);
    if (content === 'gone') return undefined;
    const reason =
      typeof content === 'string' ? `${GROWN} ${content}` : beginsWith(content.bytes, file) ? '' : REWRITTEN;
    if (reason === '') {
      const name = await freeName(file.name, async (each) => (await inbox.find(each)) === undefined);
      await folder.move(file.target, { folder: inbox, name });
      return undefined;
    }
    // A person may be correcting a file in failed.
    if (folder === failed) return outcomeOfRefused(context, places, file.target, reason);
    return await refuse(context, { ...places, inbox: folder }, file.target, reason);
  }

  return {
    /**
     * Moves grown files back into the inbox, once they stop growing or are no longer watched. The inbox also waits until they stop. Returns
     * whether some still grow.
     */
    async takeAllBack(places: InboxFolders, { hold, note }: Watcher): Promise<boolean> {
      const now = clock.now();
      const ended: MovedFileRow[] = [];
      let isGrowing = false;
      for (const folder of [places.done, places.failed]) {
        const files = reads.inboxFiles.listMoved(folder.path);
        const names = new Set(files.map(({ target }) => target));
        // oxlint-disable-next-line no-await-in-loop -- one folder after the other
        const entries = names.size === 0 ? [] : await folder.list((name) => names.has(name));
        for (const file of files) {
          const entry = entries.find(({ name }) => name === file.target);
          const isOver = Math.abs(now - file.movedAt) >= WATCHED_MS;
          const hasGrown = entry?.isFile === true && entry.size > file.size;
          if (hasGrown && (settled.isSettled(`${folder.path}/${file.target}`, entry) || isOver)) {
            // oxlint-disable-next-line no-await-in-loop -- one file after the other
            const taken = await takeBack(places, folder, file).catch(hold(file.target));
            if (taken === 'held') continue;
            if (taken !== undefined) note(taken);
            ended.push(file);
          } else if (entry === undefined || isOver) ended.push(file);
          else isGrowing ||= hasGrown;
        }
      }
      if (ended.length > 0)
        await writer.write(() => {
          for (const file of ended) repositories.inboxFiles.removeMoved(file);
        });
      return isGrowing;
    },
    /** Forgets when files were last seen growing. */
    clear: settled.clear,
  };
}

/** Whether a file begins with the content that was imported. */
function beginsWith(bytes: Uint8Array, { size, hash }: MovedFileRow): boolean {
  return createHash('sha256').update(bytes.subarray(0, size)).digest('hex') === hash;
}

export type GrownFiles = ReturnType<typeof createGrownFiles>;
