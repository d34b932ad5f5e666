import type { CoreOf } from '../../core.ts';
import type { Orders } from '../orders/index.ts';
import { createTableGroup } from '../tables/index.ts';
import { createImports } from './imports.ts';

export type { ImportFile, Imports } from './imports.ts';
export type { JudgedOrder } from './judge.ts';
export { fateOf } from './rowAnswer.ts';

/** Files of orders: read, judged, imported and undone. */
export function createImportGroup(core: CoreOf<'imports'>, { orders }: { orders: Orders }) {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { imports: createImports({ ...core, orders, tables: createTableGroup(core), timeZone }) };
}
