import type { InParts } from '../../electron/server/http/bodyLimits.ts';

/** All parts of a work in one turn. */
export function whole<T>(parts: InParts<T>): T {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/** How many parts a work has. */
export function countParts(parts: InParts<unknown>): number {
  let count = 1;
  while (parts.next().done !== true) count += 1;
  return count;
}
