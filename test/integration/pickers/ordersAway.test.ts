import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderTimeline } from '#shared/api/history.ts';
import {
  addOrder,
  anItem,
  getOrder,
  itemsOf,
  ONE,
  orderPath,
  press,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { makeKiosk } from '../../helpers/kiosk.ts';
import { openSession, type TestSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: after signing out, a picker keeps the order for an hour.
let station: TestStation;
const MINUTE = 60_000;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.clock.advance(5_000);
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
});

afterEach(() => station.stop());

const signedIn = (username: string) => openSession(station, { username, password: 'long enough' });

async function post({ write }: TestSession, path: string, body?: object) {
  const answer = await station.request('POST', path, body ?? {}, { ...write, 'content-type': 'application/json' });
  await station.clock.advance(2_000);
  return answer;
}

const signOut = (session: TestSession) => post(session, '/api/user/logout/');
const pickers = async (): Promise<string[]> => (await getOrder(station, 'SO-1')).pickers.map(({ name }) => name);
const owners = async () => (await itemsOf(station, 'SO-1')).map(({ picker }) => picker);

async function left() {
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-1/');
  return steps.filter(({ kind }) => kind === 'order_left').map(({ by, detail }) => ({ by, detail }));
}

async function annaSignsOut(): Promise<void> {
  const anna = await signedIn('Anna');
  expect(await post(anna, orderPath('SO-1', 'launch/'))).toMatchObject({ status: 200 });
  expect(await signOut(anna)).toMatchObject({ status: 204 });
}

test('after a sign-out the picker keeps the order for an hour; then it is free, still lit, and its timeline says so', async () => {
  await annaSignsOut();
  const ben = await signedIn('Ben');
  await station.clock.advance(58 * MINUTE);
  expect(await post(ben, orderPath('SO-1', 'launch/'))).toMatchObject({
    status: 409,
    body: { detail: 'Anna (signed out) has 2 of 2 lines of order SO-1. POST .../join/ shares it.' },
  });
  expect(await left()).toEqual([]);
  await station.clock.advance(2 * MINUTE);
  expect([await pickers(), await owners(), await statesOf(station, 'SO-1')]).toEqual([
    [],
    [null, null],
    'in_progress: in_progress(active active)',
  ]);
  expect(await left()).toEqual([{ by: 'Anna', detail: 'Signed out an hour before.' }]);
  expect(await post(ben, orderPath('SO-1', 'launch/'))).toMatchObject({
    status: 200,
    body: { pickers: [{ name: 'Ben' }] },
  });
});

test('a picker who signs in again within the hour keeps the order, and has a full hour after the next sign-out', async () => {
  await annaSignsOut();
  await station.clock.advance(50 * MINUTE);
  const anna = await signedIn('anna');
  await station.clock.advance(120 * MINUTE);
  expect([await pickers(), await owners()]).toEqual([['Anna'], ['Anna', 'Anna']]);
  await signOut(anna);
  await station.clock.advance(55 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await station.clock.advance(6 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('a press does not extend the hour, but an order that a program assigns to the person afterwards stays', async () => {
  await annaSignsOut();
  await station.clock.advance(50 * MINUTE);
  await press(station, ONE);
  await station.clock.advance(11 * MINUTE);
  expect(await pickers()).toEqual([]);
  await addOrder(station, 'SO-2', [anItem()]);
  const anna = await signedIn('Anna');
  await post(anna, orderPath('SO-2', 'launch/'));
  await signOut(anna);
  await station.post(orderPath('SO-2', 'join/'), { picker: 'Anna' });
  await station.clock.advance(70 * MINUTE);
  expect((await getOrder(station, 'SO-2')).pickers).toMatchObject([{ name: 'Anna' }]);
});

test('after the hour, the lines go to another picker of the order', async () => {
  const ben = await signedIn('Ben');
  await annaSignsOut();
  expect(await post(ben, orderPath('SO-1', 'join/'))).toMatchObject({ status: 200 });
  await station.clock.advance(61 * MINUTE);
  expect([await pickers(), await owners()]).toEqual([['Ben'], ['Ben', 'Ben']]);
});

test('a picker with another live session counts as signed in until the last session ends', async () => {
  const other = await signedIn('Anna');
  await annaSignsOut();
  await station.clock.advance(61 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await signOut(other);
  await station.clock.advance(61 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('ending the sessions, setting a password, removing the user or removing the kiosk signs the picker out', async () => {
  const ends: (() => Promise<unknown>)[] = [
    () => station.patch('/api/users/Anna/', { end_sessions: true }),
    () => station.patch('/api/users/Anna/', { password: 'another long one' }),
    () => station.request('DELETE', '/api/users/Anna/'),
  ];
  for (const [index, end] of ends.entries()) {
    const number = `SO-1${index}`;
    await addOrder(station, number, [anItem()]);
    const password = index === 2 ? 'another long one' : 'long enough';
    const anna = await openSession(station, { username: 'Anna', password });
    await post(anna, orderPath(number, 'launch/'));
    await end();
    await station.clock.advance(61 * MINUTE);
    expect((await getOrder(station, number)).pickers, number).toEqual([]);
  }
  await station.patch('/api/users/Ben/', { pin: '1234' });
  const kiosk = await makeKiosk(station);
  const ben = await kiosk.open('Ben', '1234');
  await station.request('POST', orderPath('SO-1', 'launch/'), {}, ben);
  await station.request('DELETE', `/api/kiosks/${kiosk.id}/`);
  await station.clock.advance(61 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('a removed user who never signed in loses the order after an hour', async () => {
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Ben' });
  await station.request('DELETE', '/api/users/Ben/');
  await station.clock.advance(59 * MINUTE);
  expect(await pickers()).toEqual(['Ben']);
  await station.clock.advance(2 * MINUTE);
  expect(await pickers()).toEqual([]);
  expect(await station.get('/api/work/next/')).toMatchObject({ order: { order_number: 'SO-1' } });
});

test('an expired session counts as a sign-out at that time', async () => {
  const anna = await signedIn('Anna');
  await post(anna, orderPath('SO-1', 'launch/'));
  station.clock.jump(14 * 24 * 60 * MINUTE - 60 * MINUTE);
  await station.clock.advance(56 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await station.clock.advance(59 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await station.clock.advance(10 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('a session that expires while the station is stopped counts as a sign-out at the next start', async () => {
  const anna = await signedIn('Anna');
  await post(anna, orderPath('SO-1', 'launch/'));
  station.clock.jump(15 * 24 * 60 * MINUTE);
  await station.restart();
  await station.clock.advance(59 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await station.clock.advance(2 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('the hour continues across a restart and while the station is stopped', async () => {
  await annaSignsOut();
  await station.clock.advance(10 * MINUTE);
  await station.halt();
  await station.clock.advance(30 * MINUTE);
  await station.restart();
  await station.clock.advance(10 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
  await station.clock.advance(11 * MINUTE);
  expect(await pickers()).toEqual([]);
});

test('a person who is not signed in keeps the order that a program launched for that person', async () => {
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  await station.clock.advance(120 * MINUTE);
  expect(await pickers()).toEqual(['Anna']);
});
