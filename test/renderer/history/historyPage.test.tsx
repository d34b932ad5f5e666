import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HISTORY_KINDS, type HistoryEntry } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { HistoryPage } from '../../../renderer/src/features/history/HistoryPage.tsx';
import { bucketSpan, endWords } from '../../../renderer/src/features/history/pastWords.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { past, timeline } from '../frame/panelSupport.tsx';
import { device, show, station, testContext, type Stubs } from '../support.tsx';

const ID = '51D000:000001';
const NOW = new Date(2026, 10, 20, 14, 0, 0).getTime();

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000).toISOString();

function entry(id: number, given: Partial<HistoryEntry> = {}): HistoryEntry {
  const happened = {
    at: at(1_000 - id),
    shown_at: at(1_004.2 - id),
    deviceid: ID,
    sequenceid: null,
    batch_id: null,
    reason: '',
    item_id: null,
    item: null,
    order_number: null,
  };
  return past(String(id), { ...happened, location: 'A-1', ...given });
}

/** Returns this many entries, newest first. */
const entries = (count: number) => Array.from({ length: count }, (_, place) => entry(count - place));

function summary(given: Partial<HistorySummary> = {}): HistorySummary {
  const from = new Date(2026, 10, 20).getTime();
  const buckets = Array.from({ length: 24 }, (_, hour) => ({
    at: new Date(from + hour * 3_600_000).toISOString(),
    acknowledged: hour === 9 ? 42 : 0,
    timed_out: hour === 10 ? 3 : 0,
    picks_per_hour: hour === 9 ? 42 : 0,
    median_ms: hour === 9 ? 4_200 : null,
    p95_ms: hour === 9 ? 65_000 : null,
  }));
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + 86_400_000).toISOString(),
    bucket_seconds: 3_600,
    entries: 45,
    acknowledged: 42,
    timed_out: 3,
    killed: 0,
    replaced: 0,
    late: 0,
    calls: 0,
    qty: 90,
    picks_per_hour: 3,
    timeout_share: 3 / 45,
    timed: 42,
    median_ms: 4_200,
    p95_ms: 65_000,
    buckets,
    ...given,
  };
}

type Asked = Parameters<Stubs['listHistory']>[0]['query'];

async function open(path: string, calls: Partial<Stubs> = {}, all: HistoryEntry[] = entries(3)) {
  window.history.replaceState(null, '', path);
  const asked: Asked[] = [];
  const counted: object[] = [];
  const context = testContext(
    { station: station(device(ID, { locationoverride: 'A-1' })), connection: { kind: 'live' } },
    {
      listHistory({ query }) {
        asked.push(query);
        const from = query.after === undefined ? 0 : all.findIndex(({ id }) => id === query.after) + 1;
        return Promise.resolve(all.slice(from, from + (query.limit ?? 100)));
      },
      summarizeHistory({ query }) {
        counted.push(query);
        return Promise.resolve(summary());
      },
      listPickers: () => Promise.resolve(['Ben', 'Paula'].map((name) => ({ name, color: null, orders: [] }))),
      getTimeline: ({ path: { command_id: id } }) =>
        Promise.resolve(timeline(id, { deviceid: ID, state: 'acknowledged', location: 'A-1' })),
      ...calls,
    },
  );
  await act(async () => show(context, <HistoryPage />));
  return { context, asked, counted, all };
}

const list = () => screen.getByRole('grid', { name: 'Events, newest first' });
const rows = () => within(list()).getAllByRole('row').slice(1);
function row(place: number): HTMLElement {
  const found = rows()[place];
  if (found === undefined) throw new Error(`There is no row ${place}.`);
  return found;
}
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

