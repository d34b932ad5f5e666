import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Task } from '#shared/api/task.ts';
import type { Movement } from '#shared/api/stock.ts';
import { ArticlesPage } from '../../../renderer/src/features/articles/ArticlesPage.tsx';
import { HistoryPage } from '../../../renderer/src/features/history/HistoryPage.tsx';
import { StockFigures } from '../../../renderer/src/features/station/StockFigures.tsx';
import { AT, userOf } from '../../helpers/snapshots.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { article, fill, place, send } from './articlesSupport.tsx';

function task(id: number, kind: Task['kind'], given: Partial<Task> = {}): Task {
  const place = { SKU: 'CT-200', location: 'A-1-1', deviceid: '', quantity: null };
  const state = { state: 'open', created: AT, by: 'device', order: null, overdue: false, ended: null, ended_by: null };
  return { id, kind, ...place, ...state, ...given } as Task;
}

const TASKS = [
  task(1, 'replenish', { quantity: 60, overdue: true }),
  task(2, 'count', { location: 'B-2' }),
  task(3, 'put_back', { quantity: 2, order: 'SO-1' }),
];

async function open(
  page: React.ReactNode,
  path: string,
  calls: Partial<Stubs>,
  scope: 'admin' | 'control' | 'picker' | 'read' = 'admin',
) {
  window.history.replaceState(null, '', path);
  await act(async () => {
    show(testContext({ station: { ...station(), user: userOf('Ann', scope) } }, calls), page);
  });
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const texts = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].slice(0, 4).map(({ textContent }) => textContent?.trim()));

test('the Articles page lists open tasks, and can complete one with the quantity brought', async () => {
  const finishTask = vi.fn(() => Promise.resolve(task(1, 'replenish', { state: 'done' })));
  const listTasks = vi.fn(() => Promise.resolve(TASKS));
  await open(<ArticlesPage />, '/articles?show=tasks', { listTasks, finishTask });
  expect(listTasks).toHaveBeenCalledWith({ query: { state: 'open' } });
  expect(texts()).toEqual([
    ['Fill upOverdue', 'CT-200', 'A-1-1', '60'],
    ['Count', 'CT-200', 'B-2', '–'],
    ['Return', 'CT-200 from order SO-1', 'A-1-1', '2'],
  ]);
  await press('Done: Fill up CT-200 A-1-1');
  const from = screen.getByRole('combobox', { name: /From another place/ });
  await act(async () => fireEvent.change(from, { target: { value: 'Reserve 4' } }));
  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Done: Fill up CT-200 A-1-1' })));
  expect(finishTask).toHaveBeenCalledWith({ path: { id: 1 }, body: { quantity: 60, from: 'Reserve 4' } });
});

test('a count task can be completed only with a number, and can be dismissed', async () => {
  const finishTask = vi.fn(() => Promise.reject(new Error('It was sent without a number.')));
  const dismissTask = vi.fn(() => Promise.resolve(task(2, 'count', { state: 'dismissed' })));
  const calls = { listTasks: () => Promise.resolve(TASKS), finishTask, dismissTask };
  await open(<ArticlesPage />, '/articles?show=tasks', calls);
  await press('Done: Count CT-200 B-2');
  await act(async () => fireEvent.submit(screen.getByRole('form', { name: 'Done: Count CT-200 B-2' })));
  expect(screen.getByText('Enter a whole number, 0 or more.')).toBeTruthy();
  expect(finishTask).not.toHaveBeenCalled();
  await press('Cancel');
  await press('Dismiss: Count CT-200 B-2');
  expect(dismissTask).toHaveBeenCalledWith({ path: { id: 2 } });
});

test('a count task is refused if pieces were picked since its dialog opened, and shows the new stock', async () => {
  let onHand = 10;
  const finishTask = vi.fn<Stubs['finishTask']>(({ body: { was } }) =>
    was === onHand
      ? Promise.resolve(task(2, 'count', { state: 'done' }))
      : Promise.reject(new ApiError('outdated', 'The stock at B-2 is now 8 instead of 10.')),
  );
  const getArticle = async () => article('CT-200', { places: [place('b-2', { on_hand: onHand })] });
  await open(<ArticlesPage />, '/articles?show=tasks', {
    listTasks: () => Promise.resolve(TASKS),
    finishTask,
    getArticle,
  });
  await press('Done: Count CT-200 B-2');
  expect(screen.getByText('10 expected')).toBeTruthy();
  await fill(/^Pieces there/, '10');
  onHand = 8;
  await send('Done: Count CT-200 B-2');
  expect(screen.getByText('The stock has changed to 8. Count again, then book.')).toBeTruthy();
  await send('Done: Count CT-200 B-2');
  expect(finishTask.mock.calls.map(([{ body }]) => body)).toEqual([
    { quantity: 10, was: 10 },
    { quantity: 10, was: 8 },
  ]);
});

