import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Timeline } from '#shared/api/history.ts';
import type { Order } from '#shared/api/order.ts';
import type { StockQuery, StockRow } from '#shared/api/stock.ts';
import { NowTab } from '../../../renderer/src/shop/devicePanel/PanelContent.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT } from '../../helpers/snapshots.ts';
import { device, show, station, testContext, type Stubs } from '../support.tsx';
import { DEVICES, item, ONE, openWork, order, press, progress, rowsShown, TWO, type } from './workSupport.tsx';

const LIT = item(1, { name: 'Cable tie', deviceid: ONE, state: 'active', command_id: 'c1', quantity_fulfilled: 2 });
const SHORT = item(2, { name: 'M8 nut', SKU: 'N8', deviceid: TWO, state: 'short', quantity_fulfilled: 3 });
const LOST = item(3, { name: 'Goggles', warehouse_location: 'Z-9' });
const ORDER = order('10418', [LIT, SHORT, LOST], {
  state: 'in_progress',
  launched_time: AT,
  unassigned: [LOST],
  color: 'g',
});
const LATER = new Date(Date.parse(AT) + 60_000).toISOString();
const path = '/orders/10418';
const getOrder = () => Promise.resolve(ORDER);

test('each item shows its device and its picked quantity, or that it has no device', async () => {
  await openWork('orders', { getOrder }, { path });
  const [cable, nut, goggles] = rowsShown();
  expect(cable).toMatch(/^Cable tieGA-1Lit2 of 5/);
  expect(nut).toMatch(/^M8 nutN8A-2Short3 of 5/);
  expect(goggles).toMatch(/^GogglesZ-9No deviceOpen0 of 5/);
  expect(screen.getByRole('link', { name: /A-1/ }).getAttribute('href')).toBe(`/today?device=${ONE}`);
  expect(screen.getByRole('link', { name: 'Show on the map' }).getAttribute('href')).toBe('/today?find=10418');
  expect(screen.getByRole('link', { name: 'History' }).getAttribute('href')).toBe('/history?range=all&order=10418');
  expect(screen.getByText('No device for Z-9.')).toBeDefined();
  expect(screen.getByText('1 of 3 lines done')).toBeDefined();
});

test('before the launch, a line without a place shows the places where its article is expected', async () => {
  const lines = [
    item(1, { name: 'M8 nut', SKU: 'N8' }),
    item(2, { name: 'Fuse', SKU: 'F1' }),
    item(3, { name: 'Tape' }),
  ];
  const loadStock = vi.fn(async ({ sku }: StockQuery) =>
    sku === 'N8' ? ['A-1', 'B-2'].map((location) => ({ location }) as StockRow) : [],
  );
  await openWork('orders', { getOrder: async () => order('10418', lines), loadStock }, { path });
  const [nut, fuse, tape] = rowsShown();
  expect(nut).toMatch(/^M8 nutN8A-1 or B-2Expected/);
  expect(fuse).toMatch(/^FuseF1Found at launch/);
  expect(tape).toMatch(/^TapeFound at launch/);
  expect(loadStock).toHaveBeenCalledTimes(2);
});

test('follows only events of the displayed order, without reloading', async () => {
  const load = vi.fn(getOrder);
  const { tell } = await openWork('orders', { getOrder: load }, { path });
  const done = { ...LIT, state: 'done', quantity_fulfilled: 5, command_id: null } as const;
  await tell({ type: 'order.item', order_number: '10419', item: done });
  expect(rowsShown()[0]).toMatch(/Lit2 of 5/);
  await tell(
    { type: 'order.item', order_number: '10418', item: { ...LIT, quantity_fulfilled: 3 } },
    {
      type: 'order.changed',
      order: progress('10418', { id: 1, state: 'in_progress', launched_time: AT, unassigned_count: 1 }),
    },
  );
  expect(rowsShown()[0]).toMatch(/^Cable tieGA-1Lit3 of 5/);
  expect(load).toHaveBeenCalledTimes(1);
});

test('reloads the shipments after a press, because no event reports their state', async () => {
  let known = ORDER;
  const { tell } = await openWork('orders', { getOrder: () => Promise.resolve(known) }, { path });
  const done = { ...LIT, state: 'done', quantity_fulfilled: 5, command_id: null } as const;
  const shipment = {
    id: 1,
    shipment_number: 'S1',
    state: 'fulfilled',
    attention: [],
    items: [done, SHORT, LOST],
  } as const;
  known = { ...ORDER, state: 'fulfilled', shipments: [{ ...shipment, attention: [], items: [...shipment.items] }] };
  await tell({ type: 'order.item', order_number: '10418', item: done });
  expect(rowsShown()[0]).toBe('Shipment S1Fulfilled · 2 of 3 lines');
});