test("shows today's entries with place, content, result, duration and quantity", async () => {
  const { asked, counted } = await open('/history', {}, [
    entry(3, { order_number: '4711', nonce: 'n-3', qty: 4 }),
    entry(2, { kind: 'timedOut', by: '', qty: 0, delivery: 'unreachable' }),
    entry(1, { kind: 'late', command_id: null, command: null, lines: [], quantity: null, sender: '', by: '', qty: 0 }),
  ]);
  const midnight = new Date(2026, 10, 20).toISOString();
  const end = new Date(2026, 10, 21).toISOString();
  expect(asked).toEqual([{ from: midnight, to: end, limit: 100 }]);
  expect(counted).toEqual([{ from: midnight, to: end }]);
  const words = rows().map((row) =>
    within(row)
      .getAllByRole('gridcell')
      .map((cell) => cell.textContent),
  );
  expect(words[0]?.slice(1)).toEqual([
    `A-1${ID}`,
    expect.stringMatching(/5 × Part 3order 4711 · nonce n-3 · from erp/) as string,
    'Acknowledgedby the device',
    '4.2 s',
    '4 of 5',
    '',
  ]);
  expect(words[1]?.slice(3)).toEqual(['Timed outoffline', '', '', '']);
  expect(words[2]?.[3]).toBe('Late press');
  expect(within(row(2)).queryByRole('link')).toBeNull();
});

test('says “instead of” for a corrected quantity, but not for a short', async () => {
  const short = (before: number, qty: number, kind: HistoryEntry['kind'] = 'order_short') => {
    const item = { id: 7, name: 'Fuse 10 A', before };
    return entry(before + qty + 1, {
      kind,
      nonce: 'item_1',
      command_id: null,
      command: null,
      lines: [],
      quantity: null,
      item,
      qty,
      reason: 'wrong_item',
    });
  };
  await open('/history', {}, [short(2, 6, 'order_corrected'), short(1, 3), short(0, 2)]);
  expect(row(0).textContent).toContain('Wrong article');
  expect(row(0).textContent).toContain('Fuse 10 A: 6 instead of 2');
  expect(row(1).textContent).toContain('Fuse 10 A: 3, previously 1');
  expect(row(2).textContent).toMatch(/Fuse 10 A: 2(?!,)/);
  for (const index of [1, 2]) expect(row(index).textContent).not.toContain('instead');
  expect(row(0).textContent).not.toContain('nonce');
});

test('applies the filters in the address to the request and the filter fields', async () => {
  const { asked, counted } = await open(
    `/history?range=between&from=2026-11-19T08:00:00.000Z&to=2026-11-19T09:00:00.000Z&result=away&device=${ID}&order=47&sequence=aisle&batch=7`,
  );
  const where = {
    from: '2026-11-19T08:00:00.000Z',
    to: '2026-11-19T09:00:00.000Z',
    deviceid: ID,
    order_number: '47',
    sequenceid: 'aisle',
    batch: 7,
  };
  expect(asked[0]).toEqual({ ...where, kind: 'killed,replaced', limit: 100 });
  // The figures ignore the result filter, because fractions of a single result would be meaningless.
  expect(counted[0]).toEqual(where);
  expect(screen.getByRole('radio', { name: 'Between…' }).getAttribute('aria-checked')).toBe('true');
  expect(screen.getByRole('button', { name: /Result/ }).textContent).toContain('Removed or replaced');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Device' }).value).toBe(`A-1 · ${ID}`);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Order' }).value).toBe('47');
});

test('writes a typed filter to the address after a pause, and “Clear filters” removes it', async () => {
  const { asked } = await open('/history');
  fireEvent.change(screen.getByRole('textbox', { name: 'Order' }), { target: { value: '4711' } });
  expect(window.location.search).toBe('');
  await wait(500);
  expect(window.location.search).toBe('?order=4711');
  expect(asked.at(-1)).toMatchObject({ order_number: '4711' });
  await act(async () => fireEvent.click(screen.getByRole('radio', { name: '7 days' })));
  expect(window.location.search).toBe('?range=week&order=4711');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Clear filters' })));
  expect(window.location.search).toBe('?range=week');
  expect(asked.at(-1)?.order_number).toBeUndefined();
});

