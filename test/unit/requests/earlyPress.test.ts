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
  ['an immediate bounce', { lastAt: AT }, true],
  ['a quick second press', { lastAt: AT - 220 }, false],
  ['a press with a time before the last one, after the clock was set back', { lastAt: AT + 50 }, false],
  ['a first line that was just shown', { shownAt: AT - 1 }, false],
  ['the next line of the same person, unread', { before: 'same', shownAt: AT - 99 }, true],
  ['the next line of the same person, read', { before: 'same', shownAt: AT - 100 }, false],
  [
    'the next line of the same person on a device without a screen',
    { before: 'same', shownAt: AT - 1, hasScreen: false },
    false,
  ],
  ["another person's line, unread", { before: 'other', shownAt: AT - 249 }, true],
  ["another person's line, read", { before: 'other', shownAt: AT - 250 }, false],
  [
    "another person's line on a device without a screen",
    { before: 'other', shownAt: AT - 249, hasScreen: false },
    true,
  ],
  ['a line that the device has not reported yet', { before: 'other' }, false],
])('%s', (_, given, early) => {
  expect(isEarly(aPress(given))).toBe(early);
});
