import type { FoundThing } from '#shared/api/find.ts';
import '#shared/lib/requests/staticScreen.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import { launchColors } from '../../../renderer/src/features/orders/launchColors.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { station, type Stubs } from '../support.tsx';
import { DEVICES, openWork, order, item, press, progress, rowsShown, type } from './workSupport.tsx';

const ORDERS = [
  progress('10417', {
    state: 'fulfilled',
    done_count: 3,
    quantity_fulfilled: 8,
    launched_time: '2026-11-20T08:00:00.000Z',
  }),
  progress('10418', {
    state: 'in_progress',
    done_count: 1,
    short_count: 1,
    active_count: 2,
    launched_time: '2026-11-20T08:00:00.000Z',
  }),
  progress('10419'),
];
const loadOrders = () => Promise.resolve(ORDERS);
const numbers = () => rowsShown().map((row) => /^\d+/.exec(row)?.[0] ?? '');

test('each order shows its progress, and the list follows order events', async () => {
  const { tell } = await openWork('orders', { loadOrders });
  expect(screen.getAllByRole('status')[0]?.textContent).toBe('3 orders, 1 under way');
  expect(rowsShown().find((row) => row.startsWith('10418'))).toMatch(/Under way1 of 3 lines done2 lit, 1 short0 of 8/);
  await tell({ type: 'order.changed', order: progress('10420') }, { type: 'order.removed', order_number: '10417' });
  expect(numbers().toSorted((a, b) => a.localeCompare(b))).toEqual(['10418', '10419', '10420']);
  await tell({ type: 'order.changed', order: progress('10419', { state: 'in_progress', active_count: 3 }) });
  expect(rowsShown().find((row) => row.startsWith('10419'))).toMatch(/Under way/);
});

test('keeps events that arrive while an older list is still loading', async () => {
  const asked = Promise.withResolvers<typeof ORDERS>();
  const { tell } = await openWork('orders', { loadOrders: () => asked.promise });
  await tell({ type: 'order.removed', order_number: '10417' }, { type: 'order.changed', order: progress('10420') });
  await act(async () => asked.resolve(ORDERS));
  expect(numbers().toSorted((a, b) => a.localeCompare(b))).toEqual(['10418', '10419', '10420']);
});

test('reloads the list after a new snapshot', async () => {
  const ask = vi.fn(loadOrders);
  const { context } = await openWork('orders', { loadOrders: ask });
  expect(ask).toHaveBeenCalledTimes(1);
  ask.mockImplementation(() => Promise.resolve([progress('10500')]));
  await act(async () => takeSnapshot(context.store, { station: station(...DEVICES), clockSkewMs: 0 }));
  expect(ask).toHaveBeenCalledTimes(2);
  expect(numbers()).toEqual(['10500']);
});

test('ignores an answer that is older than the newest snapshot', async () => {
  const first = Promise.withResolvers<typeof ORDERS>();
  const ask = vi.fn(() => first.promise);
  const { context } = await openWork('orders', { loadOrders: ask });
  ask.mockImplementation(() => Promise.resolve([progress('10500')]));
  await act(async () => takeSnapshot(context.store, { station: station(...DEVICES), clockSkewMs: 0 }));
  await act(async () => first.resolve(ORDERS));
  expect(numbers()).toEqual(['10500']);
});

test('keeps the filter in the address, and finds an order by its number', async () => {
  await openWork('orders', { loadOrders }, { path: '/orders?show=in_progress' });
  expect(numbers()).toEqual(['10418']);
  await press(/^All/, 'radio');
  expect(window.location.search).toBe('');
  expect(numbers()).toHaveLength(3);
  await press(/^With shorts/, 'radio');
  expect(window.location.search).toBe('?show=short');
  expect(numbers()).toEqual(['10418']);
  await press(/^All/, 'radio');
  await type('Find orders by number, customer or article', '419', 'searchbox');
  expect(numbers()).toEqual(['10419']);
});

test('a row shows its customer', async () => {
  await openWork('orders', { loadOrders: () => Promise.resolve([progress('10418', { id: 1, customer: 'Baker' })]) });
  expect(screen.getByTitle('Baker').closest('[role="row"]')?.textContent).toContain('10418');
});

