import { createHash } from 'node:crypto';
import { MAX_FILE_BYTES } from '#shared/api/imports.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import type { TableKind } from '#shared/lib/tables/fields.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { TablesOf } from '../../core.ts';
import type { InboxFileRow } from '../../db/repositories/inboxFiles.ts';
import type { Writer } from '../../db/writer.ts';
import {
  formatOf,
  keptName,
  movesIn,
  numberedName,
  resultCsv,
  resultName,
  type ResultRow,
} from '../../domain/folders/folderFiles.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { Clock, FolderEntry, OpenFolder } from '../../ports.ts';
import { STATION } from '../base/index.ts';
import type { BegunFile } from '../imports/index.ts';
import { type ContentContext, type InboxContent, readInboxContent, type Results } from './content.ts';
import { READ_TWICE, whileReading } from './readingMarks.ts';

/** How long a file with the same content is refused. */
const REMEMBERED_MS = 7 * 24 * 60 * 60_000;
/** How long rows are kept: a little longer than REMEMBERED_MS, so that no row is deleted while it is in use. */
const KEPT_MS = REMEMBERED_MS + 24 * 60 * 60_000;
const MAX_MIB = MAX_FILE_BYTES / 1024 / 1024;
/** How long a moved file is watched for growth. */
export const WATCHED_MS = 10 * 60_000;
/** Highest number to try in a file name. */
const MAX_NUMBER = 2 ** 30;

/**
 * A folder whose files are imported, which is the inbox for orders, or a subfolder for another kind. In the database, names of the folder's
 * files begin with `prefix`.
 */
export type InboxFolders = {
  kind: TableKind;
  prefix: string;
  inbox: OpenFolder;
  done: OpenFolder;
  failed: OpenFolder;
};

/** The result of importing a file. */
export type FileOutcome = NonNullable<FoldersStatus['inbox']['last']>;

/** The content of a file as it was read. */
type Content = { bytes: Uint8Array; hash: string };

export type InboxContext = ContentContext & {
  repositories: TablesOf<'folders'>;
  reads: TablesOf<'folders'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
};

/**
 * Imports one file and moves it to done or failed, together with a result file. Before the move, writes the import and the content hash in
 * one commit. After a crash, calling it again continues the import. Returns undefined if the file is gone or has changed, or if `waits`
 * says that it waits because its last line has no end. Rejects if a folder or the station's disk fails.
 */
export async function takeFile(
  context: InboxContext,
  folders: InboxFolders,
  entry: FolderEntry,
  waits: () => boolean,
): Promise<FileOutcome | undefined> {
  const { inbox } = folders;
  const { name, names } = entry;
  if (names === 0) throw new StationError('invalid', 'Its name is not UTF-8. Rename the file.');
  const fault = faultOf(entry);
  // A program may have created an empty file to write it later, so watch the file as if its content had been read.
  if (fault !== '') return await refuse(context, folders, name, fault, fault === EMPTY ? NOTHING : undefined);
  const content = await read(inbox, name);
  if (content === 'gone') return undefined;
  if (typeof content === 'string') return await refuse(context, folders, name, content);
  // Wait, because the file is still growing.
  if (content.bytes.length !== entry.size) return undefined;
  if (isUnended(name, content.bytes) && waits()) return undefined;
  return await takeRead(context, folders, name, content);
}

/** Whether the last line of a text table has no end, as while another program writes the file. */
function isUnended(name: string, bytes: Uint8Array): boolean {
  return /\.(?:csv|tsv|tab|txt)$/i.test(name) && !bytes.subarray(-2).some((byte) => byte === 0x0a || byte === 0x0d);
}

/** Codes of errors that do not concern the file, so that the station reads it again later. */
const NOT_OF_FILE: ReadonlySet<string> = new Set(['stopping', 'lost', 'internal']);

/** Imports the content of a file, and moves the file. */
async function takeRead(
  context: InboxContext,
  folders: InboxFolders,
  name: string,
  content: Content,
): Promise<FileOutcome> {
  const { kind } = folders;
  const moves = kind === 'locations' ? movesIn(name) : undefined;
  const hash = hashOf(moves === undefined ? kind : `${kind} ${moves}`, content.hash);
  const earlier = await findEarlier(context, folders, { name, hash });
  if (typeof earlier === 'string') return await refuse(context, folders, name, earlier, content);
  const begun = earlier && { name: earlier.begunAs, since: earlier.begunAt };
  let assessed: InboxContent;
  try {
    const how = { kind, format: formatOf(name) ?? 'table', moves, begun } as const;
    const read = await whileReading(context, { hash, name: folders.prefix + name }, () =>
      readInboxContent(context, content.bytes, how),
    );
    if (read === 'endedTwice') return await refuse(context, folders, name, READ_TWICE, content);
    assessed = read;
  } catch (error) {
    if (!(error instanceof StationError) || NOT_OF_FILE.has(error.code)) throw error;
    return await refuse(context, folders, name, error.message, content);
  }
  const { row, results } = await importFile(context, folders, { name, hash, content: assessed, earlier, begun });
  return await finish(context, folders, row, { results, content });
}