test('the person filter lists people, and also an unknown name from the address', async () => {
  const { asked, counted } = await open('/history?person=erp');
  expect(asked.at(-1)).toMatchObject({ by: 'erp' });
  expect(counted.at(-1)).toMatchObject({ by: 'erp' });
  const field = screen.getByRole('button', { name: /Person/ });
  expect(field.textContent).toContain('erp');
  await act(async () => fireEvent.click(field));
  const choices = screen.getAllByRole('option').map((option) => option.textContent);
  expect(choices).toEqual(['Any', 'Ben', 'Paula', 'erp']);
  await act(async () => fireEvent.click(screen.getByRole('option', { name: 'Paula' })));
  expect(window.location.search).toBe('?person=Paula');
  expect(asked.at(-1)).toMatchObject({ by: 'Paula' });
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Clear filters' })));
  expect(window.location.search).toBe('');
  expect(asked.at(-1)?.by).toBeUndefined();
});

test.each(['', '?result=late', '?person=Ben', '?device=A-1', '?order=7', '?sequence=S', '?batch=7'])(
  'shows the report only if it can apply all filters in the address: %s',
  async (filter) => {
    const getHistoryReport = vi.fn<Stubs['getHistoryReport']>(() => new Promise(() => undefined));
    await open(`/history${filter}`, { getHistoryReport });
    expect(getHistoryReport.mock.calls.length > 0).toBe(filter === '' || filter === '?result=late');
  },
);

test('shows on whose behalf somebody acted', async () => {
  await open('/history', {}, [entry(2, { by: 'erp', for: 'Paula' }), entry(1, { by: 'Ben' })]);
  expect(row(0).textContent).toContain('by erp for Paula');
  expect(row(1).textContent).toContain('by Ben');
  expect(row(1).textContent).not.toContain('by Ben for');
});

test('finds a device by its label, and a removed device by its DeviceID', async () => {
  const { asked } = await open('/history');
  const field = screen.getByRole('combobox', { name: 'Device' });
  await act(async () => fireEvent.change(field, { target: { value: 'a-' } }));
  expect(window.location.search).toBe('');
  await act(async () => fireEvent.change(field, { target: { value: 'a-1' } }));
  expect(asked.at(-1)?.deviceid).toBe(ID);
  await act(async () => fireEvent.change(field, { target: { value: '51d000:00000f' } }));
  expect(asked.at(-1)?.deviceid).toBe('51D000:00000F');
  await act(async () => fireEvent.change(field, { target: { value: '' } }));
  expect(asked.at(-1)?.deviceid).toBeUndefined();
});

test('a weekly chart ends on the last day of its period, even within a week', () => {
  const buckets = [2, 9].map(
    (day) => ({ at: new Date(2026, 10, day).toISOString() }) as HistorySummary['buckets'][number],
  );
  const weeks = summary({ buckets, bucket_seconds: 7 * 86_400, to: new Date(2026, 10, 16).toISOString() });
  expect(endWords(weeks)).toBe('15 Nov');
  expect(buckets.map((bucket) => bucketSpan(bucket, weeks))).toEqual(['2 Nov to 8 Nov', '9 Nov to 15 Nov']);
  // The last week is incomplete.
  expect(endWords({ ...weeks, to: new Date(2026, 10, 12).toISOString() })).toBe('11 Nov');
});

test('shows the figures as text, as a chart with a text alternative, and as a table to choose a period from', async () => {
  await open('/history');
  const figures = screen.getByRole('region', { name: 'Figures' });
  expect(figures.textContent).toContain('42 presses · busiest: 42 per hour, 09:00');
  expect(figures.textContent).toContain('4.2 s half of them within');
  expect(figures.textContent).toContain('19 of 20 within 1:05 min');
  expect(figures.textContent).toContain('6.7 %');
  expect(figures.textContent).toContain('3 of 45');
  const drawing = within(figures).getByRole('img', { name: /^Presses per hour, from 09:00 to 11:00/ });
  expect(drawing.querySelectorAll('rect')).toHaveLength(1);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show table' })));
  const table = screen.getByRole('table', { name: 'Figures by time' });
  // Hours without work have no row.
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  const line = within(table).getAllByRole('row')[1];
  expect(line?.textContent).toBe('09:00 to 10:0042424.2 s1:05 min0');
  await act(async () => fireEvent.click(within(table).getByRole('button', { name: 'Only 09:00 to 10:00' })));
  const chosen = new URLSearchParams(window.location.search);
  expect(chosen.get('range')).toBe('between');
  expect(chosen.get('from')).toBe(new Date(2026, 10, 20, 9).toISOString());
  expect(chosen.get('to')).toBe(new Date(2026, 10, 20, 10).toISOString());
});

