import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { PickerTable } from '../../renderer/src/features/history/PickerTable.tsx';
import { show, testContext } from './support.tsx';

const SUMMARY = { from: 'a', to: 'b', acknowledged: 3 } as HistorySummary;

test('shows the figures of each picker for the period, and no table when nobody picked', async () => {
  const anna = { picker: 'Anna', lines: 12, units: 40, shorts: 1, median_seconds: 9.5 };
  const asked: string[][] = [];
  const loadPickerFigures = (...span: string[]) => {
    asked.push(span);
    return Promise.resolve([anna, { ...anna, picker: 'Ben', median_seconds: null }]);
  };
  const { unmount } = await act(async () =>
    show(testContext({}, { loadPickerFigures }), <PickerTable summary={SUMMARY} />),
  );
  const rows = screen.getAllByRole('row').map((row) => Array.from(row.children, (cell) => cell.textContent).join('|'));
  expect(rows.slice(1)).toEqual(['Anna|12|40|1|9.5 s', 'Ben|12|40|1|–']);
  expect(asked).toEqual([['a', 'b']]);
  unmount();
  await act(async () => show(testContext(), <PickerTable summary={SUMMARY} />));
  expect(screen.queryByRole('table')).toBeNull();
});
