import { doorsOf, opensOf } from '../../db/backupDoors.ts';
import {
  MAX_UPLOAD_BYTES,
  type Backup,
  type BackupContents,
  type BackupStatus,
  type RestoreRequest,
} from '#shared/api/backup.ts';
import type { AccountName } from '#shared/lib/access/accountKinds.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { BackupKind } from '#shared/lib/station/backupKinds.ts';
import {
  backupPath,
  findListing,
  freeBytes,
  keepListing,
  listBackups,
  openBackup,
  type OpenBackup,
  removeBackup,
  scratchOf,
} from '../../db/backupFiles.ts';
import { fromBackup, orderRestore as orderInFolder, preparedPath, removePrepared } from '../../db/restore.ts';
import { isChosen } from '../../db/restoredAccounts.ts';
import { StationError } from '../../errors.ts';
import type { FoundInBackup } from '../../ports.ts';
import { type By } from '../base/index.ts';
import { createLane } from '../../scheduling/index.ts';
import { build, checkRoom, entryOf, find, missing, record } from './build.ts';
import { attempt, endFailed, raiseFailed, saidOfCopy } from './failures.ts';
import type { BackupContext, BackupParts } from './types.ts';

/** Kinds of backups of which only the newest are kept. Other backups are kept until somebody deletes them. */
const THINNED = ['scheduled', 'update', 'restore'] as const satisfies BackupKind[];

/** Creates, lists and restores backups of the database. */
export function createBackups(parts: BackupParts) {
  const state = { running: undefined, failure: null, checks: createLane(), stopping: new AbortController() };
  const context: BackupContext = { ...parts, ...state };
  return {
    list: () => list(context),
    status: () => status(context),
    make: (kind: 'manual' | 'scheduled', by: By) => make(context, kind, by),
    cancel: () => cancel(context),
    contents: (name: string) => contents(context, name),
    download: (name: string, by: By) => download(context, name, by),
    receive: (by: By, size: number | undefined, save: (path: string) => Promise<void>) =>
      receive(context, by, size, save),
    remove: (name: string, by: By) => remove(context, name, by),
    orderRestore: (name: string, wanted: RestoreRequest, by: By) => orderRestore(context, name, wanted, by),
    thin: () => thin(context),
    setFailure: (message: string | undefined) => setFailure(context, message),
    idle: () => context.running === undefined,
    stop: () => stop(context),
  };
}

export type Backups = ReturnType<typeof createBackups>;

/** Lists backups, newest first. */
function list(context: BackupContext): Backup[] {
  return listBackups(context.dataFolder).map((file) => entryOf(context, file));
}

/** Cancels the running backup, if there is one. */
function cancel({ running }: BackupContext): void {
  running?.end.abort();
}

function status({ running, failure, dataFolder, databaseBytes, nextAt, reads, keyRing }: BackupContext): BackupStatus {
  const next = nextAt();
  return {
    running:
      running === undefined
        ? null
        : {
            kind: running.kind,
            step: running.progress.step,
            done_bytes: running.progress.doneBytes,
            total_bytes: running.progress.totalBytes,
            by: running.by,
          },
    passphrase_set: keyRing.id() !== undefined && reads.secrets.findWrapped()?.keyId === keyRing.id(),
    next: next === undefined ? null : new Date(next).toISOString(),
    failure,
    folder: backupPath(dataFolder, ''),
    free_bytes: freeBytes(dataFolder),
    database_bytes: databaseBytes(),
  };
}

/**
 * Creates and checks a backup while the station keeps running. Throws `conflict` if another backup is in progress or this one was canceled,
 * and `storage` if there is not enough space. A failure leaves no files and raises an alert, which the
 * next backup ends.
 */
async function make(context: BackupContext, kind: 'manual' | 'scheduled', by: By): Promise<Backup> {
  const { copier, databaseFile: from, databaseBytes, clock } = context;
  try {
    const made = await build(context, kind, by, (to, report, signal) => {
      checkRoom(context, databaseBytes());
      return copier.copy({ from, to, by: by.name, at: clock.now() }, report, signal);
    });
    context.failure = null;
    await endFailed(context);
    return made;
  } catch (error) {
    const failure = saidOfCopy(error);
    await raiseFailed(context, failure);
    throw failure;
  }
}

/** Stores an uploaded backup, which `save` writes to a path. Throws `invalid` if the backup cannot be restored. */
function receive(
  context: BackupContext,
  by: By,
  size: number | undefined,
  save: (path: string) => Promise<void>,
): Promise<Backup> {
  return build(context, 'uploaded', by, async (part, report, signal) => {
    checkRoom(context, Math.min(size ?? 0, MAX_UPLOAD_BYTES));
    await save(part);
    return context.copier.receive(part, report, signal);
  });
}

/** Checks a backup and returns a summary of its contents. Throws `not_found`, or `invalid` if it cannot be restored. */
async function contents(context: BackupContext, name: string): Promise<BackupContents> {
  const { dataFolder, copier, checks, stopping } = context;
  const file = backupPath(dataFolder, find(context, name).name);
  const check = () => copier.check(file, stopping.signal).finally(() => removeBackup(scratchOf(file)));
  const { by, secrets, wrappedKeyId, accounts, doors, ...holds } = await checks(check);
  // A file that somebody copied into the folder has no listing yet.
  if (findListing(dataFolder, name) === undefined) keepListing(dataFolder, name, { by, revision: holds.revision });
  return {
    name,
    ...holds,
    secrets: secretsOf(context, { secrets, wrappedKeyId }),
    returning: returningOf(context, accounts),
    opens: opensOf(doors, doorsHere(context)),
  };
}