test('reloads the order when an unknown item appears', async () => {
  let known = ORDER;
  const { tell } = await openWork('orders', { getOrder: () => Promise.resolve(known) }, { path });
  const added = item(4, { name: 'Fuse', deviceid: ONE, state: 'active' });
  known = order('10418', [LIT, SHORT, LOST, added], { state: 'in_progress', launched_time: AT, unassigned: [LOST] });
  await tell({ type: 'order.item', order_number: '10418', item: added });
  expect(rowsShown()).toHaveLength(4);
});

test('keeps events that arrive while the order is loading', async () => {
  const answers: ((order: Order) => void)[] = [];
  const load = vi.fn(() => new Promise<Order>((resolve) => answers.push(resolve)));
  const { tell } = await openWork('orders', { getOrder: load }, { path });
  await tell({ type: 'order.item', order_number: '10418', item: { ...LIT, quantity_fulfilled: 4 } });
  await act(async () => answers[0]?.(ORDER));
  expect(rowsShown()[0]).toMatch(/Lit4 of 5/);
  expect(load).toHaveBeenCalledTimes(1);
});

test('reloads once after a launch, even if many events arrive', async () => {
  let known = ORDER;
  const load = vi.fn(() => Promise.resolve(known));
  const { tell } = await openWork('orders', { getOrder: load }, { path });
  known = { ...ORDER, launched_time: LATER, unassigned: [] };
  await tell(
    ...[LIT, SHORT, LOST].map((each) => ({ type: 'order.item', order_number: '10418', item: each }) as const),
    {
      type: 'order.changed',
      order: progress('10418', { id: 1, state: 'in_progress', launched_time: LATER, unassigned_count: 1 }),
    },
  );
  expect(screen.queryByText('No device for Z-9.')).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});

test('lists the items of each shipment separately', async () => {
  const two: Order = {
    ...ORDER,
    items: undefined,
    shipments: [
      { id: 1, shipment_number: 'S1', state: 'in_progress', attention: [], items: [LIT] },
      { id: 2, shipment_number: 'S2', state: 'fulfilled', attention: [], items: [SHORT] },
    ],
  };
  await openWork('orders', { getOrder: () => Promise.resolve(two) }, { path });
  expect(rowsShown()[0]).toBe('Shipment S1Under way · 0 of 1 line');
  expect(rowsShown()[2]).toBe('Shipment S2Fulfilled · 1 of 1 line');
});

test('corrects a quantity with a reason, and Undo reverses the correction', async () => {
  const correctItem = vi.fn(() => Promise.resolve());
  await openWork('orders', { getOrder, correctItem }, { path });
  await press('Correct the quantity of M8 nut: 3 of 5');
  await type(/^Picked so far/, 'x');
  await press('Correct');
  expect(screen.getByText('Enter a whole number, 0 or more.')).toBeDefined();
  await type(/^Picked so far/, '5');
  await type(/^Reason/, 'Miscounted', 'combobox');
  await press('Correct');
  expect(correctItem).toHaveBeenCalledWith({
    path: { order_number: '10418', id: 2 },
    body: { quantity_fulfilled: 5, reason: 'Miscounted', seen: 3 },
  });
  await press('Undo');
  expect(correctItem).toHaveBeenLastCalledWith({
    path: { order_number: '10418', id: 2 },
    body: { quantity_fulfilled: 3, seen: 5 },
  });
});

test('a correction is refused if pieces were picked while its dialog was open, and shows the new quantity', async () => {
  const picked = (quantity: number) => order('10418', [LIT, item(2, { name: 'M8 nut', quantity_fulfilled: quantity })]);
  let now = picked(3);
  const correctItem = vi.fn<Stubs['correctItem']>(({ body: { seen } }) =>
    seen === 5 ? Promise.resolve() : Promise.reject(new ApiError('outdated', 'This confirmation waited.')),
  );
  await openWork('orders', { getOrder: () => Promise.resolve(now), correctItem }, { path });
  await press('Correct the quantity of M8 nut: 3 of 5');
  now = picked(5);
  await type(/^Picked so far/, '4');
  await press('Correct');
  expect(screen.getByText('5 pieces are picked now. Check the number, then save again.')).toBeDefined();
  await press('Correct');
  await press('Undo');
  expect(correctItem.mock.calls.map(([{ body }]) => [body.quantity_fulfilled, body.seen])).toEqual([
    [4, 3],
    [4, 5],
    [5, 4],
  ]);
});

