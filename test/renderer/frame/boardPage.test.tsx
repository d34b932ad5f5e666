import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WallBoard } from '#shared/api/wallBoard.ts';
import { BoardPage } from '../../../renderer/src/features/board/BoardPage.tsx';
import { AT, wallBoard, wallOrder } from './boardSupport.ts';

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(Date.parse(AT) + minutes * MINUTE_MS).toISOString();
let board: WallBoard;
let requests: { path: string; init: RequestInit | undefined }[];

const json = (body: unknown, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }));

beforeEach(() => {
  requests = [];
  window.history.replaceState(null, '', '/board#psb_secret');
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    requests.push({ path, init });
    if (path === '/api/screens/session/') return json({ apikey: 'key', expires_at: at(10) });
    if (path === '/api/wall-board/') return json(board);
    // The event stream stays open.
    return Promise.resolve(new Response(new ReadableStream()));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

async function show(given: Partial<WallBoard>): Promise<void> {
  board = wallBoard(given);
  render(<BoardPage />);
  await screen.findByRole('main');
  await screen.findByRole('region', { name: 'Orders by due time' });
}

test('a late order has an icon and shows how late it is, and an order with a problem shows the problem', async () => {
  await show({
    order_count: 2,
    late_count: 1,
    orders: [
      wallOrder('A-1', {
        due_time: at(-25.5),
        late: true,
        done_count: 1,
        short_count: 1,
        pickers: [{ name: 'Anna', paused: true }],
      }),
      wallOrder('A-2', { due_time: at(60), attention: ['timed_out'] }),
    ],
  });
  const [, first, second] = screen.getAllByRole('row');
  if (first === undefined || second === undefined) throw new Error('The rows are missing.');
  expect(first.textContent).toMatch(/A-1.*25 min late.*1 of 4.*1 short.*Anna \(paused\)/);
  expect(first.querySelectorAll('td:nth-of-type(1) svg')).toHaveLength(1);
  expect(second.textContent).not.toMatch(/late/);
  expect(second.textContent).toMatch(/–.*timed out/);
  expect(within(first).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
  expect(screen.getByText('1 late').querySelector('svg')).not.toBeNull();
});

test('shows how many orders do not fit on the screen', async () => {
  await show({ order_count: 40, orders: Array.from({ length: 30 }, (_, index) => wallOrder(`A-${index}`)) });
  expect(screen.getAllByRole('row')).toHaveLength(9);
  expect(screen.getByText('and 32 more orders')).toBeTruthy();
});

test('shows problems by kind with device names, lines per hour, and lines per person', async () => {
  await show({
    care: [{ kind: 'device_offline', count: 5, names: ['A-1-1', 'A-1-2', 'A-1-3'] }],
    lines_today: 12,
    lines_last_hour: 4,
    hours: [{ at: AT, lines: 12 }],
    people: [{ name: '', lines: 9 }, ...['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, lines: 1 }))],
  });
  expect(screen.getByText('5 devices offline').parentElement?.textContent).toContain('A-1-1, A-1-2, A-1-3, …');
  expect(within(screen.getByRole('list', { name: 'Lines per hour today' })).getAllByRole('listitem')).toHaveLength(1);
  const people = within(screen.getByRole('list', { name: 'Lines per person today' })).getAllByRole('listitem');
  expect(people.map(({ textContent }) => textContent)).toEqual(['A1', 'B1', 'C1', 'D1', '2 more people10']);
});

test('sends the secret once, in the body, and reads the board with the session key and without cookies', async () => {
  await show({});
  const [session, ...others] = requests;
  expect(session?.path).toBe('/api/screens/session/');
  expect(session?.init?.body).toBe('{"secret":"psb_secret"}');
  expect(requests.every(({ init }) => init?.credentials === 'omit')).toBe(true);
  expect(others.every(({ init }) => new Headers(init?.headers).get('api-key') === 'key')).toBe(true);
  expect(others.length).toBeGreaterThan(1);
});

test("without a secret in the address, says that the page must be opened by a screen's link", () => {
  window.history.replaceState(null, '', '/board');
  render(<BoardPage />);
  expect(screen.getByRole('heading').textContent).toBe('This address needs a screen’s link');
  expect(requests).toEqual([]);
});

test('shows walls and carts in use with their state, complete and stopped slots, and waiting orders', async () => {
  const batch = { id: 7, name: 'Wall 1', mode: 'wall', state: 'sorting', slot_count: 6, complete_count: 2 } as const;
  await show({
    batch_count: 5,
    batches: [
      { ...batch, stopped_count: 0, waiting_count: 3 },
      { ...batch, id: 8, name: 'Cart 1', mode: 'cart', state: 'picking', stopped_count: 1, waiting_count: 0 },
      { ...batch, id: 9, name: 'Cart 2', stopped_count: 0, waiting_count: 0 },
      { ...batch, id: 10, name: 'Cart 3', stopped_count: 0, waiting_count: 0 },
    ],
  });
  const region = within(screen.getByRole('region', { name: 'Carts and walls' }));
  expect(region.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Wall 12 of 6Sorting · 3 waitingcomplete',
    'Cart 12 of 6Picking1 stopped',
    'Cart 22 of 6Sortingcomplete',
  ]);
  expect(region.getByText('and 2 more')).toBeTruthy();
  expect(region.getByRole('progressbar', { name: /of Wall 1/ }).getAttribute('aria-valuenow')).toBe('2');
});

test('without carts and walls in use, the board has no section for them', async () => {
  await show({});
  expect(screen.queryByRole('region', { name: 'Carts and walls' })).toBeNull();
});
