import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownTimeMs } from '../../helpers/ownTime.ts';

const LITERAL = /(?<=[=(:,!&|?[{};]\s*)\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([dgimsuvy]*)/g;
/** Length of the texts: long enough that a quadratic expression takes a thousand times as long as one pass over the text. */
const LENGTH = 6_000;
const MAX_LOOKS = 150;

type Found = { where: string; source: string; flags: string };

/** Finds every regular expression literal in code that reads callers' data. */
function expressions(): Found[] {
  const found = new Map<string, Found>();
  for (const folder of ['electron/server', 'shared']) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const where = join(folder, file);
      for (const [, source = '', flags = ''] of readFileSync(where, 'utf8').matchAll(LITERAL)) {
        if (isExpression(source, flags)) found.set(`${source} ${flags}`, { where, source, flags });
      }
    }
  }
  return [...found.values()];
}

/** Returns whether the text between two slashes is a regular expression, rather than a part of a path or a type. */
function isExpression(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}

/** Returns the literal start of an expression and the characters in it. Texts made of these characters match furthest before they fail. */
function piecesOf(source: string): { start: string; letters: string[] } {
  const start = /^\^?((?:[\w:./;-]|\\[./{}*+?$^-])*)/.exec(source)?.[1]?.replaceAll('\\', '') ?? '';
  const plain = source.replaceAll(
    /\\[pP]\{\w+\}|\(\?<?[:=!]|\\u\{?[0-9a-fA-F]+\}?|\\x[0-9a-f]{2}|\\[bBwWsSdDrnt]/g,
    '',
  );
  const letters = [...new Set(`${plain} a0`.split(''))].filter((letter) => !'^$|()?\\'.includes(letter));
  return { start, letters: letters.slice(0, 24) };
}

function* textsFor(source: string): Generator<string> {
  const { start, letters } = piecesOf(source);
  for (const one of letters) {
    for (const other of letters) {
      const mixed = one === other ? one.repeat(LENGTH) : (one + other).repeat(LENGTH / 2);
      const inTurn = one.repeat(LENGTH / 2) + other.repeat(LENGTH / 2);
      for (const text of one === other ? [mixed] : [mixed, inTurn]) {
        yield `${text}\u0001`;
        if (start !== '') yield `${start}${text}\u0001`;
      }
    }
  }
}

/** Returns whether one of the generated texts takes the expression longer than MAX_LOOKS passes over that text. */
function isSlow({ source, flags }: Pick<Found, 'source' | 'flags'>): boolean {
  const pattern = new RegExp(source, flags);
  for (const text of textsFor(source)) {
    const look = () => {
      pattern.lastIndex = 0;
      pattern.exec(text);
    };
    // Confirm a slow result with 20 runs, because other programs may have caused it.
    if (ownTimeMs(look, 1) > MAX_LOOKS * aLookMs && ownTimeMs(look, 20) > MAX_LOOKS * aLookMs) return true;
  }
  return false;
}

const scanned = 'a'.repeat(LENGTH);
const aLookMs =
  ownTimeMs(() => {
    for (let count = 0; count < 1_000; count += 1) /[^a]/.exec(scanned);
  }, 5) / 1_000;

test('each regular expression takes at most linear time', () => {
  const all = expressions();
  expect(all.length).toBeGreaterThan(60);
  expect(all.map(({ source }) => source)).toEqual(
    expect.arrayContaining(['^(bearer|basic) +(\\S+) *$', '\\{([A-Za-z_][A-Za-z0-9_]*)\\}', '^\\s|\\s$']),
  );
  const slow = all.filter(isSlow).map(({ where, source }) => `${where} /${source}/`);
  expect(slow).toEqual([]);
});

test.each(['\\s+$', '(?:^|,)\\s*\\w*\\s*:$|a*b', '~+$', ';.*;x', '^(\\d*),?(\\d*)x'])(
  'detects the slow /%s/',
  (source) => {
    expect(isSlow({ source, flags: '' })).toBe(true);
  },
);
