// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { NewOrder } from '#shared/api/order.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { item, openWork, order, press, progress, rowsShown, type } from './workSupport.tsx';

const path = '/orders?view=import';
const loadOrders = () => Promise.resolve([progress('9000')]);
const LIST = `order_number\tSKU\tname\tordered_quantity\twarehouse_location
10418\tM8\tM8 nut\t12\tA-2
10418\tCT\tCable tie\t5\tNowhere
10419\tGL\tGlove\tfive\tA-1
10419\tGG\tGoggles\t1\tA-1
9000\tX\tBelt\t1\tA-1`;

let ids = 0;
const addOrder = vi.fn((made: NewOrder) => Promise.resolve(order(made.order_number, [item(1)], { id: (ids += 1) })));

beforeEach(() => {
  ids = 0;
  addOrder.mockClear();
  window.localStorage.clear();
});

/** A station that takes its time: each call of `asked` is one order made. */
function slowly() {
  const asked: (() => void)[] = [];
  const add = vi.fn(
    (made: NewOrder) =>
      new Promise<ReturnType<typeof order>>((resolve) => {
        asked.push(() => resolve(order(made.order_number, [])));
      }),
  );
  return { asked, add };
}

async function look(text = LIST): Promise<void> {
  await type('Or paste from a spreadsheet', text);
  await press('Look at it');
}

test('before anything is made, each row says what it becomes', async () => {
  await openWork('orders', { loadOrders, addOrder }, { path });
  await look();
  expect(rowsShown()).toEqual([
    '2New1041812 × M8 nutM8A-2',
    '3New104185 × Cable tieCTNowhereNo device yet',
    '4Wrong10419five × GloveGL"five" is no quantity: a whole number from 1 up.',
    '5Left out104191 × GogglesGGIts order is left out: see line 4',
    '6There already90001 × BeltXAn order of this number is there already',
  ]);
  expect(screen.getByText(/^Read as tab separated\. Columns: “order_number”/)).toBeDefined();
  expect(screen.getByText('3 rows will be left out.')).toBeDefined();
  expect(
    screen.getByText('It can be undone in this browser for a day, as far as nothing of it was launched.'),
  ).toBeDefined();
  expect(addOrder).not.toHaveBeenCalled();
  await press('Choose another');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose a file' }));
});

test('what is right is made, and the import is taken back as far as nothing of it was launched', async () => {
  const removeOrder = vi.fn(() => Promise.resolve());
  const loadOrder = (number: string) =>
    Promise.resolve(
      order(
        number,
        [item(1)],
        number === 'B' ? { id: 2, launched_time: '2026-11-20T08:00:00.000Z', state: 'in_progress' } : { id: 1 },
      ),
    );
  await openWork('orders', { loadOrders, addOrder, loadOrder, removeOrder }, { path });
  await look('order,name,qty\nA,Nut,1\nB,Belt,2');
  await press('Import 2 orders');
  expect(addOrder.mock.calls.map(([made]) => made)).toEqual([
    { order_number: 'A', items: [{ name: 'Nut', ordered_quantity: 1 }] },
    { order_number: 'B', items: [{ name: 'Belt', ordered_quantity: 2 }] },
  ]);
  expect(screen.getByText(/^Imported 2 orders/)).toBeDefined();
  await press('Undo the import');
  expect(removeOrder.mock.calls).toEqual([['A']]);
  expect(screen.getByText('1 order taken back. Launched or changed since, so left as they are: B.')).toBeDefined();
  expect(screen.queryByRole('region', { name: 'The last import' })).toBeNull();
});

test('an order of the same number that somebody made anew is not taken back', async () => {
  const removeOrder = vi.fn(() => Promise.resolve());
  const loadOrder = (number: string) => Promise.resolve(order(number, [item(1)], { id: 77 }));
  await openWork('orders', { loadOrders, addOrder, loadOrder, removeOrder }, { path });
  await look('order,name,qty\nA,Nut,1');
  await press('Import 1 order');
  await press('Undo the import');
  expect(removeOrder).not.toHaveBeenCalled();
});

