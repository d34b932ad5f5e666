import type { BulkResult } from '#shared/api/device.ts';
import { StationError } from '../errors.ts';
import { problemOf } from './problem.ts';

/** Elements that are read and committed at once. What is pressed meanwhile is committed between two parts. */
const PART = 100;
/** From a press to its callback it takes some turns of the event loop: without work in them they cost nothing. */
const TURNS_BETWEEN_PARTS = 5;

/**
 * Carries out many elements, one part after the other, and answers the results of all. Where a later part cannot be
 * written, it and those behind it are answered with why, and what is done is done. Throws what the first part throws.
 */
export async function inParts(
  elements: readonly unknown[],
  carryOut: (part: readonly unknown[]) => Promise<BulkResult[]>,
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (let start = 0; start < elements.length; start += PART) {
    if (start > 0) await letOthersGoOn();
    try {
      results.push(...(await carryOut(elements.slice(start, start + PART))));
    } catch (error) {
      if (start === 0 || !(error instanceof StationError)) throw error;
      const { status, code, detail } = problemOf(error);
      return [...results, ...elements.slice(start).map(() => ({ status, deviceid: '', code, detail }))];
    }
  }
  return results;
}

async function letOthersGoOn(): Promise<void> {
  for (let turn = 0; turn < TURNS_BETWEEN_PARTS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
