import type { Request } from 'express';
import { z } from 'zod';
import { editDistance } from '#shared/lib/editDistance.ts';
import { StationError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Cache-busting parameter of browsers and libraries. */
const CACHE_BUSTER = '_';
/** Most edits between a name and a suggestion. */
const MAX_EDITS = 4;

/**
 * Names of an endpoint's query parameters. Undefined: any name is accepted. That applies to the query-string interface, to OAuth (RFC
 * 6749, section 3.2), and outside `/api/`, where monitors and browsers add parameters.
 */
export function queryNamesOf({ query, body, files, route, isForm, path }: Endpoint): readonly string[] | undefined {
  if (route !== undefined || isForm === true || !path.startsWith('/api/')) return undefined;
  const own = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  // Options of an uploaded file.
  const options = files === true && body instanceof z.ZodObject ? [...Object.keys(body.shape), 'name', 'key'] : [];
  return [...own, ...options].toSorted();
}

/** Throws `unknown_parameter` for unknown names, because ignoring a misspelled filter could change too much. */
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

/** The most similar name: one that contains the other, or needs the fewest edits. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (lower.length > 60) return undefined;
  const ranked = known
    .map((each) => ({ each, edits: lower.includes(each) || each.includes(lower) ? 0 : editDistance(lower, each) }))
    .filter(({ each, edits }) => edits <= Math.min(MAX_EDITS, Math.ceil(each.length / 2)))
    .toSorted((one, other) => one.edits - other.edits);
  return ranked[0]?.each;
}