const kept = (given: object = {}) =>
  JSON.stringify({ at: new Date().toISOString(), made: [{ number: 'A', id: 1 }], failed: [], left: 0, ...given });

/** As another tab does it. */
async function keepElsewhere(text: string | null): Promise<void> {
  if (text === null) window.localStorage.removeItem('orders.lastImport');
  else window.localStorage.setItem('orders.lastImport', text);
  await act(async () => void window.dispatchEvent(new Event('storage')));
}

test('an import is taken back from any tab of the browser, for a day', async () => {
  const removeOrder = vi.fn(() => Promise.resolve());
  const loadOrder = (number: string) => Promise.resolve(order(number, [item(1)], { id: 1 }));
  const bar = () => screen.queryByRole('region', { name: 'The last import' });
  await openWork('orders', { loadOrders, loadOrder, removeOrder });
  expect(bar()).toBeNull();
  await keepElsewhere(kept({ at: new Date(Date.now() - 25 * 3_600_000).toISOString() }));
  expect(bar()).toBeNull();
  for (const broken of ['no JSON', 'null', '{"at":1}']) {
    await keepElsewhere(broken);
    expect(bar()).toBeNull();
  }
  await keepElsewhere(kept());
  expect(bar()?.textContent).toMatch(/^Imported 1 order/);
  await press('Undo the import');
  expect(removeOrder.mock.calls).toEqual([['A']]);
  expect(window.localStorage.getItem('orders.lastImport')).toBeNull();
});

test('who may only look is told of it, and takes nothing back', async () => {
  window.localStorage.setItem('orders.lastImport', kept());
  await openWork('orders', { loadOrders }, { scope: 'read' });
  expect(screen.getByText(/^Imported 1 order/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('of a tab that is closed in the middle of an import, what was made by then can be taken back', async () => {
  const { asked, add } = slowly();
  await openWork('orders', { loadOrders, addOrder: add }, { path });
  const lines = Array.from({ length: 40 }, (_, index) => `N${index},Nut,1`);
  await look(['order,name,qty', ...lines].join('\n'));
  await press('Import 40 orders');
  for (let done = 0; done < 25; done += 1) await act(async () => asked.shift()?.());
  const left = JSON.parse(window.localStorage.getItem('orders.lastImport') ?? '{}') as { made: object[]; left: number };
  expect(left.made).toHaveLength(25);
  expect(left.left).toBe(15);
});

test('it says how far it is, and cancelling keeps what was made by then', async () => {
  const { asked, add } = slowly();
  await openWork('orders', { loadOrders, addOrder: add }, { path });
  const lines = Array.from({ length: 20 }, (_, index) => `N${index},Nut,1`);
  await look(['order,name,qty', ...lines].join('\n'));
  await press('Import 20 orders');
  await act(async () => asked.shift()?.());
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('1 of 20');
  await press('Cancel');
  await act(async () => {
    for (const arrive of asked.splice(0)) arrive();
  });
  expect(add).toHaveBeenCalledTimes(7);
  expect(screen.getByText(/^Imported 7 orders/)).toBeDefined();
  expect(screen.getByText('Cancelled before 13 orders more.')).toBeDefined();
});

test('what the station refuses is said order by order', async () => {
  const add = (made: NewOrder) =>
    made.order_number === 'A'
      ? Promise.reject(new ApiError('conflict', 'There is an order A already.'))
      : addOrder(made);
  await openWork('orders', { loadOrders, addOrder: add }, { path });
  await look('order,name,qty\nA,Nut,1\nB,Belt,2');
  await press('Import 2 orders');
  expect(screen.getByText('1 order could not be made.')).toBeDefined();
  await press('Why not?');
  expect(screen.getByRole('dialog', { name: 'Not imported' }).textContent).toMatch(/A There is an order A already\./);
});

test('a list without columns that mean something is refused where it was pasted', async () => {
  await openWork('orders', { loadOrders }, { path });
  await press('Look at it');
  expect(screen.getByText('Paste something, or choose a file.')).toBeDefined();
  await look('just some words');
  expect(screen.getByText(/^There is no column order_number/)).toBeDefined();
});
