import { vi } from 'vitest';
import type { InParts } from '#shared/lib/station/inParts.ts';

/**
 * Runs a generator of parts to its end and returns the number of parts. Time passes only when the generator looks at the clock, so that the
 * number does not depend on the machine.
 */
export function countParts(parts: InParts<unknown>, msPerLook = 1 / 200): number {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += msPerLook));
  try {
    let count = 1;
    while (parts.next().done !== true) count += 1;
    return count;
  } finally {
    clock.mockRestore();
  }
}
