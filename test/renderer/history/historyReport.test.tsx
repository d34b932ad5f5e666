import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HistoryReport } from '#shared/api/historyReport.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { Report } from '../../../renderer/src/features/history/Report.tsx';
import { show, testContext, type Stubs } from '../support.tsx';

const SUMMARY = { from: '2026-11-13T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z', acknowledged: 3 } as HistorySummary;

const report = (given: Partial<HistoryReport> = {}): HistoryReport => ({
  from: SUMMARY.from,
  to: SUMMARY.to,
  lines: 412,
  units: 900,
  short_lines: 3,
  pressed: 400,
  median_seconds: 17,
  people: [
    { picker: 'Anna', lines: 300, units: 700, shorts: 2, median_seconds: 12.5 },
    { picker: '', lines: 112, units: 200, shorts: 1, median_seconds: null },
  ],
  days: [
    { day: '2026-11-20', people: [{ picker: 'Anna', lines: 200, units: 500, shorts: 2 }] },
    {
      day: '2026-11-18',
      people: [
        { picker: '', lines: 112, units: 200, shorts: 1 },
        { picker: 'Anna', lines: 100, units: 200, shorts: 0 },
      ],
    },
  ],
  shorts: [
    {
      sku: 'CT-1',
      name: 'Cable tie',
      lines: 3,
      reasons: [
        { reason: 'missing', lines: 2 },
        { reason: '', lines: 1 },
      ],
    },
  ],
  places: [{ place: 'A-1-1', lines: 40, median_seconds: 31.4 }],
  places_with_few: 2,
  ...given,
});

async function open(given: Partial<HistoryReport> = {}): Promise<unknown[][]> {
  const asked: unknown[][] = [];
  const getHistoryReport: Stubs['getHistoryReport'] = ({ query: { from, to } }) => {
    asked.push([from, to]);
    return Promise.resolve(report(given));
  };
  await act(async () => show(testContext({}, { getHistoryReport }), <Report summary={SUMMARY} />));
  return asked;
}

const linesOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent).join('|'));

test('summarizes in sentences how many lines were picked, how many were short, and the median time', async () => {
  const asked = await open();
  expect(asked).toEqual([[SUMMARY.from, SUMMARY.to]]);
  expect(screen.getByRole('region', { name: 'Report' }).textContent).toContain(
    '412 lines were picked on 2 days. 3 were short. Half of the lines took less than 17 s from light to press.',
  );
});

test('lists people, lines per day, shorts with reasons, and slow places', async () => {
  await open();
  expect(linesOf('People')).toEqual([
    'Person|Lines|Pieces|Short|Half took less than',
    'Anna|300|700|2|13 s',
    'Nobody in particular|112|200|1|too few',
  ]);
  expect(linesOf('Lines per day')).toEqual([
    'Day|Anna|Nobody in particular|All',
    'Fri 20 Nov|200|–|200',
    'Wed 18 Nov|100|112|212',
  ]);
  expect(linesOf('Articles that were short')[1]).toBe('CT-1Cable tie|Missing (2), no reason (1)|3');
  expect(linesOf('Places, slowest first')[1]).toBe('A-1-1|40|31 s');
  expect(screen.getByText('2 places have too few picks for a figure.')).toBeTruthy();
});

test('explains why there are no figures if there are too few picks', async () => {
  const days = report().days.slice(0, 1);
  await open({ lines: 1, short_lines: 1, median_seconds: null, places: [], places_with_few: 1, days });
  expect(
    screen.getByText(/^1 line was picked\. One was short\. Too few lines were confirmed by a press to calculate/),
  ).toBeTruthy();
  expect(screen.queryByRole('table', { name: 'Lines per day' })).toBeNull();
  expect(screen.queryByRole('table', { name: 'Places, slowest first' })).toBeNull();
});

test('without lines, shows no report', async () => {
  await open({ lines: 0 });
  expect(screen.queryByRole('region', { name: 'Report' })).toBeNull();
});

test('says how many earlier days are only in the file, and combines all but six people in one column', async () => {
  const people = Array.from({ length: 8 }, (_, index) => ({
    picker: `P${index}`,
    lines: 80 - index,
    units: 1,
    shorts: 0,
    median_seconds: null,
  }));
  const days = Array.from({ length: 20 }, (_, index) => ({
    day: `2026-10-${String(30 - index).padStart(2, '0')}`,
    people: people.map(({ picker }) => ({ picker, lines: 2, units: 2, shorts: 0 })),
  }));
  await open({ people, days });
  expect(screen.getByText('6 earlier days are in the file.')).toBeTruthy();
  expect(linesOf('Lines per day')[0]).toBe('Day|P0|P1|P2|P3|P4|P5|Others|All');
  expect(linesOf('Lines per day')[1]).toBe('Fri 30 Oct|2|2|2|2|2|2|4|16');
  for (const format of ['CSV', 'Excel']) {
    expect(screen.getAllByRole('button', { name: new RegExp(format) })).toHaveLength(3);
  }
});
