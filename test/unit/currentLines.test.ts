import { beforeEach, expect, test } from 'vitest';
import { createCurrentLines, type CurrentLines } from '../../electron/server/services/commands/currentLines.ts';

const ITEM = 1;
let lines: CurrentLines;
let applied: (() => void)[];
const tx = { apply: (run: () => void) => void applied.push(run) };

beforeEach(() => {
  lines = createCurrentLines({ monotonic: () => 0 });
  applied = [];
  lines.set('Anna', ITEM);
});

/** Runs what waits for the commit to be on disk. */
function commit(): void {
  for (const run of applied) run();
}

test('a line stays current until its end is on disk', () => {
  expect(lines.end(tx, ITEM)).toBe(true);
  expect(lines.find('Anna')?.itemId).toBe(ITEM);
  commit();
  expect(lines.find('Anna')).toBeUndefined();
});

test('a line that the page sets again in the same commit stays current', () => {
  lines.end(tx, ITEM);
  lines.set('Anna', ITEM);
  commit();
  expect(lines.find('Anna')?.itemId).toBe(ITEM);
});

test('a line that still belongs to its picker stays current', () => {
  expect(lines.end(tx, ITEM, ' anna ')).toBe(false);
  expect(applied).toEqual([]);
});
