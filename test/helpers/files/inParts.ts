import type { InParts } from '#shared/lib/station/inParts.ts';

/** Runs a generator of parts to its end and returns the number of parts. */
export function countParts(parts: InParts<unknown>): number {
  let count = 1;
  while (parts.next().done !== true) count += 1;
  return count;
}
