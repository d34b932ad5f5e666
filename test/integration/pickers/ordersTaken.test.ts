import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { NextOrder } from '#shared/api/picking.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  FOURTH,
  getOrder,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: a person picks one order at a time, and only some callers can act on behalf of others.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.post('/api/users/', { username: 'Carl', password: 'long enough', role: 'control' });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

type Send = (path: string, body?: object | string, type?: string) => Promise<Answer>;

/** Signs in as this person and returns a function that sends requests in that session. */
async function as(username: string): Promise<Send> {
  const { write } = await openSession(station, { username, password: 'long enough' });
  return async (path, body = {}, type = 'application/json') => {
    const answer = await station.request('POST', path, body, { ...write, 'content-type': type });
    await station.clock.advance(3_000);
    return answer;
  };
}

async function act(number: string, what: string, body?: object): Promise<Answer> {
  const answer = await station.request('POST', orderPath(number, `${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

async function addAt(number: string, ...devices: string[]): Promise<void> {
  await addOrder(
    station,
    number,
    devices.map((deviceid) => anItem({ deviceid })),
  );
}

const next = async (query: string) => {
  const { order, waiting } = await station.get<NextOrder>(`/api/work/next/${query}`);
  return `${order?.order_number ?? '-'} of ${waiting}`;
};
const pausedIn = async (number: string) => (await getOrder(station, number)).pickers.map(({ paused }) => paused);

test("taking an order pauses the person's other order, and keeps its counts", async () => {
  const anna = await as('Anna');
  await addAt('SO-1', ONE, THREE_BUTTONS);
  await addAt('SO-2', THIRD);
  await addAt('SO-3', FOURTH);
  await anna(orderPath('SO-1', 'launch/'));
  await press(station, ONE);
  await anna(orderPath('SO-2', 'launch/'), { picker: ' anna ' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done open)');
  expect(await pausedIn('SO-1')).toEqual([true]);
  expect(await litDevices(station)).toEqual([THIRD]);
  await anna('/api/scan/', { code: 'SO-1', act: true });
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
  await anna(orderPath('SO-3', 'join/'));
  expect(await litDevices(station)).toEqual([FOURTH]);
  expect([await pausedIn('SO-1'), await pausedIn('SO-2'), await pausedIn('SO-3')]).toEqual([[true], [true], [false]]);
  // The lines of another picker in the order stay lit.
  await act('SO-3', 'join', { picker: 'Ben' });
  await anna(orderPath('SO-1', 'launch/'));
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
  await expectCountsRight(station, 'SO-1');
});

test('orders that others launch for a busy person stay dark until that person takes them', async () => {
  const anna = await as('Anna');
  await addAt('SO-1', ONE);
  await addAt('SO-2', THREE_BUTTONS, THIRD);
  await addAt('SO-3', FOURTH);
  await addOrder(station, 'free', [anItem({ deviceid: FOURTH })]);
  expect(await act('SO-1', 'launch', { picker: 'Anna' })).toMatchObject({
    body: { waits: false, state: 'in_progress' },
  });
  const launched = await act('SO-2', 'launch', { picker: 'Anna' });
  expect(launched).toMatchObject({ status: 200, body: { waits: true, state: 'open', pickers: [{ name: 'Anna' }] } });
  expect(await litDevices(station)).toEqual([ONE]);
  expect(await station.get('/api/work/?picker=Anna')).toHaveLength(1);
  // Launching without a picker does not light the order either, and repeating the launch changes nothing.
  expect(await act('SO-2', 'launch')).toMatchObject({ status: 200, body: { waits: true, state: 'open' } });
  expect(await act('SO-2', 'launch', { picker: 'Anna' })).toMatchObject({ body: { waits: true } });
  expect(await litDevices(station)).toEqual([ONE]);
  expect(await act('SO-2', 'launch', { picker: 'Ben' })).toMatchObject({ status: 409 });

  await anna(orderPath('SO-3', 'launch/'));
  expect([await next(''), await next('?picker=ANNA'), await next('?picker=Ben')]).toEqual([
    'free of 1',
    'SO-2 of 3',
    'free of 1',
  ]);
  await anna(orderPath('SO-2', 'launch/'));
  expect(await getOrder(station, 'SO-2')).toMatchObject({ waits: false, state: 'in_progress' });
  expect(await litDevices(station)).toEqual([THREE_BUTTONS, THIRD]);
  expect(await next('?picker=Anna')).toBe('SO-1 of 3');
  await press(station, THREE_BUTTONS);
  await press(station, THIRD);
  // Nobody is busy now, so a launch lights the order immediately.
  expect(await act('SO-1', 'launch', { picker: 'Anna' })).toMatchObject({ body: { waits: false } });
  expect(await litDevices(station)).toEqual([ONE]);
});

test("an order that a program scans for a busy person is taken immediately, and the person's other order is paused", async () => {
  await addAt('SO-1', ONE);
  await addAt('SO-2', THREE_BUTTONS);
  await act('SO-1', 'launch', { picker: 'Anna' });
  const scan = { code: 'SO-2', act: true, picker: 'anna' };
  expect(await station.post('/api/scan/', scan)).toMatchObject({ result: 'order', taken: true });
  expect([await pausedIn('SO-1'), await pausedIn('SO-2')]).toEqual([[true], [false]]);
  expect(await litDevices(station)).toEqual([THREE_BUTTONS]);
});

test('lines handed over to a busy person also wait, and leaving an order releases lines that only waited', async () => {
  await addAt('SO-1', ONE);
  await addAt('SO-2', THREE_BUTTONS);
  await addAt('SO-3', THIRD);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-2', 'launch', { picker: 'Ben' });
  await act('SO-3', 'launch', { picker: 'Anna' });
  const ben = await as('Ben');
  expect(await ben(orderPath('SO-2', 'handover/'), { picker: 'Anna' })).toMatchObject({
    status: 200,
    body: { waits: true },
  });
  expect(await litDevices(station)).toEqual([ONE]);
  await act('SO-3', 'leave', { picker: 'Anna' });
  expect(await litDevices(station)).toEqual([ONE]);
  expect(await getOrder(station, 'SO-3')).toMatchObject({ state: 'open', pickers: [], waits: false });
  expect(await next('')).toBe('SO-3 of 1');
});

test('a picker cannot act on behalf of others; programs and users with more rights can, and the history records both names', async () => {
  const anna = await as('Anna');
  await addAt('SO-1', ONE, THREE_BUTTONS);
  await addOrder(station, 'SO-2', [anItem({ deviceid: undefined, warehouse_location: 'C-9' })]);
  await act('SO-1', 'launch', { picker: 'Ben' });
  await act('SO-2', 'launch', { picker: 'Ben' });
  const { items = [] } = await station.get<Order>(orderPath('SO-2'));
  const asBen = { picker: 'Ben' };
  const calls: [path: string, body: object][] = [
    [orderPath('SO-1', 'launch/'), asBen],
    [orderPath('SO-1', 'join/'), asBen],
    [orderPath('SO-1', 'pause/'), asBen],
    [orderPath('SO-1', 'leave/'), asBen],
    [orderPath('SO-2', `items/${items[0]?.id}/confirm/`), asBen],
    ['/api/scan/', { ...asBen, code: 'SO-1', act: true }],
  ];
  for (const [path, body] of calls) {
    const answer = await anna(path, body);
    expect([path, answer.status, answer.body]).toMatchObject([
      path,
      403,
      { detail: expect.stringContaining('Anna is a picker and cannot do this as Ben.') as string },
    ]);
  }
  // A picker cannot hand over another person's lines either.
  expect(await anna(orderPath('SO-1', 'handover/'), { picker: 'Anna' })).toMatchObject({ status: 409 });
  expect(await pausedIn('SO-1')).toEqual([false]);

  const carl = await as('Carl');
  const xml = '<pause><picker>  bEN </picker></pause>';
  expect((await carl(orderPath('SO-1', 'pause/'), xml, 'application/xml')).status).toBe(200);
  expect(await pausedIn('SO-1')).toEqual([true]);
  await carl(orderPath('SO-1', 'launch/'), asBen);
  await carl(orderPath('SO-1', 'leave/'), asBen);
  await anna(orderPath('SO-1', 'launch/'));
  await anna(orderPath('SO-1', 'handover/'), { picker: 'ben' });
  const history = await station.get<HistoryEntry[]>('/api/history/?order_number=SO-1&limit=100');
  const said = history
    .filter(({ kind }) => kind.startsWith('order_'))
    .map(({ kind, by, for: whom }) => `${kind} ${by} ${whom}`)
    .toReversed();
  expect(said).toEqual([
    'order_launched API key Ben',
    'order_paused Carl Ben',
    'order_launched Carl Ben',
    'order_left Carl Ben',
    'order_joined Anna ',
    'order_joined Anna Ben',
  ]);
});
