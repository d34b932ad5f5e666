import type { FoldersStatus } from '#shared/api/folders.ts';
import type { CoreOf } from '../../core.ts';
import type { Copier, Folders, HttpClient, OpenFolder } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { Imports } from '../imports/index.ts';
import type { Orders } from '../orders/index.ts';
import type { ReadDocument } from './content.ts';
import { createEndedOrders } from './endedOrders.ts';
import { createInbox } from './inbox.ts';
import { createOutboxFolder } from './outboxFolder.ts';
import { createSheet } from './sheet.ts';
import { createTroubles } from './troubles.ts';
import type { FolderGuard } from './opened.ts';

export type { ReadDocument } from './content.ts';

/** Maximum size of a document that is read in the station itself, in a few milliseconds. Others are read in a side process. */
const SHORT_DOCUMENT_BYTES = 32 * 1024;

/** Records ended orders. Created before the order group, which uses it. */
export function createFolderBook(core: CoreOf<'folders'>) {
  return { endedOrders: createEndedOrders(core) };
}

/** Imports orders, articles and locations from files, and orders from a published sheet. Writes a file for each ended order. */
export function createFolderGroup(
  core: CoreOf<'folders'>,
  needs: ReturnType<typeof createFolderBook> & {
    records: AlertRecords;
    orders: Orders;
    imports: Imports;
    folders: Folders;
    sheetHttp: HttpClient;
    readDocument: ReadDocument;
    copier: Pick<Copier, 'readDocument'>;
    /** Ends side processes when the station stops, before the places stop. */
    signal: AbortSignal;
    guard: FolderGuard;
  },
) {
  const { folders, guard, count, isIdle } = counted(needs);
  const troubles = createTroubles({ ...core, ...needs });
  const readAside = count(needs.copier.readDocument);
  const readDocument = (bytes: Uint8Array, format: 'json' | 'xml') =>
    bytes.length <= SHORT_DOCUMENT_BYTES
      ? core.backgroundReads.takeAll(needs.readDocument(bytes, format))
      : readAside(bytes, format, needs.signal);
  const imports = {
    ...needs.imports,
    assess: count(needs.imports.assess),
    assessFile: count(needs.imports.assessFile),
  };
  const parts = { ...core, ...needs, imports, readDocument, folders, guard, http: needs.sheetHttp, troubles };
  const places = { inbox: createInbox(parts), outbox: createOutboxFolder(parts), sheet: createSheet(parts) };
  const all = Object.values(places);
  needs.endedOrders.follow(places.outbox.wake);
  core.onStart(() => {
    const unsubscribe = core.bus.subscribe({
      commit({ facts }) {
        if (facts.some(({ type }) => type === 'settings.changed')) for (const { wake } of all) wake();
      },
    });
    core.onStop(async () => {
      unsubscribe();
      troubles.stop();
      await Promise.all(all.map((place) => place.stop()));
    });
    for (const { wake } of all) wake();
  });
  return {
    folderStatus: (): FoldersStatus => ({
      inbox: places.inbox.status(),
      outbox: places.outbox.status(),
      sheet: places.sheet.status(),
    }),
    /** Whether no file is being read, written or moved. */
    isFolderIdle: isIdle,
    /** Whether no request for the sheet is in progress. */
    isSheetIdle: places.sheet.isIdle,
  };
}

/** Wraps folder access to count pending operations. `count` wraps others. */
function counted({ folders, guard }: { folders: Folders; guard: FolderGuard }) {
  let pending = 0;
  const count =
    <A extends unknown[], T>(run: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      pending += 1;
      try {
        return await run(...args);
      } finally {
        pending -= 1;
      }
    };
  const countedFolder = (folder: OpenFolder): OpenFolder => ({
    path: folder.path,
    identities: count(folder.identities),
    list: count(folder.list),
    find: count(folder.find),
    makeFolder: async (name) => countedFolder(await count(folder.makeFolder)(name)),
    read: count(folder.read),
    write: count(folder.write),
    move: count(folder.move),
    take: folder.take,
    close: count(folder.close),
  });
  return {
    folders: {
      watch: folders.watch,
      open: async (path: string) => countedFolder(await count(folders.open)(path)),
    },
    guard: { ...guard, refuseOwn: count(guard.refuseOwn) },
    count,
    isIdle: (): boolean => pending === 0,
  };
}
