import { expect, test } from 'vitest';
import { isEarly, type LinePress } from '../../../electron/server/domain/commands/earlyPress.ts';

const AT = 10_000;
const aPress = (given: Partial<LinePress>): LinePress => ({
  at: AT,
  waitedMs: 0,
  lastAt: null,
  sinceLastMs: null,
  shownAt: null,
  before: 'none',
  hasScreen: true,
  ...given,
});

test.each<[string, Partial<LinePress>, boolean]>([
  ['the first press at a device is not early', {}, false],
  ['a bounce is early', { lastAt: AT - 219 }, true],
  ['an immediate bounce is early', { lastAt: AT }, true],
  ['a quick second press is not early', { lastAt: AT - 220 }, false],
  [
    'a press that can have been a bounce while the station was busy is early',
    { lastAt: AT - 400, waitedMs: 181 },
    true,
  ],
  ['a press that the busy station cannot have made later is not early', { lastAt: AT - 400, waitedMs: 180 }, false],
  ['a press is early if the device measured a bounce', { lastAt: AT - 900, sinceLastMs: 219 }, true],
  [
    'a press is not early if the device measured a second press',
    { lastAt: AT - 10, waitedMs: 500, sinceLastMs: 220 },
    false,
  ],
  [
    "a press that can be from before a different person's line could be read is early",
    { before: 'other', shownAt: AT - 300, waitedMs: 60 },
    true,
  ],
  ['a press is not early if the clock was set back to before the last press', { lastAt: AT + 50 }, false],
  ['a press on a first line that was just shown is not early', { shownAt: AT - 1 }, false],
  ['a press before the same person can have read their next line is early', { before: 'same', shownAt: AT - 99 }, true],
  [
    'a press is not early once the same person can have read their next line',
    { before: 'same', shownAt: AT - 100 },
    false,
  ],
  [
    "a press on the same person's next line is not early without a screen",
    { before: 'same', shownAt: AT - 1, hasScreen: false },
    false,
  ],
  [
    "a press before a different person's line can have been read is early",
    { before: 'other', shownAt: AT - 249 },
    true,
  ],
  [
    "a press is not early once a different person's line can have been read",
    { before: 'other', shownAt: AT - 250 },
    false,
  ],
  [
    "a press on a different person's line can be early without a screen",
    { before: 'other', shownAt: AT - 249, hasScreen: false },
    true,
  ],
  ['a press on a line that the device has not yet reported is not early', { before: 'other' }, false],
])('%s', (_, given, early) => {
  expect(isEarly(aPress(given))).toBe(early);
});