test('without orders, suggests an import first', async () => {
  await openWork('orders', { loadOrders: () => Promise.resolve([]) });
  expect(screen.getByRole('heading', { name: 'No orders yet' })).toBeDefined();
  const [main] = screen.getAllByRole('button', { name: /^(Import orders|Create an example)$/ });
  expect(main?.textContent).toBe('Import orders');
  await press('Import orders');
  expect(window.location.href).toMatch(/\/import\?what=orders$/);
});

test('without orders, can create an example with existing devices', async () => {
  const addOrder = vi.fn(async () => ({ ...order('Example', [item(1)]), warnings: [] }));
  await openWork('orders', { loadOrders: () => Promise.resolve([]), addOrder });
  await press('Create an example');
  await vi.waitFor(() => expect(addOrder).toHaveBeenCalled());
  expect(addOrder).toHaveBeenCalledWith({
    body: {
      order_number: 'Example',
      items: [
        { name: 'Example line 1', ordered_quantity: 1, warehouse_location: 'A-1' },
        { name: 'M8 nut', ordered_quantity: 2, warehouse_location: 'A-2' },
      ],
    },
  });
  expect(window.location.pathname).toBe('/orders/Example');
});

test('a list that cannot be loaded shows an error and can be retried', async () => {
  const ask = vi.fn(() => Promise.reject<typeof ORDERS>(new ApiError('unreachable', 'The station does not answer.')));
  await openWork('orders', { loadOrders: ask });
  expect(screen.getByText('The list could not be loaded. The station does not answer.')).toBeDefined();
  ask.mockImplementation(loadOrders);
  await press('Try again');
  expect(numbers()).toHaveLength(3);
});

test('deletes an order without asking if it was never launched, and Undo restores it', async () => {
  const whole = order('10419', [item(1, { SKU: 'S1', deviceid: '51D000:000001' })], { color: 'g' });
  const removeOrder = vi.fn(() => Promise.resolve());
  const addOrder = vi.fn(async () => ({ ...whole, warnings: [] }));
  await openWork('orders', { loadOrders, getOrder: () => Promise.resolve(whole), removeOrder, addOrder });
  await press('More for 10419');
  await press('Delete…', 'menuitem');
  expect(removeOrder).toHaveBeenCalledWith({ path: { order_number: '10419' } });
  await press('Undo');
  expect(addOrder).toHaveBeenCalledWith({
    body: {
      order_number: '10419',
      color: 'g',
      items: [{ name: 'Item 1', SKU: 'S1', ordered_quantity: 5, quantity_fulfilled: 0, deviceid: '51D000:000001' }],
    },
  });
});

test('deleting a launched order asks for confirmation once', async () => {
  const removeOrder = vi.fn(() => Promise.resolve());
  await openWork('orders', { loadOrders, removeOrder });
  await press('More for 10418');
  await press('Delete…', 'menuitem');
  expect(screen.getByRole('alertdialog', { name: 'Delete order 10418?' }).textContent).toMatch(
    /2 lines will be turned off/,
  );
  expect(removeOrder).not.toHaveBeenCalled();
  await press('Delete');
  expect(removeOrder).toHaveBeenCalledWith({ path: { order_number: '10418' } });
});

test('launches all selected orders, and reports each failure', async () => {
  const launchOrder = vi.fn<Stubs['launchOrder']>(({ path: { order_number: number } }) =>
    number === '10417'
      ? Promise.reject(new ApiError('conflict', 'Order 10417 is fulfilled.'))
      : Promise.resolve(order(number, [])),
  );
  await openWork('orders', { loadOrders, launchOrder });
  await press('Select all shown orders', 'checkbox');
  await press('Launch');
  expect(launchOrder).toHaveBeenCalledTimes(3);
  expect(launchOrder).toHaveBeenCalledWith({ path: { order_number: '10419' }, body: { color: 'blue' } });
  expect(screen.getByRole('dialog', { name: 'Some changes failed' }).textContent).toMatch(/Order 10417 is fulfilled\./);
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:results');
  const followed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await press('CSV of all results');
  const [[file] = []] = saved.mock.calls;
  saved.mockRestore();
  followed.mockRestore();
  const lines = (await (file as Blob).text()).split('\r\n');
  expect(lines?.[0]).toMatch(/order_number,result,detail$/);
  expect(lines).toContain('10417,failed,Order 10417 is fulfilled.');
});

