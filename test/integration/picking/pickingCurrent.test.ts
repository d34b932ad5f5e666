import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addOrder, anItem, itemsOf, ONE, orderPath, THIRD } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: if several pickers have a line at one device, the device shows the line of the picker who has arrived.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben', 'Cleo']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

/** Creates and lights a line with this many pieces for a person at a device. Returns the id of its item. */
async function give(picker: string, pieces: number, deviceid = ONE): Promise<number> {
  const number = `SO-${picker}-${pieces}`;
  await addOrder(station, number, [anItem({ deviceid, ordered_quantity: pieces })]);
  await station.post(orderPath(number, 'launch/'), { picker });
  await station.clock.advance(3_000);
  return (await itemsOf(station, number))[0]?.id ?? 0;
}

const current = (body: object): Promise<Answer> => station.request('PUT', '/api/user/current/', body);
async function standsAt(picker: string, item_id: number | null): Promise<void> {
  expect((await current({ picker, item_id })).status).toBe(item_id === null ? 204 : 200);
  await station.clock.advance(3_000);
}
const queue = async (device = ONE) =>
  (await station.device(device)).commands.map(({ quantity, state }) => `${quantity} ${state}`).join(', ');

/** Sets a count on the picker's page, by which the station learns that the picker has arrived. */
async function touch(picker: string, item_id: number, quantity: number): Promise<void> {
  const { write } = await openSession(station, { username: picker, password: 'long enough' });
  const line = (await station.get<WorkLine[]>('/api/work/')).find((each) => each.item_id === item_id);
  const body = { command_id: line?.command_id, quantity };
  const headers = { ...write, 'content-type': 'application/json' };
  const { status } = await station.request('POST', `/api/device/${ONE}/adjust/`, body, headers);
  expect(status).toBe(200);
  await station.clock.advance(3_000);
}

async function press(): Promise<void> {
  await station.press(ONE);
  await station.clock.advance(3_000);
}

test("the line on its picker's page is shown before an earlier line of another picker", async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 3);
  expect(await queue()).toBe('5 shown, 3 queued');
  await standsAt('Ben', ofBen);
  expect(await queue()).toBe('3 shown, 5 queued');
  const lines = await station.get<WorkLine[]>('/api/work/');
  expect(lines.map(({ item_id: id, current: isCurrent, waiting }) => ({ id, isCurrent, waiting }))).toEqual([
    { id: ofBen, isCurrent: true, waiting: false },
    { id: ofAnna, isCurrent: false, waiting: true },
  ]);
  await press();
  expect(await queue()).toBe('5 shown');
  expect((await itemsOf(station, 'SO-Ben-3'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
});

test('a displaced line is lit again for its full time', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })], { seconds: 60 });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  const ofBen = await give('Ben', 3);
  await station.clock.advance(40_000);
  await standsAt('Ben', ofBen);
  await station.clock.advance(120_000);
  expect(await queue()).toBe('3 shown, 5 queued');
  await press();
  expect(await queue()).toBe('5 shown');
  await station.clock.advance(50_000);
  expect(await queue()).toBe('5 shown');
  await station.clock.advance(20_000);
  expect(await queue()).toBe('');
});

test('a displaced line is lit for its full time, even if the other line ends before the device shows it', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })], { seconds: 60 });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  const ofBen = await give('Ben', 3);
  await station.clock.advance(40_000);
  const [turbo] = await station.get<{ serial_number: string }[]>('/api/turbo/');
  await station.patch(`/api/simulator/turbos/${turbo?.serial_number}/`, { latency_ms: 2_000 });
  await current({ picker: 'Ben', item_id: ofBen });
  await station.clock.advance(100);
  await station.post(orderPath('SO-Ben-3', `items/${ofBen}/short/`), { reason: 'missing' });
  await station.clock.advance(50_000);
  expect(await queue()).toBe('5 shown');
  await station.clock.advance(20_000);
  expect(await queue()).toBe('');
});

test('a picker who counts pieces at a device comes first for a minute', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Ben', ofBen);
  await standsAt('Anna', ofAnna);
  // Both pickers are on their way, so the line that was first stays first.
  expect(await queue()).toBe('4 shown, 5 queued');
  await touch('Anna', ofAnna, 4);
  expect(await queue()).toBe('4 shown, 4 queued');
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
  await touch('Ben', ofBen, 3);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
});

