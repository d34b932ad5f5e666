import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StockShown } from '#shared/api/stock.ts';
import { addArticle, postStock } from '../../helpers/articles.ts';
import { addOrder, anItem, FOURTH, launch, ONE, press, THIRD, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startOpenEPaper } from '../../helpers/devices/openEPaperRig.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: showing stock.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  for (const [id, label] of [
    [ONE, 'A-1'],
    [THREE_BUTTONS, 'A-2'],
    [THIRD, 'A-3'],
    [FOURTH, 'A-4'],
  ] as const)
    await station.post(`/api/device/${id}/`, { locationoverride: label, statica: `At ${label}` });
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 9, minimum: 3 },
    { location: 'A-2', on_hand: 3, minimum: 3 },
    { location: 'A-3', on_hand: 0 },
    { location: 'A-4' },
    { location: 'Loft', on_hand: 5 },
  ]);
  await station.clock.advance(5_000);
});
afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function show(given: object = {}): Promise<StockShown> {
  const shown = await station.post<StockShown>('/api/stock/show/', given);
  await station.clock.advance(3_000);
  return shown;
}

/** Returns the first line and the LED of each device. */
async function displays(): Promise<string[]> {
  const shown = [];
  for (const id of [ONE, THREE_BUTTONS, THIRD, FOURTH]) {
    const { displayed } = await station.device(id);
    const { mode, hex } = displayed?.led ?? {};
    shown.push(`${displayed?.screen.lines[0] ?? ''} ${mode === 'off' ? mode : `${mode} ${hex}`}`);
  }
  return shown;
}

const DARK = ['At A-1 off', 'At A-2 off', 'At A-3 off', 'At A-4 off'];

test('each counted place shows its stock in the color of its LED, and turns off automatically', async () => {
  expect(await show()).toMatchObject({ green: 1, yellow: 1, red: 1, busy: [], left_out: [] });
  expect(await displays()).toEqual([
    'At A-1 steady #00ff00',
    'At A-2 steady #ffff00',
    'At A-3 steady #ff0000',
    DARK[3],
  ]);
  expect(await station.get('/api/work/')).toEqual([]);
  await station.clock.advance(33_000);
  expect(await displays()).toEqual(DARK);
  expect(await station.get('/api/history/summary/')).toMatchObject({ acknowledged: 0, timed_out: 0 });
});

test('a short press sends no callback, and a long press makes a call', async () => {
  await show({ seconds: 300 });
  await press(station, ONE);
  expect(await displays()).toEqual(['At A-1 off', 'At A-2 steady #ffff00', 'At A-3 steady #ff0000', DARK[3]]);
  expect(receiver.requests).toEqual([]);
  await station.press(THREE_BUTTONS, 'front', 'long');
  await station.clock.advance(3_000);
  const told = receiver.requests.map(({ body }) => JSON.parse(body) as object);
  expect(told).toEqual([expect.objectContaining({ acknack: 'call', deviceid: THREE_BUTTONS })]);
  expect(await displays()).toEqual(['At A-1 off', 'At A-2 off', 'At A-3 steady #ff0000', DARK[3]]);
});

test('work keeps its light, and new work replaces the light for the stock', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: ONE })]);
  await launch(station, 'SO-1');
  await station.clock.advance(3_000);
  expect(await show({ seconds: 300 })).toMatchObject({ green: 0, yellow: 1, red: 1, busy: ['A-1'] });
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 4 })]);
  await launch(station, 'SO-2');
  await station.clock.advance(3_000);
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ order_number: 'SO-2', state: 'shown' }]);
  await press(station, THREE_BUTTONS);
  expect((await displays()).slice(1, 3)).toEqual(['At A-2 off', 'At A-3 steady #ff0000']);
});

test('a second request replaces the first, and 0 seconds or a restart turns the lights off', async () => {
  await show({ seconds: 300 });
  await postStock(station, { sku: 'X', location: 'A-3', count: 7 });
  expect(await show({ seconds: 200 })).toMatchObject({ green: 2, yellow: 1, red: 0 });
  expect((await station.device(THIRD)).commands).toHaveLength(1);
  expect((await displays())[2]).toBe('At A-3 steady #00ff00');
  expect(await show({ seconds: 0 })).toEqual({ until: null, green: 0, yellow: 0, red: 0, busy: [], left_out: [] });
  expect(await displays()).toEqual(DARK);
  await show({ seconds: 300 });
  await station.restart();
  await station.clock.advance(10_000);
  expect(await displays()).toEqual(DARK);
  expect((await station.device(ONE)).commands).toEqual([]);
});

test('a device with several places shows the worst one, and a time of 301 seconds is refused', async () => {
  await station.post('/api/location-aliases/', { name: 'Drawer', deviceid: ONE, deviceIs: 'Above' });
  await addArticle(station, 'Y', [{ location: 'Drawer', on_hand: 0 }]);
  expect(await show()).toMatchObject({ green: 0, yellow: 1, red: 2 });
  const { status } = await station.request('POST', '/api/stock/show/', { seconds: 301 });
  expect(status).toBe(400);
});

test('a device with a slow link is skipped and reported', async () => {
  const { station: slow } = await startOpenEPaper([{ mac: '0000A0B1C2000001', type: '33' }]);
  await slow.post('/api/location-aliases/', { name: 'B-7', deviceid: 'A0B1C2:000001', deviceIs: 'Below' });
  await addArticle(slow, 'X', [{ location: 'B-7', on_hand: 0 }]);
  expect(await slow.post('/api/stock/show/', {})).toMatchObject({ red: 0, left_out: ['B-7'] });
});

test('a light of “Show stock” is marked as one for everybody who reads the devices, and no other command is', async () => {
  const mark = async (id: string) => (await station.device(id)).commands[0]?.shows_stock;
  await show({ seconds: 60 });
  await station.post(`/api/device/${FOURTH}/`, { line1: 'x' });
  expect([await mark(ONE), await mark(FOURTH)]).toEqual([true, undefined]);
  await station.post('/api/stock/show/', { seconds: 0 });
  expect((await station.device(ONE)).commands).toEqual([]);
});
