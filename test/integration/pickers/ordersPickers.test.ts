import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import {
  addOrder,
  anItem,
  correct,
  expectCountsRight,
  FOURTH,
  getOrder,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: who picks an order, and in which color.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const DEVICES = [ONE, THREE_BUTTONS, THIRD, FOURTH];

async function addFour(number: string): Promise<void> {
  await addOrder(
    station,
    number,
    DEVICES.map((deviceid) => anItem({ deviceid })),
  );
}

async function act(number: string, what: string, body?: object): Promise<Answer> {
  const answer = await station.request('POST', orderPath(number, `${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

/** Signs in as this person and returns a function that sends requests in that session. */
async function signedIn(username: string) {
  const { write } = await openSession(station, { username, password: 'long enough' });
  return {
    async post<T = unknown>(path: string, body?: object): Promise<T> {
      const answer = await station.request('POST', path, body ?? {}, { ...write, 'content-type': 'application/json' });
      expect(answer.status).toBeLessThan(300);
      return answer.body as T;
    },
  };
}

/** Returns the color in which each device is lit, or `-` if it is not lit. */
async function colors(): Promise<string> {
  const lit: string[] = [];
  for (const id of DEVICES) lit.push((await station.device(id)).commands.map(({ color }) => color).join('+') || '-');
  return lit.join(' ');
}

async function owners(number: string): Promise<string> {
  return (await itemsOf(station, number)).map(({ picker }) => picker ?? '-').join(' ');
}

async function pickers(number: string): Promise<string[]> {
  const { pickers } = await getOrder(station, number);
  return pickers.map(({ name, color, paused }) => `${name} ${color}${paused ? ' paused' : ''}`);
}

test("a launch for a picker uses that person's color, unless the launch sets a color", async () => {
  await addFour('SO-1');
  expect((await act('SO-1', 'launch', { picker: 'anna' })).status).toBe(200);
  expect(await colors()).toBe('blue blue blue blue');
  expect(await pickers('SO-1')).toEqual(['Anna blue']);
  await act('SO-1', 'abort');
  await act('SO-1', 'launch', { picker: 'Anna', color: 'pink' });
  expect(await colors()).toBe('pink pink pink pink');
  await addOrder(station, 'SO-2', [anItem()]);
  await act('SO-2', 'launch', { picker: 'Ben' });
  expect(await pickers('SO-2')).toEqual(['Ben yellow']);
  await addOrder(station, 'SO-3', [anItem()], { color: 'cyan' });
  await act('SO-3', 'launch', { color: 'white' });
  expect((await station.device(ONE)).commands.map(({ color }) => color)).toEqual(['pink', 'yellow', 'white']);
});

test('a launch by a user with the role picker is for that user; a program must name an existing user', async () => {
  await addFour('SO-1');
  const anna = await signedIn('Anna');
  expect(await anna.post<Order>(orderPath('SO-1', 'launch/'))).toMatchObject({ pickers: [{ name: 'Anna' }] });
  await addOrder(station, 'SO-2', [anItem()]);
  expect(await act('SO-2', 'launch', { picker: 'Nobody' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/picker' }] },
  });
  for (const [what, status] of [
    ['join', 400],
    ['leave', 409],
  ] as const) {
    const detail = expect.stringMatching(/no person .* at this station: picker has to name one/) as string;
    expect(await act('SO-2', what)).toMatchObject({ status, body: { detail } });
  }
  expect(await statesOf(station, 'SO-2')).toBe('open: open(open)');
  expect(await act('SO-2', 'launch', { color: 'nonsense' })).toMatchObject({ status: 400 });
});

test('a picker cannot leave, pause, scan or choose a color on behalf of another person, but a program can', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  const { write } = await openSession(station, { username: 'Ben', password: 'long enough' });
  const tries = [
    ['POST', '/api/orders/SO-1/pause/', {}],
    ['POST', '/api/scan/', { code: DEVICES[0], act: true }],
    ['PATCH', '/api/user/', { color: 'cyan' }],
    ['POST', '/api/orders/SO-1/leave/', {}],
  ] as const;
  for (const [method, path, body] of tries) {
    const asBen = { ...write, 'content-type': 'application/json' };
    const refused = await station.request(method, path, { ...body, picker: 'Anna' }, asBen);
    expect(refused, path).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect(await pickers('SO-1')).toEqual(['Anna blue']);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active active active active)');
  for (const [method, path, body] of tries) {
    expect(await station.request(method, path, { ...body, picker: 'Anna' }), path).toMatchObject({ status: 200 });
  }
});

test('a picker takes the lit lines of an order that was launched without a picker', async () => {
  await addFour('SO-1');
  await launch(station, 'SO-1');
  await press(station, ONE);
  await act('SO-1', 'launch', { picker: 'Anna' });
  expect(await colors()).toBe('- blue blue blue');
  expect(await owners('SO-1')).toBe('- Anna Anna Anna');
  await expectCountsRight(station, 'SO-1');
});

test('a second picker gets 409 with the name of the first, and can join to get half of the rest in another color', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  const refused = await act('SO-1', 'launch', { picker: 'Ben' });
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: 'Anna has 3 of 4 lines of order SO-1. POST .../join/ shares it.' },
  });
  expect(await colors()).toBe('- blue blue blue');
  expect((await act('SO-1', 'join', { picker: 'Ben' })).status).toBe(200);
  expect(await colors()).toBe('- blue blue yellow');
  expect(await owners('SO-1')).toBe('Anna Anna Anna Ben');
  expect(await pickers('SO-1')).toEqual(['Anna blue', 'Ben yellow']);
  await act('SO-1', 'join', { picker: 'Ben' });
  expect(await owners('SO-1')).toBe('Anna Anna Anna Ben');
  for (const device of [THREE_BUTTONS, THIRD, FOURTH]) await press(station, device);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done done done)');
  expect((await getOrder(station, 'SO-1')).pickers).toMatchObject([{ deviceid: THIRD }, { deviceid: FOURTH }]);
  expect((await act('SO-1', 'join', { picker: 'Ben' })).status).toBe(409);
});

test('when a picker leaves, the lines stay lit and go to another picker, if any', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  await act('SO-1', 'leave', { picker: 'Anna' });
  expect(await colors()).toBe('yellow yellow yellow yellow');
  expect(await pickers('SO-1')).toEqual(['Ben yellow']);
  await act('SO-1', 'leave', { picker: 'Ben' });
  expect(await colors()).toBe('green green green green');
  expect(await owners('SO-1')).toBe('- - - -');
  expect(await act('SO-1', 'leave', { picker: 'Ben' })).toMatchObject({ status: 409 });
  await press(station, ONE);
  await expectCountsRight(station, 'SO-1');
});

test("a pause turns off one picker's lights and keeps the lines, and a launch for that picker lights them again", async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  await act('SO-1', 'pause', { picker: 'Anna' });
  expect(await colors()).toBe('- - yellow yellow');
  expect(await pickers('SO-1')).toEqual(['Anna blue paused', 'Ben yellow']);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'in_progress', attention: [] });
  await expectCountsRight(station, 'SO-1');
  expect(await act('SO-1', 'launch', { picker: 'Anna' })).toMatchObject({ status: 200 });
  expect(await colors()).toBe('blue blue yellow yellow');
  expect(await pickers('SO-1')).toEqual(['Anna blue', 'Ben yellow']);
});

test('lines handed over are lit in the color of the new picker, even when a program hands over all lines', async () => {
  await addFour('SO-1');
  const anna = await signedIn('Anna');
  await anna.post(orderPath('SO-1', 'launch/'));
  await anna.post(orderPath('SO-1', 'pause/'));
  expect(await colors()).toBe('- - - -');
  await anna.post(orderPath('SO-1', 'handover/'), { picker: 'ben' });
  await station.clock.advance(3_000);
  expect(await colors()).toBe('yellow yellow yellow yellow');
  expect(await pickers('SO-1')).toEqual(['Ben yellow']);
  expect((await act('SO-1', 'handover', { picker: 'Anna' })).status).toBe(200);
  expect(await colors()).toBe('blue blue blue blue');
  expect((await act('SO-1', 'handover', { picker: 'nobody' })).status).toBe(400);
});

test('a finished line belongs to its picker, or to the person who acknowledged it on the page', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  await press(station, ONE);
  const ben = await signedIn('Ben');
  const [, second] = await itemsOf(station, 'SO-1');
  await ben.post(`/api/device/${THREE_BUTTONS}/acknowledge/`, { command_id: second?.command_id });
  expect(await owners('SO-1')).toBe('Anna Ben Ben Ben');
});

test('picker statistics contain lines, pieces, shorts and the time per line without breaks, and exclude reopened lines', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await station.clock.advance(7_000);
  await press(station, ONE);
  await station.clock.advance(17_000);
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  await station.clock.advance(3_600_000);
  await press(station, THIRD);
  await station.clock.advance(5_000);
  await press(station, FOURTH);
  const figures = (query = '') => station.get<object[]>(`/api/history/people/${query}`);
  const [anna] = await figures();
  // The lines took 10, 23 and 8 s; the line after the break has no duration.
  expect(anna).toEqual({ picker: 'Anna', lines: 4, units: 7, shorts: 1, median_seconds: 10 });
  const [, , , last] = await itemsOf(station, 'SO-1');
  await station.patch(orderPath('SO-1', `items/${last?.id}/`), { quantity_fulfilled: 3 });
  expect((await figures())[0]).toMatchObject({ lines: 4 });
  await act('SO-1', `items/${last?.id}/reopen`, {});
  expect((await figures())[0]).toMatchObject({ lines: 3, units: 5 });
  expect(await figures('?to=2026-11-20T00:00:00Z')).toEqual([]);
});

test('a press counts for a line whose color changes at the same moment', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 400 });
  await station.press(FOURTH);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active active active active)');
  await act('SO-1', 'join', { picker: 'Ben' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active active active done)');
  expect(await owners('SO-1')).toBe('Anna Anna Ben Ben');
});

test('other people can take the lines of a picker who left an aborted order', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'abort');
  expect(await act('SO-1', 'leave', { picker: 'anna' })).toMatchObject({ status: 200 });
  expect(await owners('SO-1')).toBe('- - - -');
  expect(await act('SO-1', 'launch', { picker: 'Ben' })).toMatchObject({ status: 200 });
  expect(await colors()).toBe('yellow yellow yellow yellow');
});

test('a reopened line has no picker if its picker has left', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  await press(station, THIRD);
  await act('SO-1', 'leave', { picker: 'Anna' });
  const [first, , third] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${first?.id}/reopen/`));
  await correct(station, 'SO-1', third?.id ?? 0, { quantity_fulfilled: 1 });
  expect(await owners('SO-1')).toBe('- - - -');
  expect(await act('SO-1', 'launch', { picker: 'Ben' })).toMatchObject({ status: 200 });
  expect(await colors()).toBe('yellow yellow yellow yellow');
});

