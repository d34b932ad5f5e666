import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import { PAGES } from '../../../renderer/src/app/pages.tsx';
import { AT } from '../../helpers/snapshots.ts';
import { station, testContext } from '../support.tsx';
import { item, ONE, openWork, order, press, progress, rowsShown } from './workSupport.tsx';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const created = (minute: number) => new Date(Date.parse(AT) + minute * 60_000).toISOString();

const PAULA = { name: 'Paula', color: 'blue', paused: false, deviceid: ONE };
const ORDERS = [
  progress('1', { state: 'fulfilled', priority: 9, created_time: created(1) }),
  progress('2', { created_time: created(2) }),
  progress('3', { created_time: created(1) }),
  progress('4', { due_time: inHours(5), created_time: created(4) }),
  progress('5', {
    due_time: inHours(-1),
    created_time: created(4),
    pickers: [PAULA, { ...PAULA, name: 'Quentin', paused: true }],
  }),
  progress('6', { priority: -1, due_time: inHours(1) }),
  progress('7', { priority: 5 }),
  progress('8', { state: 'in_progress', attention: ['timed_out', 'unassigned'], unassigned_count: 2, active_count: 1 }),
];
const loadOrders = () => Promise.resolve(ORDERS);
const numbers = () => rowsShown().map((row) => row[0]);
const row = (number: string) => rowsShown().find((text) => text.startsWith(number));

test('sorts by attention, priority, due time and age, with ended orders last', async () => {
  await openWork('orders', { loadOrders });
  expect(numbers()).toEqual(['8', '7', '5', '4', '3', '2', '6', '1']);
  expect(screen.getByRole('columnheader', { name: /^Urgency/ }).getAttribute('aria-sort')).toBe('ascending');
});

test('an order that needs attention shows the reason, and a filter lists only such orders', async () => {
  await openWork('orders', { loadOrders });
  expect(row('8')).toMatch(/0 of 3 lines doneTimed out · 2 without a device · 1 lit/);
  expect(screen.getAllByRole('radio').map((radio) => radio.textContent)).toEqual([
    'All 8',
    'Needs attention 1',
    'Open 6',
    'Under way 1',
    'With shorts 0',
    'Late 1',
    'Fulfilled 1',
    'Aborted 0',
  ]);
  await press('Late 1', 'radio');
  expect(numbers()).toEqual(['5']);
  await press('Needs attention 1', 'radio');
  expect(numbers()).toEqual(['8']);
  expect(window.location.search).toBe('?show=attention');
});

test('a row shows pickers, due time and priority, and highlights an open overdue order', async () => {
  const late = progress('0', { state: 'fulfilled', due_time: inHours(-1) });
  await openWork('orders', { loadOrders: () => Promise.resolve([...ORDERS, late]) });
  expect(row('5')).toMatch(/^5BPaulaBQuentin, paused.*Overdue /);
  expect(row('4')).toMatch(/Due /);
  expect(row('0')).toMatch(/Due /);
  expect(row('7')).toMatch(/Priority 5/);
  const marked = screen.getAllByText(/^(Due|Overdue) /).filter((time) => 'late' in time.dataset);
  expect(marked.map((time) => time.textContent)).toEqual([expect.stringMatching(/^Overdue /)]);
});

test('the rail counts the orders that need attention, but no other alerts', () => {
  const page = PAGES.find(({ id }) => id === 'orders');
  const alert = { kind: 'order_attention', order_number: '8', acknowledged: AT } as Alert;
  const other = { ...alert, kind: 'battery_low' } as Alert;
  const { store } = testContext({ station: { ...station(), alerts: [alert, other, { ...alert, order_number: '9' }] } });
  expect(page?.count?.of(store.getState())).toBe(2);
  expect(page?.count?.words(2)).toBe('2 orders need attention');
});

test('an open order follows its events, and reloads when its attention changes', async () => {
  const LIT = item(1, { name: 'Cable tie', deviceid: ONE, state: 'active', command_id: 'c1' });
  const known = order('10418', [LIT], { state: 'in_progress', launched_time: AT });
  const getOrder = vi.fn(() => Promise.resolve(known));
  const { tell } = await openWork('orders', { getOrder }, { path: '/orders/10418' });
  const { shipments: _, items: _items, unassigned: _unassigned, ...facts } = known;
  const told = progress('10418', { ...facts, item_count: 1, priority: 7, due_time: inHours(-1), pickers: [PAULA] });
  await tell({ type: 'order.changed', order: told });
  expect(screen.getByText('Priority 7')).toBeDefined();
  expect(screen.getByText(/^Overdue /)).toBeDefined();
  expect(screen.getAllByText('Paula').length).toBeGreaterThan(0);
  expect(getOrder).toHaveBeenCalledTimes(1);
  await tell({ type: 'order.changed', order: { ...told, attention: ['stalled'] } });
  expect(getOrder).toHaveBeenCalledTimes(2);
  await tell({ type: 'order.item', order_number: '10418', item: LIT });
  expect(getOrder).toHaveBeenCalledTimes(3);
});
