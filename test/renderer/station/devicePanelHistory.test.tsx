import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import { stepTimes } from '../../../renderer/src/shop/timeline/stepTimes.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT, button, ID, openTab, past, press, queued, showPanel, tell, timeline } from '../frame/panelSupport.tsx';
import { device, type Stubs } from '../support.tsx';

const idle = device(ID, { locationoverride: 'A-3-2' });
const rows = () => screen.getAllByRole('listitem').map((item) => item.textContent ?? '');

/** Fakes a station whose history has `count` finished commands, newest first: 100, 99, … */
function stationWith(count: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, place) => past(String(100 - place)));
}

function loader(all: readonly HistoryEntry[]) {
  const listHistory: Stubs['listHistory'] = ({ query: { limit = 25, after } }) => {
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return Promise.resolve(all.slice(from, from + limit));
  };
  return listHistory;
}

describe('the history of a device', () => {
  test('loads page by page, newest first, each row once', async () => {
    await showPanel([idle], { listHistory: loader(stationWith(60)) });
    await openTab('History');
    expect(rows()).toHaveLength(25);
    await press(button('Show older'));
    expect(rows()).toHaveLength(50);
    await press(button('Show older'));
    expect(rows()).toHaveLength(60);
    expect(rows()[0]).toContain('5 × Part 100');
    expect(rows()[59]).toContain('5 × Part 41');
    expect(screen.getByText('No more entries.')).toBeTruthy();
  });

  test('shows how each command ended, who ended it and who requested it', async () => {
    const entries = [
      past('3', { kind: 'timedOut', by: '', qty: 0, delivery: 'unreachable', shown_at: null }),
      past('2', { kind: 'call', command_id: null, command: null, lines: [], quantity: null, sender: '', by: '' }),
      past('1'),
    ];
    await showPanel([idle], { listHistory: loader(entries) });
    await openTab('History');
    expect(rows()[0]).toContain('Timed out · offline · from erp');
    expect(rows()[1]).toContain('Call');
    expect(rows()[2]).toContain('Acknowledged · 5 counted · by the device · from erp');
  });

  test('a row opens the timeline of its command', async () => {
    await showPanel([idle], {
      listHistory: loader([past('2'), past('1', { command_id: null })]),
      getTimeline: ({ path: { command_id: id } }) =>
        Promise.resolve(timeline(id, { steps: [{ at: AT, kind: 'killed', by: 'eva' }] })),
    });
    await openTab('History');
    await press(button(/^Blinking|Part 2/));
    expect(screen.getByText('eva').parentElement?.textContent).toBe('Removed by eva');
    expect(button(/Part 2/).getAttribute('aria-expanded')).toBe('true');
    expect(screen.queryByRole('button', { name: /Part 1/ })).toBeNull();
  });

  test('shows a command that has just ended at the top, and keeps the loaded rows', async () => {
    const all = stationWith(30);
    const { context } = await showPanel([{ ...idle, commands: [queued('101')] }], {
      listHistory: (...asked) => loader(all)(...asked),
    });
    await openTab('History');
    await press(button('Show older'));
    all.unshift(past('101', { kind: 'killed' }));
    await tell(context, { type: 'command.killed', deviceid: ID, command_id: '101', at: AT, qty: 0, by: 'eva' });
    expect(rows()).toHaveLength(31);
    expect(rows()[0]).toContain('Part 101');
  });

  test('a history that cannot be loaded shows an error and can be retried', async () => {
    let fails = true;
    await showPanel([idle], {
      listHistory: () =>
        fails ? Promise.reject(new ApiError('storage', 'The disk is full.')) : Promise.resolve([past('1')]),
    });
    await openTab('History');
    expect(screen.getByText(/The history could not be loaded\. The disk is full\./)).toBeTruthy();
    fails = false;
    await press(button('Try again'));
    expect(rows()).toHaveLength(1);
  });

  test('a device without history shows a message', async () => {
    await showPanel([idle]);
    await openTab('History');
    expect(screen.getByText('No history yet')).toBeTruthy();
  });
});

describe('the times of steps', () => {
  const at = (text: string) => new Date(`2026-11-20T${text}`).getTime();

  test("clock times omit the part that equals the previous step's time", () => {
    expect(stepTimes([at('14:02:11.204'), at('14:02:11.206'), at('14:02:12.001')], 'clock')).toEqual([
      '14:02:11.204',
      '.206',
      '14:02:12.001',
    ]);
  });

  test('times since the first step include minutes and hours, and are negative if the clock was set back', () => {
    const first = at('14:00:00.000');
    const times = [first, first + 1_477, first + 61_005, first + 3_600_000, first - 20];
    expect(stepTimes(times, 'since')).toEqual(['+0.000 s', '+1.477 s', '+1:01.005', '+1:00:00.000', '\u22120.020 s']);
  });
});
