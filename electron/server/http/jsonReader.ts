import type { InParts } from '#shared/lib/inParts.ts';
import { StationError } from '../errors.ts';
import { CHARACTERS_A_TURN, MAX_DEPTH } from './bodyLimits.ts';
import { CUTS_A_FIELD, scanJson, type LongValue, type LongValues } from './jsonScan.ts';

/** The escape of a surrogate, which may be half a pair. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** A text of so many characters exceeds no limit, unless it has many levels. */
const SHORT = 1_024;
const MANY_LEVELS = new RegExp(`(?:[[{][^[{]*){${MAX_DEPTH + 1}}`);

/**
 * Parses JSON like JSON.parse, but refuses half surrogate pairs with `encoding`, and names that appear twice. Scans the whole text first, then parses it, both in parts
 * of a few milliseconds. Throws like `scanJson`.
 */
export function* readJson(text: string): InParts<unknown> {
  const short = readShort(text);
  if (short !== undefined) return short;
  const long = yield* scanJson(text);
  if (text.length <= CHARACTERS_A_TURN) return parse(text);
  const begin = text.search(/[^ \t\r\n]/);
  return yield* readValue({ text, long }, begin, long.get(begin)?.end ?? text.length);
}

/** Without the scan, which is half of the work for a command; undefined if the text needs it. */
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

/** The end of a name. A text can contain it too: then the scan counts the names. */
const NAME_END = /"[ \t\r\n]*:/g;

/** Whether parsing kept every name: it keeps only the last of several equal ones. */
function hasAllNames(text: string, value: unknown): boolean {
  return (text.match(NAME_END)?.length ?? 0) === countNames(value);
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const part of Object.values(value)) count += countNames(part);
  return count;
}

type Scanned = { text: string; long: LongValues };

function* readValue(scanned: Scanned, begin: number, end: number): InParts<unknown> {
  const { text, long } = scanned;
  const found = long.get(begin);
  if (found === undefined) return parse(text.slice(begin, end));
  yield;
  switch (text[begin]) {
    case '"':
      return yield* readText(text, begin, found);
    case '[':
      return yield* readArray(scanned, found);
    default:
      return yield* readObject(scanned, found);
  }
}

function* readText(text: string, begin: number, { end, cuts }: LongValue): InParts<string> {
  let whole = '';
  let from = begin + 1;
  for (const to of [...cuts, end - 1]) {
    whole += JSON.parse(`"${text.slice(from, to)}"`) as string;
    from = to;
    yield;
  }
  return wellFormed(whole);
}

function* readArray(scanned: Scanned, { cuts }: LongValue): InParts<unknown[]> {
  const values: unknown[] = [];
  for (let first = 0; first < cuts.length;) {
    const { next, part } = shortParts(scanned, cuts, { first, each: 2, value: 0 });
    if (part === undefined) {
      values.push(yield* readValue(scanned, cuts[first] ?? 0, cuts[first + 1] ?? 0));
      first += 2;
      continue;
    }
    for (const value of parse(`[${part}]`) as unknown[]) values.push(value);
    first = next;
    yield;
  }
  return values;
}

function* readObject(scanned: Scanned, { cuts }: LongValue): InParts<object> {
  const fields: [string, unknown][] = [];
  for (let first = 0; first < cuts.length;) {
    const { next, part } = shortParts(scanned, cuts, { first, each: CUTS_A_FIELD, value: 1 });
    if (part === undefined) {
      const [name = 0, value = 0, end = 0] = cuts.slice(first, first + CUTS_A_FIELD);
      const [named = ''] = Object.keys(parse(`{${scanned.text.slice(name, value)}0}`) as object);
      fields.push([named, yield* readValue(scanned, value, end)]);
      first += CUTS_A_FIELD;
      continue;
    }
    fields.push(...Object.entries(parse(`{${part}}`) as object));
    first = next;
    yield;
  }
  // Unlike an assignment, this keeps a field `__proto__`.
  return Object.fromEntries(fields);
}

/** The next elements or fields that are short enough to parse together; no `part` if the first one is long. */
function shortParts(
  { text, long }: Scanned,
  cuts: readonly number[],
  { first, each, value }: { first: number; each: number; value: number },
): { next: number; part: string | undefined } {
  const begin = cuts[first] ?? 0;
  let next = first;
  while (next < cuts.length && !long.has(cuts[next + value] ?? 0)) {
    next += each;
    if ((cuts[next - 1] ?? 0) - begin > CHARACTERS_A_TURN) break;
  }
  return { next, part: next === first ? undefined : text.slice(begin, cuts[next - 1]) };
}

function parse(json: string): unknown {
  if (!SURROGATE.test(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value));
}

/** Throws `encoding` for half a surrogate pair, because a replacement character could name another place. */
function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new StationError(
    'encoding',
    'The body has half of a character, such as "\\ud83d" without its other half. Send whole characters, best as UTF-8 without escapes.',
  );
}