test('a picker who scans at a device also comes first, even if the scan counted too many pieces', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Ben', ofBen);
  await standsAt('Anna', ofAnna);
  const body = { code: ONE, picker: 'Anna', act: true, quantity: 9 };
  expect((await station.request('POST', '/api/scan/', body)).body).toMatchObject({ result: 'too_many' });
  await station.clock.advance(3_000);
  expect(await queue()).toBe('5 shown, 4 queued');
  // Anna's page reports the line again, because she is still there.
  await standsAt('Anna', ofAnna);
  await touch('Ben', ofBen, 3);
  expect(await queue()).toBe('5 shown, 3 queued');
});

test.each<[string, object, string]>([
  ['of the line in hand', { picker: 'Anna', order_number: 'SO-Anna-5' }, '5 shown, 4 queued'],
  ['of a program that names the person', { picker: 'Anna' }, '5 shown, 4 queued'],
  ['for more pieces than the line has', { picker: 'Anna', quantity: 9 }, '5 shown, 4 queued'],
  ['for somebody without a line there', { picker: 'Cleo' }, '4 shown, 5 queued'],
])('a scan that only reads the place counts as an arrival: %s', async (_, how, expected) => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Ben', ofBen);
  await standsAt('Anna', ofAnna);
  expect(await queue()).toBe('4 shown, 5 queued');
  expect((await station.request('POST', '/api/scan/', { code: ONE, act: false, ...how })).status).toBe(200);
  await station.clock.advance(3_000);
  expect(await queue()).toBe(expected);
});

test('a person who looks up a code for somebody else does not move that person', async () => {
  const ofAnna = await give('Anna', 5);
  await standsAt('Ben', await give('Ben', 4));
  await standsAt('Anna', ofAnna);
  const { write } = await openSession(station, { username: 'Ben', password: 'long enough' });
  const headers = { ...write, 'content-type': 'application/json' };
  const { status } = await station.request('POST', '/api/scan/', { code: ONE, picker: 'Anna' }, headers);
  expect(status).toBe(200);
  await station.clock.advance(3_000);
  expect(await queue()).toBe('4 shown, 5 queued');
});

test('if only the person whose line was booked has arrived, the others get a quiet event', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Ben', ofBen);
  await touch('Anna', ofAnna, 4);
  await press();
  const facts = station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts: text }) => JSON.parse(text) as { type: string }[]);
  expect(facts.filter(({ type }) => type === 'line.booked')).toMatchObject([
    { item_id: ofAnna, picker: 'Anna', waiting: [{ picker: 'Ben', item_id: ofBen }], quiet: true },
  ]);
});

test('the line of the next picker is shown as soon as the minute of the first one has passed', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await touch('Anna', ofAnna, 4);
  await station.clock.advance(50_000);
  await touch('Ben', ofBen, 3);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
  await station.clock.advance(10_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
});

test('skipping a line or signing out frees the device immediately for the next picker', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await touch('Anna', ofAnna, 4);
  await standsAt('Ben', ofBen);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
  await standsAt('Anna', null);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
  const { write } = await openSession(station, { username: 'Ben', password: 'long enough' });
  await standsAt('Anna', ofAnna);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
  await station.request('POST', '/api/user/logout/', undefined, write);
  await station.clock.advance(3_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
});

test('a command from a program stays on the screen', async () => {
  await station.post(`/api/device/${ONE}/`, { command: 'pick', line1: 'Fire drill', quantity: 1 });
  await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Ben', ofBen);
  expect(await queue()).toBe('1 shown, 5 queued, 4 queued');
  await press();
  expect(await queue()).toBe('4 shown, 5 queued');
});

test('a press in flight at a line that is no longer shown still books that line', async () => {
  await give('Anna', 5);
  const ofBen = await give('Ben', 3);
  const [turbo] = await station.get<{ serial_number: string }[]>('/api/turbo/');
  await station.patch(`/api/simulator/turbos/${turbo?.serial_number}/`, { latency_ms: 400 });
  await station.press(ONE);
  await standsAt('Ben', ofBen);
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'SO-Anna-5'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
  expect(await queue()).toBe('3 shown');
});