/** Returns the hash that identifies an imported file. The same content can be imported once for each kind and meaning. */
function hashOf(kind: string, contentHash: string): string {
  if (kind === 'orders') return contentHash;
  return createHash('sha256').update(`${kind} ${contentHash}`).digest('hex');
}

/** Returns why the file is refused without being read, or an empty string if it is acceptable. */
function faultOf({ name, size, isFile, names }: FolderEntry): string {
  if (!isFile) return 'This is a link or a device, not a file. Copy the file itself.';
  if (names > 1) return HARD_LINK;
  if (formatOf(name) === undefined)
    return 'Only files that end in .csv, .tsv, .txt, .xlsx, .json or .xml are imported.';
  if (size === 0) return EMPTY;
  return size > MAX_FILE_BYTES ? tooLarge() : '';
}

const EMPTY = 'The file is empty.';
const NOTHING: Content = { bytes: new Uint8Array(), hash: createHash('sha256').digest('hex') };
const HARD_LINK = 'This file has more than one hard link. Put a copy of the file here instead.';

function tooLarge(): string {
  return `The file is larger than ${MAX_MIB} MiB. Split it.`;
}

/** Reads a file. Returns its content, or why it cannot be read. Rejects if the folder fails. */
export async function read(folder: OpenFolder, name: string): Promise<Content | string> {
  try {
    return (await folder.read(name, MAX_FILE_BYTES)) ?? tooLarge();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EMLINK') return HARD_LINK;
    if (code === 'ENOENT') return 'gone';
    if (code === 'EACCES' || code === 'EPERM')
      return 'The station is not allowed to read this file. Give its account this right.';
    throw error;
  }
}

/** An unfinished import. `begunAs` is the name that the file had when the import began. */
type Earlier = InboxFileRow & { begunAs: string };

/** Finds the unfinished import of this file, if any. Returns a message if the content must not be imported again. */
async function findEarlier(
  { reads, repositories, writer, clock }: InboxContext,
  { inbox, done, failed, prefix }: InboxFolders,
  { name, hash }: { name: string; hash: string },
): Promise<Earlier | string | undefined> {
  const row = reads.inboxFiles.findByHash(hash);
  const isForgotten = row !== undefined && row.state !== 'imported' && clock.now() - row.begunAt > REMEMBERED_MS;
  if (row === undefined || isForgotten) return undefined;
  const isMoved =
    row.state === 'moved' ||
    (row.target !== null && (await (row.isFailed ? failed : done).find(row.target)) !== undefined);
  if (!isMoved) {
    const path = prefix + name;
    if (row.name === path) return { ...row, begunAs: path };
    if (row.state === 'importing' && (await inbox.find(row.name.slice(prefix.length))) === undefined) {
      await writer.write(() => repositories.inboxFiles.rename(path, row.id));
      return { ...row, name: path, begunAs: row.name };
    }
  }
  const time = isoTime(row.begunAt).slice(0, 16).replace('T', ' ');
  return `The same content was imported as ${row.name} on ${time} UTC. Nothing was imported again.`;
}

type Import = {
  name: string;
  hash: string;
  content: InboxContent;
  earlier: Earlier | undefined;
  begun: BegunFile | undefined;
};

async function importFile(
  { repositories, clock }: InboxContext,
  { kind, done, failed, prefix }: InboxFolders,
  { name, hash, content, earlier, begun }: Import,
): Promise<{ row: InboxFileRow; results: Results }> {
  if (earlier?.state === 'imported' && begun !== undefined)
    return { row: earlier, results: await content.resultsBefore(begun) };
  const { isFailed } = content;
  const folder = isFailed ? failed : done;
  const isFree = async (candidate: string): Promise<boolean> =>
    (await folder.find(candidate)) === undefined && (await folder.find(resultName(candidate))) === undefined;
  const target = await freeName(name, isFree);
  const begunAt = clock.now();
  const path = prefix + name;
  let id = earlier?.id ?? 0;
  const results = await content.apply(
    {
      source: 'inbox',
      name: path,
      by: STATION,
      // An orders import is stored together with the file instead.
      ...(kind !== 'orders' && begun !== undefined ? { continues: begun } : {}),
    },
    {
      begin(tx) {
        repositories.inboxFiles.prune(tx.now - KEPT_MS);
        if (earlier === undefined) id = repositories.inboxFiles.insert(hash, path, begunAt);
      },
      done: (orderNumber) => repositories.inboxFiles.addOrder(id, orderNumber),
      end: () => repositories.inboxFiles.setImported(isFailed ? 1 : 0, target, id),
    },
  );
  return { row: { id, hash, name: path, begunAt, state: 'imported', isFailed, target }, results };
}

