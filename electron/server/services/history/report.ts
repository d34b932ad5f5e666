import type { HistoryReport, ReportQuery, ReportShort } from '#shared/api/historyReport.ts';
import { shopDaysIn } from '#shared/lib/station/shopDay.ts';
import { type InParts, sortedInParts } from '#shared/lib/station/inParts.ts';
import { MIN_PICKS } from '#shared/lib/orders/minPicks.ts';
import type { TablesOf } from '../../core.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { createTenths, type Tenths } from '../../domain/history/tenths.ts';
import { StationError } from '../../errors.ts';

/** Period that one query covers. A query takes about 1 ms in a large shop. */

type Work = { lines: number; units: number; shorts: number };

/**
 * Calculates the figures for lines finished between two times. Reads one hour per step and skips hours without lines. Throws `invalid` if
 * `to` is before `from`. Throws once `signal` is aborted.
 */
export function* readReport(
  { picks }: TablesOf<'history'>,
  query: ReportQuery & { now: number; timeZone: string | null },
  signal: AbortSignal,
): InParts<HistoryReport> {
  const to = query.to === undefined ? query.now : Date.parse(query.to);
  const from = query.from === undefined ? (picks.findFirst(0, to) ?? to) : Date.parse(query.from);
  if (to < from) {
    const message = 'This is before `from`.';
    throw new StationError('invalid', `The query parameter to: ${message}`, [{ path: '/to', message }]);
  }
  const calendar = shopDaysIn(query.timeZone);
  const endOf = (at: number): number => Math.min(to, calendar.endOfHour(at));
  const days = new Map<string, Map<string, Work>>();
  const people = new Map<string, Work & { times: Tenths }>();
  const places = new Map<string, Tenths>();
  const shorts = new Map<string, ReportShort>();
  const all = createTenths();
  const total = noWork();

  for (let at = picks.findFirst(from, to); at !== undefined; at = picks.findFirst(endOf(at), to)) {
    signal.throwIfAborted();
    const end = endOf(at);
    for (const { picker, ...work } of picks.sumByPicker(at, end)) {
      addTo(
        kept(
          kept(days, calendar.dayOf(at), () => new Map<string, Work>()),
          picker,
          noWork,
        ),
        work,
      );
      addTo(kept(people, picker, newPerson), work);
      addTo(total, work);
    }
    for (const { of, tenths, lines } of picks.countTook(at, end)) people.get(of)?.times.add(tenths, lines);
    for (const { of, tenths, lines } of picks.countLight(at, end)) {
      kept(places, of, createTenths).add(tenths, lines);
      all.add(tenths, lines);
    }
    for (const { sku, name, reason, lines } of picks.countShorts(at, end)) {
      const article = kept(shorts, JSON.stringify(sku === '' ? [name] : [sku, '']), () => ({
        sku,
        name,
        lines: 0,
        reasons: [],
      }));
      article.lines += lines;
      const known = article.reasons.find((each) => each.reason === reason);
      if (known === undefined) article.reasons.push({ reason, lines });
      else known.lines += lines;
    }
    yield;
  }
  for (const { reasons } of shorts.values()) reasons.sort((a, b) => b.lines - a.lines);
  const timed: HistoryReport['places'] = [];
  for (const [place, times] of places) {
    if (times.count() < MIN_PICKS) continue;
    timed.push({ place, lines: times.count(), median_seconds: times.median() ?? 0 });
    yield;
  }
  return {
    from: isoTime(from),
    to: isoTime(to),
    lines: total.lines,
    units: total.units,
    short_lines: total.shorts,
    pressed: all.count(),
    median_seconds: all.count() < MIN_PICKS ? null : all.median(),
    people: yield* sortedInParts(
      [...people].map(([picker, { times, ...work }]) => ({
        picker,
        ...work,
        median_seconds: times.count() < MIN_PICKS ? null : times.median(),
      })),
      mostLines,
    ),
    days: [...days]
      .map(([day, ofDay]) => ({
        day,
        people: [...ofDay].map(([picker, work]) => ({ picker, ...work })).sort(mostLines),
      }))
      .toReversed(),
    shorts: yield* sortedInParts([...shorts.values()], mostLines),
    places: yield* sortedInParts(timed, (a, b) => b.median_seconds - a.median_seconds || mostLines(a, b)),
    places_with_few: places.size - timed.length,
  };
}

const noWork = (): Work => ({ lines: 0, units: 0, shorts: 0 });
const newPerson = () => ({ ...noWork(), times: createTenths() });

function addTo(sum: Work, { lines, units, shorts }: Work): void {
  sum.lines += lines;
  sum.units += units;
  sum.shorts += shorts;
}

function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

const mostLines = (a: { lines: number }, b: { lines: number }): number => b.lines - a.lines;