test("if a press books another picker's line, both pickers learn whose line it was", async () => {
  await give('Anna', 5);
  const ofBen = await give('Ben', 3);
  const ofCleo = await give('Cleo', 2, THIRD);
  await standsAt('Cleo', ofCleo);
  const [turbo] = await station.get<{ serial_number: string }[]>('/api/turbo/');
  await station.patch(`/api/simulator/turbos/${turbo?.serial_number}/`, { latency_ms: 400 });
  await station.press(ONE);
  await standsAt('Ben', ofBen);
  await station.clock.advance(5_000);
  const facts = () =>
    station
      .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
      .flatMap(({ facts: text }) => JSON.parse(text) as { type: string }[])
      .filter(({ type }) => type === 'line.booked');
  // A person who confirms a line on the page knows whose line it is.
  const ofAnna = await give('Anna', 4);
  await standsAt('Ben', ofBen);
  const line = (await station.get<WorkLine[]>('/api/work/?picker=Anna')).find(({ item_id: id }) => id === ofAnna);
  await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: line?.command_id });
  expect(facts()).toEqual([
    expect.objectContaining({
      location: 'A-1',
      order_number: 'SO-Anna-5',
      quantity: 5,
      picker: 'Anna',
      waiting: [{ picker: 'Ben', item_id: ofBen }],
      quiet: false,
    }),
  ]);
});

test("a press just after another picker's line was replaced books nothing, even if the device's report about that line is late", async () => {
  const radio = (latency_ms: number) => station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms });
  const turbo = (await station.get<{ serial_number: string }[]>('/api/turbo/'))[0]?.serial_number;
  await addOrder(station, 'SO-Anna', [anItem({ ordered_quantity: 5 })]);
  await addOrder(station, 'SO-Ben', [anItem({ ordered_quantity: 3 })]);
  await radio(400);
  await station.post(orderPath('SO-Anna', 'launch/'), { picker: 'Anna' });
  await station.post(orderPath('SO-Ben', 'launch/'), { picker: 'Ben' });
  await station.clock.advance(500);
  // The device has shown Anna's line for 100 ms, but the station has not been notified.
  const [ofBen] = await itemsOf(station, 'SO-Ben');
  expect((await current({ picker: 'Ben', item_id: ofBen?.id })).status).toBe(200);
  // The turbo accepts the next screen only after it has reported this one.
  await station.clock.advance(800);
  await station.press(ONE);
  await station.clock.advance(5_000);
  expect((await itemsOf(station, 'SO-Anna'))[0]).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  expect((await itemsOf(station, 'SO-Ben'))[0]).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  await press();
  expect((await itemsOf(station, 'SO-Ben'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 3 });
});

test("each picker's minute starts on arrival", async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  const ofCleo = await give('Cleo', 2);
  await touch('Anna', ofAnna, 4);
  await station.clock.advance(40_000);
  await touch('Ben', ofBen, 3);
  await station.clock.advance(30_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
  await touch('Cleo', ofCleo, 1);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
  await station.clock.advance(24_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Cleo-2');
});

test('the line of an abandoned page stops being current after 15 minutes', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await standsAt('Anna', ofAnna);
  await station.clock.advance(60_000);
  await standsAt('Ben', ofBen);
  await station.clock.advance(13 * 60_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
  await station.clock.advance(60_000);
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
});

test('a line stops being current when it is handed over', async () => {
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await touch('Anna', ofAnna, 4);
  await standsAt('Ben', ofBen);
  await station.post(orderPath('SO-Anna-5', 'handover/'), { picker: 'Cleo' });
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Ben-4');
  expect((await station.get<WorkLine[]>('/api/work/?picker=Cleo'))[0]?.current).toBe(false);
});

test('a line that was paused or undone is not current until its page reports it again', async () => {
  const ofAnna = await give('Anna', 5);
  await standsAt('Anna', ofAnna);
  await station.post(orderPath('SO-Anna-5', 'pause/'), { picker: 'Anna' });
  await station.post(orderPath('SO-Anna-5', 'launch/'), { picker: 'Anna' });
  expect((await station.get<WorkLine[]>('/api/work/'))[0]?.current).toBe(false);
  await standsAt('Anna', ofAnna);
  await press();
  await station.post(orderPath('SO-Anna-5', `items/${ofAnna}/reopen/`), {});
  expect((await station.get<WorkLine[]>('/api/work/'))[0]?.current).toBe(false);
});

test('a refused launch undoes its pause, and the line stays current', async () => {
  await give('Anna', 4);
  await press();
  const ofAnna = await give('Anna', 5);
  const ofBen = await give('Ben', 3);
  await touch('Anna', ofAnna, 5);
  await standsAt('Ben', ofBen);
  const { write } = await openSession(station, { username: 'Anna', password: 'long enough' });
  const headers = { ...write, 'content-type': 'application/json' };
  const refused = await station.request('POST', orderPath('SO-Anna-4', 'launch/'), {}, headers);
  expect(refused.body).toMatchObject({ code: 'conflict', detail: 'Order SO-Anna-4 is already fulfilled.' });
  const [line] = await station.get<WorkLine[]>('/api/work/?picker=Anna');
  expect(line).toMatchObject({ item_id: ofAnna, current: true, waiting: false });
  expect((await station.device(ONE)).commands[0]?.order_number).toBe('SO-Anna-5');
});

test('a line without a light is not current after it was confirmed and undone', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: undefined, warehouse_location: 'Cellar' })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  const isCurrent = async () => (await station.get<WorkLine[]>('/api/work/'))[0]?.current;
  const [item] = await itemsOf(station, 'SO-1');
  await standsAt('Anna', item?.id ?? 0);
  expect(await isCurrent()).toBe(true);
  await station.post(orderPath('SO-1', `items/${item?.id}/confirm/`), {});
  await station.post(orderPath('SO-1', `items/${item?.id}/reopen/`), {});
  expect(await isCurrent()).toBe(false);
});

