import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Audit, Lane } from '../base/index.ts';
import type { Devices, TargetTables } from '../devices/index.ts';
import type { Orders } from '../orders/index.ts';
import type { KeptPreviews } from './keptPreviews.ts';
import type { ReadingContext } from './readFile.ts';
import type { SheetFetcher } from './sheetFetcher.ts';

/** `alone`: runs imports, corrections and undos one at a time. */
export type ImportsContext = ReadingContext & {
  repositories: Pick<
    Repositories,
    'aliases' | 'devices' | 'importDrafts' | 'imports' | 'items' | 'orders' | 'rememberedColumns'
  >;
  reads: Pick<Repositories, 'accounts' | 'importDrafts' | 'imports' | 'items' | 'orders' | 'rememberedColumns'> &
    TargetTables;
  writer: Pick<Writer, 'write' | 'writeEach' | 'writeLarge'>;
  orders: Pick<Orders, 'addWithin' | 'check' | 'removeWithin' | 'replaceWithin'>;
  aliases: Pick<Aliases, 'addWithin' | 'openCommands' | 'removeWithin' | 'replaceWithin'>;
  devices: Pick<Devices, 'change'>;
  audit: Audit;
  sheets: SheetFetcher;
  alone: Lane;
  kept: KeptPreviews;
};