test('orders launched together without a picker each get a different color', () => {
  const at = (number: string, given: Partial<OrderProgress> = {}) => ({ ...progress(number), ...given });
  const picker = (color: string) => ({ name: 'Anna', color, paused: false, deviceid: null });
  const orders = [at('1'), at('2', { color: 'b' }), at('3'), at('4', { state: 'fulfilled' }), at('5')];
  const busy = at('6', { state: 'in_progress', pickers: [picker('yellow')] });
  const lit = at('7', { state: 'in_progress' });
  const all = [...orders, busy, lit];
  const of = (...numbers: string[]) => Object.fromEntries(launchColors(numbers, all));
  // Order 2 has its own color, blue, and Anna uses yellow. Order 4 has ended, so it needs no color.
  expect(of('1', '2', '3', '4', '5')).toEqual({ 1: 'magenta', 3: 'cyan', 5: 'orange' });
  // No color is given to a single order, to orders with pickers, or to orders that are already lit.
  expect(of('1')).toEqual({});
  expect(of('1', '4')).toEqual({});
  expect(of('1', '6')).toEqual({});
  expect(of('1', '7')).toEqual({ 1: 'blue' });
  // Colors repeat only if there are more orders than colors.
  const many = Array.from({ length: 7 }, (_, index) => at(`n${index}`));
  const colors = [
    ...launchColors(
      many.map(({ order_number: number }) => number),
      many,
    ).values(),
  ];
  expect([colors.length, new Set(colors.slice(0, 5)).size]).toEqual([7, 5]);
});

test('keeps the focus in the selection bar while an action runs, and then moves it to the table', async () => {
  const launched = Promise.withResolvers<ReturnType<typeof order>>();
  await openWork('orders', { loadOrders, launchOrder: () => launched.promise });
  await press('Select order 10419', 'checkbox');
  screen.getByRole('button', { name: 'Launch' }).focus();
  await press('Launch');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Selected orders' }));
  await act(async () => launched.resolve(order('10419', [])));
  expect(document.activeElement?.closest('[role="grid"]')).not.toBeNull();
  await press('Select order 10419', 'checkbox');
  screen.getByRole('button', { name: 'Clear selection' }).focus();
  await press('Clear selection');
  expect(document.activeElement?.getAttribute('data-control')).toBe('check');
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: '/' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('searchbox')));
});

test('a read-only user cannot change an order', async () => {
  await openWork('orders', { loadOrders }, { scope: 'read' });
  await press('New order');
  expect(screen.getByRole('dialog').textContent).toMatch(/does not allow you to create orders\. Ask an admin/);
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  expect(screen.queryAllByRole('checkbox', { name: /^Select order/ })).toEqual([]);
  await press('More for 10418');
  expect(screen.getAllByRole('menuitem').map((row) => row.textContent)).toEqual([
    'Open the order',
    'Show on the map',
    'History',
    'Edit…Requires the control role',
    'Print…',
    'Duplicate…Requires the control role',
    'Delete…Requires the control role',
  ]);
  await press('History', 'menuitem');
  expect(`${window.location.pathname}${window.location.search}`).toBe('/history?range=all&order=10418');
});

test('the list shows the orders whose customer or note the station finds, with these words', async () => {
  const find = async (): Promise<FoundThing[]> => [
    { kind: 'order', order_number: '10418', text: '10418', customer: 'Miller, Leipzig', matched: 'customer' },
  ];
  await openWork('orders', { loadOrders, find });
  await act(async () => fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'leipzig' } }));
  expect((await screen.findByTitle('Miller, Leipzig')).textContent).toBe('Miller, Leipzig');
  expect(screen.getAllByRole('row').filter((row) => /10418/.test(row.textContent ?? ''))).toHaveLength(1);
});

