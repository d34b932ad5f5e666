import type { FoldersStatus } from '#shared/api/folders.ts';
import { describeFolderError } from '../../domain/folders/describeFolderError.ts';
import { isIgnored } from '../../domain/folders/folderFiles.ts';
import { StationError } from '../../errors.ts';
import type { FolderEntry, Folders, Log, OpenFolder } from '../../ports.ts';
import type { SettingsService } from '../settings/index.ts';
import { createLoop } from '../../scheduling/index.ts';
import { type FileOutcome, type InboxContext, type InboxFolders, takeFile } from './inboxFile.ts';
import { createGrownFiles, type GrownFiles } from './grownFiles.ts';
import { createSettled, type Settled } from './completeFiles.ts';
import { type FolderGuard, withFolder, withSubfolders } from './opened.ts';
import { suspectsIn } from './readingMarks.ts';
import type { Troubles } from './troubles.ts';

/** Time until the next scan: SOON_MS if a file is incomplete, otherwise LOOK_MS. The file watcher can trigger an earlier scan. */
const SOON_MS = 1_000;
const LOOK_MS = 10_000;

/** System error codes for problems with the folder or its disk. Other errors affect a single file. */
const FOLDER_FAILS = new Set(
  'EIO ENOSPC EDQUOT EROFS ESTALE ETIMEDOUT EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH ENODEV ENXIO ENOTCONN'.split(
    ' ',
  ),
);

type InboxParts = InboxContext & {
  settings: Pick<SettingsService, 'current'>;
  folders: Folders;
  guard: FolderGuard;
  troubles: Troubles;
  log: Log;
};

/** State shared by the inbox functions. */
type WatchContext = InboxParts & {
  loop: ReturnType<typeof createLoop>;
  /** Files that may still be growing. */
  settled: Settled;
  /** Imported files that may still grow after their move. */
  grown: GrownFiles;
  watched: { folder: string; stop: () => void };
  /** Whether a `failed` subfolder may contain files, as is possible after startup. */
  mayHaveFailed: boolean;
  problem: string | null;
  last: FoldersStatus['inbox']['last'];
};

/**
 * Imports files from the inbox folder, one at a time: orders from the folder itself, and articles and locations from subfolders with these
 * names.
 */
export function createInbox(parts: InboxParts) {
  const context: WatchContext = {
    ...parts,
    loop: createLoop(parts.clock, () => look(context)),
    settled: createSettled(parts.clock),
    grown: createGrownFiles(parts),
    watched: { folder: '', stop: () => undefined },
    mayHaveFailed: true,
    problem: null,
    last: null,
  };
  return {
    wake: context.loop.wake,
    stop: () => stop(context),
    status: () => status(context),
  };
}

function stop(context: WatchContext): Promise<void> {
  const { loop } = context;
  context.watched.stop();
  return loop.stop();
}

function status(context: WatchContext): FoldersStatus['inbox'] {
  const { settings } = context;
  const isOff = settings.current().inbox_folder === '';
  return {
    state: isOff ? 'off' : context.problem === null ? 'watching' : 'failing',
    problem: context.problem,
    last: context.last,
  };
}

async function look(context: WatchContext): Promise<number> {
  const { settings, troubles, folders, guard, loop, log } = context;
  const folder = settings.current().inbox_folder;
  watch(context, folder);
  if (folder === '') {
    context.problem = null;
    troubles.set('inbox', undefined);
    troubles.set('file', undefined);
    return Number.POSITIVE_INFINITY;
  }
  try {
    const isGrowing = await withFolder({ folders, guard }, folder, ['done', 'failed'], (inbox, [done, failed]) =>
      takeKinds(context, { kind: 'orders', prefix: '', inbox, done, failed } as InboxFolders),
    );
    context.problem = null;
    troubles.set('inbox', undefined);
    return isGrowing ? SOON_MS : LOOK_MS;
  } catch (error) {
    if (loop.isStopped()) return LOOK_MS;
    if (!(error instanceof StationError) && !isOfSystem(error))
      log.error({ err: error }, 'could not import a file; will retry');
    context.problem =
      error instanceof StationError ? error.message : describeFolderError(error, pathOf(error) ?? folder);
    troubles.set('inbox', { subject: folder, problem: context.problem });
    return LOOK_MS;
  }
}

function watch(context: WatchContext, folder: string): void {
  const { settled, grown, folders, loop } = context;
  if (folder === context.watched.folder) return;
  context.watched.stop();
  settled.clear();
  grown.clear();
  context.watched = { folder, stop: folder === '' ? () => undefined : folders.watch(folder, loop.wake) };
}

