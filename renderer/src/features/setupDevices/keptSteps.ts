import type { Remembered } from '../../remembered.ts';
import { NOTHING_DONE, type Steps } from './steps.ts';

const STORED_AT = 'pickstation.setupDevices';

/** Reads the steps that this tab stored before a reload. Returns undefined if there are none or they are invalid. */
export function readSteps(storage: Remembered): Steps | undefined {
  try {
    const kept: unknown = JSON.parse(storage.get(STORED_AT) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('done' in kept) || !Array.isArray(kept.done)) return undefined;
    // Safe cast: only this page writes the value.
    return { ...NOTHING_DONE, ...(kept as Partial<Steps>) };
  } catch {
    return undefined;
  }
}

export function keepSteps(storage: Remembered, steps: Steps): void {
  storage.set(STORED_AT, steps === NOTHING_DONE ? null : JSON.stringify(steps));
}