test('with fewer than twenty presses, says so and shows no rates', async () => {
  const few = { acknowledged: 19, timed: 19, timed_out: 0, timeout_share: 0, picks_per_hour: 950 };
  await open('/history', { summarizeHistory: () => Promise.resolve(summary(few)) });
  const figures = screen.getByRole('region', { name: 'Figures' });
  expect(within(figures).getAllByText('too few presses to say')).toHaveLength(3);
  expect(figures.textContent).toContain('19 presses');
  expect(figures.textContent).not.toMatch(/950|half of them within|busiest/);
  // A chart of so few presses would be misleading, so none is shown.
  expect(within(figures).queryAllByRole('img')).toEqual([]);
});

test('a row opens its timeline next to the list, and the address keeps the filters', async () => {
  await open('/history?range=week');
  const link = within(row(1)).getByRole('link');
  await act(async () => fireEvent.click(link));
  expect(window.location.pathname + window.location.search).toBe('/history/2?range=week');
  const pane = screen.getByRole('region', { name: 'Details of this command' });
  expect(within(pane).getByRole('heading', { name: 'A-1' })).toBeTruthy();
  expect(within(pane).getByText('Requested', { exact: false })).toBeTruthy();
  expect(within(pane).getByRole('link', { name: 'Open the device' }).getAttribute('href')).toBe(`/today?device=${ID}`);
  await act(async () => fireEvent.keyDown(document.body, { key: 'Escape' }));
  expect(window.location.pathname + window.location.search).toBe('/history?range=week');
});

test('entries link to their order or sequence, unless it was removed', async () => {
  const none: Partial<HistoryEntry> = {
    command_id: null,
    command: null,
    lines: [],
    quantity: null,
    sender: '',
    by: '',
    qty: 0,
  };
  const openTimeline = vi.fn<Stubs['getTimeline']>(({ path: { command_id: id } }) =>
    Promise.resolve(timeline(id, { deviceid: ID, command: { ...timeline(id).command, order_number: '47/11' } })),
  );
  await open('/history?order=47/11', { getTimeline: openTimeline }, [
    entry(4, { order_number: '47/11' }),
    entry(3, { ...none, kind: 'sequence_stalled', sequenceid: 'kit 2', deviceid: '', location: '' }),
    entry(2, { ...none, kind: 'order_removed', order_number: '47/11', deviceid: '', location: '' }),
    entry(1),
  ]);
  const leadsTo = rows().map((each) =>
    within(each)
      .queryAllByRole('link', { name: /^Open / })
      .map((link) => link.getAttribute('href')),
  );
  expect(leadsTo).toEqual([['/orders/47%2F11'], ['/connections/sequences/kit%202'], [], []]);
  expect(row(1).textContent).toMatch(/kit 2Sequence stalled$/);
  expect(screen.getByRole('link', { name: 'Order 47/11' }).getAttribute('href')).toBe('/orders/47%2F11');
  await act(async () => fireEvent.click(within(row(0)).getByRole('link', { name: '5 × Part 4' })));
  const pane = screen.getByRole('region', { name: 'Details of this command' });
  expect(within(pane).getByRole('link', { name: 'Order 47/11' }).getAttribute('href')).toBe('/orders/47%2F11');
});

test('the filter for orders, sequences and batches requests every kind of entry about them', async () => {
  const { asked } = await open('/history?result=work');
  const kinds = asked[0]?.kind?.split(',') ?? [];
  expect(kinds.toSorted()).toEqual(HISTORY_KINDS.filter((kind) => /^(order|sequence|batch)_/.test(kind)).toSorted());
});

