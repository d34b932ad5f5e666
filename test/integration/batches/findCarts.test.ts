import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FoundThing } from '#shared/api/find.ts';
import { addBatch, addCart, addTies } from '../../helpers/batches.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

let station: TestStation & AsyncDisposable;
beforeEach(async () => void (station = await startTestStation({ simulate: 6, refreshMs: 0 })));
afterEach(() => station.stop());

const find = (q: string) => station.get<FoundThing[]>(`/api/find/?q=${encodeURIComponent(q)}`);

test('finds carts and walls by name and code, and by the codes of their slots', async () => {
  // Fill the index before the cart exists, so that the index must process its facts.
  expect(await find('cart-1')).toEqual([]);
  await addCart(station);
  const slots = [{ slot: 'B1', code: 'W-B1' }];
  await station.post('/api/walls/', { name: 'Wall north', code: 'WN', rows: 2, columns: 1, slots });
  expect(await find('wall')).toEqual([{ kind: 'wall', wall: 2, text: 'Wall north', matched: 'name' }]);
  expect(await find('wn')).toEqual([{ kind: 'wall', wall: 2, text: 'WN · Wall north', matched: 'code' }]);
  expect(await find('w-b')).toEqual([
    { kind: 'wall', wall: 2, slot: 'B1', text: 'W-B1 · Wall north B1', matched: 'code' },
  ]);
  // Each cart is listed once, by its best match.
  expect(await find('cart')).toEqual([{ kind: 'cart', cart: 1, text: 'Cart 1', matched: 'name' }]);
  expect(await find('c1-a1')).toEqual([
    { kind: 'cart', cart: 1, slot: 'A1', text: 'C1-A1 · Cart 1 A1', matched: 'code' },
  ]);
  await station.request('PUT', '/api/walls/2/', { name: 'Wall south', rows: 1, columns: 1 });
  expect(await find('north')).toEqual([]);
  expect(await find('w-b')).toEqual([]);
  expect(await find('south')).toMatchObject([{ wall: 2, text: 'Wall south' }]);
  await station.request('DELETE', '/api/walls/2/');
  expect(await find('south')).toEqual([]);
});

test('finds batches that have not ended by number, cart and tote, even after a restart', async () => {
  await addCart(station);
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 2);
  expect(await find('batch')).toEqual([]);
  const { id } = await addBatch(station, [], { slots: [{ slot: 'A2', order_number: 'SO-1', tote: 'TOTE-7' }] });
  const batch = { kind: 'batch', batch: id, text: `Batch ${id} · Cart 1`, matched: 'batch' };
  const tote = { ...batch, slot: 'A2', text: `TOTE-7 · Batch ${id} · Cart 1 A2`, matched: 'tote' };
  expect(await find(`batch ${id}`)).toEqual([batch]);
  expect(await find('tote')).toEqual([tote]);
  expect((await find('cart 1')).map(({ kind }) => kind)).toEqual(['cart', 'batch']);
  await station.post(`/api/batches/${id}/slots/`, { slot: 'A1', order_number: 'SO-2', tote: 'TOTE-3' });
  expect(await find('tote-3')).toMatchObject([{ batch: id, slot: 'A1' }]);
  await station.restart();
  expect(await find('tote-7')).toEqual([tote]);
  await station.request('DELETE', `/api/batches/${id}/`);
  expect(await find('batch')).toEqual([]);
  expect(await find('tote')).toEqual([]);
});
