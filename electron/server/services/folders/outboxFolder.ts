import { createHash } from 'node:crypto';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { EndedOrderRow } from '../../db/repositories/endedOrders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { describeFolderError } from '../../domain/describeFolderError.ts';
import { orderFileName } from '../../domain/folderFiles.ts';
import { isoTime } from '../../domain/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Folders, Log } from '../../ports.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import type { Orders } from '../orders/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { createLoop } from './loop.ts';
import type { Troubles } from './troubles.ts';

/** Files written before the waiting orders are read again. */
const MAX_LISTED = 20;
const RETRY_MS = 10_000;

/** Writes a file for each order that ended. The database keeps the order in its list until the file exists. */
export function createOutboxFolder(parts: {
  repositories: Pick<Repositories, 'endedOrders'>;
  reads: Pick<Repositories, 'endedOrders'>;
  writer: Pick<Writer, 'write'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take'>;
  settings: Pick<SettingsService, 'current'>;
  folders: Pick<Folders, 'write' | 'check'>;
  orders: Pick<Orders, 'get'>;
  troubles: Pick<Troubles, 'tell'>;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, backgroundReads, settings, folders, orders, troubles, clock, log } = parts;
  const loop = createLoop(clock, look);
  let problem: string | null = null;
  let last: FoldersStatus['outbox']['last'] = null;

  async function look(): Promise<number> {
    const folder = settings.current().outbox_folder;
    try {
      if (folder === '') await forget();
      else await writeAll(folder);
    } catch (error) {
      if (loop.isStopped()) return RETRY_MS;
      if (error instanceof StationError) log.error({ err: error }, 'files of orders could not be recorded');
      problem = error instanceof StationError ? error.message : describeFolderError(error, folder);
      troubles.tell('outbox', { subject: folder, problem });
      return RETRY_MS;
    }
    problem = null;
    troubles.tell('outbox', undefined);
    return folder === '' ? Number.POSITIVE_INFINITY : RETRY_MS;
  }

  /** It is off: nothing waits for it. */
  async function forget(): Promise<void> {
    if (reads.endedOrders.count() > 0) await writer.write(() => repositories.endedOrders.clear());
  }

  async function writeAll(folder: string): Promise<void> {
    // A folder that is away is an alert before an order needs it.
    await folders.check(folder);
    for (;;) {
      const waiting = reads.endedOrders.list(MAX_LISTED);
      if (waiting.length === 0) return;
      for (const row of waiting) {
        if (loop.isStopped() || settings.current().outbox_folder !== folder) return;
        await writeOne(folder, row);
      }
    }
  }

  async function writeOne(folder: string, row: EndedOrderRow): Promise<void> {
    const answer = row.answer ?? (await backgroundReads.take(() => answerOf(row.order_number)));
    if (answer !== undefined) {
      const name = orderFileName(row.order_number, digest);
      await folders.write(folder, name, answer);
      last = { name, at: isoTime(clock.now()) };
    }
    // If the order ended again meanwhile, it has another row.
    await writer.write(() => repositories.endedOrders.remove(row.id));
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

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