/** Returns the accounts of a backup that this station does not have. */
function returningOf({ reads: { accounts } }: BackupContext, found: readonly AccountName[]): AccountName[] {
  const here: Record<AccountName['kind'], string[]> = {
    person: accounts.listUsers().map(({ username }) => username),
    key: accounts.listApiUsers().map(({ name }) => name),
    kiosk: accounts.listKiosks().map(({ name }) => name),
    screen: accounts.listScreens().map(({ name }) => name),
  };
  const known = new Set(
    Object.entries(here).flatMap(([kind, names]) => names.map((name) => `${kind} ${nameKey(name)}`)),
  );
  return found.filter(({ kind, name }) => !known.has(`${kind} ${nameKey(name)}`));
}

function doorsHere({ reads }: BackupContext): ReturnType<typeof doorsOf> {
  const links = reads.turboLinks.list();
  return doorsOf({ settings: reads.settings.list(), receivers: reads.callbackReceivers.list(), links });
}

function secretsOf(
  { keyRing }: BackupContext,
  { secrets, wrappedKeyId }: Pick<FoundInBackup, 'secrets' | 'wrappedKeyId'>,
): BackupContents['secrets'] {
  const foreign = secrets.filter(({ keyId }) => keyId !== keyRing.id());
  return {
    state: secrets.length === 0 ? 'none' : 'sealed',
    enter_again: [...new Set(foreign.map(({ name }) => name))],
    passphrase: wrappedKeyId !== undefined,
  };
}

/** Opens a backup for download. The caller closes the file. Throws `not_found`. */
async function download(context: BackupContext, name: string, by: By): Promise<{ file: OpenBackup; size: number }> {
  const { size } = find(context, name);
  const file = await openBackup(context.dataFolder, name).catch(() => {
    throw missing(name);
  });
  try {
    // Record each download, because a backup contains all data.
    await record(context, 'downloaded', name, by);
    return { file, size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Throws `not_found`. */
async function remove(context: BackupContext, name: string, by: By): Promise<void> {
  const file = find(context, name);
  attempt(() => removeBackup(backupPath(context.dataFolder, file.name)));
  await record(context, 'removed', name, by);
}

/**
 * Checks a backup and prepares to restore it at the next start. Returns the accounts that could come back, and what it opens. Throws the
 * same errors as `contents`, and `invalid` for another account in `bring_back`.
 */
async function orderRestore(
  context: BackupContext,
  name: string,
  { bring_back: wanted = [] }: RestoreRequest,
  by: By,
): Promise<Pick<BackupContents, 'returning' | 'opens'>> {
  const { dataFolder, copier, clock, ids, checks, stopping } = context;
  const file = backupPath(dataFolder, find(context, name).name);
  const id = ids.uuid();
  const prepared = preparedPath(dataFolder, id);
  try {
    const { accounts, doors } = await checks(() => copier.rewrite(file, prepared, stopping.signal));
    const returning = returningOf(context, accounts);
    const opens = opensOf(doors, doorsHere(context));
    refuseUnknown(wanted, returning);
    await record(context, 'restoreOrdered', name, by);
    const order = { id, from: fromBackup(name), by: by.name, address: by.address, at: clock.now(), bringBack: wanted };
    attempt(() => orderInFolder(dataFolder, order));
    return { returning, opens };
  } catch (error) {
    removePrepared(dataFolder, id);
    throw error;
  }
}

/** Throws `invalid` for an account that the restore would not bring back. */
function refuseUnknown(wanted: readonly AccountName[], returning: readonly AccountName[]): void {
  const errors = wanted.flatMap((account, index) => {
    if (returning.some((one) => isChosen(one, [account]))) return [];
    return [
      {
        path: `/bring_back/${index}`,
        message: `There is no ${account.kind} ${account.name} among those who can return.`,
      },
    ];
  });
  if (errors.length > 0)
    throw new StationError(
      'invalid',
      'Nothing was restored. bring_back can name only accounts in `returning` of the contents.',
      errors,
    );
}

/** Removes the oldest automatic backups of each kind beyond the number to keep. Logs failures. */
function thin({ dataFolder, log, keep }: BackupContext): void {
  for (const kind of THINNED) {
    const files = listBackups(dataFolder).filter((file) => file.kind === kind);
    for (const { name } of files.slice(keep())) {
      try {
        removeBackup(backupPath(dataFolder, name));
      } catch (error) {
        log.warn({ err: error, name }, 'could not remove an old backup');
      }
    }
  }
}

/** Stores the reason why the last scheduled backup failed, or removes it if `message` is undefined. */
function setFailure(context: BackupContext, message: string | undefined): void {
  const at = new Date(context.clock.now()).toISOString();
  context.failure = message === undefined ? null : { at, message };
}

/** Cancels the running backup and running checks, and waits until they have ended. */
async function stop({ stopping, running, checks }: BackupContext): Promise<void> {
  stopping.abort();
  running?.end.abort();
  await Promise.all([running?.done, checks(() => Promise.resolve())]);
}
