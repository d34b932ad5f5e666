import type { Request } from 'express';
import { z } from 'zod';
import { editDistance } from '#shared/lib/editDistance.ts';
import { StationError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Added by browsers and libraries so that no cache answers. */
const CACHE_BUSTER = '_';
/** Edits between a name and the one that was probably meant. */
const MAX_EDITS = 4;

/**
 * The names of query parameters of an endpoint. Undefined: any name is accepted, as by the query-string interface, by OAuth (RFC 6749,
 * section 3.2), and outside of `/api/`, where monitors and browsers add their own.
 */
export function queryNamesOf({ query, body, files, route, isForm, path }: Endpoint): readonly string[] | undefined {
  if (route !== undefined || isForm === true || !path.startsWith('/api/')) return undefined;
  const own = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  // The options of a file.
  const options = files === true && body instanceof z.ZodObject ? [...Object.keys(body.shape), 'name', 'key'] : [];
  return [...own, ...options].toSorted();
}

/** Throws `unknown_parameter` if the query has a name that is not known: an ignored filter would change the wrong things. */
export function refuseUnknownNames(req: Request, known: readonly string[] | undefined): void {
  if (known === undefined || !req.url.includes('?')) return;
  const unknown = Object.keys(req.query).filter((name) => name !== CACHE_BUSTER && !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return;
  const all = known.length === 0 ? 'There are none here.' : `Known: ${known.join(', ')}.`;
  throw new StationError(
    'unknown_parameter',
    `${sentenceOf(first, known)} ${all} Nothing was done.`,
    unknown.map((name) => ({
      path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: sentenceOf(name, known),
    })),
  );
}

function sentenceOf(name: string, known: readonly string[]): string {
  const nearest = nearestOf(name, known);
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return `There is no query parameter "${shown}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`;
}

/** The name that was probably meant: that it contains, or with the fewest edits. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (lower.length > 60) return undefined;
  const ranked = known
    .map((each) => ({ each, edits: lower.includes(each) || each.includes(lower) ? 0 : editDistance(lower, each) }))
    .filter(({ each, edits }) => edits <= Math.min(MAX_EDITS, Math.ceil(each.length / 2)))
    .toSorted((one, other) => one.edits - other.edits);
  return ranked[0]?.each;
}
