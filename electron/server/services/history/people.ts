import type { PickerFigures, PeopleQuery } from '#shared/api/historySummary.ts';
import type { PickRow } from '../../db/repositories/picks.ts';
import type { Repositories } from '../../db/repositories.ts';

/** What each picker finished between two moments, most lines first. Breaks and nights do not count as time. */
export function listPickerFigures(reads: Pick<Repositories, 'picks'>, { from, to }: PeopleQuery): PickerFigures[] {
  const rows = reads.picks.list(
    from === undefined ? 0 : Date.parse(from),
    to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
  );
  return [...Map.groupBy(rows, ({ picker }) => picker)]
    .map(([picker, lines]) => ({
      picker,
      lines: lines.length,
      units: lines.reduce((sum, { units }) => sum + units, 0),
      shorts: lines.filter(({ isShort }) => isShort).length,
      median_seconds: medianSeconds(lines),
    }))
    .toSorted((a, b) => b.lines - a.lines || (a.picker < b.picker ? -1 : 1));
}

function medianSeconds(lines: readonly PickRow[]): number | null {
  const times = lines.flatMap(({ tookMs }) => tookMs ?? []).toSorted((a, b) => a - b);
  const [low, high] = [times[Math.floor((times.length - 1) / 2)], times[Math.floor(times.length / 2)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 200) / 10;
}
