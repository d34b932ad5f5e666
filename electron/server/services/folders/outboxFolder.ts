import { createHash } from 'node:crypto';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { TablesOf } from '../../core.ts';
import type { EndedOrderRow } from '../../db/repositories/endedOrders.ts';
import { storedJson } from '../../db/storedJson.ts';
import type { Writer } from '../../db/writer.ts';
import { describeFolderError } from '../../domain/folders/describeFolderError.ts';
import { orderFileName } from '../../domain/folders/folderFiles.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Folders, Log, OpenFolder } from '../../ports.ts';
import { type StepQueue, createLoop } from '../../scheduling/index.ts';
import type { Orders } from '../orders/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { type FolderGuard, withFolder } from './opened.ts';
import type { Troubles } from './troubles.ts';

/** Number of orders to list at a time. */
const MAX_LISTED = 20;
const RETRY_MS = 10_000;
/** System error codes that mean that something other than a file has the name. Windows reports EPERM. */
const NAME_TAKEN = new Set(['EISDIR', 'ERR_FS_EISDIR', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM']);

/** Writes a file for each ended order. An order stays listed in the database until its file exists. */
export function createOutboxFolder(parts: {
  repositories: TablesOf<'folders'>;
  reads: TablesOf<'folders'>;
  writer: Pick<Writer, 'write'>;
  backgroundReads: Pick<StepQueue, 'take'>;
  settings: Pick<SettingsService, 'current'>;
  folders: Pick<Folders, 'open'>;
  guard: FolderGuard;
  orders: Pick<Orders, 'get'>;
  troubles: Pick<Troubles, 'set'>;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, backgroundReads, settings, folders, guard, orders, troubles, clock, log } =
    parts;
  const loop = createLoop(clock, look);
  let problem: string | null = null;
  let last: FoldersStatus['outbox']['last'] = null;

  async function look(): Promise<number> {
    const { outbox_folder: folder } = settings.current();
    try {
      if (folder === '') await forget();
      // Open the folder even if no order is waiting, so that an alert reports a missing folder before it is needed.
      else await withFolder({ folders, guard }, folder, [], writeAll);
    } catch (error) {
      if (loop.isStopped()) return RETRY_MS;
      if (error instanceof StationError) log.error({ err: error }, 'could not record order files');
      problem = error instanceof StationError ? error.message : describeFolderError(error, takenPath(error) ?? folder);
      troubles.set('outbox', { subject: folder, problem });
      return RETRY_MS;
    }
    problem = null;
    troubles.set('outbox', undefined);
    return folder === '' ? Number.POSITIVE_INFINITY : RETRY_MS;
  }

  /** Forgets ended orders while the outbox is off. */
  async function forget(): Promise<void> {
    if (reads.endedOrders.count() > 0) await writer.write(() => repositories.endedOrders.clear());
  }

  /** Writes the files of all waiting orders. Continues after a file fails, and rejects at the end. */
  async function writeAll(folder: OpenFolder): Promise<void> {
    let after = 0;
    let held: unknown;
    for (;;) {
      const waiting = reads.endedOrders.listAfter(after, MAX_LISTED);
      if (waiting.length === 0) break;
      for (const row of waiting) {
        if (loop.isStopped() || settings.current().outbox_folder !== folder.path) return;
        after = row.id;
        await writeOne(folder, row).catch((error: unknown) => {
          // Something other than a file has the file's name. Continue with the other files.
          if (takenPath(error) === undefined) throw error;
          held ??= error;
        });
      }
    }
    if (held !== undefined) throw held;
  }

  async function writeOne(folder: OpenFolder, row: EndedOrderRow): Promise<void> {
    const answer =
      row.answer === null ? await backgroundReads.take(() => answerOf(row.order_number)) : keptAnswer(row.answer, row);
    if (answer !== undefined) {
      const name = orderFileName(row.order_number, digest);
      await folder.write(name, answer);
      last = { name, at: isoTime(clock.now()) };
    }
    // If the order has ended again in the meantime, that end has a separate row.
    await writer.write(() => repositories.endedOrders.remove(row.id));
  }

  /**
   * Returns the stored content of a deleted order. If the content is damaged, as it may be in a restored backup, returns undefined, so that
   * no file is written.
   */
  function keptAnswer(text: string, { order_number: number }: EndedOrderRow): string | undefined {
    const answer = storedJson('ended_orders.answer', text) as { order_number: string } | undefined;
    if (answer?.order_number === number) return text;
    log.error(
      { order: number },
      'the stored answer of a deleted order is damaged; it gets no file in the outbox folder',
    );
    return undefined;
  }

  function answerOf(orderNumber: string): string | undefined {
    try {
      return JSON.stringify(orders.get(orderNumber));
    } catch (error) {
      if (error instanceof StationError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  return {
    wake: loop.wake,
    stop: loop.stop,
    status(): FoldersStatus['outbox'] {
      const isOff = settings.current().outbox_folder === '';
      const state = isOff ? 'off' : problem === null ? 'watching' : 'failing';
      return { state, problem, waiting: reads.endedOrders.count(), last };
    },
  };
}

/** Returns the path of the file whose name is taken by something other than a file, or undefined if the folder itself failed. */
function takenPath(error: unknown): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  return NAME_TAKEN.has(code) ? path : undefined;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
