import { expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { addOrder, anItem, itemsOf, litDevices, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

test('a line that is opened again stays dark while its order waits for a busy picker, and is lit for this person', async () => {
  await using station = await startTestStation({ simulate: 2, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'a few easy words', role: 'picker' });
  await addOrder(station, 'SO-1', [anItem(), anItem({ SKU: 'Y', deviceid: THREE_BUTTONS })]);
  await addOrder(station, 'SO-2', [anItem({ SKU: 'Z', deviceid: THREE_BUTTONS })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await press(station, ONE);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Ben' });
  await station.post(orderPath('SO-1', 'handover/'), { picker: 'Ben' });
  expect(await station.get<Order>(orderPath('SO-1'))).toMatchObject({ waits: true });
  const [done] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${done?.id}/reopen/`));
  await station.clock.advance(3_000);
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
  expect((await itemsOf(station, 'SO-1')).map(({ state }) => state)).toEqual(['open', 'open']);
  await press(station, THREE_BUTTONS);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Ben' });
  await station.clock.advance(3_000);
  expect((await itemsOf(station, 'SO-1')).map(({ state, picker }) => [state, picker])).toEqual([
    ['active', 'Ben'],
    ['active', 'Ben'],
  ]);
});
