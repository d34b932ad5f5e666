import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import type { Request } from 'express';
import { z } from 'zod';
import { strictQuerySchema } from '#shared/api/device.ts';
import { nearestName } from '#shared/lib/text/editDistance.ts';
import type { KnownNames } from '../services/base/index.ts';
import { StationError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Cache-busting query parameter that browsers and libraries add. */
const CACHE_BUSTER = '_';

/**
 * Returns the names of an endpoint's query parameters. Returns undefined for the query-string interface, which warns about unknown
 * parameters itself.
 */
export function queryNamesOf({ query, body, files, route, isForm }: Endpoint): readonly string[] | undefined {
  if (route !== undefined) return undefined;
  const own = [
    ...(query instanceof z.ZodObject ? Object.keys(query.shape) : []),
    ...(body === undefined || isForm === true ? [] : Object.keys(strictQuerySchema.shape)),
  ];
  // These are the options of an uploaded file.
  const options = files === true && body instanceof z.ZodObject ? [...Object.keys(body.shape), 'name', 'key'] : [];
  return [...own, ...options].toSorted();
}

/** Names of paging parameters in other APIs. */
const PAGING = /^(?:page|page_?(?:size|number|token)|per_?page|offset|skip|start|cursor|top)$/i;
const PAGED = ' A list is read in pages with limit and after: the header Link has the next page.';

/**
 * Whether unknown names only cause warnings. This is the case outside `/api/`, where monitors and browsers add names, and for OAuth (RFC
 * 6749, section 3.2).
 */
function onlyWarns({ path, isForm }: Endpoint): boolean {
  return isForm === true || !path.startsWith('/api/');
}

/**
 * Throws `unknown_parameter` for unknown names, because if a misspelled filter were ignored, a request could change too much. Returns
 * warnings for endpoints that ignore unknown names.
 */
export function checkNames(req: Request, endpoint: Endpoint, known: readonly string[] | undefined): string[] {
  if (known === undefined || !req.url.includes('?')) return [];
  const unknown = Object.keys(req.query).filter((name) => name !== CACHE_BUSTER && !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return [];
  if (onlyWarns(endpoint)) return unknown.map((name) => `${sentenceOf(name, known)} It is ignored.`);
  const paging = PAGING.test(first) && known.includes('after') ? PAGED : '';
  const all = known.length === 0 ? 'There are none here.' : `Known: ${known.join(', ')}.`;
  throw new StationError(
    'unknown_parameter',
    `${sentenceOf(first, known)}${paging} ${all} Nothing was done.`,
    unknown.map((name) => ({ path: pointerOf([name]), message: sentenceOf(name, known) })),
  );
}

function sentenceOf(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return `There is no query parameter "${shown}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}

/** Query parameters whose times are usually in the past. */
const PAST_TIMES = ['updated_after', 'ended_before', 'from'] as const;
/** Tolerance for callers' clocks, in milliseconds. */
const MAX_AHEAD_MS = 60_000;

/**
 * Returns warnings about times in the future, which would make a list empty or cause a deletion to remove everything. `query` must be
 * validated.
 */
export function futureTimes(query: unknown, now: number): string[] {
  if (typeof query !== 'object' || query === null) return [];
  const times = query as Readonly<Record<string, unknown>>;
  return PAST_TIMES.flatMap((name) => {
    const time = times[name];
    const isAhead = typeof time === 'string' && Date.parse(time) > now + MAX_AHEAD_MS;
    if (!isAhead) return [];
    const current = new Date(now).toISOString();
    return [`${name} is in the future: it is ${current} now. Is the zone of the time right?`];
  });
}

/** Time in the future from which the end of a deletion is refused, in milliseconds. */
const MAX_LATE_MS = 5 * 60_000;

/** Throws `invalid` if a deletion reaches into the future, and would remove everything. `query` must be validated. */
export function refuseLateEnd(query: unknown, now: number): void {
  const { ended_before: before } = (query ?? {}) as { ended_before?: unknown };
  if (typeof before !== 'string' || Date.parse(before) <= now + MAX_LATE_MS) return;
  const message = `This is in the future: it is ${new Date(now).toISOString()} now. Check the time zone. Nothing was deleted.`;
  throw new StationError('invalid', `The query parameter ended_before: ${message}`, [
    { path: '/ended_before', message },
  ]);
}

/** Returns a warning about a revision that no commit has yet, after which nothing can have changed. `query` must be validated. */
export function futureRevision(query: unknown, revision: number): string[] {
  const { after_revision: asked } = (query ?? {}) as { after_revision?: unknown };
  if (typeof asked !== 'number' || asked <= revision) return [];
  return [`after_revision is higher than the revision of the station, ${revision}. Does it come from another station?`];
}

/** Throws `invalid` if a period ends before it begins, which would make a list empty. `query` must be validated. */
export function refuseReversedSpan(query: unknown): void {
  const { from, to } = (query ?? {}) as { from?: unknown; to?: unknown };
  if (typeof from !== 'string' || typeof to !== 'string' || Date.parse(to) >= Date.parse(from)) return;
  const message = 'This is before `from`.';
  throw new StationError('invalid', `The query parameter to: ${message}`, [{ path: '/to', message }]);
}

/** Returns a warning about a `picker` that does not exist, which would be refused at launch. `body` must be validated. */
export function unknownPicker(body: unknown, known: KnownNames): string[] {
  const { picker } = (body ?? {}) as { picker?: unknown };
  return typeof picker === 'string' ? unknownNames({ picker }, known) : [];
}

/** Returns warnings about filters that name something that does not exist, and therefore match nothing. `query` must be validated. */
export function unknownNames(query: unknown, known: KnownNames): string[] {
  if (typeof query !== 'object' || query === null) return [];
  return Object.entries(query).flatMap(([name, value]) => {
    const thing = Object.hasOwn(known, name) ? known[name] : undefined;
    if (thing === undefined || typeof value !== 'string' || thing.isKnown(value)) return [];
    return [`${name}: there is no ${thing.noun} "${value}" now. Is the name misspelled?`];
  });
}
