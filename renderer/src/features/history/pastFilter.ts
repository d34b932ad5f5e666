import type { HistoryKind } from '#shared/api/history.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { WORK_KINDS } from '#shared/lib/history/workKinds.ts';
import { shopClock } from '../../words/shopClock.ts';

export const RANGES = ['hour', 'today', 'week', 'month', 'all', 'between'] as const;
export type Range = (typeof RANGES)[number];

export const RESULTS = [
  'any',
  'acknowledged',
  'timedOut',
  'away',
  'late',
  'calls',
  'work',
  'alerts',
  'devices',
] as const;
export type Result = (typeof RESULTS)[number];

const KINDS: Readonly<Record<Exclude<Result, 'any'>, readonly HistoryKind[]>> = {
  acknowledged: ['acknowledged'],
  timedOut: ['timedOut'],
  away: ['killed', 'replaced'],
  late: ['late', 'early'],
  calls: ['call', 'call_up', 'call_down'],
  work: WORK_KINDS,
  alerts: ['alert_raised', 'alert_ended'],
  devices: ['device_replaced', 'device_took_over'],
};

/**
 * The filter of the history page, as stored in the address. `from` and `to` (epoch milliseconds) are set only for the
 * range `between`.
 */
export type PastFilter = {
  range: Range;
  from: number | undefined;
  to: number | undefined;
  result: Result;
  /** The name of a person, as in the field `by` of an entry. */
  person: string;
  device: string;
  order: string;
  sequence: string;
  batch: string;
};

/** Finds a batch number, with or without a `#` in front of it. */
export const BATCH = /[1-9]\d{0,8}/;

const USUAL: Range = 'today';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

export function readFilter(params: URLSearchParams): PastFilter {
  const range = RANGES.find((each) => each === params.get('range')) ?? USUAL;
  return {
    range,
    from: range === 'between' ? momentOf(params.get('from')) : undefined,
    to: range === 'between' ? momentOf(params.get('to')) : undefined,
    result: RESULTS.find((each) => each === params.get('result')) ?? 'any',
    person: params.get('person') ?? '',
    device: params.get('device') ?? '',
    order: params.get('order') ?? '',
    sequence: params.get('sequence') ?? '',
    batch: BATCH.exec(params.get('batch') ?? '')?.[0] ?? '',
  };
}

/** Returns a filter as parameters for the address. Omits parameters with default values. */
export function writeFilter(filter: PastFilter): Record<string, string> {
  const { range, from, to, result, person, device, order, sequence, batch } = filter;
  const all = {
    range: range === USUAL ? '' : range,
    from: range === 'between' && from !== undefined ? new Date(from).toISOString() : '',
    to: range === 'between' && to !== undefined ? new Date(to).toISOString() : '',
    result: result === 'any' ? '' : result,
    person,
    device,
    order,
    sequence,
    batch,
  } satisfies Record<string, string>;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Returns how many filters are set, apart from the period. */
export function countFilters({ result, person, device, order, sequence, batch }: PastFilter): number {
  return Number(result !== 'any') + [person, device, order, sequence, batch].filter((text) => text !== '').length;
}

/** Returns a copy of the filter that keeps only the period. */
export function withoutFilters({ range, from, to }: PastFilter): PastFilter {
  return { range, from, to, result: 'any', person: '', device: '', order: '', sequence: '', batch: '' };
}

/**
 * Returns the start and end of the period, in epoch milliseconds. Undefined means no limit. Days are those of
 * the shop.
 */
export function spanOf(filter: PastFilter, now: number): { from: number | undefined; to: number | undefined } {
  const { range, from, to } = filter;
  switch (range) {
    case 'all':
      return { from: undefined, to: undefined };
    case 'between':
      return { from, to };
    case 'hour': {
      const end = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
      return { from: end - HOUR_MINUTES * MINUTE_MS, to: end };
    }
    default: {
      const days = { today: 1, week: 7, month: 30 }[range];
      const { startOfDay } = shopClock();
      return { from: startOfDay(now, 1 - days), to: startOfDay(now, 1) };
    }
  }
}

export function queryOf(filter: PastFilter, now: number): NonNullable<InputOf<'summarizeHistory'>['query']> {
  const { from, to } = spanOf(filter, now);
  const { result, person, device, order, sequence, batch } = filter;
  return {
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
    ...(result === 'any' ? {} : { kind: KINDS[result].join(',') }),
    ...(person === '' ? {} : { by: person }),
    ...(device === '' ? {} : { deviceid: device }),
    ...(order === '' ? {} : { order_number: order }),
    ...(sequence === '' ? {} : { sequenceid: sequence }),
    ...(batch === '' ? {} : { batch: Number(batch) }),
  };
}

/** Returns a copy of the filter that matches any result. */
export function ofAnyResult(filter: PastFilter): PastFilter {
  return { ...filter, result: 'any' };
}

/** Whether the filter's period includes new events. */
export function isOfNow(filter: PastFilter, now: number): boolean {
  const { to } = spanOf(filter, now);
  return to === undefined || to > now;
}

export function isReversed({ from, to }: PastFilter): boolean {
  return from !== undefined && to !== undefined && to < from;
}

function momentOf(text: string | null): number | undefined {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
