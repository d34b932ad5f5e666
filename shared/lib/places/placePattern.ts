import { MAX_DEVICES } from '../devices/deviceLimits.ts';
import { nameKey } from '../text/nameKey.ts';

/** A fault in a pattern. `part` is the faulty part as typed. */
export type PatternProblem =
  | { kind: 'empty' | 'double'; part: string }
  | { kind: 'unclosed' | 'unopened' | 'noRange' | 'noStart' | 'noEnd' | 'mixed' | 'tooLong'; part: string }
  | { kind: 'tooMany'; part: string; count: number };

export type PlacePattern = { places: readonly string[] } | { problem: PatternProblem };

/** A constant text, or the values of one range. */
type Piece = readonly string[];

/** Maximum number of digits in each number of a range. */
const MAX_DIGITS = 9;
const NUMBER = /^\d+$/;
const LETTER = /^[a-z]$|^[A-Z]$/;

class Wrong extends Error {
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/**
 * Returns the places for a pattern such as `A-{1..4}-{01..10}` or `{a..f}-{3..1}`, in walking order, in which the last range varies
 * fastest. Returns a problem if there are more places than a station can have devices.
 */
export function readPattern(text: string): PlacePattern {
  try {
    const trimmed = text.trim();
    if (trimmed === '') throw new Wrong({ kind: 'empty', part: '' });
    const pieces = piecesOf(trimmed);
    const count = pieces.reduce((product, piece) => product * piece.length, 1);
    if (count > MAX_DEVICES) throw new Wrong({ kind: 'tooMany', part: trimmed, count });
    const places = pieces.reduce<readonly string[]>(
      (before, piece) => before.flatMap((start) => piece.map((value) => start + value)),
      [''],
    );
    const twice = findTwice(places);
    if (twice !== undefined) throw new Wrong({ kind: 'double', part: twice });
    return { places };
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.problem };
    throw error;
  }
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const plain = text.slice(at, open < 0 ? text.length : open);
    if (plain.includes('}')) throw new Wrong({ kind: 'unopened', part: plain });
    if (plain !== '') pieces.push([plain]);
    if (open < 0) break;
    const close = text.indexOf('}', open);
    const inner = text.slice(open + 1, close < 0 ? text.length : close);
    if (close < 0 || inner.includes('{')) throw new Wrong({ kind: 'unclosed', part: text.slice(open) });
    pieces.push(rangeOf(inner));
    at = close + 1;
  }
  return pieces;
}

/** Returns the values of a range. `inner` is the text between the braces. */
function rangeOf(inner: string): Piece {
  const part = `{${inner}}`;
  const [first = '', last, ...more] = inner.split('..').map((end) => end.trim());
  if (last === undefined || more.length > 0) throw new Wrong({ kind: 'noRange', part });
  if (first === '') throw new Wrong({ kind: 'noStart', part });
  if (last === '') throw new Wrong({ kind: 'noEnd', part });
  if (NUMBER.test(first) && NUMBER.test(last)) return numbersOf(first, last, part);
  if (LETTER.test(first) && LETTER.test(last) && isCapital(first) === isCapital(last)) return lettersOf(first, last);
  throw new Wrong({ kind: 'mixed', part });
}

function numbersOf(first: string, last: string, part: string): Piece {
  if (Math.max(first.length, last.length) > MAX_DIGITS) throw new Wrong({ kind: 'tooLong', part });
  const isPadded = [first, last].some((end) => end.length > 1 && end.startsWith('0'));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return between(Number(first), Number(last), part, (value) => String(value).padStart(width, '0'));
}

function lettersOf(first: string, last: string): Piece {
  return between(first.charCodeAt(0), last.charCodeAt(0), '', (code) => String.fromCharCode(code));
}

/** Returns the values between two ends, in either direction, because shelves are often numbered from the floor. */
function between(from: number, to: number, part: string, word: (value: number) => string): Piece {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_DEVICES) throw new Wrong({ kind: 'tooMany', part, count });
  const step = to < from ? -1 : 1;
  return Array.from({ length: count }, (_, index) => word(from + index * step));
}

function isCapital(letter: string): boolean {
  return letter === letter.toUpperCase();
}

function findTwice(places: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return places.find((place) => seen.size === seen.add(nameKey(place)).size);
}
