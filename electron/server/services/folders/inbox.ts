import type { FoldersStatus } from '#shared/api/folders.ts';
import { describeFolderError } from '../../domain/describeFolderError.ts';
import { isIgnored } from '../../domain/folderFiles.ts';
import { StationError } from '../../errors.ts';
import type { FolderEntry, Folders, Log, OpenFolder } from '../../ports.ts';
import type { SettingsService } from '../settings/index.ts';
import { type InboxContext, type InboxFolders, takeFile } from './inboxFile.ts';
import { createLoop } from './loop.ts';
import { type FolderGuard, withFolder } from './opened.ts';
import type { Troubles } from './troubles.ts';

/** A file is complete when size and time stay the same for this long. */
const SETTLE_MS = 2_000;
/** Time to the next look while a file is not complete, and otherwise. The watcher wakes earlier. */
const SOON_MS = 1_000;
const LOOK_MS = 10_000;

/** Codes of system errors that concern the folder or its disk. Any other error concerns one file. */
const FOLDER_FAILS = new Set(
  'EIO ENOSPC EDQUOT EROFS ESTALE ETIMEDOUT EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENODEV ENXIO ENOTCONN'.split(
    ' ',
  ),
);

type Seen = { size: number; modifiedMs: number; since: number };

/** Imports the files of orders of the inbox folder, one after the other. */
export function createInbox(
  parts: InboxContext & {
    settings: Pick<SettingsService, 'current'>;
    folders: Folders;
    guard: FolderGuard;
    troubles: Troubles;
    log: Log;
  },
) {
  const { reads, repositories, writer, folders, guard, settings, troubles, clock, log } = parts;
  const loop = createLoop(clock, look);
  /** Files that may still grow. */
  const seen = new Map<string, Seen>();
  let watched = { folder: '', stop: (): void => undefined };
  /** Files may lie in failed, as after the start. */
  let mayHaveFailed = true;
  let problem: string | null = null;
  let last: FoldersStatus['inbox']['last'] = null;

  async function look(): Promise<number> {
    const folder = settings.current().inbox_folder;
    watch(folder);
    if (folder === '') {
      problem = null;
      troubles.tell('inbox', undefined);
      troubles.tell('file', undefined);
      return Number.POSITIVE_INFINITY;
    }
    try {
      const isGrowing = await withFolder({ folders, guard }, folder, ['done', 'failed'], (inbox, [done, failed]) =>
        takeAll({ inbox, done, failed } as InboxFolders),
      );
      problem = null;
      troubles.tell('inbox', undefined);
      return isGrowing ? SOON_MS : LOOK_MS;
    } catch (error) {
      if (loop.isStopped()) return LOOK_MS;
      if (!(error instanceof StationError) && !isOfSystem(error))
        log.error({ err: error }, 'could not import a file of orders; will retry');
      problem = error instanceof StationError ? error.message : describeFolderError(error, pathOf(error) ?? folder);
      troubles.tell('inbox', { subject: folder, problem });
      return LOOK_MS;
    }
  }

  function watch(folder: string): void {
    if (folder === watched.folder) return;
    watched.stop();
    seen.clear();
    watched = { folder, stop: folder === '' ? () => undefined : folders.watch(folder, loop.wake) };
  }

  /** Returns whether files wait because they may still grow. */
  async function takeAll(places: InboxFolders): Promise<boolean> {
    const { path: folder, list } = places.inbox;
    const entries = await list((name) => !isIgnored(name));
    await noteMoved(entries);
    const complete = entries.filter(isComplete);
    const here = new Set(entries.map(({ name }) => name));
    for (const name of seen.keys()) if (!here.has(name)) seen.delete(name);
    complete.sort((a, b) => a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1));
    let failure = '';
    let held: unknown;
    for (const entry of complete) {
      if (loop.isStopped() || settings.current().inbox_folder !== folder) return false;
      const outcome = await takeFile(parts, places, entry).catch((error: unknown) => {
        // The files after it are imported all the same.
        if (!isOfFile(error)) throw error;
        if (!isOfSystem(error)) log.error({ err: error }, 'could not import a file of orders; will retry');
        held ??= heldError(entry.name, error);
      });
      seen.delete(entry.name);
      if (outcome === undefined) continue;
      last = outcome;
      if (outcome.outcome === 'failed') failure = `${outcome.name}: ${outcome.problem ?? ''}`;
    }
    await tellFailed(places, failure);
    if (held !== undefined) throw held;
    return seen.size > 0;
  }

  function isComplete({ name, size, modifiedMs }: FolderEntry): boolean {
    const before = seen.get(name);
    const now = clock.monotonic();
    if (before?.size === size && before.modifiedMs === modifiedMs) return now - before.since >= SETTLE_MS;
    seen.set(name, { size, modifiedMs, since: now });
    return false;
  }

  /** An imported file that is no longer here was moved before a kill, or taken away by people. */
  async function noteMoved(entries: readonly FolderEntry[]): Promise<void> {
    const here = new Set(entries.map(({ name }) => name));
    const gone = reads.inboxFiles.listImported().filter(({ name }) => !here.has(name));
    if (gone.length === 0) return;
    await writer.write(() => {
      for (const { id } of gone) {
        repositories.inboxFiles.forgetOrders(id);
        repositories.inboxFiles.setMoved(id);
      }
    });
  }

  /** The alert stays while a file lies in failed. */
  async function tellFailed({ inbox, failed }: InboxFolders, failure: string): Promise<void> {
    if (failure !== '') {
      const more = 'The file is in the subfolder failed, with a result file beside it.';
      mayHaveFailed = true;
      troubles.tell('file', { subject: inbox.path, problem: `${failure} ${more}` });
    } else if (!mayHaveFailed || !(await hasFiles(failed))) {
      mayHaveFailed = false;
      troubles.tell('file', undefined);
    }
  }

  async function hasFiles(folder: OpenFolder): Promise<boolean> {
    let isFound = false;
    // One is enough, of however many.
    const found = await folder.list((name) => !isFound && (isFound = !isIgnored(name)));
    return found.length > 0;
  }

  return {
    wake: loop.wake,
    stop(): Promise<void> {
      watched.stop();
      return loop.stop();
    },
    status(): FoldersStatus['inbox'] {
      const isOff = settings.current().inbox_folder === '';
      return { state: isOff ? 'off' : problem === null ? 'watching' : 'failing', problem, last };
    },
  };
}

/** Whether only one file cannot be imported or moved, not those behind it. */
function isOfFile(error: unknown): boolean {
  if (error instanceof StationError) return error.code !== 'stopping' && error.code !== 'storage';
  return !FOLDER_FAILS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** The error with the name of the file, which errors of the system have and ours have not. */
function heldError(name: string, error: unknown): unknown {
  if (pathOf(error) !== undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StationError('invalid', `${name} could not be imported. The station will retry: ${reason}`);
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

function pathOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).path;
}