test('a double click on Dismiss does not dismiss the next task, which has moved under the pointer', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  onTestFinished(() => now.mockRestore());
  let open: readonly Task[] = TASKS;
  const dismissed: unknown[] = [];
  const context = testContext(
    { station: { ...station(), user: userOf('Ann', 'admin') } },
    {
      listTasks: async () => [...open],
      async dismissTask({ path: { id } }) {
        dismissed.push(id);
        open = open.filter((each) => each.id !== Number(id));
        return task(Number(id), 'count', { state: 'dismissed' });
      },
    },
  );
  window.history.replaceState(null, '', '/articles?show=tasks');
  await act(async () => void show(context, <ArticlesPage />));
  await press('Dismiss: Count CT-200 B-2');
  await act(async () => context.queries.refresh(['tasks', 'open']));
  expect(texts()).toHaveLength(2);
  await press('Dismiss: Return CT-200 A-1-1');
  expect(dismissed).toEqual([2]);
  now.mockReturnValue(1_000_300);
  await press('Dismiss: Return CT-200 A-1-1');
  expect(dismissed).toEqual([2, 3]);
});

test.each([
  ['control', 3, 3],
  ['picker', 3, 0],
  ['read', 3, 0],
] as const)(
  'shows the role %s buttons to complete %i and dismiss %i of three tasks',
  async (scope, done, dismissed) => {
    await open(<ArticlesPage />, '/articles?show=tasks', { listTasks: () => Promise.resolve(TASKS) }, scope);
    expect(screen.queryAllByRole('button', { name: /^Done: / })).toHaveLength(done);
    expect(screen.queryAllByRole('button', { name: /^Dismiss: / })).toHaveLength(dismissed);
  },
);

test('the Today page counts places to reorder, places below 0 and tasks, but only in a shop with articles', async () => {
  const none = () => Promise.resolve([]);
  const loadStock = vi.fn(() => Promise.resolve([{} as never]));
  await open(<StockFigures />, '/today', { listArticles: none, loadStock });
  expect(screen.queryByRole('list', { name: 'Stock' })).toBeNull();
  expect(loadStock).not.toHaveBeenCalled();
  const some = {
    listArticles: () => Promise.resolve([{} as never]),
    loadStock,
    listTasks: () => Promise.resolve(TASKS),
  };
  await open(<StockFigures />, '/today', some);
  const links = within(screen.getByRole('list', { name: 'Stock' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['1To reorder', '/articles?show=low'],
    ['1Below 0', '/articles?show=negative'],
    ['3Tasks', '/articles?show=tasks'],
  ]);
});

test('the History page lists movements, and filters them by article and place', async () => {
  const moved: Movement = {
    movement_id: 1,
    kind: 'pick',
    time: AT,
    SKU: 'CT-200',
    location: 'A-1-1',
    deviceid: '',
    delta: -3,
    on_hand: 7,
    order: 'SO-1',
    shipment: null,
    item: 1,
    ordered_quantity: 3,
    quantity_fulfilled: 3,
    reason: '',
    picker: 'Anna',
    by: 'device',
    nonce: '',
    key: null,
  };
  const loadMovements = vi.fn(() => Promise.resolve([moved]));
  await open(<HistoryPage />, '/history?movements', { loadMovements, listArticles: async () => [] });
  expect(texts()).toEqual([[expect.any(String), 'Picked Order SO-1', 'CT-200', 'A-1-1']]);
  const type = (name: RegExp, value: string) =>
    act(async () => fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } }));
  await type(/^Article/, 'CT-200');
  await type(/^Place/, 'A-1-1');
  expect(loadMovements).toHaveBeenLastCalledWith({
    from: expect.any(String) as string,
    sku: 'CT-200',
    location: 'A-1-1',
  });
});

test('the list of movements begins at midnight in the shop, even if daylight saving time has started since', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  vi.useFakeTimers({ now: Date.parse('2026-03-31T10:00:00.000Z'), toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const loadMovements = vi.fn(() => Promise.resolve([]));
  const inBerlin = { ...station(), time_zone: 'Europe/Berlin' };
  window.history.replaceState(null, '', '/history?movements');
  await act(async () => show(testContext({ station: inBerlin }, { loadMovements }), <HistoryPage />));
  expect(loadMovements).toHaveBeenLastCalledWith({ from: '2026-03-24T23:00:00.000Z' });
});
