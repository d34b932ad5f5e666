import type { CoreOf } from '../../core.ts';
import type { ArticlePlaceNames, ImportedArticles } from '../articles/index.ts';
import type { Aliases } from '../aliases/index.ts';
import { createForegroundQueue } from '../../scheduling/index.ts';
import type { Copier, HttpClient } from '../../ports.ts';
import type { Devices, PlaceLights } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import type { MapService, PlaceService } from '../places/index.ts';
import { createTableGroup } from '../tables/index.ts';
import { createImports } from './imports.ts';
import { createKeptPreviews } from './keptPreviews.ts';
import { createSheetFetcher } from './sheetFetcher.ts';

export type { ExportedArticles } from './articles/exportArticles.ts';
export type { Imports } from './imports.ts';
export { lastLocationImport } from './locations/lastLocationImport.ts';
export { requestSheet } from './sheetRequest.ts';
export type { BegunFile, MadeImport } from './applySteps.ts';
export { NO_LIGHT } from './articles/assessArticles.ts';
export { refuseRemoval } from './orders/assessOrders.ts';
export { fateOf } from './orders/orderRows.ts';
export type { ImportFile, OrderOfFile, AssessedOrder } from './types.ts';

export function createImportGroup(
  core: CoreOf<'imports'>,
  {
    sheetHttp,
    copier,
    signal,
    ...needs
  }: {
    orders: Orders;
    aliases: Aliases;
    articles: ImportedArticles;
    placeNames: ArticlePlaceNames;
    devices: Pick<Devices, 'change'>;
    placeLights: Pick<PlaceLights, 'together'>;
    places: Pick<PlaceService, 'renameWithin'>;
    map: Pick<MapService, 'move' | 'newId' | 'save'>;
    sheetHttp: HttpClient;
    copier: Pick<Copier, 'readTable'>;
    /** Ends side processes when the station stops. */
    signal: AbortSignal;
  },
) {
  const foregroundReads = createForegroundQueue(core);
  core.onStop(() => foregroundReads.stop());
  const tables = createTableGroup({ queue: foregroundReads, copier, signal });
  const sheets = createSheetFetcher({ http: sheetHttp, clock: core.clock });
  core.onStop(() => sheets.stop());
  const kept = createKeptPreviews(core);
  core.onStop(() => kept.stop());
  return { imports: createImports({ ...core, ...needs, foregroundReads, tables, sheets, kept }) };
}
