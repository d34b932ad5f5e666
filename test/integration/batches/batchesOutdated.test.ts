import { afterEach, beforeEach, expect, test } from 'vitest';
import { act, addBatch, addCart, addTies, handsOf, PLACE } from '../../helpers/batches.ts';
import { itemsOf, orderPath } from '../../helpers/orders.ts';
import { type Answer, type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Confirmations of a light of a batch that waited in a browser. The light shows 3 pieces of SO-1 and 4 of SO-2.
let station: TestStation & AsyncDisposable;
let commandId = '';
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  await addTies(station, 'SO-1', 3);
  await addTies(station, 'SO-2', 4);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  commandId = (await station.device(PLACE)).commands[0]?.command_id ?? '';
});
afterEach(() => station.stop());

async function acknowledge(body: object): Promise<Answer> {
  const answer = await station.request('POST', `/api/device/${PLACE}/acknowledge/`, {
    command_id: commandId,
    ...body,
  });
  await station.clock.advance(3_000);
  return answer;
}
const OUTDATED = { status: 409, body: { code: 'outdated' } };

test.each([
  ['has more pieces than the page showed', { seen: 1 }],
  ['asks for other pieces than the page showed', { seen: { picked: 0, asked: 6 } }],
  ['was confirmed more than an hour ago', { seen: 0, confirmed_at: '2020-01-01T00:00:00Z' }],
])('a light of a batch that %s is not acknowledged', async (_, body) => {
  expect(await acknowledge(body)).toMatchObject(OUTDATED);
  expect(await handsOf(station)).toEqual({});
});

test('a light of a batch that has not changed is acknowledged once', async () => {
  const body = { seen: { picked: 0, asked: 7 }, qty: 7 };
  expect(await acknowledge(body)).toMatchObject({ status: 200, body: { qty: 7 } });
  expect(await handsOf(station)).toEqual({ '': 7 });
  expect(await acknowledge(body)).toMatchObject(OUTDATED);
});

test('a light of a batch that was picked, reopened and lit again is not acknowledged by its old command', async () => {
  await acknowledge({});
  for (const order of ['SO-1', 'SO-2'])
    await station.post(orderPath(order, `items/${(await itemsOf(station, order))[0]?.id}/reopen/`));
  await station.clock.advance(3_000);
  expect(await acknowledge({ seen: 0, qty: 7 })).toMatchObject(OUTDATED);
  expect(await handsOf(station)).toEqual({});
});
