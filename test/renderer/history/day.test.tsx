import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import { Day } from '../../../renderer/src/features/station/Day.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { alert } from '../../helpers/snapshots.ts';
import { show, station, testContext } from '../support.tsx';
import { progress } from '../orders/workSupport.tsx';

const LONG_AGO = '2020-01-01T08:00:00.000Z';

async function open(orders: readonly OrderProgress[], alerts = [] as ReturnType<typeof alert>[]) {
  const context = testContext(
    { station: { ...station(), alerts } },
    { loadOrdersIn: (state) => Promise.resolve(orders.filter((order) => order.state === state)) },
  );
  show(context, <Day />);
  await screen.findByText(orders.length === 0 ? 'No orders are waiting.' : 'Who picks what');
  return within(screen.getByRole('region', { name: 'Orders and people' }));
}

test("each figure links to its orders, and each picker's row links to that picker's order", async () => {
  const picker = { name: 'Anna', color: 'blue', paused: false, deviceid: null };
  const day = await open([
    progress('7001', { state: 'in_progress', pickers: [picker], done_count: 1, item_count: 4, short_count: 1 }),
    progress('7002', { due_time: LONG_AGO }),
  ]);
  const led = (name: string | RegExp) => day.getByRole('link', { name }).getAttribute('href');
  expect(led(/^1 ?Waiting$/)).toBe('/orders?show=open');
  expect(led(/^1 ?Under way$/)).toBe('/orders?show=in_progress');
  expect(led(/^1 ?With shorts$/)).toBe('/orders?show=short');
  expect(led(/^1 ?Late$/)).toBe('/orders?show=late');
  expect(led('7001')).toBe('/orders/7001');
  expect(day.getByText('1 of 4')).toBeTruthy();
});

test('marks a late order in the list of pickers', async () => {
  const picker = { name: 'Anna', color: 'blue', paused: false, deviceid: null };
  const day = await open([
    progress('7001', { state: 'in_progress', pickers: [picker], due_time: LONG_AGO }),
    progress('7002', { state: 'in_progress', pickers: [picker], due_time: '2099-01-01T08:00:00.000Z' }),
  ]);
  const lines = day.getAllByRole('listitem').filter(({ textContent }) => textContent?.includes('Anna') ?? false);
  expect(lines.map(({ textContent }) => textContent?.endsWith('Late'))).toEqual([true, false]);
});

test('without orders, offers an import and does not show zeros', async () => {
  const day = await open([]);
  expect(day.getByRole('link', { name: 'Import orders' }).getAttribute('href')).toBe('/import?what=orders');
  expect(day.queryByText('0')).toBeNull();
  expect(day.getByText('All devices, gateways and receivers are OK.')).toBeTruthy();
});

test('shows the newest alerts except order alerts, and counts the rest', async () => {
  const kinds = ['battery_low', 'device_offline', 'order_attention', 'signal_weak', 'turbo_offline'] as const;
  const day = await open(
    [],
    kinds.map((kind, index) => alert(String(index), { kind })),
  );
  const list = within(day.getByRole('heading', { name: 'Needs care' }).parentElement ?? document.body);
  expect(list.getAllByRole('listitem')).toHaveLength(3);
  expect(list.getByRole('link', { name: '1 more' }).getAttribute('href')).toBe('/alerts');
});

test('if orders cannot be loaded, says so and offers to retry', async () => {
  const refused = () => Promise.reject(new ApiError('unreachable', 'The station does not answer.'));
  show(testContext({ station: station() }, { loadOrdersIn: refused }), <Day />);
  expect(await screen.findByText(/^The orders could not be loaded/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
