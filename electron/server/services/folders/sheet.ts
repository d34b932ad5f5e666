import { createHash } from 'node:crypto';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { TablesOf } from '../../core.ts';
import type { ResultRow } from '../../domain/folders/folderFiles.ts';
import { describeSheetError } from '../../domain/folders/describeSheetError.ts';
import { StationError } from '../../errors.ts';
import type { Clock, HttpClient, Log } from '../../ports.ts';
import { isoOrNull, STATION } from '../base/index.ts';
import { type OrderOfFile, requestSheet } from '../imports/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { type ContentContext, type FileContent, readContent, resultsOf } from './content.ts';
import { createLoop } from '../../scheduling/index.ts';
import type { Troubles } from './troubles.ts';

const EVERY_MS = 60_000;
/** How long reading the sheet may fail before an alert is raised. */
const FAILING_MS = 10 * 60_000;
/** Number of bytes to hash per step. */
const PART_BYTES = 128 * 1024;
/** Number of refusal reasons to show in the status. */
const SHOWN = 3;

/** Reads the published sheet every minute. Creates new orders, and leaves known orders unchanged. */
export function createSheet(
  parts: ContentContext & {
    repositories: TablesOf<'folders'>;
    reads: TablesOf<'folders'>;
    settings: Pick<SettingsService, 'current'>;
    http: HttpClient;
    troubles: Pick<Troubles, 'set'>;
    clock: Clock;
    log: Log;
  },
) {
  const { reads, repositories, settings, http, troubles, imports, clock, log } = parts;
  const loop = createLoop(clock, look);
  let asking: { giveUp(): void } | undefined;
  let url = '';
  let problem: string | null = null;
  let refused: string | null = null;
  let failingSince: number | undefined;
  let readAt: number | null = null;
  let created = 0;
  /** Cache validators and content hash of the last response since the station started. */
  let memory: { etag: string; modified: string; hash: string } | undefined;

  async function look(): Promise<number> {
    if (settings.current().orders_sheet_url !== url) begin(settings.current().orders_sheet_url);
    if (url === '') {
      troubles.set('sheet', undefined);
      return Number.POSITIVE_INFINITY;
    }
    try {
      await read();
      problem = null;
      failingSince = undefined;
      readAt = clock.now();
      troubles.set('sheet', undefined);
    } catch (error) {
      if (loop.isStopped()) return EVERY_MS;
      fail(error);
    }
    return EVERY_MS;
  }

  function begin(next: string): void {
    url = next;
    problem = null;
    refused = null;
    failingSince = undefined;
    readAt = null;
    created = 0;
    memory = undefined;
  }

  function fail(error: unknown): void {
    problem = error instanceof StationError ? error.message : describeSheetError(error);
    failingSince ??= clock.monotonic();
    log.info({ problem }, 'could not read the published sheet');
    if (clock.monotonic() - failingSince < FAILING_MS) return;
    troubles.set('sheet', { subject: new URL(url).host, problem });
  }

  async function read(): Promise<void> {
    const request = requestSheet({ http, clock }, url, memory);
    asking = request;
    const answer = await request.answer.finally(() => {
      asking = undefined;
    });
    if (answer.isUnchanged) return;
    const hash = await parts.backgroundReads.takeAll(hashOf(answer.body));
    const next = { etag: answer.etag, modified: answer.modified, hash };
    if (memory?.hash === hash) {
      memory = next;
      return;
    }
    const orders = await readContent(parts, checked(answer.body), 'table');
    // If the sheet has not changed since the last run, do not recreate orders that were deleted.
    const stored = reads.inboxFiles.findSheet();
    const isNew = stored?.url !== url || stored.hash !== hash;
    const results = isNew ? { ...orders, orders: await take(orders, hash) } : orders;
    refused = refusedWords(await parts.backgroundReads.takeAll(resultsOf(results, new Set())));
    memory = next;
  }

  function take(orders: FileContent, hash: string): Promise<readonly OrderOfFile[]> {
    return imports.apply(
      orders,
      { source: 'sheet', name: new URL(url).host, by: STATION },
      {
        done: () => {
          created += 1;
        },
        end: () => repositories.inboxFiles.saveSheet({ url, hash }),
      },
    );
  }

  return {
    wake: loop.wake,
    isIdle: (): boolean => asking === undefined,
    stop(): Promise<void> {
      asking?.giveUp();
      return loop.stop();
    },
    status(): FoldersStatus['sheet'] {
      const isOff = settings.current().orders_sheet_url === '';
      if (isOff) return { state: 'off', problem: null, last_read: null, orders: 0, refused: null };
      const state = problem === null ? 'watching' : 'failing';
      return { state, problem, last_read: isoOrNull(readAt), orders: created, refused };
    },
  };
}

function* hashOf(body: Uint8Array): InParts<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < body.length; from += PART_BYTES) {
    hash.update(body.subarray(from, from + PART_BYTES));
    yield;
  }
  return hash.digest('hex');
}

/** Returns the body. Throws an Error with a message for the user if the response is an HTML page, such as a sign-in page. */
function checked(body: Uint8Array): Uint8Array {
  const begin = Buffer.from(body.subarray(0, 200)).toString('latin1').trimStart().toLowerCase();
  if (!begin.startsWith('<!doctype') && !begin.startsWith('<html')) return body;
  throw new Error('The address answers with a web page, not CSV. Publish the sheet as CSV, and use that address.');
}

function refusedWords(rows: readonly ResultRow[]): string | null {
  const wrong = rows.filter(({ outcome }) => outcome === 'refused');
  if (wrong.length === 0) return null;
  const named = wrong.slice(0, SHOWN).map(({ line, reason }) => `Line ${line ?? 0}: ${reason}`);
  const more = wrong.length > SHOWN ? [`${wrong.length - SHOWN} more.`] : [];
  return [...named, ...more].join(' ');
}