/** Moves an imported file to done or failed, together with its result file. */
async function finish(
  context: InboxContext,
  folders: InboxFolders,
  { id, name: path, isFailed, target }: InboxFileRow,
  { results, content }: { results: Results; content: Content },
): Promise<FileOutcome> {
  const { reads, repositories, writer, backgroundReads, clock } = context;
  const { kind, prefix, done, failed } = folders;
  const name = path.slice(prefix.length);
  const created = new Set(reads.inboxFiles.listOrders(id));
  const rows = await backgroundReads.takeAll(results(created));
  const folder = isFailed ? failed : done;
  await folder.write(resultName(target ?? name), await backgroundReads.takeAll(resultCsv(kind, rows)));
  await moveOut(context, folders, name, { target: target ?? name, isFailed, content });
  await writer.write(() => {
    repositories.inboxFiles.forgetOrders(id);
    repositories.inboxFiles.setMoved(id);
  });
  const wrong = rows.filter(({ outcome }) => outcome === 'refused');
  return {
    name: path,
    at: isoTime(clock.now()),
    outcome: isFailed ? 'failed' : 'done',
    kind,
    orders: created.size,
    problem: wrong.length === 0 ? null : problemOf(wrong),
  };
}

type Move = { target: string; isFailed: boolean; content: Content | undefined };

/**
 * Moves a file to done or failed. First stores a digest of the content, so that later growth is noticed. A file that was refused without being
 * read is not watched.
 */
async function moveOut(
  { repositories, writer }: InboxContext,
  { inbox, done, failed }: InboxFolders,
  name: string,
  { target, isFailed, content }: Move,
): Promise<void> {
  const folder = isFailed ? failed : done;
  if (content !== undefined) {
    const { bytes, hash } = content;
    await writer.write(({ now }) => {
      repositories.inboxFiles.pruneMoved({ now, ms: KEPT_MS });
      repositories.inboxFiles.addMoved({ folder: folder.path, target, name, size: bytes.length, hash, movedAt: now });
    });
  }
  await inbox.move(name, { folder, name: target });
}

function problemOf([first, ...others]: readonly ResultRow[]): string {
  const where = first?.line === null || first === undefined ? '' : `Line ${first.line}: `;
  const more =
    others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'line is' : 'lines are'} refused.`;
  return `${where}${first?.reason ?? ''}${more}`;
}

/** Moves a refused file to failed. */
export async function refuse(
  context: InboxContext,
  folders: InboxFolders,
  name: string,
  reason: string,
  content?: Content,
): Promise<FileOutcome> {
  const { kind, failed } = folders;
  // A result file without its file is left over from an interrupted move, and is replaced.
  const isFree = async (candidate: string): Promise<boolean> =>
    (await failed.find(candidate)) === undefined && (await failed.find(resultName(candidate))) !== 'other';
  const target = await freeName(name, isFree);
  await failed.write(
    resultName(target),
    whole(resultCsv(kind, [{ line: null, subject: '', outcome: 'refused', reason }])),
  );
  await moveOut(context, folders, name, { target, isFailed: true, content });
  return outcomeOfRefused(context, folders, name, reason);
}

export function outcomeOfRefused(
  { clock }: InboxContext,
  { kind, prefix }: InboxFolders,
  name: string,
  problem: string,
): FileOutcome {
  return { name: prefix + name, at: isoTime(clock.now()), outcome: 'failed', kind, orders: 0, problem };
}

function nameDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns the given name or, if it is taken, the name with a number. Needs few attempts even if many names are taken. */
export async function freeName(given: string, isFree: (candidate: string) => Promise<boolean>): Promise<string> {
  const name = keptName(given, nameDigest);
  let taken = 0;
  let free = 1;
  while (free < MAX_NUMBER && !(await isFree(numberedName(name, free)))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isFree(numberedName(name, middle))) free = middle;
    else taken = middle;
  }
  return numberedName(name, free);
}