test('filters by batch number, and entries show the batch, its cart and the slot', async () => {
  const none: Partial<HistoryEntry> = {
    command_id: null,
    command: null,
    lines: [],
    quantity: null,
    sender: '',
    by: '',
  };
  const where = { deviceid: '', location: '' };
  const { asked } = await open('/history', {}, [
    entry(3, { ...none, ...where, kind: 'batch_launched', batch: { id: 7, name: 'Cart 1', slot: null } }),
    entry(2, {
      ...none,
      ...where,
      kind: 'order_loaded',
      order_number: '47',
      batch: { id: 7, name: 'Cart 1', slot: 'A1' },
    }),
    entry(1, { order_number: null, batch: { id: 7, name: '', slot: null } }),
  ]);
  expect(row(0).textContent).toContain('Batch 7');
  expect(
    within(row(0))
      .getByRole('link', { name: /^Open / })
      .getAttribute('href'),
  ).toMatch(/\/7$/);
  expect(row(1).textContent).toContain('47batch 7, Cart 1, A1Order loaded');
  expect(row(2).textContent).toContain('batch 7');
  fireEvent.change(screen.getByRole('textbox', { name: 'Batch' }), { target: { value: 'batch 12' } });
  await wait(500);
  expect(window.location.search).toBe('?batch=12');
  expect(asked.at(-1)).toMatchObject({ batch: 12 });
  fireEvent.change(screen.getByRole('textbox', { name: 'Batch' }), { target: { value: 'Cart' } });
  await wait(500);
  expect(window.location.search).toBe('');
});

test('reports an unknown command', async () => {
  await open('/history/999', {
    getTimeline: () => Promise.reject(new ApiError('not_found', 'There is no command 999.')),
  });
  expect(screen.getByRole('heading', { name: 'Command not found' })).toBeTruthy();
});

test('shows new entries at the top, each once', async () => {
  const { context, all, asked } = await open('/history');
  await wait(1_500);
  const before = asked.length;
  all.unshift(entry(4));
  const { station: known } = context.store.getState();
  if (known === null) throw new Error('There is no station.');
  act(() => context.store.setState({ station: { ...known, revision: known.revision + 1 } }));
  await wait(1_500);
  expect(asked).toHaveLength(before + 1);
  expect(rows().map((row) => within(row).getByRole('link').textContent)).toEqual([
    '5 × Part 4',
    '5 × Part 3',
    '5 × Part 2',
    '5 × Part 1',
  ]);
});

test('does not reload a past period', async () => {
  const { context, asked } = await open('/history?range=between&from=2026-11-19T08:00:00.000Z&to=2026-11-19T09:00:00Z');
  const { station: known } = context.store.getState();
  if (known === null) throw new Error('There is no station.');
  act(() => context.store.setState({ station: { ...known, revision: known.revision + 1 } }));
  await wait(10_000);
  expect(asked).toHaveLength(1);
});

test('draws only the visible rows, and loads older entries on request', async () => {
  const { asked } = await open('/history', {}, entries(250));
  expect(asked).toHaveLength(1);
  expect(rows().length).toBeLessThan(40);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Show older' })));
  expect(asked[1]).toMatchObject({ after: '151', limit: 100 });
});

test.each([
  ['/history?range=all', 'No history yet'],
  ['/history', 'Nothing in this period'],
  ['/history?order=4711', 'No entry matches'],
])('without entries, %s explains why', async (path, words) => {
  await open(path, {}, []);
  expect(screen.getByRole('heading', { name: words })).toBeTruthy();
});

test('if the history cannot be loaded, shows an error and can retry', async () => {
  let fails = true;
  const failing = () => Promise.reject(new ApiError('unreachable', 'The station did not answer.'));
  await open('/history', {
    listHistory: () => (fails ? failing() : Promise.resolve([])),
    summarizeHistory: () => (fails ? failing() : Promise.resolve(summary())),
  });
  expect(screen.getByRole('heading', { name: 'The history could not be loaded' })).toBeTruthy();
  expect(screen.getByText(/The figures could not be loaded/).textContent).toContain('The station did not answer.');
  fails = false;
  for (const again of screen.getAllByRole('button', { name: 'Try again' })) {
    await act(async () => fireEvent.click(again));
  }
  expect(screen.getByRole('heading', { name: 'Nothing in this period' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Figures' })).toBeTruthy();
});

test('if the end is before the start, says so at the fields and sends no requests', async () => {
  const { asked, counted } = await open('/history?range=between&from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z');
  expect(screen.getByRole('alert').textContent).toBe('The end is before the start.');
  expect([...asked, ...counted]).toEqual([]);
});