test('creates an order from the form, and reports missing input at its field', async () => {
  const addOrder = vi.fn(async () => ({ ...order('A7', [item(1)]), warnings: [] }));
  await openWork('orders', { loadOrders, addOrder }, { path: '/orders?view=new' });
  await type(/^Order number/, '');
  await press('More fields');
  await press('Create order');
  expect(screen.getByText('Enter an order number.')).toBeDefined();
  expect(screen.getByText('Enter the article.')).toBeDefined();
  expect(addOrder).not.toHaveBeenCalled();
  await type(/^Order number/, 'A7');
  await type('Article', 'Cable tie', 'combobox');
  await type(/^Quantity$/, '12');
  await type(/^Place or DeviceID$/, 'a-2', 'combobox');
  await press('Add a line');
  expect(screen.getAllByRole('combobox', { name: 'Article' })).toHaveLength(2);
  await press('Remove line 2');
  await press('Create order');
  expect(addOrder).toHaveBeenCalledWith({
    body: {
      order_number: 'A7',
      items: [{ name: 'Cable tie', ordered_quantity: 12, warehouse_location: 'a-2' }],
    },
  });
  expect(screen.queryByRole('alertdialog', { name: 'Leave without saving?' })).toBeNull();
  expect(window.location.pathname).toBe('/orders/A7');
  expect(document.body.textContent).toContain('Order A7 created. Launch it when somebody is ready to pick.');
});

test('an order that the station refused still counts as unsaved', async () => {
  const addOrder = () => Promise.reject(new ApiError('conflict', 'Order A7 exists already. Choose another number.'));
  await openWork('orders', { loadOrders, addOrder }, { path: '/orders?view=new' });
  await type(/^Order number/, 'A7');
  await type('Article', 'Cable tie', 'combobox');
  await type(/^Quantity$/, '12');
  await press('Create order');
  await act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
  expect(screen.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeDefined();
});

test('reports an order number that is already in use', async () => {
  const addOrder = () =>
    Promise.reject(new ApiError('conflict', 'There is an order A7 already. Choose another number.'));
  await openWork('orders', { loadOrders, addOrder }, { path: '/orders?view=new' });
  await type(/^Order number/, 'A7');
  await type('Article', 'Cable tie', 'combobox');
  await press('Create order');
  expect(screen.getByText('There is an order A7 already. Choose another number.')).toBeDefined();
});

test('offers to delete old orders only if an order has ended', async () => {
  const open = (await loadOrders()).filter(({ state }) => state === 'open');
  await openWork('orders', { loadOrders: () => Promise.resolve(open) });
  expect(screen.queryByRole('button', { name: 'Delete old…' })).toBeNull();
});

test('deletes old orders in one request, and shows how many', async () => {
  const removeEndedOrders = vi.fn<Stubs['removeEndedOrders']>(async () => ({ deleted: 12 }));
  await openWork('orders', { loadOrders, removeEndedOrders });
  await press('Delete old…');
  await press('Delete');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('12 orders deleted.')).toBeDefined();
  const { state, ended_before: before } = removeEndedOrders.mock.lastCall?.[0].query ?? {};
  expect(state).toBe('fulfilled');
  const days = (Date.now() - Date.parse(before ?? '')) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(30);
  expect(days).toBeLessThan(31);
});

test('prints the selected orders without those that were deleted meanwhile', async () => {
  const getOrder: Stubs['getOrder'] = ({ path: { order_number: number } }) =>
    number === '10418'
      ? Promise.reject(new ApiError('not_found', 'There is no order 10418.'))
      : Promise.resolve(order(number, [item(1, { name: 'Soap' })]));
  await openWork('orders', { loadOrders, getOrder });
  for (const number of ['10418', '10419']) await press(`Select order ${number}`, 'checkbox');
  await press('Print…');
  await screen.findByRole('region', { name: 'Pick list of order 10419' });
  expect(screen.queryByRole('region', { name: /10418/ })).toBeNull();
});

test('prints no more than 200 orders together', async () => {
  const many = Array.from({ length: 201 }, (_, index) => progress(`N${index}`));
  await openWork('orders', { loadOrders: () => Promise.resolve(many) });
  await press('Select all shown orders', 'checkbox');
  await press('Print…');
  expect(await screen.findByText('Select at most 200 orders to print them.')).toBeTruthy();
});
