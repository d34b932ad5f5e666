import type { CoreOf } from '../../core.ts';
import { createForegroundQueue } from '../../scheduling/index.ts';
import type { OperatorActions } from '../commands/index.ts';
import { createFind } from './find.ts';
import { createLocate } from './locate.ts';
import { createSearchIndex } from './searchIndex.ts';

export type { Find } from './find.ts';
export type { LocateService } from './locate.ts';

/** Creates the search for everything that people see, and the lights at the places of matches. */
export function createFindGroup(core: CoreOf<'find'>, needs: { operatorActions: OperatorActions }) {
  const searchIndex = createSearchIndex(core);
  core.onStop(() => searchIndex.stop());
  const foregroundReads = createForegroundQueue(core);
  core.onStop(() => foregroundReads.stop());
  const find = createFind({ ...core, searchIndex, foregroundReads });
  return { find, locate: createLocate({ ...core, ...needs, find }) };
}
