import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { findByAnyName } from './targets.ts';

/** Places that are looked for within a few milliseconds. */
const SEARCHED_AT_ONCE = 8;

/**
 * Looks for places before a launch does, in parts between which a press is taken: among 100,000 names a thousand searches take
 * most of a second. The launch, which looks for all in one go, finds them remembered.
 */
export async function prefetchTargets(
  {
    repositories,
    writer,
  }: { repositories: Pick<Repositories, 'aliases' | 'devices' | 'placeNames'>; writer: Pick<Writer, 'writeEach'> },
  names: readonly string[],
): Promise<void> {
  if (names.length <= SEARCHED_AT_ONCE) return;
  const search = (_unit: Transaction, name: string): void => void findByAnyName(repositories, name);
  await writer.writeEach(names, search, (error) => {
    throw error;
  });
}
