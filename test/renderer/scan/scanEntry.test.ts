import { describe, expect, test } from 'vitest';
import {
  type TypedEntry,
  typedCount,
  entryPatienceMs,
  entryText,
  nextEntryKey,
  nextEntrySilence,
  nextEntryText,
  NO_ENTRY,
  type ShopNames,
  SIGN_MS,
} from '../../../renderer/src/scan/entry.ts';
import type { WedgeKey } from '../../../renderer/src/scan/wedge.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { type KeyLayout, scannerKeys } from './scannerKeys.ts';

const CODES = [
  'A-3-1',
  'C-1-1',
  '4006381333931',
  '40063',
  '10418',
  'CT-200',
  '-A1',
  '+9',
  'S',
  'ab',
  '7',
  '51D000:000001',
];
const names = (list: readonly string[]): ShopNames => ({
  has: (text) => list.some((name) => name.toLowerCase() === text),
  haveNumbers: list.some((name) => /^\d{1,3}$/.test(name)),
});
const SHOP = names(CODES.filter((code) => code !== '7' && code !== 'S'));

/** Feeds timed keys to the state machine, including its timeouts. */
function run(keys: readonly WedgeKey[], shop = SHOP) {
  let state = NO_ENTRY;
  const entries: TypedEntry[] = [];
  const signs: number[] = [];
  const cleared: string[] = [];
  let reached = '';
  let inert = 0;
  const enters: number[] = [];
  let unreadable = 0;
  const end = keys.at(-1)?.at ?? 0;
  const take = (step: ReturnType<typeof nextEntryKey>): void => {
    state = step.state;
    if (step.entry !== undefined) entries.push(step.entry);
    signs.push(...(step.signs ?? []));
    if (step.cleared !== undefined) cleared.push(step.cleared);
    if (step.isInert === true) inert += 1;
    if (step.enterAt !== undefined) enters.push(step.enterAt);
    if (step.isUnreadable === true) unreadable += 1;
  };
  const wait = (until: number): void => {
    const patience = entryPatienceMs(state, shop);
    if (patience !== undefined && until - state.lastAt >= patience)
      take(nextEntrySilence(state, state.lastAt + patience, shop));
  };
  for (const key of keys) {
    wait(key.at);
    const step = nextEntryKey(state, key, shop);
    take(step);
    if (!step.hold && (key.key.length === 1 || key.key === 'Enter')) reached += key.key === 'Enter' ? '⏎' : key.key;
  }
  wait(end + 60_000);
  return { entries, signs, cleared, reached, inert, enters, unreadable, text: entryText(state) };
}

/** Returns the keys that type these texts. A number adds a pause in milliseconds. */
function typed(...parts: (string | number)[]): WedgeKey[] {
  let at = 1_000;
  return parts.flatMap((part) => {
    if (typeof part === 'number') {
      at += part;
      return [];
    }
    const keys = scannerKeys(part, { everyMs: 100, at });
    at += 100 * (part.length - 1);
    return keys;
  });
}

function one(char: string, at = 0): WedgeKey {
  const [key] = scannerKeys(char, { everyMs: 1, at });
  if (key === undefined) throw new Error('No key types nothing.');
  return key;
}

/** Returns a count. Unless a test says otherwise, its first key is typed at one second. */
const counts = (count: number, since = 1_000): TypedEntry => ({ kind: 'count', count, since });
const codesOf = (entries: readonly TypedEntry[]) =>
  entries.map((entry) => (entry.kind === 'scan' ? entry.scan.code : entry));

const GERMAN: KeyLayout = {
  Minus: ['ß', '?'],
  KeyY: ['z', 'Z'],
  KeyZ: ['y', 'Y'],
  Semicolon: ['ö', 'Ö'],
  Slash: ['-', '_'],
};
const FRENCH: KeyLayout = {
  ...Object.fromEntries(Array.from('à&é"\'(-è_ç', (char, digit) => [`Digit${digit}`, [char, String(digit)] as const])),
  Minus: [')', '°'],
  KeyA: ['q', 'Q'],
  KeyQ: ['a', 'A'],
  KeyW: ['z', 'Z'],
  KeyZ: ['w', 'W'],
  KeyM: [',', '?'],
  Semicolon: ['m', 'M'],
};

