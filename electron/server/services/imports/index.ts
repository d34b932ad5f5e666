import type { CoreOf } from '../../core.ts';
import { createTurnReadQueue } from '../base/index.ts';
import type { Orders } from '../orders/index.ts';
import { createTableGroup } from '../tables/index.ts';
import { createImports } from './imports.ts';

export type { ImportFile, Imports } from './imports.ts';
export type { JudgedOrder } from './judge.ts';
export { fateOf } from './rowAnswer.ts';

/** Imports and exports of order files. */
export function createImportGroup(core: CoreOf<'imports'>, { orders }: { orders: Orders }) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const backgroundReads = createTurnReadQueue(core);
  core.onStop(() => backgroundReads.stop());
  const tables = createTableGroup({ backgroundReads });
  return { imports: createImports({ ...core, backgroundReads, orders, tables, timeZone }) };
}
