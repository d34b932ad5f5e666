import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT } from '../../helpers/snapshots.ts';
import { TIE } from '../articles/articlesSupport.tsx';
import type { Stubs } from '../support.tsx';
import { item, ONE, openWork, order, press, rowsShown, type } from './workSupport.tsx';

// Lines of an order that somebody adds, changes and removes on its page.
const LIT = item(1, { name: 'Cable tie', deviceid: ONE, state: 'active', command_id: 'c1', quantity_fulfilled: 2 });
const NUT = item(2, { name: 'M8 nut', SKU: 'N8', warehouse_location: 'A-2' });
const ORDER = order('10418', [LIT, NUT], { state: 'in_progress', launched_time: AT });
const path = '/orders/10418';
const open = (api: Partial<Stubs> = {}, shown: Order = ORDER) =>
  openWork('orders', { getOrder: () => Promise.resolve(shown), ...api }, { path });
const LINE = { order_number: '10418', id: 2 };
async function choose(name: string, entry: string): Promise<void> {
  await press(`More for ${name}`);
  await press(entry, 'menuitem');
}

test('a line that is added to an order under way is sent with its article, place and quantity', async () => {
  const addItem = vi.fn<Stubs['addItem']>(() => Promise.resolve(item(3, { name: 'Fuse', state: 'active' })));
  const listArticles: Stubs['listArticles'] = async ({ query }) => (query.limit === 1 && !query.barcode ? [TIE] : []);
  await open({ addItem, listArticles });
  await press('Add a line');
  expect(screen.getByText('The order is under way: the line is lit at once.')).toBeDefined();
  await press('Add line');
  expect(screen.getByText('Enter the article.')).toBeDefined();
  await type(/^Article/, 'Fuse', 'combobox');
  await type(/^Quantity/, '3');
  await type(/^Place/, 'A-1', 'combobox');
  await press('Add line');
  expect(addItem).not.toHaveBeenCalled();
  expect(screen.getByText('No article is “Fuse”. Choose one, or add the line with this name.')).toBeDefined();
  await press('Add it anyway');
  const body = { name: 'Fuse', ordered_quantity: 3, warehouse_location: 'A-1' };
  expect(addItem).toHaveBeenCalledWith({ path: { order_number: '10418' }, body });
  expect(screen.getByText('Fuse added and lit.')).toBeDefined();
});

test('a line needs at least what is picked, and only what has changed is sent', async () => {
  const correctItem = vi.fn<Stubs['correctItem']>(() => Promise.resolve(LIT));
  await open({ correctItem });
  await choose('Cable tie', 'Change the line…');
  await type(/^Pieces needed/, '1');
  await press('Change');
  expect(screen.getByText('Enter a whole number, 2 or more.')).toBeDefined();
  await type(/^Pieces needed/, '2');
  expect(screen.getByText('Complete: its light turns off.')).toBeDefined();
  await press('Change');
  expect(correctItem).toHaveBeenCalledWith({ path: { ...LINE, id: 1 }, body: { ordered_quantity: 2 } });
  await choose('M8 nut', 'Change the line…');
  await type(/^Place/, ONE, 'combobox');
  await press('Change');
  const body = { warehouse_location: null, deviceid: ONE };
  expect(correctItem).toHaveBeenLastCalledWith({ path: LINE, body });
});

test('an open page shows the lines of an order that was replaced', async () => {
  let known = ORDER;
  const { tell } = await openWork('orders', { getOrder: () => Promise.resolve(known) }, { path });
  known = order('10418', [item(7, { name: 'Washer' }), item(8, { name: 'Rivet' })], { state: 'in_progress' });
  await tell({ type: 'order.replaced', order_number: '10418' });
  expect(rowsShown()).toEqual([expect.stringMatching(/^Washer/), expect.stringMatching(/^Rivet/)]);
});

test('the dialog shows why a line of a cart does not change', async () => {
  const correctItem = vi.fn<Stubs['correctItem']>(() =>
    Promise.reject(new ApiError('conflict', 'Order 10418 is in Cart 1.')),
  );
  await open({ correctItem });
  await choose('M8 nut', 'Change the line…');
  await type(/^Pieces needed/, '9');
  await press('Change');
  expect(screen.getByText('Order 10418 is in Cart 1.')).toBeDefined();
});

test('a line without pieces is removed, and Undo adds it again', async () => {
  const removeItem = vi.fn<Stubs['removeItem']>(() => Promise.resolve());
  const addItem = vi.fn<Stubs['addItem']>(() => Promise.resolve(NUT));
  await open({ removeItem, addItem });
  await press('More for Cable tie');
  expect(screen.queryByRole('menuitem', { name: 'Remove the line' })).toBeNull();
  await press('Change the line…', 'menuitem');
  await press('Cancel');
  await choose('M8 nut', 'Remove the line');
  expect(removeItem).toHaveBeenCalledWith({ path: LINE });
  await press('Undo');
  expect(addItem.mock.calls[0]?.[0]).toMatchObject({
    path: { order_number: '10418' },
    body: { SKU: 'N8', ordered_quantity: 5, warehouse_location: 'A-2', shipment_number: '10418' },
  });
});

test('the lines of an ended order and the only line stay, and only who creates orders changes lines', async () => {
  const ended = await open({}, order('10418', [LIT, NUT], { state: 'fulfilled' }));
  expect(screen.queryByRole('button', { name: 'Add a line' })).toBeNull();
  ended.unmount();
  const only = await open({}, order('10418', [NUT], { state: 'open' }));
  await press('More for M8 nut');
  expect(screen.getByRole('menuitem', { name: 'Change the line…' })).toBeDefined();
  expect(screen.queryByRole('menuitem', { name: 'Remove the line' })).toBeNull();
  only.unmount();
  await openWork('orders', { getOrder: () => Promise.resolve(ORDER) }, { path, scope: 'read' });
  expect(screen.queryByRole('button', { name: 'Add a line' })).toBeNull();
});
