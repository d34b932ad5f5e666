import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import {
  addOrder,
  anItem,
  correct,
  itemsOf,
  launch,
  ONE,
  orderPath,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: what a press counts for despite radio delays and simultaneous changes by other people and the page.
let station: TestStation;
let receiver: Receiver;
let turbo: string;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.clock.advance(5_000);
  const [first] = await station.get<{ serial_number: string }[]>('/api/turbo/');
  turbo = first?.serial_number ?? '';
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const radio = (change: object) => station.patch(`/api/simulator/turbos/${turbo}/`, change);
const historyKinds = () =>
  station.rows<{ kind: string }>('SELECT kind FROM history ORDER BY id').map(({ kind }) => kind);

/** Returns the order callbacks so far, each with its fulfilled quantity. */
function told(): string[] {
  const rows = station.rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id');
  return rows.map(({ payload }) => {
    const { order_event: event, quantity_fulfilled: fulfilled } = JSON.parse(payload) as Record<string, unknown>;
    return `${String(event)} ${String(fulfilled)}`;
  });
}

/** Returns the facts of all commits so far. */
function factsSoFar(): unknown[] {
  const rows = station.rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision');
  return rows.flatMap(({ facts }) => JSON.parse(facts) as unknown[]);
}

async function firstItem(number: string): Promise<{ id: number; fulfilled: number; state: string }> {
  const [item] = await itemsOf(station, number);
  return { id: item?.id ?? 0, fulfilled: item?.quantity_fulfilled ?? -1, state: item?.state ?? '' };
}

test('a press in flight during a correction does not book more than the quantity on the screen', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await launch(station, 'SO-1');
  await radio({ latency_ms: 400 });
  await station.press(ONE);
  const { id } = await firstItem('SO-1');
  await correct(station, 'SO-1', id, { quantity_fulfilled: 2 });
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 3, state: 'done' });
  expect(told()).toEqual(['item_added 2', 'device_ack 3', 'item_added 3']);
});

test('a press with fewer pieces than the corrected count does not reduce the count', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  for (let taps = 0; taps < 4; taps += 1) await station.press(THREE_BUTTONS, 'minus');
  await station.clock.advance(3_000);
  await radio({ latency_ms: 400 });
  await station.press(THREE_BUTTONS);
  const { id } = await firstItem('SO-1');
  await correct(station, 'SO-1', id, { quantity_fulfilled: 4 });
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 4, state: 'short' });
  expect(told()).toEqual(['item_added 4', 'device_ack 4']);
});

test('after a correction that does not change the number on the screen, a press adds to the corrected count', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 3 })]);
  await launch(station, 'SO-1');
  for (let taps = 0; taps < 2; taps += 1) await station.press(THREE_BUTTONS, 'minus');
  await station.clock.advance(3_000);
  const { id } = await firstItem('SO-1');
  await correct(station, 'SO-1', id, { quantity_fulfilled: 2 });
  await station.clock.advance(5_000);
  await station.press(THREE_BUTTONS);
  await station.clock.advance(3_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 3, state: 'done' });
});

test('plus or minus in flight during a correction does not count the corrected pieces twice', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  await radio({ latency_ms: 400 });
  await station.press(THREE_BUTTONS, 'minus');
  const { id } = await firstItem('SO-1');
  await correct(station, 'SO-1', id, { quantity_fulfilled: 2 });
  await station.clock.advance(5_000);
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ quantity: 2 }]);
});

test.each([
  ['a pause', (number: string) => station.post(orderPath(number, 'pause/'), { picker: 'Anna' })],
  ['a handover', (number: string) => station.post(orderPath(number, 'handover/'), { picker: 'Ben' })],
  ['a kill', () => station.post('/api/device/51D000:000001/', { command: 'kill' })],
])('a press in flight when %s turns off or changes its light is booked once', async (_, act) => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 }), anItem({ deviceid: THREE_BUTTONS })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await radio({ latency_ms: 400 });
  await station.press(ONE);
  await station.clock.advance(50);
  await act('SO-1');
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 3, state: 'done' });
  expect(told()).toEqual(['device_ack 3', 'item_added 3']);
});

test('a press that a device out of range delivers later counts for the line that was lit', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(30_000);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(told()).toEqual(['device_ack 3', 'item_added 3']);
});

