import { beforeEach, expect, test } from 'vitest';
import { createShownLines, type ShownLines } from '../../../electron/server/services/commands/shownLines.ts';

const DEVICE = '51D000:000001';
const ANNAS = { owner: { kind: 'item', id: 1 }, picker: 'Anna' } as const;
const BENS = { owner: { kind: 'item', id: 2 }, picker: 'Ben' } as const;
const AT = 1_000_000;

let lines: ShownLines;

beforeEach(() => {
  lines = createShownLines();
  lines.shows(DEVICE, ANNAS, AT);
});

/** Returns whose line was shown before Ben's line, which the device has shown since `at`. */
function beforeBens(at: number): string {
  lines.shows(DEVICE, BENS, at);
  return lines.find(DEVICE, BENS.owner).before;
}

test('a line stays on the screen until the device shows other content', () => {
  expect(beforeBens(AT + 60_000)).toBe('other');
});

test.each([
  [3_000, 'other'],
  [3_001, 'none'],
])('%i ms after a press on a line, the previous line is "%s"', (ms, before) => {
  lines.left(DEVICE, ANNAS.owner, AT + 500);
  // The device reports its background only after drawing it.
  lines.clears(DEVICE, AT + 2_000);
  expect(beforeBens(AT + 500 + ms)).toBe(before);
});

test.each([
  [3_000, 'other'],
  [3_001, 'none'],
])('%i ms after the background was shown, the previous line is "%s"', (ms, before) => {
  lines.clears(DEVICE, AT + 500);
  lines.clears(DEVICE, AT + 900);
  expect(beforeBens(AT + 500 + ms)).toBe(before);
});

test('a line that is lit again after the background is not the next line', () => {
  lines.clears(DEVICE, AT + 500);
  lines.shows(DEVICE, ANNAS, AT + 1_000);
  expect(lines.find(DEVICE, ANNAS.owner)).toEqual({ before: 'none', shownAt: AT });
  expect(beforeBens(AT + 60_000)).toBe('other');
});

test('a line that was pressed and is lit again is the next line', () => {
  lines.left(DEVICE, ANNAS.owner, AT + 500);
  lines.shows(DEVICE, ANNAS, AT + 1_000);
  expect(lines.find(DEVICE, ANNAS.owner)).toEqual({ before: 'same', shownAt: AT + 1_000 });
});

test('a line that was lit again but never shown cannot be the previous line a second time', () => {
  lines.left(DEVICE, ANNAS.owner, AT + 500);
  lines.left(DEVICE, ANNAS.owner, AT + 60_000);
  expect(beforeBens(AT + 60_100)).toBe('none');
});

test('a late report counts unless the device has shown another line since', () => {
  lines.showed(DEVICE, BENS, { at: AT - 1, now: AT + 50, leftAt: null });
  expect(lines.find(DEVICE, ANNAS.owner)).toEqual({ before: 'none', shownAt: AT });
  lines.showed(DEVICE, BENS, { at: AT + 100, now: AT + 150, leftAt: null });
  lines.shows(DEVICE, ANNAS, AT + 200);
  expect(lines.find(DEVICE, ANNAS.owner)).toEqual({ before: 'other', shownAt: AT + 200 });
});

test('other content between two lines counts, even if its report is late', () => {
  lines.showedOther(DEVICE, { at: AT - 1, now: AT + 50 });
  expect(lines.find(DEVICE, ANNAS.owner).shownAt).toBe(AT);
  lines.showedOther(DEVICE, { at: AT + 100, now: AT + 150 });
  expect(beforeBens(AT + 200)).toBe('none');
});

test('a late report counts after the clock was set back', () => {
  lines.showed(DEVICE, BENS, { at: AT - 3_600_000, now: AT - 3_599_000, leftAt: null });
  expect(lines.find(DEVICE, BENS.owner).shownAt).toBe(AT - 3_600_000);
});

test('a line that was pressed before the clock was set back is not the previous line', () => {
  lines.left(DEVICE, ANNAS.owner, AT + 500);
  expect(beforeBens(AT - 3_600_000)).toBe('none');
});

test('a late report of a pressed line includes the end of that line', () => {
  lines.showed(
    DEVICE,
    { owner: { kind: 'item', id: 3 }, picker: 'Anna' },
    { at: AT + 100, now: AT + 300, leftAt: AT + 200 },
  );
  expect(beforeBens(AT + 3_201)).toBe('none');
});
