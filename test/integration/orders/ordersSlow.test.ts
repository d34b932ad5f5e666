import { expect, test } from 'vitest';
import type { OrderResult } from '#shared/api/order.ts';
import type { OrderImport } from '#shared/api/imports.ts';
import type { SequenceResult } from '#shared/api/sequence.ts';
import { startOpenEPaper } from '../../helpers/devices/openEPaperRig.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

const TAG = { mac: '0000A0B1C2000001', type: '33' };
const TAG_ID = 'A0B1C2:000001';
const SLOW = `${TAG_ID} is slow: it can take 40 seconds to show a change, too late for picking.`;

test('creating an order for a slow tag warns, and the order can be launched', async () => {
  const { station } = await startOpenEPaper([TAG]);
  await station.post('/api/location-aliases/', { name: 'B-7', deviceid: TAG_ID, deviceIs: 'Below' });
  const added = await station.post<OrderResult>('/api/orders/', {
    order_number: '7001',
    items: [
      { name: 'None of it', ordered_quantity: 0, deviceid: TAG_ID },
      { name: 'Nut', ordered_quantity: 2, warehouse_location: 'B-7' },
      { name: 'Bolt', ordered_quantity: 2, warehouse_location: 'nowhere' },
    ],
  });
  expect(added.warnings).toEqual([
    '/items/0/ordered_quantity: It is 0: the item is done and never lit.',
    '/items/2/warehouse_location: No device is found at "nowhere" yet. The item lights nothing until there is one.',
    `/items/1: ${SLOW}`,
  ]);
  const shipments = [{ shipment_number: 'S1', items: [{ name: 'Nut', ordered_quantity: 1, deviceid: TAG_ID }] }];
  const second = await station.post<OrderResult>('/api/orders/?strict=1', { order_number: '7002', shipments });
  expect(second.warnings).toEqual([`/shipments/0/items/0: ${SLOW}`]);
  await station.post('/api/orders/7001/launch/');
  expect((await station.device(TAG_ID)).commands).toHaveLength(1);
});

test('importing an order file or launching a sequence also warns about slow tags', async () => {
  const { station } = await startOpenEPaper([TAG]);
  const csv = `order_number,name,ordered_quantity,deviceid\n7001,Nut,2,${TAG_ID}\n7001,Bolt,2,\n`;
  const { rows } = await station.post<OrderImport>('/api/order-import/', { csv });
  expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['new', SLOW],
    ['new', ''],
  ]);
  await station.post('/api/sequence/', { sequenceid: 'restock', steps: [{ order: 1, device: TAG_ID, line1: 'Nut' }] });
  const launched = await station.get<SequenceResult>('/api/launchsequence/restock/');
  expect(launched.warnings).toEqual([`/steps/0: ${SLOW}`]);
});

test('does not warn about devices that update immediately', async () => {
  await using station = await startTestStation({ simulate: 1 });
  const item = { name: 'Nut', ordered_quantity: 2, deviceid: '51D000:000001' };
  const added = await station.post<OrderResult>('/api/orders/', { order_number: '7001', items: [item] });
  expect(added.warnings).toEqual([]);
  const csv = 'order_number,name,ordered_quantity,deviceid\n7002,Nut,2,51D000:000001\n';
  const { rows } = await station.post<OrderImport>('/api/order-import/', { csv });
  expect(rows.map(({ message }) => message)).toEqual(['']);
});