test('reads a code completely at any speed, with any layout and with Caps Lock, and never as a count, plus or minus', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CODES.filter((code) => !/^\d{1,3}$/.test(code))),
      fc.integer({ min: 5, max: 150 }),
      fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 20, maxLength: 20 }),
      fc.constantFrom<KeyLayout>({}, GERMAN, FRENCH),
      fc.boolean(),
      fc.constantFrom('\r', '\t', '\r\r'),
      (code, everyMs, jitter, layout, capsLock, ending) => {
        let at = 0;
        let before = -1;
        const shop = names(CODES.filter((each) => each !== '7'));
        const keys = scannerKeys(`${code}${ending}`, { everyMs: 1, layout, capsLock }).map((key) => {
          at += key.at === before ? 0 : everyMs * (jitter[key.at % jitter.length] ?? 1);
          before = key.at;
          return { ...key, at };
        });
        const { entries, signs, cleared, reached } = run(keys, shop);
        expect({ signs, cleared, reached: reached.replaceAll('⏎', '') }).toEqual({
          signs: [],
          cleared: [],
          reached: '',
        });
        expect(entries).toHaveLength(1);
        const [entry] = entries;
        if (entry?.kind !== 'scan') throw new Error(`${code} was taken as ${JSON.stringify(entry)}`);
        expect(entry.count).toBeUndefined();
        expect([entry.scan.code.toLowerCase(), entry.scan.byPosition.toLowerCase()]).toContain(code.toLowerCase());
      },
    ),
  );
});

describe('typed numbers', () => {
  test('a number of one to three digits is a count at any speed', () => {
    expect(run(typed('5\r')).entries).toEqual([counts(5)]);
    expect(run(typed('1', 900, '2', 700, '\r')).entries).toEqual([counts(12)]);
    expect(run(typed('120\r')).entries).toEqual([counts(120)]);
  });

  test('a number of four digits is a code', () => {
    expect(codesOf(run(typed('1200\r')).entries)).toEqual(['1200']);
  });

  test('a number is a count only after a * if the shop has a code of that form', () => {
    const shop = names([...CODES, '12']);
    expect(codesOf(run(typed('5\r'), shop).entries)).toEqual(['5']);
    expect(codesOf(run(typed('12\r'), shop).entries)).toEqual(['12']);
    expect(run(typed('*12\r'), shop).entries).toEqual([counts(12)]);
  });

  test('a number followed by a pause and a code is the count for that code', () => {
    const { entries } = run(typed('2', 500, 'A-3-1\r'));
    expect(entries).toMatchObject([{ kind: 'scan', count: 2, scan: { code: 'A-3-1' } }]);
    expect(run(typed('2', 400, 'A-3-1\r')).entries).toMatchObject([{ count: 2, scan: { code: 'A-3-1' } }]);
    expect(codesOf(run(typed('2', 399, 'A-3-1\r')).entries)).toEqual(['2A-3-1']);
    expect(codesOf(run(typed('x', 500, 'A-3-1\r')).entries)).toEqual(['xA-3-1']);
  });

  test('digits that a scanner sent before a pause are part of its code', () => {
    const hiccup = (first: string, pauseMs: number, rest: string) => {
      const before = scannerKeys(first, { everyMs: 8, at: 1_000 });
      const at = (before.at(-1)?.at ?? 0) + pauseMs;
      return [...before, ...scannerKeys(`${rest}\r`, { everyMs: 8, at })];
    };
    for (const pauseMs of [400, 650, 900]) {
      for (const cut of [2, 3, 4, 7, 12])
        expect(
          run(hiccup('4006381333931'.slice(0, cut), pauseMs, '4006381333931'.slice(cut)), names([])).entries,
        ).toEqual([{ kind: 'scan', scan: expect.objectContaining({ code: '4006381333931' }) }]);
      // A zero before more digits is not a quantity.
      expect(codesOf(run(hiccup('0', pauseMs, '036000291452'), names([])).entries)).toEqual(['0036000291452']);
      // One digit may be typed: the whole code is tried if the rest is unknown.
      expect(run(hiccup('4', pauseMs, '006381333931'), names([])).entries).toMatchObject([
        { count: 4, scan: { code: '006381333931' }, whole: { code: '4006381333931' } },
      ]);
    }
  });

  test('a number from a scanner that sends control characters is a code', () => {
    expect(run(scannerKeys('1\x02\x032\r', { everyMs: 8 })).entries).toMatchObject([{ kind: 'scan' }]);
  });

  test('a number from a scanner that holds Ctrl or Alt for a digit is a code', () => {
    for (const held of [{ ctrl: true }, { alt: true }]) {
      const [first, second, enter] = typed('12\r') as [WedgeKey, WedgeKey, WedgeKey];
      expect(run([first, { ...second, ...held }, enter]).entries).toMatchObject([{ kind: 'scan' }]);
    }
  });

  test('a held key types one digit, and a held Enter ends one entry', () => {
    const [digit, enter] = typed('5\r') as [WedgeKey, WedgeKey];
    const held = { ...digit, repeat: true, at: digit.at + 50 };
    expect(run([digit, held, enter])).toMatchObject({ entries: [counts(5)], reached: '' });
    const again = [one('x', enter.at + 260), { ...enter, repeat: true, at: enter.at + 300 }];
    expect(run([digit, enter, ...again])).toMatchObject({ entries: [counts(5)], cleared: ['x'] });
  });
});