/** Imports all complete files in the inbox and in its subfolders for other kinds. Returns whether some files may still be growing. */
async function takeKinds(context: WatchContext, orders: InboxFolders): Promise<boolean> {
  const { guard, settled, troubles } = context;
  const taken = [await takeAll(context, orders)];
  for (const kind of ['articles', 'locations'] as const) {
    // People create these folders. Without them, only orders are imported.
    if ((await orders.inbox.find(kind)) !== 'other') continue;
    taken.push(
      await withSubfolders(guard, await orders.inbox.makeFolder(kind), ['done', 'failed'], (inbox, [done, failed]) =>
        takeAll(context, { kind, prefix: `${kind}/`, inbox, done, failed } as InboxFolders),
      ),
    );
  }
  if (!taken.some(({ hasFailed }) => hasFailed)) {
    context.mayHaveFailed = false;
    troubles.set('file', undefined);
  }
  const held = taken.find((each) => each.held !== undefined)?.held;
  if (held !== undefined) throw held;
  return settled.hasWaiting() || taken.some(({ isGrowing }) => isGrowing);
}

/**
 * Result of a scan of one folder. `hasFailed` tells whether `failed` contains a file. `held` is the error of a file that waits for the next
 * scan. `isGrowing` tells whether a file in `done` or `failed` is still growing.
 */
type Taken = { hasFailed: boolean; held: unknown; isGrowing: boolean };

/** Imports all complete files in one folder. */
async function takeAll(context: WatchContext, places: InboxFolders): Promise<Taken> {
  const { settled, grown, loop, settings, log } = context;
  const { prefix } = places;
  const folder = settings.current().inbox_folder;
  let held: unknown;
  /** Stores an error that affects only this file, so that the next files are imported. */
  const hold =
    (name: string) =>
    (error: unknown): 'held' => {
      if (!isOfFile(error)) throw error;
      if (!isOfSystem(error)) log.error({ err: error }, 'could not import a file; will retry');
      held ??= heldError(name, error);
      return 'held';
    };
  const note = (taken: FileOutcome): void => {
    context.last = taken;
    if (taken.outcome === 'failed') raiseFailed(context, places, taken);
  };
  const isGrowing = await grown.takeAllBack(places, { hold, note });
  const entries = await places.inbox.list((name) => !isIgnored(name));
  await noteMoved(context, places, entries);
  const complete = entries.filter((entry) => settled.isSettled(prefix + entry.name, entry));
  const here = new Set(entries.map(({ name }) => prefix + name));
  settled.keepOnly((path) => isOf(places, path), here);
  // Read the file that the station was reading when it ended after all others.
  const isSuspect = suspectsIn(context);
  const orderOf = ({ name }: FolderEntry): number => (isSuspect(prefix + name) ? 1 : 0);
  complete.sort((a, b) => orderOf(a) - orderOf(b) || a.modifiedMs - b.modifiedMs || (a.name < b.name ? -1 : 1));
  for (const entry of complete) {
    if (loop.isStopped() || settings.current().inbox_folder !== folder) break;
    const path = prefix + entry.name;
    let isWaiting = false;
    const waits = (): boolean => (isWaiting = settled.noteUnended(path));
    const taken = await takeFile(context, places, entry, waits).catch(hold(entry.name));
    if (!isWaiting) settled.forget(path);
    if (taken !== undefined && taken !== 'held') note(taken);
  }
  return { hasFailed: context.mayHaveFailed && (await hasFiles(places.failed)), held, isGrowing };
}

/** Raises the alert about a file immediately, because the next file can make the whole folder fail. */
function raiseFailed(context: WatchContext, { prefix }: InboxFolders, { name, problem }: FileOutcome): void {
  context.mayHaveFailed = true;
  const where = `The file is in the subfolder ${prefix}failed, with a result file beside it.`;
  context.troubles.set('file', { subject: context.watched.folder, problem: `${name}: ${problem ?? ''} ${where}` });
}

/** Whether a path in the inbox belongs to the folder of this kind. */
function isOf({ prefix }: InboxFolders, path: string): boolean {
  return prefix === '' ? !path.includes('/') : path.startsWith(prefix);
}

/**
 * Marks imported files as moved if they are no longer in the folder, because the station was killed after moving them or somebody removed
 * them.
 */
async function noteMoved(
  { reads, writer, repositories }: WatchContext,
  places: InboxFolders,
  entries: readonly FolderEntry[],
): Promise<void> {
  const here = new Set(entries.map(({ name }) => places.prefix + name));
  const gone = reads.inboxFiles.listImported().filter(({ name }) => isOf(places, name) && !here.has(name));
  if (gone.length === 0) return;
  await writer.write(() => {
    for (const { id } of gone) {
      repositories.inboxFiles.forgetOrders(id);
      repositories.inboxFiles.setMoved(id);
    }
  });
}

async function hasFiles(folder: OpenFolder): Promise<boolean> {
  let isFound = false;
  // Stop at the first file.
  const found = await folder.list((name) => !isFound && (isFound = !isIgnored(name)));
  return found.length > 0;
}

/** Whether the error affects only this file, so that the next files can be imported. */
function isOfFile(error: unknown): boolean {
  if (error instanceof StationError) return !['stopping', 'storage', 'lost'].includes(error.code);
  return !FOLDER_FAILS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Adds the file name to errors that lack it. System errors already contain it. */
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
