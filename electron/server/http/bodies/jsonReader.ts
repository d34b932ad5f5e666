import { StationError } from '../../errors.ts';
import { MAX_DEPTH } from './bodyLimits.ts';
import { scanJson } from './jsonScan.ts';

/** Matches an escaped surrogate, which may be unpaired. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** A text of at most this length cannot exceed any limit except the nesting depth. */
const SHORT = 1_024;
const MANY_LEVELS = new RegExp(`(?:[[{][^[{]*){${MAX_DEPTH + 1}}`);

/** Parses JSON like JSON.parse. Also throws `encoding` for an unpaired surrogate, and the errors of `scanJson`. */
export function readJson(text: string): unknown {
  const short = readShort(text);
  if (short !== undefined) return short;
  scanJson(text);
  return parse(text);
}

/** Parses a short text without the scan, which would take half of the time of a command. Returns undefined if the text needs the scan. */
function readShort(text: string): unknown {
  if (text.length > SHORT || MANY_LEVELS.test(text)) return undefined;
  try {
    const value = parse(text);
    return hasAllNames(text, value) ? value : undefined;
  } catch (error) {
    if (error instanceof StationError) throw error;
    return undefined;
  }
}

/** Matches the end of a name. A string can contain the same characters, in which case the scan decides. */
const NAME_END = /"[ \t\r\n]*:/g;

/** Whether all names are unique. JSON.parse keeps only the last of several fields with the same name. */
function hasAllNames(text: string, value: unknown): boolean {
  return (text.match(NAME_END)?.length ?? 0) === countNames(value);
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const part of Object.values(value)) count += countNames(part);
  return count;
}

function parse(json: string): unknown {
  if (!SURROGATE.test(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value));
}

/**
 * Returns the text if it has no unpaired surrogate, and throws `encoding` otherwise. With a replacement character, the text could name
 * another place.
 */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new StationError(
    'encoding',
    'The body has half of a character, such as "\\ud83d" without its other half. Send whole characters, best as UTF-8 without escapes.',
  );
}