test('a count stays without Enter, and a longer text clears itself', () => {
  const [digit, letter] = [one('7', 1_000), one('a', 1_000)];
  const stateOf = (key: WedgeKey) => nextEntryKey(NO_ENTRY, key, SHOP).state;
  expect(entryPatienceMs(stateOf(digit), SHOP)).toBeUndefined();
  expect(nextEntrySilence(stateOf(digit), 60_000, SHOP)).toMatchObject({ state: stateOf(digit) });
  expect(typedCount(stateOf(digit), SHOP)).toBe(7);
  expect(typedCount(stateOf(letter), SHOP)).toBeUndefined();
  expect(nextEntrySilence(stateOf(letter), 60_000, SHOP).cleared).toBe('a');
});

test('a letter is a shortcut only with Enter, and only if it is not a code in the shop', () => {
  expect(run(typed('s')).entries).toEqual([]);
  expect(run(typed('S\r')).entries).toEqual([{ kind: 'letter', letter: 's' }]);
  expect(codesOf(run(typed('S\r'), names(['s'])).entries)).toEqual(['S']);
});

test('+ and - count immediately, unless they begin a code', () => {
  expect(run(typed('+')).signs).toEqual([1]);
  expect(run(typed('+', 120, '+', 120, '-')).signs).toEqual([1, 1, -1]);
  expect(run(typed('+', SIGN_MS + 1, '5\r'))).toMatchObject({ signs: [1], entries: [counts(5, 1_000 + SIGN_MS + 1)] });
  expect(run(typed('-', 100, 'A1\r'))).toMatchObject({ signs: [], entries: [{ scan: { code: '-A1' } }] });
  expect(run(typed('+', 100, '\r'))).toMatchObject({ signs: [1], entries: [], reached: '', inert: 1 });
});

test('Backspace removes a character, and Esc removes all; with nothing typed, Esc reaches the page', () => {
  const key = (name: string, at: number): WedgeKey => ({
    ...one('x', at),
    key: name,
    code: name,
  });
  expect(run([...typed('53'), key('Backspace', 1_300), ...typed(500, '\r')]).entries).toEqual([counts(5)]);
  expect(run([...typed('53'), key('Escape', 1_300), ...typed(500, '7\r')]).entries).toEqual([counts(7, 1_500)]);
  expect(nextEntryKey(NO_ENTRY, key('Escape', 1), SHOP).hold).toBe(false);
});

test('discards and reports an unterminated entry after five seconds', () => {
  expect(run(typed('A-3-1'))).toMatchObject({ entries: [], cleared: ['A-3-1'], text: '' });
  const { state } = nextEntryKey(NO_ENTRY, one('a', 1_000), SHOP);
  expect(nextEntrySilence(state, 5_999, SHOP).cleared).toBeUndefined();
  expect(nextEntrySilence(state, 6_000, SHOP).cleared).toBe('a');
  expect(run(typed('A-3-1', 4_900, '\r'))).toMatchObject({
    entries: [{ scan: { code: 'A-3-1' } }],
    cleared: [],
  });
});

