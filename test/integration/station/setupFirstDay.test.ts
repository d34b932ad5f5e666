import { expect, test } from 'vitest';
import type { Rack } from '#shared/api/map.ts';
import type { Order } from '#shared/api/order.ts';
import type { FirstDay } from '#shared/api/setup.ts';
import { addArticle } from '../../helpers/articles.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const STEPS = '/api/setup/steps/';

async function stepsOf(station: TestStation): Promise<{ done: string[]; inDemo: string[] }> {
  const { steps } = await station.get<FirstDay>(STEPS);
  const named = (kept: FirstDay['steps']) => kept.map(({ step }) => step);
  return { done: named(steps.filter(({ done }) => done)), inDemo: named(steps.filter(({ in_demo: is }) => is)) };
}

test('each of the first steps counts as done once its result exists on the station', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  expect(await stepsOf(station)).toEqual({ done: [], inDemo: [] });
  await station.patch('/api/settings/', { shop_name: 'Harbour bikes' });
  expect((await stepsOf(station)).done).toEqual(['name']);
  const rack = await station.post<Rack>('/api/map/racks/', { name: 'C', columns: 2, shelves: ['C-1'] });
  expect((await stepsOf(station)).done).toEqual(['name', 'shelves']);
  await station.post('/api/simulator/devices/', { count: 1 });
  expect((await stepsOf(station)).done).toEqual(['name', 'shelves', 'hardware']);
  await station.request('PUT', '/api/map/places/51D000:000001/', { shelf: rack.shelves[0]?.id, column: 0 });
  expect((await stepsOf(station)).done).toEqual(['name', 'shelves', 'hardware', 'places']);
  await addArticle(station, 'B-1');
  expect((await stepsOf(station)).done).toEqual(['name', 'shelves', 'hardware', 'places', 'articles']);
  const { shipments } = await station.post<Order>('/api/orders/', {
    order_number: '7',
    items: [{ name: 'Bell', ordered_quantity: 1 }],
  });
  expect((await stepsOf(station)).done).toContain('orders');
  await station.patch(`/api/orders/7/items/${shipments[0]?.items[0]?.id}/`, { quantity_fulfilled: 1 });
  expect((await stepsOf(station)).done).toContain('pick');
  await station.post('/api/api-users/', { name: 'Shop system', scope: 'control' });
  expect((await stepsOf(station)).done).toHaveLength(8);
});

test('a shop that picks without articles need not complete the step for articles', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  const { shipments } = await station.post<Order>('/api/orders/', {
    order_number: '7',
    items: [{ name: 'Bell', ordered_quantity: 1 }],
  });
  expect((await stepsOf(station)).done).toEqual(['orders']);
  await station.patch(`/api/orders/7/items/${shipments[0]?.items[0]?.id}/`, { quantity_fulfilled: 1 });
  expect((await stepsOf(station)).done).toEqual(['articles', 'orders', 'pick']);
});

test('the demo shop completes no step, and the station names the steps that it demonstrates', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  await station.post('/api/setup/demo/', {});
  const demo = ['shelves', 'hardware', 'places', 'orders'];
  expect(await stepsOf(station)).toEqual({ done: [], inDemo: demo });
  const { shipments } = await station.get<Order>('/api/orders/10418/');
  await station.patch(`/api/orders/10418/items/${shipments[0]?.items[0]?.id}/`, { quantity_fulfilled: 12 });
  expect(await stepsOf(station)).toEqual({ done: [], inDemo: [...demo, 'pick'] });
  expect((await station.get<FirstDay>(STEPS)).demo).toBe(true);
  // A demo device with a different label belongs to the owner.
  await station.post('/api/device/51D000:000001/', { locationoverride: 'C-1-1' });
  expect((await stepsOf(station)).done).toEqual(['shelves', 'hardware', 'places']);
});

test('dismissing the list hides it for everyone until somebody shows it again', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  expect(await station.get<FirstDay>(STEPS)).toMatchObject({ dismissed: false });
  for (const dismissed of [true, false]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await station.patch<FirstDay>(STEPS, { dismissed })).toMatchObject({ dismissed });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await station.get<FirstDay>(STEPS)).toMatchObject({ dismissed });
  }
});

test('the snapshot contains the name of the shop', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  expect(await station.get('/api/station/')).toMatchObject({ shop_name: '' });
  await station.patch('/api/settings/', { shop_name: 'Harbour bikes' });
  expect(await station.get('/api/station/')).toMatchObject({ shop_name: 'Harbour bikes' });
  expect((await station.request('PATCH', '/api/settings/', { shop_name: 'two\nlines' })).status).toBe(400);
});
