import type { CoreOf } from '../../core.ts';
import { createFind } from './find.ts';
import { createSearchIndex } from './searchIndex.ts';

export type { Find } from './find.ts';

/** Search over everything that people see. */
export function createFindGroup(core: CoreOf<'find'>) {
  const searchIndex = createSearchIndex(core);
  core.onStop(() => searchIndex.stop());
  return { find: createFind({ ...core, searchIndex }) };
}
