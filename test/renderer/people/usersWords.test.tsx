import { expect, test } from 'vitest';
import { makePassword, PASSWORD_WORDS } from '../../../renderer/src/features/people/NewPasswordField.tsx';
import { agoWords, dayTitle, untilWords } from '../../../renderer/src/words/moments.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const MINUTE = 60_000;
const DAY = 86_400_000;

test('formats elapsed time in words', () => {
  const ago = [0, 59_999, MINUTE, 59 * MINUTE, 60 * MINUTE, DAY - 1, DAY, 13 * DAY, 14 * DAY, -MINUTE];
  expect(ago.map((ms) => agoWords(NOON - ms, NOON))).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    '1 day ago',
    '13 days ago',
    'on 6 November 2026',
    'just now',
  ]);
});

test('a time on another day includes the date', () => {
  expect(untilWords(NOON + 90 * MINUTE, NOON)).toBe('13:30');
  expect(untilWords(NOON + 7 * DAY, NOON)).toBe('27 November, 12:00');
  expect([0, DAY, 2 * DAY, 400 * DAY].map((ms) => dayTitle(NOON - ms, NOON))).toEqual([
    'Today',
    'Yesterday',
    'Wednesday, 18 November',
    'Thursday, 16 October 2025',
  ]);
});

test('maps every random byte to a word or a character, and uses no ambiguous characters', () => {
  expect(new Set(PASSWORD_WORDS).size).toBe(256);
  const rising = (bytes: Uint8Array) => bytes.set(bytes.map((_, index) => index * 51));
  expect(makePassword('words', rising)).toBe([0, 51, 102, 153, 204].map((at) => PASSWORD_WORDS[at]).join('-'));
  const signs = new Set(
    Array.from({ length: 256 }, (_, byte) => makePassword('random', (bytes) => bytes.fill(byte))[0]),
  );
  expect(signs.size).toBe(32);
  expect([...signs].filter((sign) => /[01lo]/.test(sign ?? ''))).toEqual([]);
  expect(makePassword('random', rising)).toHaveLength(16);
});