test('a delayed press on a line that was paused and corrected books the quantity on the screen, without adding the correction', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await radio({ latency_ms: 400 });
  await station.press(ONE);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  const { id } = await firstItem('SO-1');
  await correct(station, 'SO-1', id, { quantity_fulfilled: 2 });
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 5, state: 'done' });
  expect(told()).toEqual(['item_added 2', 'device_ack 5', 'item_added 5']);
});

test('a press before the timeout of its line is booked even if it arrives after the timeout', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })], { seconds: 60 });
  await launch(station, 'SO-1');
  await station.clock.advance(50_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.clock.advance(300_000);
  expect((await firstItem('SO-1')).state).toBe('open');
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(60_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 3, state: 'done' });
  expect(told()).toEqual(['device_ack 3', 'item_added 3']);
});

test('a late press for a line that is no longer lit records the current label of the device', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addOrder(station, 'SO-1', [anItem()]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'B-2' });
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(30_000);
  const rows = station.rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id');
  expect(rows.map(({ payload }) => (JSON.parse(payload) as { location?: string }).location)).toEqual(['B-2', 'B-2']);
  expect(station.rows("SELECT location FROM history WHERE kind = 'acknowledged'")).toEqual([{ location: 'B-2' }]);
});

test('a press on a closed line books nothing, and reports what the screen showed', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await radio({ latency_ms: 400 });
  await station.press(ONE);
  const { id } = await firstItem('SO-1');
  await station.post(orderPath('SO-1', `items/${id}/short/`), { quantity_fulfilled: 1, reason: 'damaged' });
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 1, state: 'short' });
  expect(historyKinds().filter((kind) => kind === 'late')).toHaveLength(1);
  const late = { type: 'press.late', location: 'A-1', quantity: 5, picker: 'Anna' };
  expect(factsSoFar()).toContainEqual(expect.objectContaining(late));
});

test.each([
  [
    'a correction',
    [
      (path: string) => station.patch(path, { quantity_fulfilled: 3 }),
      (path: string) => station.patch(path, { quantity_fulfilled: 0 }),
    ],
  ],
  [
    'a short and Undo',
    [
      (path: string) => station.post(`${path}short/`, { quantity_fulfilled: 0, reason: 'missing' }),
      (path: string) => station.post(`${path}reopen/`, {}),
    ],
  ],
] as const)(
  'a press made before a pause books nothing if %s has closed and reopened the dark line',
  async (_, [close, open]) => {
    await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 }), anItem({ deviceid: THREE_BUTTONS })]);
    await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
    await station.clock.advance(5_000);
    await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
    await station.press(ONE);
    await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
    const { id } = await firstItem('SO-1');
    await close(orderPath('SO-1', `items/${id}/`));
    await open(orderPath('SO-1', `items/${id}/`));
    await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
    await station.clock.advance(30_000);
    expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 0, state: 'open' });
    expect(historyKinds()).toContain('late');
  },
);

test('a press in flight while the rest is moved to another place books nothing there', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await launch(station, 'SO-1');
  await radio({ latency_ms: 400 });
  await station.press(ONE);
  const { id } = await firstItem('SO-1');
  await station.post(orderPath('SO-1', `items/${id}/short/`), { reason: 'missing', elsewhere: THREE_BUTTONS });
  await station.clock.advance(5_000);
  expect(await firstItem('SO-1')).toMatchObject({ fulfilled: 0, state: 'active' });
  expect(historyKinds()).toContain('late');
});

test('a bounce at an aborted line is reported as late, not as early', async () => {
  await addOrder(station, 'SO-1', manyLines(2));
  await launch(station, 'SO-1');
  await station.press(ONE);
  await station.clock.advance(50);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.press(ONE);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  await station.clock.advance(30_000);
  expect(historyKinds()).toContain('late');
  expect(historyKinds()).not.toContain('early');
});

/** Presses device ONE at these times, in milliseconds from now. */
async function pressAt(times: readonly number[]): Promise<void> {
  let now = 0;
  for (const time of times) {
    await station.clock.advance(time - now);
    now = time;
    await station.press(ONE);
  }
  await station.clock.advance(5_000);
}

const manyLines = (count: number) => Array.from({ length: count }, () => anItem({ ordered_quantity: 1 }));
const doneItems = async (number: string) =>
  (await itemsOf(station, number)).filter(({ state }) => state === 'done').length;

