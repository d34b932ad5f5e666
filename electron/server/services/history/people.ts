import type { InParts } from '#shared/lib/station/inParts.ts';
import type { PickerFigures, PeopleQuery } from '#shared/api/historySummary.ts';
import type { TablesOf } from '../../core.ts';
import { createMedian } from '../../domain/history/median.ts';

/** Number of lines to read per step. A step takes about 1 ms. */
const LINES_AT_ONCE = 1_000;

/**
 * Calculates each picker's figures for the lines finished between two times, most lines first. The median time per line excludes breaks and
 * nights. Throws once `signal` is aborted.
 */
export function* listPickerFigures(
  { picks }: TablesOf<'history'>,
  { from, to }: PeopleQuery,
  signal: AbortSignal,
): InParts<PickerFigures[]> {
  const before = to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to);
  const tallies = new Map<string, ReturnType<typeof tallyOf>>();
  for (let after = { at: from === undefined ? 0 : Date.parse(from), id: 0 }; ;) {
    signal.throwIfAborted();
    const page = picks.page(after, before, LINES_AT_ONCE);
    for (const { picker, units, isLine, isShort, tookMs } of page) {
      const tally = tallies.get(picker) ?? tallyOf(picker);
      tallies.set(picker, tally);
      tally.lines += isLine ? 1 : 0;
      tally.units += units;
      tally.shorts += isShort ? 1 : 0;
      if (tookMs !== null) tally.median.add(tookMs);
    }
    if (page.length < LINES_AT_ONCE) break;
    after = page.at(-1) ?? after;
    yield;
  }
  const figures: PickerFigures[] = [];
  for (const { median, ...tally } of tallies.values()) {
    figures.push({ ...tally, median_seconds: secondsOf(median.result()) });
    yield;
  }
  return figures.sort((a, b) => b.lines - a.lines || (a.picker < b.picker ? -1 : 1));
}

const tallyOf = (picker: string) => ({ picker, lines: 0, units: 0, shorts: 0, median: createMedian() });

/** Converts milliseconds to seconds, rounded to a tenth. */
function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 100) / 10;
}