test('launches the rest of an order, and shows how many items are lit or have no device', async () => {
  const launchOrder = vi.fn(getOrder);
  await openWork('orders', { getOrder, launchOrder }, { path });
  await press('Launch the rest');
  expect(screen.getByText('Order 10418: 1 line lit or waiting. 1 line found no device.')).toBeDefined();
});

test('a launch shows how many items are at slow devices', async () => {
  const slow = device(ONE, { capabilities: { screen: true, led: true, buttons: 1, latency: 'slow' } });
  await openWork('orders', { getOrder, launchOrder: getOrder }, { path, devices: [slow, device(TWO)] });
  await press('Launch the rest');
  expect(screen.getByText(/1 line at slow devices, which take up to 40 seconds to light\./)).toBeDefined();
});

test("shows the station's message if an order was not launched", async () => {
  const launchOrder = () => Promise.reject(new ApiError('conflict', 'No item of it finds a device.'));
  await openWork('orders', { getOrder, launchOrder }, { path });
  await press('Launch the rest');
  expect(screen.getByText('Order 10418 was not launched. No item of it finds a device.')).toBeDefined();
});

test('“Abort” asks for confirmation while something is lit', async () => {
  const abortOrder = vi.fn(() => Promise.resolve());
  await openWork('orders', { getOrder, abortOrder }, { path });
  await press('Abort');
  expect(abortOrder).not.toHaveBeenCalled();
  const question = within(screen.getByRole('alertdialog', { name: 'Abort order 10418?' }));
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Abort' })));
  expect(abortOrder).toHaveBeenCalledWith({ path: { order_number: '10418' } });
});

test('the menu of a lit item explains why it is lit', async () => {
  const getTimeline = vi.fn(() => Promise.reject<Timeline>(new ApiError('not_found', 'No such command.')));
  await openWork('orders', { getOrder, getTimeline }, { path });
  await press('More for Cable tie');
  await press('Why is this lit?', 'menuitem');
  expect(getTimeline).toHaveBeenCalledWith({ path: { command_id: 'c1' } });
  expect(screen.getByRole('dialog', { name: 'Why is this lit? Cable tie' })).toBeDefined();
});

test('reports an unknown order, and decodes special characters in its number', async () => {
  const load = vi.fn(() => Promise.reject<Order>(new ApiError('not_found', 'No such order.')));
  await openWork('orders', { getOrder: load }, { path: `/orders/${encodeURIComponent('7/8 50% new')}` });
  expect(load).toHaveBeenCalledWith({ path: { order_number: '7/8 50% new' } });
  expect(screen.getByRole('heading', { name: 'There is no order 7/8 50% new' })).toBeDefined();
});

test('an order that cannot be loaded is not reported as missing, and loading it can be retried', async () => {
  const load = vi.fn(() => Promise.reject<Order>(new ApiError('unreachable', 'The station does not answer.')));
  await openWork('orders', { getOrder: load }, { path });
  expect(screen.queryByRole('heading', { name: 'There is no order 10418' })).toBeNull();
  expect(screen.getByText(/The station does not answer\.$/)).toBeDefined();
  load.mockImplementation(getOrder);
  await press('Try again');
  expect(rowsShown()).toHaveLength(3);
});

test('draws only the visible items of a long order, and arrow keys move between them', async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => item(index + 1));
  await openWork('orders', { getOrder: () => Promise.resolve(order('10418', items)) }, { path });
  expect(rowsShown().length).toBeLessThan(60);
  const first = screen.getByRole('button', { name: /^Correct the quantity of Item 1:/ });
  first.focus();
  await act(async () => fireEvent.keyDown(first, { key: 'ArrowDown' }));
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Correct the quantity of Item 2:/);
});

test('a read-only user cannot correct, launch or abort', async () => {
  await openWork('orders', { getOrder }, { path, scope: 'read' });
  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(names).toEqual(['Orders', 'More for 10418', 'More for Cable tie', 'More for M8 nut', 'More for Goggles']);
  await press('More for M8 nut');
  expect(screen.getAllByRole('menuitem').map((row) => row.textContent)).toEqual([
    'Correct the quantity…Requires the control role',
  ]);
});

test('the device panel links to the order that lit the device', async () => {
  const getTimeline = () => Promise.reject(new ApiError('not_found', ''));
  const context = testContext({ station: station(...DEVICES) }, { getTimeline });
  const [lit] = DEVICES;
  if (lit === undefined) throw new Error('a device');
  await act(async () => show(context, <NowTab device={lit} />));
  const queue = screen.getByRole('heading', { name: 'Queue' }).parentElement ?? document.body;
  expect(within(queue).getByText(/Order 10418/)).toBeDefined();
  expect(within(queue).getByRole('link', { name: 'Open order 10418' }).getAttribute('href')).toBe('/orders/10418');
});