test('an Enter after a scan is ignored for 700 ms, and after a number for 220 ms, because scanners may send two and fingers bounce', () => {
  expect(run(typed('\r'))).toMatchObject({ enters: [1_000], reached: '', inert: 0 });
  expect(run(typed('A-3-1\r', 699, '\r'))).toMatchObject({ enters: [], inert: 1 });
  expect(run(typed('A-3-1\r', 700, '\r'))).toMatchObject({ enters: [2_200], inert: 0 });
  expect(run(typed('5\r', 219, '\r')).enters).toEqual([]);
  expect(run(typed('5\r', 220, '\r')).enters).toEqual([1_320]);
});

test('an Enter is dropped if a character follows within 80 ms, because scanners can send it before the code', () => {
  const after = (ms: number) => run([one('\r', 1_000), ...scannerKeys('A-3-1\r', { everyMs: 8, at: 1_000 + ms })]);
  expect(after(79)).toMatchObject({ enters: [], entries: [{ scan: { code: 'A-3-1' } }] });
  expect(after(80)).toMatchObject({ enters: [1_000], entries: [{ scan: { code: 'A-3-1' } }] });
  // On a busy page, the timer of the Enter may be late.
  const held = nextEntryKey(NO_ENTRY, one('\r', 1_000), SHOP).state;
  expect(nextEntryKey(held, one('a', 1_079), SHOP).enterAt).toBeUndefined();
  expect(nextEntryKey(held, one('a', 1_080), SHOP)).toMatchObject({ enterAt: 1_000, state: { keys: [{ key: 'a' }] } });
});

test('a held Enter, and a second one within 80 ms, press nothing more', () => {
  const [enter] = typed('\r') as [WedgeKey];
  const held = [1, 2, 3].map((times) => ({ ...enter, repeat: true, at: enter.at + times * 400 }));
  expect(run([enter, ...held])).toMatchObject({ enters: [1_000], reached: '' });
  expect(run(typed('\r', 60, '\r')).enters).toEqual([1_000]);
});

test('an Enter reaches elements that handle it themselves', () => {
  expect(nextEntryKey(NO_ENTRY, one('\r', 1_000), SHOP, false).hold).toBe(false);
});

describe('keys without a character', () => {
  const odd = (at: number, key = 'Unidentified'): WedgeKey => ({ ...one('x', at), key, code: '' });

  test('make an Enter within 350 ms an unreadable scan', () => {
    expect(run([odd(1_000), one('\r', 1_349)])).toMatchObject({ enters: [], unreadable: 1 });
    expect(run([odd(1_000), one('\r', 1_350)])).toMatchObject({ enters: [1_350], unreadable: 0 });
    expect(run([one('\r', 1_000), odd(1_060)])).toMatchObject({ enters: [], unreadable: 1 });
    expect(run([odd(1_000, 'Process'), one('\r', 1_100)])).toMatchObject({ enters: [], unreadable: 1 });
  });

  test('make a code unreadable that arrives with only some of its characters, even if those are a number', () => {
    for (const text of ['12\r', '1', 'A-3-1\r', '5\r']) {
      const [first, ...rest] = scannerKeys(text, { everyMs: 20, at: 1_000 });
      const keys = first === undefined ? [] : [first, odd(1_010), ...rest];
      expect(run(keys)).toMatchObject({ entries: [], enters: [], unreadable: 1, cleared: [] });
      expect(run([odd(900), ...keys.filter((key) => key.key !== 'Unidentified')])).toMatchObject({
        entries: [],
        unreadable: 1,
      });
    }
  });

  test('are followed by an ignored Enter, as after each scan', () => {
    expect(run([odd(1_000), one('\r', 1_020), one('\r', 1_719)])).toMatchObject({
      enters: [],
      unreadable: 1,
      inert: 1,
    });
  });

  test('of text that comes from an input method have the same effect', () => {
    const { state } = nextEntryText(NO_ENTRY, 1_000);
    expect(nextEntryKey(state, one('\r', 1_300), SHOP)).toMatchObject({ isUnreadable: true, hold: true });
    expect(nextEntryKey(state, one('\r', 1_400), SHOP).isUnreadable).toBeUndefined();
  });
});

test("a space and the browser's keyboard shortcuts reach the page", () => {
  expect(run(typed(' ')).reached).toBe(' ');

  expect(nextEntryKey(NO_ENTRY, { ...one('k'), ctrl: true }, SHOP).hold).toBe(false);
});
