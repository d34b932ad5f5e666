import type { InParts } from '#shared/lib/inParts.ts';

/** How many parts a work has. */
export function countParts(parts: InParts<unknown>): number {
  let count = 1;
  while (parts.next().done !== true) count += 1;
  return count;
}
