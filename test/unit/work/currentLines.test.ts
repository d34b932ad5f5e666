import { beforeEach, expect, test } from 'vitest';
import { type CurrentLine, type LineOwner, lineToShow } from '../../../electron/server/domain/orders/currentLines.ts';
import type { QueuedCommand } from '../../../electron/server/domain/commands/commandQueue.ts';
import { findWanted } from '../../../electron/server/services/commands/wantedLine.ts';
import { createCurrentLines, type CurrentLines } from '../../../electron/server/services/commands/currentLines.ts';

const ITEM: LineOwner = { kind: 'item', id: 1 };
const OTHER: LineOwner = { kind: 'item', id: 2 };
let lines: CurrentLines;
let applied: (() => void)[];
const tx = { apply: (run: () => void) => void applied.push(run) };
let now = 0;

beforeEach(() => {
  now = 0;
  lines = createCurrentLines({ monotonic: () => now });
  applied = [];
  lines.set('Anna', ITEM);
});

/** Calls the functions that wait until the commit is on disk. */
function commit(): void {
  for (const run of applied) run();
}

test('a line stays current until its end is on disk', () => {
  expect(lines.end(tx, ITEM)).toBe(true);
  expect(lines.find('Anna')?.owner).toEqual(ITEM);
  commit();
  expect(lines.find('Anna')).toBeUndefined();
});

test('a line that the page sets again in the same commit stays current', () => {
  lines.end(tx, ITEM);
  lines.set('Anna', ITEM);
  commit();
  expect(lines.find('Anna')?.owner).toEqual(ITEM);
});

test('a line that still belongs to its picker stays current', () => {
  expect(lines.end(tx, ITEM, ' anna ')).toBe(false);
  expect(applied).toEqual([]);
});

test('setting the same line again changes neither its start nor its arrival time', () => {
  now = 1_000;
  lines.arrive('Anna', ITEM);
  now = 2_000;
  lines.set('Anna', ITEM);
  expect(lines.find('Anna')).toMatchObject({ since: 0, arrivedAt: 1_000, namedAt: 2_000 });
  lines.set('Anna', OTHER);
  expect(lines.find('Anna')).toMatchObject({ since: 2_000, arrivedAt: null });
});

const line = (id: number, since: number, arrivedAt: number | null = null): CurrentLine => {
  return { picker: `Picker ${id}`, owner: { kind: 'item', id }, since, namedAt: since, arrivedAt };
};

test.each<[string, CurrentLine[], number | null, number | undefined]>([
  ['nothing without current lines', [], 7, undefined],
  ["the earliest current line rather than nobody's work", [line(2, 20), line(1, 10)], 7, 1],
  ['nothing if a current line is shown', [line(1, 10), line(2, 20)], 2, undefined],
  ['an arrived line rather than an earlier current line', [line(1, 10), line(2, 20, 30)], 1, 2],
  ['the line that arrived first', [line(1, 10, 40), line(2, 20, 30)], 7, 2],
  [
    'nothing if an arrived line is shown, even if a different one arrived earlier',
    [line(1, 10, 40), line(2, 20, 30)],
    1,
    undefined,
  ],
  [
    'a newly arrived line if the arrival of the shown line is over a minute old',
    [line(1, 10, 30), line(2, 20, -60_000)],
    2,
    1,
  ],
])('a device changes to %s', (_, current, shown, wanted) => {
  expect(lineToShow(current, shown === null ? null : { kind: 'item', id: shown }, 100)?.id).toBe(wanted);
});

test('a pick of a batch is not the item with the same id', () => {
  const pick: LineOwner = { kind: 'pick', id: ITEM.id };
  expect(lines.isCurrent(ITEM, ' anna ')).toBe(true);
  expect(lines.isCurrent(pick, 'Anna')).toBe(false);
  expect(lineToShow([line(ITEM.id, 10)], pick, 100)).toEqual(ITEM);
});

test.each([
  ['changes for an arrived picker', 1, 'Anna', 'of item 1'],
  ['does not change without buttons', 0, 'Anna', undefined],
  ['does not change for a line that now belongs to another picker', 1, 'Ben', undefined],
])('the order of work at a device %s', (_, buttons, picker, wanted) => {
  const command = (id: number) => ({ id: `of item ${id}`, deviceId: 'D', owner: { kind: 'item', id } });
  // Contains only what findWanted reads.
  const repositories = {
    commands: { findByOwner: ({ id }: { id: number }) => command(id) },
    devices: { find: () => ({ buttons }) },
  } as unknown as Parameters<typeof findWanted>[0]['repositories'];
  const context = { repositories, currentLines: lines, ownerPicker: () => picker };
  const head = command(2) as unknown as QueuedCommand;
  expect(findWanted(context, 'D', head)?.id).toBe(wanted);
});