test('a paused picker gets no lines from a picker who leaves, and a launch without a picker ends the pause', async () => {
  await addFour('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  await act('SO-1', 'pause', { picker: 'Ben' });
  await act('SO-1', 'pause', { picker: 'Anna' });
  await act('SO-1', 'leave', { picker: 'Anna' });
  expect(await colors()).toBe('green green - -');
  expect(await owners('SO-1')).toBe('- - Ben Ben');
  expect(await pickers('SO-1')).toEqual(['Ben yellow paused']);
  await launch(station, 'SO-1');
  expect(await colors()).toBe('green green yellow yellow');
  expect(await pickers('SO-1')).toEqual(['Ben yellow']);
});

test('a picker can leave even if the place of a dark line no longer exists', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addOrder(station, 'SO-1', [{ name: 'Cable tie', ordered_quantity: 2, warehouse_location: 'A-1' }]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'pause', { picker: 'Anna' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: '' });
  expect(await act('SO-1', 'leave', { picker: 'Anna' })).toMatchObject({ status: 200, body: { pickers: [] } });
});

test("closing a line without a device as short does not change its picker's position, and removing a command does not change its line's picker", async () => {
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THIRD }), anItem({ deviceid: undefined })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  await act('SO-1', 'join', { picker: 'Anna' });
  const [, second, third] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${third?.id}/short/`), { reason: 'missing' });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ pickers: [{ name: 'Anna', deviceid: ONE }] });
  await act('SO-1', 'join', { picker: 'admin' });
  const { write } = await openSession(station);
  await station.request('DELETE', `/api/device/${THIRD}/commands/${second?.command_id}/`, undefined, write);
  expect(await owners('SO-1')).toBe('Anna Anna Anna');
});

test('lines without a place that a paused picker leaves are assigned to the next picker', async () => {
  await addOrder(station, 'SO-1', [anItem({ deviceid: undefined, warehouse_location: 'Yard' })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  const [line] = await itemsOf(station, 'SO-1');
  const giver = String(line?.picker);
  const next = giver === 'Anna' ? 'Ben' : 'Anna';
  await act('SO-1', 'pause', { picker: giver });
  await act('SO-1', 'leave', { picker: giver });
  expect(await station.get('/api/work/')).toMatchObject([{ picker: next, item_id: line?.id }]);
  const confirm = orderPath('SO-1', `items/${String(line?.id)}/confirm/`);
  expect(await station.request('POST', confirm, { picker: next })).toMatchObject({ status: 200 });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});
