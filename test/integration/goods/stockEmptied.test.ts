import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, movedOf, onHand, placeOf } from '../../helpers/articles.ts';
import {
  addOrder,
  correct,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: what happens to waiting lines when somebody finds their place empty.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'harbour street', role: 'picker' });
  for (const [id, label] of [
    [ONE, 'A-1'],
    [THREE_BUTTONS, 'A-2'],
    [THIRD, 'A-3'],
  ] as const)
    await station.post(`/api/device/${id}/`, { locationoverride: label });
});
afterEach(() => station.stop());

const line = (given: object = {}): object => ({ SKU: 'X', ordered_quantity: 3, ...given });

async function light(number: string, item: object = line(), picker?: string): Promise<number> {
  await addOrder(station, number, [item]);
  if (picker === undefined) await launch(station, number);
  else await station.post(orderPath(number, 'launch/'), { picker });
  await station.clock.advance(3_000);
  return (await itemsOf(station, number))[0]?.id ?? 0;
}

/** Closes the line of SO-1 as missing, by default with nothing found at A-1. */
async function findEmpty(given: object = {}): Promise<void> {
  const [item] = await itemsOf(station, 'SO-1');
  const body = { quantity_fulfilled: 0, reason: 'missing', ...given };
  await station.post(orderPath('SO-1', `items/${item?.id ?? 0}/short/`), body);
  await station.clock.advance(3_000);
}

const placeOfLine = async (number: string): Promise<unknown> => (await itemsOf(station, number))[0]?.deviceid;
const facts = () =>
  station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts: text }) => JSON.parse(text) as { type: string }[])
    .filter(({ type }) => type === 'line.moved');

async function addPlaces(...stock: (number | undefined)[]): Promise<void> {
  const places = stock.map((pieces, index) => ({ location: `A-${index + 1}`, on_hand: pieces }));
  await addArticle(station, 'X', places, { name: 'Nut M8' });
}

test('open lines in other orders move to their next place, with a fact and a history entry', async () => {
  await addPlaces(20, 4, 3);
  await light('SO-1', line(), 'Anna');
  await light('SO-2', line(), 'Ben');
  await light('SO-3');
  await findEmpty();
  expect([await placeOfLine('SO-2'), await placeOfLine('SO-3')]).toEqual([THREE_BUTTONS, THIRD]);
  expect(await litDevices(station)).toEqual([THREE_BUTTONS, THIRD]);
  const moved = { type: 'line.moved', text: 'Nut M8', from: 'A-1' };
  expect(facts()).toEqual([
    expect.objectContaining({ ...moved, order_number: 'SO-2', location: 'A-2', picker: 'Ben' }),
    expect.objectContaining({ ...moved, order_number: 'SO-3', location: 'A-3', picker: null }),
  ]);
  expect(await station.get('/api/history/?kind=order_moved&order_number=SO-2')).toMatchObject([{ location: 'A-1' }]);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 0, allocated: 0 });
  await press(station, THREE_BUTTONS);
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 0, 'A-2': 1, 'A-3': 3 });
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(done)');
});

test('a line stays if its order names the place, if it is partly picked, or if somebody is counting at the place', async () => {
  await addPlaces(20, 40);
  await light('SO-1', line(), 'Anna');
  await light('named', line({ warehouse_location: 'A-1' }));
  await light('given', line({ deviceid: ONE }));
  const picked = await light('picked');
  await correct(station, 'picked', picked, { quantity_fulfilled: 1 });
  const there = await light('there', line(), 'Ben');
  await light('free');
  const { command_id: id } = (await station.get<WorkLine[]>('/api/work/')).find((each) => each.item_id === there) ?? {};
  await station.request('PUT', '/api/user/current/', { picker: 'Ben', item_id: there });
  const scan = { code: 'A-1', quantity: 9, act: true, picker: 'Ben' };
  expect(await station.post('/api/scan/', scan)).toMatchObject({ result: 'too_many', command_id: id });
  await findEmpty();
  const places = [];
  for (const number of ['named', 'given', 'picked', 'there', 'free']) places.push(await placeOfLine(number));
  expect(places).toEqual([ONE, ONE, ONE, ONE, THREE_BUTTONS]);
});

test('other lines in the same order stay', async () => {
  await addPlaces(20, 40);
  await addOrder(station, 'SO-1', [line(), line()]);
  await launch(station, 'SO-1');
  await findEmpty();
  expect((await itemsOf(station, 'SO-1')).map(({ state, deviceid }) => [state, deviceid])).toEqual([
    ['short', ONE],
    ['active', ONE],
  ]);
});

test('without a next place, lines stay lit, are listed last, and show who found the place empty and when', async () => {
  await addPlaces(20, 0);
  await addArticle(station, 'Y', [{ location: 'A-3', on_hand: 5 }]);
  await light('SO-1', line(), 'Anna');
  await light('SO-2', line(), 'Ben');
  await light('SO-3', line({ SKU: 'Y' }));
  const work = async (): Promise<unknown[]> =>
    (await station.get<WorkLine[]>('/api/work/')).map(({ order_number, found_empty: found, on_hand: pieces }) => [
      order_number,
      pieces,
      found,
    ]);
  expect(await work()).toEqual([
    ['SO-1', 20, null],
    ['SO-2', 20, null],
    ['SO-3', 5, null],
  ]);
  const [item] = await itemsOf(station, 'SO-1');
  const device = await station.device(ONE);
  expect(item?.command_id).toBe(device.commands[0]?.command_id);
  const body = { command_id: item?.command_id, qty: 0, reason: 'missing', picker: 'Anna' };
  await station.post(`/api/device/${ONE}/acknowledge/`, body);
  expect(await work()).toEqual([
    ['SO-3', 5, null],
    ['SO-2', 0, { by: 'Anna', at: expect.any(String) as string }],
  ]);
  await station.post('/api/stock/', { movements: [{ sku: 'X', location: 'A-1', count: 4 }] });
  expect(await work()).toEqual([
    ['SO-2', 4, null],
    ['SO-3', 5, null],
  ]);
});

test('closing short with a device button does not move lines until somebody reports the pieces as missing', async () => {
  await addPlaces(20, 20);
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-2' });
  const id = await light('SO-1');
  await light('SO-2');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short)');
  expect(await placeOfLine('SO-2')).toBe(THREE_BUTTONS);
  await station.post(orderPath('SO-1', `items/${id}/short/`), { reason: 'missing' });
  expect(await placeOfLine('SO-2')).toBe(ONE);
});

test('the reason "missing" sets the stock of the place to 0 even if the rest is picked elsewhere', async () => {
  await addPlaces(20, 20);
  await light('SO-1');
  await findEmpty({ quantity_fulfilled: 1, elsewhere: THREE_BUTTONS });
  expect((await movedOf(station)).slice(2)).toEqual([
    ['pick', 'A-1', -1, 19],
    ['short', 'A-1', -19, 0],
  ]);
  await findEmpty({ quantity_fulfilled: 1 });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 0, 'A-2': 0 });
});

test('a short with a different reason does not change the emptied place, so the earlier short can still be undone', async () => {
  await addPlaces(20);
  const id = await light('SO-1');
  const other = await light('SO-2');
  await findEmpty();
  await station.post(orderPath('SO-2', `items/${other}/short/`), { reason: 'other' });
  await station.post(orderPath('SO-1', `items/${id}/reopen/`), {});
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 20 });
});
