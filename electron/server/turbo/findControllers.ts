import { compareNames } from '#shared/lib/text/locale.ts';
import type { FoundController, Multicast } from '../ports.ts';
import { findAccessPoints } from './openEPaper/findAccessPoints.ts';
import { findDisplays } from './openDisplay/findDisplays.ts';
import { findWled } from './wled/findWled.ts';

const MAX_FOUND = 128;

/**
 * Searches the network for controllers of all kinds in parallel, without connecting to them. Returns them sorted by name. Rejects with an Error
 * for the user if nothing was found and the search for a kind failed.
 */
export async function findControllers(multicast: Multicast): Promise<FoundController[]> {
  const found = new Map<string, FoundController>();
  const keep = (one: FoundController): void => {
    if (!found.has(one.url) && found.size < MAX_FOUND) found.set(one.url, one);
  };
  const searches = await Promise.allSettled([
    findWled(multicast, keep),
    findAccessPoints(multicast, keep),
    findDisplays(multicast, keep),
  ]);
  const failed = searches.find((one) => one.status === 'rejected');
  if (found.size === 0 && failed !== undefined) throw failed.reason;
  const nameOf = ({ name, url }: FoundController): string => `${name} ${url}`;
  return [...found.values()].toSorted((a, b) => compareNames(nameOf(a), nameOf(b)));
}
