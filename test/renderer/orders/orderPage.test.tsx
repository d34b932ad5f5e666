import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { AT } from '../../helpers/snapshots.ts';
import { command, device, type Stubs } from '../support.tsx';
import { DEVICES, item, ONE, openWork, order, press, progress, rowsShown, TWO, type } from './workSupport.tsx';

const FAR = '51D000:000003';
const PAULA = { name: 'Paula', color: 'blue', paused: false, deviceid: ONE };
const QUENTIN = { name: 'Quentin', color: 'yellow', paused: true, deviceid: null };

const LIT = item(1, { name: 'Cable tie', deviceid: ONE, state: 'active', command_id: 'c1', picker: 'Paula' });
const DARK = item(2, { name: 'M8 nut', SKU: 'M8', deviceid: TWO, timed_out: true, quantity_fulfilled: 1 });
const LOST = item(3, { name: 'Goggles', warehouse_location: 'Ghost' });
const DONE = item(4, {
  name: 'Fuse',
  deviceid: TWO,
  state: 'done',
  quantity_fulfilled: 5,
  picker: 'Paula',
  verified: true,
});
const WAITING = order('10418', [LIT, DARK, LOST, DONE], {
  state: 'in_progress',
  launched_time: AT,
  attention: ['timed_out', 'unassigned', 'unreachable', 'stalled'],
  unassigned: [LOST],
  pickers: [PAULA, QUENTIN],
});
const UNREACHED = [
  device(ONE, {
    locationoverride: 'A-1',
    commands: [command('c1', { order_number: '10418', state: 'queued', unreachable_since: AT })],
  }),
  ...DEVICES.slice(1),
  device(FAR, { locationoverride: 'B-2-1' }),
];
const path = '/orders/10418';
const PICKERS = [
  { name: 'Paula', color: 'blue', orders: [] },
  { name: 'Quentin', color: null, orders: [] },
  { name: 'Rosa', color: 'red', orders: [] },
];

const REASONS = [{ key: 'missing' }, { key: 'damaged', text: 'Broken' }, { key: 'wrong_item' }, { key: 'other' }];

const open = (known: Order, api: Parameters<typeof openWork>[1] = {}, given: Parameters<typeof openWork>[2] = {}) =>
  openWork(
    'orders',
    {
      getOrder: () => Promise.resolve(known),
      listPickers: () => Promise.resolve(PICKERS),
      listShortReasons: () => Promise.resolve(REASONS),
      getItem: () => Promise.resolve({ ...DARK, elsewhere: [] }),
      ...api,
    },
    { path, devices: UNREACHED, ...given },
  );

async function choose(field: RegExp, option: RegExp): Promise<void> {
  await press(field);
  await press(option, 'option');
}

