import { expect, test } from 'vitest';
import { isEarly, type LinePress } from '../../../electron/server/domain/commands/earlyPress.ts';

const AT = 10_000;
const aPress = (given: Partial<LinePress>): LinePress => ({
  at: AT,
  lastAt: null,
  shownAt: null,
  before: 'none',
  hasScreen: true,
  ...given,
});

test.each<[string, Partial<LinePress>, boolean]>([
  ['the first press at a device', {}, false],
  ['a bounce', { lastAt: AT - 219 }, true],
  ['a bounce at once', { lastAt: AT }, true],
  ['quick fingers', { lastAt: AT - 220 }, false],
  ['a press before the last one, after the clock was set back', { lastAt: AT + 50 }, false],
  ['the first line, just shown', { shownAt: AT - 1 }, false],
  ['the next line of the same person, unread', { before: 'same', shownAt: AT - 99 }, true],
  ['the next line of the same person, read', { before: 'same', shownAt: AT - 100 }, false],
  ['the next line of the same person at a light', { before: 'same', shownAt: AT - 1, hasScreen: false }, false],
  ["somebody else's line, unread", { before: 'other', shownAt: AT - 249 }, true],
  ["somebody else's line, read", { before: 'other', shownAt: AT - 250 }, false],
  ["somebody else's line at a light", { before: 'other', shownAt: AT - 249, hasScreen: false }, true],
  ['a line that the device has not reported yet', { before: 'other' }, false],
])('%s', (_, given, early) => {
  expect(isEarly(aPress(given))).toBe(early);
});