test('a device that returns into range shows the earliest current line', async () => {
  await give('Anna', 5);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  const ofBen = await give('Ben', 4);
  await station.post(orderPath('SO-Anna-5', 'pause/'), { picker: 'Anna' });
  await station.post(orderPath('SO-Anna-5', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(60_000);
  await standsAt('Ben', ofBen);
  await standsAt('Ben', null);
  await standsAt('Anna', (await itemsOf(station, 'SO-Anna-5'))[0]?.id ?? 0);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(30_000);
  expect(await queue()).toBe('5 shown, 4 queued');
});

test('of two lines at a device out of range, only the line that the device should show counts as unreachable', async () => {
  await give('Anna', 5);
  const ofBen = await give('Ben', 4);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.post(orderPath('SO-Anna-5', 'pause/'), { picker: 'Anna' });
  await station.post(orderPath('SO-Anna-5', 'launch/'), { picker: 'Anna' });
  const unreachable = async () =>
    (await station.get<WorkLine[]>('/api/work/')).map(({ picker, unreachable: is }) => `${picker} ${is}`).sort();
  await station.clock.advance(1_200_000);
  expect(await unreachable()).toEqual(['Anna false', 'Ben true']);
  await standsAt('Anna', (await itemsOf(station, 'SO-Anna-5'))[0]?.id ?? 0);
  await station.clock.advance(1_200_000);
  expect(await unreachable()).toEqual(['Anna true', 'Ben false']);
  expect(ofBen).toBeGreaterThan(0);
});

test("a picker's current line must be a line lit for that picker", async () => {
  const ofAnna = await give('Anna', 5);
  const [line] = await station.get<WorkLine[]>('/api/work/');
  expect((await current({ picker: 'Anna', command_id: line?.command_id })).body).toMatchObject({ item_id: ofAnna });
  expect((await current({ picker: ' anna ', item_id: ofAnna })).status).toBe(200);
  expect((await current({ picker: 'Ben', item_id: ofAnna })).body).toMatchObject({ code: 'conflict' });
  expect((await current({ picker: 'Anna', item_id: 999 })).status).toBe(404);
  expect((await current({ picker: 'Anna', command_id: 'x' })).status).toBe(404);
  const { write } = await openSession(station, { username: 'Ben', password: 'long enough' });
  const headers = { ...write, 'content-type': 'application/json' };
  const asAnna = await station.request('PUT', '/api/user/current/', { picker: 'Anna', item_id: ofAnna }, headers);
  expect(asAnna.status).toBe(403);
});

test('a scan that only reads answers even if the arrival cannot be stored', async () => {
  await give('Anna', 5);
  await give('Ben', 3);
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec("CREATE TRIGGER broken BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'injected'); END");
  const scan = { code: 'A-1', picker: 'Ben' };
  expect(await station.request('POST', '/api/scan/', scan)).toMatchObject({ status: 200, body: { result: 'lit' } });
  expect(await queue()).toBe('5 shown, 3 queued');
  db.exec('DROP TRIGGER broken');
  db.close();
  await station.post('/api/scan/', scan);
  await station.clock.advance(3_000);
  expect(await queue()).toBe('3 shown, 5 queued');
});