test('the attention notice lists each problem with its place, and contains the “Launch again” button', async () => {
  const launchOrder = vi.fn(async () => ({ ...WAITING, warnings: [] }));
  await open(WAITING, { launchOrder });
  const notice = screen.getByRole('region', { name: 'Needs attention' });
  const said = 'A-2 timed out. No device for Ghost. No gateway reaches A-1. No button was pressed for 15 minutes.';
  expect(within(notice).getByText(said)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Launch the rest' })).toBeNull();
  await press('Launch again');
  expect(notice.contains(screen.getByRole('button', { name: 'Launch again' }))).toBe(true);
  expect(launchOrder).toHaveBeenCalledWith({ path: { order_number: '10418' } });
});

test('an order without problems has no attention notice', async () => {
  await open(order('10418', [LIT, DONE], { state: 'in_progress', launched_time: AT }));
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull();
});

test('a row shows the picker, a timeout, and whether a scan verified the item', async () => {
  await open(WAITING);
  const [cable, nut, , fuse] = rowsShown();
  expect(cable).toMatch(/BPaula/);
  expect(nut).toMatch(/Timed out1 of 5/);
  expect(fuse).toMatch(/Done.*BPaula/);
  expect(screen.getAllByRole('img', { name: 'Verified by a scan' })).toHaveLength(1);
  expect(screen.getByText('Pickers').parentElement?.textContent).toBe('PickersBPaula1 of 2YQuentin, paused0 of 0');
});

test('closes an item short with the quantity found and a reason, and Undo reopens the item', async () => {
  const closeShort = vi.fn(() => Promise.resolve({ ...DARK, elsewhere: [] }));
  const reopen = vi.fn(() => Promise.resolve(DARK));
  await open(WAITING, { closeItemShort: closeShort, reopenItem: reopen });
  await press('More for M8 nut');
  await press('Short…', 'menuitem');
  expect(
    within(screen.getByRole('dialog'))
      .getAllByRole('radio')
      .map((radio) => radio.textContent),
  ).toEqual(['Missing', 'Broken', 'Wrong article', 'Other']);
  await type(/^Total found/, '3');
  await press('Wrong article', 'radio');
  await press('Close short');
  expect(closeShort).toHaveBeenCalledWith({
    path: { order_number: '10418', id: 2 },
    body: { quantity_fulfilled: 3, reason: 'wrong_item', seen: 1 },
  });
  await press('Undo');
  expect(reopen).toHaveBeenCalledWith({
    path: { order_number: '10418', id: 2 },
    body: { quantity_fulfilled: 1, seen: 3 },
  });
});

test("the Short dialog offers the article's other places, as the station names them", async () => {
  const closeShort = vi.fn(() => Promise.resolve({ ...DARK, elsewhere: [] }));
  const getItem = vi.fn<Stubs['getItem']>(async ({ path: { id } }) => ({
    ...DARK,
    elsewhere: Number(id) === DARK.id ? [{ deviceid: FAR, location: 'Loft 3' }] : [],
  }));
  await open(WAITING, { closeItemShort: closeShort, getItem });
  await press('More for M8 nut');
  await press('Short…', 'menuitem');
  await press('Take it from Loft 3', 'radio');
  await press('Take the rest from Loft 3');
  expect(closeShort).toHaveBeenCalledWith({
    path: { order_number: '10418', id: 2 },
    body: { quantity_fulfilled: 1, reason: 'missing', elsewhere: FAR, seen: 1 },
  });
  expect(screen.getByText('M8 nut: take the rest from Loft 3.')).toBeDefined();
  await press('More for Cable tie');
  await press('Short…', 'menuitem');
  expect(screen.queryByRole('radio', { name: /^Take it from/ })).toBeNull();
});

test('shows that an item waits for a scan, and its menu can complete the item without one', async () => {
  const verifyItem = vi.fn(() => Promise.resolve(DARK));
  const items = [item(4, { name: 'Fuse', state: 'done', awaits_scan: true }), item(5, { name: 'Bolt', state: 'done' })];
  await open(order('10418', items, { state: 'in_progress' }), { verifyItem });
  expect(screen.getAllByText('Waits for a scan')).toHaveLength(1);
  await press('More for Bolt');
  expect(screen.queryByRole('menuitem', { name: 'Cannot be scanned' })).toBeNull();
  await press('Reopen…', 'menuitem');
  await press('Cancel');
  await press('More for Fuse');
  await press('Cannot be scanned', 'menuitem');
  expect(verifyItem).toHaveBeenCalledWith({ path: { order_number: '10418', id: 4 } });
});

test('offers “Light again” only for a line whose light is off', async () => {
  const lightItem = vi.fn(() => Promise.resolve(DARK));
  const dark = item(5, { name: 'Bolt', state: 'open', deviceid: TWO, command_id: null });
  await open(order('10418', [LIT, dark], { state: 'in_progress', launched_time: AT }), { lightItem });
  await press('More for Cable tie');
  expect(screen.queryByRole('menuitem', { name: 'Light again' })).toBeNull();
  await act(async () => fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' }));
  await press('More for Bolt');
  await press('Light again', 'menuitem');
  expect(lightItem).toHaveBeenCalledWith({ path: { order_number: '10418', id: 5 } });
});

test('reopens a completed item with a lower quantity', async () => {
  const reopen = vi.fn(() => Promise.resolve(DARK));
  await open(WAITING, { reopenItem: reopen });
  await press('More for Fuse');
  expect(screen.queryByRole('menuitem', { name: 'Short…' })).toBeNull();
  await press('Reopen…', 'menuitem');
  await type(/^Still counts as picked/, '5');
  await press('Reopen');
  expect(screen.getByText('Enter a whole number below 5.')).toBeDefined();
  await type(/^Still counts as picked/, '4');
  await press('Reopen');
  expect(reopen).toHaveBeenCalledWith({
    path: { order_number: '10418', id: 4 },
    body: { quantity_fulfilled: 4, seen: 5 },
  });
});

test('launches an order for a picker in a color, and shows a refusal in the dialog', async () => {
  const fresh = order('10418', [LIT, item(2)], { state: 'in_progress', launched_time: AT });
  const launchOrder = vi.fn(() => Promise.reject<Order>(new ApiError('conflict', 'Others pick it.')));
  await open(fresh, { launchOrder });
  await press('More for 10418');
  await press('Launch for…', 'menuitem');
  await choose(/Picker/, /Rosa/);
  await type(/^Color/, 'nonsense', 'combobox');
  await press('Launch');
  expect(screen.getByText('Enter a color name, or #rrggbb.')).toBeDefined();
  await type(/^Color/, 'cyan', 'combobox');
  await press('Launch');
  expect(launchOrder).toHaveBeenCalledWith({
    path: { order_number: '10418' },
    body: { picker: 'Rosa', color: 'cyan' },
  });
  expect(screen.getByText('Others pick it.')).toBeDefined();
});

test('adds another picker to an order that others are already picking', async () => {
  const joinOrder = vi.fn(async () => ({ ...WAITING, warnings: [] }));
  await open(WAITING, { joinOrder });
  await press('More for 10418');
  await press('Launch for…', 'menuitem');
  await choose(/Picker/, /Rosa/);
  expect(screen.getByText(/^Paula, Quentin already picking\./)).toBeDefined();
  await press('Join');
  expect(joinOrder).toHaveBeenCalledWith({ path: { order_number: '10418' }, body: { picker: 'Rosa' } });
});

test('hands an order over to a different picker', async () => {
  const handOverOrder = vi.fn(() => Promise.resolve());
  await open({ ...WAITING, pickers: [PAULA] }, { handOverOrder });
  await press('More for 10418');
  await press('Hand over…', 'menuitem');
  expect(screen.getByText(/^All unfinished lines of Paula go to/)).toBeDefined();
  await press('Hand over');
  expect(handOverOrder).toHaveBeenCalledWith({ path: { order_number: '10418' }, body: { picker: 'Quentin' } });
  expect(screen.getByText('Order 10418 handed over to Quentin.')).toBeDefined();
});

test('a duplicate has a new number and the same items, but no progress and no nonces', async () => {
  const addOrder = vi.fn(async () => ({ ...WAITING, warnings: [] }));
  const known = order('10418', [{ ...DONE, callback_nonce: 'n1', UPC: '4006381333931' }], {
    state: 'fulfilled',
    ordernonce: 'done',
    color: 'red',
    priority: 3,
    due_time: '2020-01-01T00:00:00.000Z',
  });
  await open(known, { addOrder });
  await press('More for 10418');
  await press('Duplicate…', 'menuitem');
  expect(screen.getByRole('textbox', { name: 'Order number' })).toHaveProperty('value', '10418-2');
  await press('Create order');
  expect(addOrder).toHaveBeenCalledWith({
    body: {
      order_number: '10418-2',
      color: 'red',
      priority: 3,
      items: [{ name: 'Fuse', UPC: '4006381333931', ordered_quantity: 5, quantity_fulfilled: 0, deviceid: TWO }],
    },
  });
  expect(window.location.pathname).toBe('/orders/10418-2');
});

test('a new order can have a due time and a priority', async () => {
  const addOrder = vi.fn(async () => ({ ...order('A7', [item(1)]), warnings: [] }));
  await openWork('orders', { loadOrders: () => Promise.resolve([]), addOrder }, { path: '/orders?view=new' });
  await type(/^Order number/, 'A7');
  await press('More fields');
  await type('Article', 'Cable tie', 'combobox');
  await type('Priority', '1001');
  await press('Create order');
  expect(screen.getByText('Enter a whole number from -1,000 to 1,000.')).toBeDefined();
  await type('Priority', '-5');
  await act(async () => fireEvent.change(screen.getByLabelText('Due'), { target: { value: '2026-11-20T14:30' } }));
  await press('Create order');
  expect(addOrder).toHaveBeenCalledWith({
    body: expect.objectContaining({ priority: -5, due_time: new Date('2026-11-20T14:30').toISOString() }),
  });
});

test('Undo restores a deleted order with its due time, priority, customer and note', async () => {
  const due_time = '2026-11-20T14:30:00.000Z';
  const known = order('10418', [item(1)], { priority: 2, due_time, customer: 'Baker', note: 'Fragile' });
  const addOrder = vi.fn(async () => ({ ...known, warnings: [] }));
  await open(known, { addOrder, removeOrder: () => Promise.resolve(), loadOrders: () => Promise.resolve([]) });
  await press('More for 10418');
  await press('Delete…', 'menuitem');
  await press('Undo');
  expect(addOrder).toHaveBeenCalledWith({
    body: expect.objectContaining({ priority: 2, due_time, customer: 'Baker', note: 'Fragile' }),
  });
});

test('a read-only user cannot launch, hand over, close short or reopen', async () => {
  await open(WAITING, {}, { scope: 'read' });
  const menus: (string | null)[] = [];
  for (const name of ['Cable tie', 'M8 nut', 'Fuse']) {
    await press(`More for ${name}`);
    menus.push(...screen.getAllByRole('menuitem').map(({ textContent }) => textContent));
    await act(async () => fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' }));
  }
  expect(menus.filter((row) => /Correct/.test(row ?? ''))).toHaveLength(3);
  expect(menus.filter((row) => /Short|Reopen|Light again/.test(row ?? ''))).toEqual([]);
  await press('More for 10418');
  const rows = screen.getAllByRole('menuitem').map((row) => row.textContent);
  expect(rows).toContain('Duplicate…Requires the control role');
  expect(rows.filter((row) => /Launch|Hand over/.test(row ?? ''))).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Launch again' })).toBeNull();
});

const SOLD = order('10418', [LIT], {
  customer: 'Miller & Sons',
  note: 'Fragile.\nRing twice.',
  color: 'g',
  priority: 5,
});

test('the summary shows the customer and the note, and follows changes to them', async () => {
  const { tell } = await open(SOLD);
  expect(screen.getByText('Miller & Sons')).toBeDefined();
  expect(screen.getByText(/Ring twice/)).toBeDefined();
  const told = progress('10418', { id: 1, item_count: 1, customer: 'Baker' });
  await tell({ type: 'order.changed', order: told });
  expect(screen.getByText('Baker')).toBeDefined();
  expect(screen.queryByText(/Ring twice/)).toBeNull();
});

test('Edit sends only the changed fields, with the values that the user saw', async () => {
  const changeOrder = vi.fn<Stubs['changeOrder']>(() => Promise.resolve({ ...SOLD, warnings: [] }));
  await open(SOLD, { changeOrder });
  await press('Edit');
  await type('Note', ' Leave at the door ');
  await type('Priority', '');
  await press('Save');
  expect(changeOrder.mock.calls).toMatchObject([
    [
      {
        order_number: '10418',
        change: { note: 'Leave at the door', priority: 0 },
        seen: { customer: 'Miller & Sons', note: SOLD.note, priority: 5 },
      },
    ],
  ]);
  expect(screen.getByText('Order 10418 saved.')).toBeDefined();
  await press('Edit');
  await type('Customer', ' ');
  await type(/^Color/, '', 'combobox');
  await press('Save');
  expect(changeOrder.mock.lastCall?.[0].change).toEqual({ customer: null, color: null });
});

test('Edit changes the address, keeps the name in it, and the page shows the new one', async () => {
  const address = { name: 'Erika Miller', lines: ['Eulenweg 7'], postcode: '04107', city: 'Leipzig' };
  let known: Order = { ...SOLD, address };
  const changeOrder = vi.fn<Stubs['changeOrder']>(({ change }) => {
    known = { ...known, address: change.address ?? undefined };
    return Promise.resolve({ ...known, warnings: [] });
  });
  await open(known, { changeOrder, getOrder: () => Promise.resolve(known) });
  await press('Edit');
  expect(screen.getByRole('textbox', { name: 'Address' })).toHaveProperty('value', 'Eulenweg 7\n04107 Leipzig');
  await type('Address', 'Amselweg 1\n06108 Halle');
  await press('Save');
  const moved = { name: 'Erika Miller', lines: ['Amselweg 1'], postcode: '06108', city: 'Halle' };
  expect(changeOrder.mock.lastCall?.[0]).toMatchObject({ change: { address: moved }, seen: { address } });
  expect(await screen.findByText(/06108 Halle/)).toBeDefined();
  await press('Edit');
  await type('Address', '');
  await press('Save');
  expect(changeOrder.mock.lastCall?.[0].change).toEqual({ address: null });
});

test('Edit rejects an invalid priority or color before it sends anything', async () => {
  const changeOrder = vi.fn<Stubs['changeOrder']>();
  await open(SOLD, { changeOrder });
  await press('Edit');
  await type('Priority', 'soon');
  await type(/^Color/, 'grue', 'combobox');
  await press('Save');
  expect(screen.getByText('Enter a whole number from -1,000 to 1,000.')).toBeDefined();
  expect(screen.getByText('Enter a color name, or #rrggbb.')).toBeDefined();
  expect(changeOrder).not.toHaveBeenCalled();
});

test('if somebody else changed a field, Edit shows the new value, keeps the input, and overwrites it only when saved again', async () => {
  let known = SOLD;
  const changeOrder = vi.fn<Stubs['changeOrder']>(({ change, seen }) =>
    'note' in change && seen.note !== known.note
      ? Promise.reject(new ApiError('changed', ''))
      : Promise.resolve({ ...known, warnings: [] }),
  );
  await open(SOLD, { changeOrder, getOrder: () => Promise.resolve(known) });
  await press('Edit');
  known = { ...SOLD, note: 'Call first', customer: 'Baker' };
  await type('Note', 'Leave at the door');
  await press('Save');
  expect(
    screen.getByText(
      'Somebody else has just changed this to “Call first”. Save again to replace it, or cancel to keep it.',
    ),
  ).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'Leave at the door');
  await press('Save');
  // Only the note is sent, so the other user's change to the customer is kept.
  expect(changeOrder.mock.lastCall).toMatchObject([
    { order_number: '10418', change: { note: 'Leave at the door' }, seen: { note: 'Call first' } },
  ]);
  expect(Object.keys(changeOrder.mock.lastCall?.[0].change ?? {})).toEqual(['note']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Edit shows that somebody else has cleared the field', async () => {
  let known: Order = SOLD;
  const changeOrder = vi.fn<Stubs['changeOrder']>(() => Promise.reject(new ApiError('changed', '')));
  await open(SOLD, { changeOrder, getOrder: () => Promise.resolve(known) });
  await press('Edit');
  known = { ...SOLD, customer: undefined };
  await type('Customer', 'Baker');
  await press('Save');
  expect(screen.getByText(/^Somebody else has just cleared this field\. Save again/)).toBeDefined();
});