test.each([0, 20, 60])(
  '20 lines at one light, pressed every 300 ms, book 20 at a radio delay of %i ms',
  async (latency) => {
    await addOrder(station, 'SO-1', manyLines(20));
    await launch(station, 'SO-1');
    await radio({ latency_ms: latency });
    const jitter = [0, 30, -30, 15, -15];
    await pressAt(Array.from({ length: 20 }, (_, index) => 300 * index + 30 + (jitter[index % 5] ?? 0)));
    expect(await doneItems('SO-1')).toBe(20);
  },
);

test.each([60, 110, 160, 200])(
  'a bounce after %i ms does not book the second line, which stays lit',
  async (bounce) => {
    await addOrder(station, 'SO-1', manyLines(2));
    await launch(station, 'SO-1');
    await pressAt([0, bounce]);
    expect(await doneItems('SO-1')).toBe(1);
    const [left] = (await station.device(ONE)).commands;
    expect(left).toMatchObject({ state: 'shown', quantity: 1 });
    await pressAt([0]);
    expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  },
);

test('40 presses at one light, each with a bounce after 60 to 200 ms, book 40 lines', async () => {
  await addOrder(station, 'SO-1', manyLines(40));
  await launch(station, 'SO-1');
  await radio({ latency_ms: 20 });
  const fraction = seededFraction(7);
  const times = Array.from({ length: 40 }, (_, index) => [1_000 * index, 1_000 * index + 60 + 140 * fraction()]);
  await pressAt(times.flat().map(Math.floor));
  expect(await doneItems('SO-1')).toBe(40);
  expect(historyKinds().filter((kind) => kind === 'early')).toHaveLength(39);
});

test('a bounce is published and recorded in the history', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addOrder(station, 'SO-1', manyLines(3));
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  await pressAt([0, 110]);
  expect(historyKinds()).toEqual(expect.arrayContaining(['acknowledged', 'early']));
  expect(factsSoFar()).toContainEqual(
    expect.objectContaining({ type: 'press.early', deviceid: ONE, location: 'A-1', picker: 'Anna' }),
  );
});

/** Launches a line for each of two people at one device: Anna's is shown first, and Ben's waits. */
async function launchForTwo(): Promise<void> {
  for (const [number, picker] of [
    ['SO-1', 'Anna'],
    ['SO-2', 'Ben'],
  ] as const) {
    await addOrder(station, number, manyLines(1));
    await station.post(orderPath(number, 'launch/'), { picker });
  }
  await station.clock.advance(5_000);
}

test("a press within 250 ms after another person's line appeared books nothing", async () => {
  await launchForTwo();
  // Ben's line appears 50 ms after the first press: the second press is not a bounce, but was meant for Anna's line.
  await radio({ latency_ms: 50 });
  await pressAt([0, 300]);
  expect(await doneItems('SO-1')).toBe(1);
  expect(await doneItems('SO-2')).toBe(0);
  await pressAt([0]);
  expect(await doneItems('SO-2')).toBe(1);
});

test("if a line was paused while its device was out of range, the next press is early, because another person's line just appeared", async () => {
  await launchForTwo();
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await station.clock.advance(60_000);
  await station.patch(`/api/simulator/devices/${ONE}/`, { reachable: true });
  for (let waited = 0; waited < 30_000 && (await shownAt(ONE)) === null; waited += 10) await station.clock.advance(10);
  await pressAt([100]);
  expect(historyKinds()).toContain('early');
  expect(await doneItems('SO-2')).toBe(0);
  await pressAt([0]);
  expect(await doneItems('SO-2')).toBe(1);
});

/** Returns the time at which the device first showed the first command in its queue, or null if it has not shown it yet. */
const shownAt = async (device: string) => (await station.device(device)).commands[0]?.shown_at ?? null;

test("a color change does not make an early press count for another person's line", async () => {
  await launchForTwo();
  await radio({ latency_ms: 120 });
  await station.press(ONE);
  await station.clock.advance(370);
  // The device has shown the second line for 130 ms, and the station knows this.
  await station.press(ONE);
  await station.post(orderPath('SO-2', 'handover/'), { picker: 'Anna' });
  await station.clock.advance(5_000);
  expect(historyKinds()).toContain('early');
  expect(await doneItems('SO-2')).toBe(0);
});

test('a bounce at a direct command counts as a press', async () => {
  for (const nonce of ['a', 'b']) await station.post(`/api/device/${ONE}/`, { command: 'pick', line1: nonce, nonce });
  await station.clock.advance(5_000);
  await pressAt([0, 110]);
  expect((await station.device(ONE)).commands).toEqual([]);
});
