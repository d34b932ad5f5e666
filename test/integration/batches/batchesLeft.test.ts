import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  act,
  addBatch,
  addCart,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  SLOT_A1,
  slotsOf,
  tryTo,
} from '../../helpers/batches.ts';
import { addOrder, orderPath, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Hands of people who have left a batch that has no picker. An order with 2 ties, 3 clips and a screw is picked into slot A1.
const THIRD_PLACE = '51D000:000005';
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addCart(station);
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
    { name: 'Screw', ordered_quantity: 1, deviceid: THIRD_PLACE },
  ]);
  await addOrder(station, 'SO-9', [{ name: 'Nut', ordered_quantity: 1, deviceid: '51D000:000006' }]);
  await addBatch(station, ['SO-1']);
});
afterEach(() => station.stop());

/** Picks the light of a device by a scan, as by a touch. */
async function touch(deviceId: string, picker: string): Promise<void> {
  await station.post('/api/scan/', { code: deviceId, batch: 1, act: true, picker });
  await station.clock.advance(3_000);
}
const asAnna = (path: string, body?: object): Promise<void> => as('Anna', path, body);
async function as(username: string, path: string, body?: object): Promise<void> {
  const { write } = await openSession(station, { username, password: 'Correct horse 7' });
  const headers = { ...write, 'content-type': 'application/json' };
  expect((await station.request('POST', path, body, headers)).status).toBeLessThan(300);
  await station.clock.advance(3_000);
}
const leftHands = async () => (await getBatch(station)).hands.flatMap(({ by, left }) => (left ? [by] : []));

test.each<[string, () => Promise<unknown>]>([
  ['left', () => act(station, 'leave/', { picker: 'Anna' })],
  ['signed out', () => asAnna('/api/user/logout/')],
  ['took an order', () => asAnna(orderPath('SO-9', 'launch/'), { picker: 'Anna' })],
  ['was given an order', () => asAnna(orderPath('SO-9', 'join/'), {})],
  [
    'paused',
    async () => {
      await act(station, 'pause/', { picker: 'Anna' });
      await act(station, 'launch/');
    },
  ],
])('in a batch without a picker, the hand of a person who %s lights nothing and takes no press', async (_, leave) => {
  await act(station, 'launch/');
  await touch(PLACE, 'Anna');
  await press(station, OTHER_PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 2, '': 3 });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  await leave();
  // Nobody can leave pieces that were picked for nobody.
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 3');
  expect(await leftHands()).toEqual(['Anna']);
  await station.restart();
  await station.clock.advance(15_000);
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  // A touch of that person in the batch continues.
  await touch(THIRD_PLACE, 'Anna');
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  expect(await leftHands()).toEqual([]);
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2 3+0/3 1+0/1']);
});

test('the hands of pickers who left light nothing after a program launches the batch for nobody', async () => {
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  for (const place of [PLACE, THIRD_PLACE]) await press(station, place);
  await act(station, 'leave/', { picker: 'Ben' });
  await act(station, 'leave/', { picker: 'Anna' });
  await act(station, 'launch/');
  expect((await getBatch(station)).pickers).toEqual([]);
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2, Ben: 1 });
  expect(await leftHands()).toEqual(['Anna', 'Ben']);
  await act(station, 'launch/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  expect(await leftHands()).toEqual(['Ben']);
});

test('a person who joins a batch without a picker and leaves it again leaves this hand', async () => {
  await act(station, 'launch/');
  await act(station, 'join/', { picker: 'Anna' });
  await touch(PLACE, 'Anna');
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  await act(station, 'leave/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  await act(station, 'join/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
});

test('who takes a left hand in a batch without a picker can put its pieces by presses', async () => {
  await act(station, 'launch/');
  await touch(PLACE, 'Anna');
  await touch(OTHER_PLACE, 'Ben');
  for (const picker of ['Anna', 'Ben']) await act(station, 'leave/', { picker });
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  await act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Ben' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 3');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({});
});

test.each<[string, () => Promise<unknown>]>([
  ['picks there', () => touch(OTHER_PLACE, 'Ben')],
  ['takes a left hand', () => act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Ben' })],
])('in a batch without a picker, a person who %s pauses the order that this person picks', async (_, work) => {
  await act(station, 'launch/');
  await touch(PLACE, 'Anna');
  await act(station, 'leave/', { picker: 'Anna' });
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  expect(await shownAt(station, '51D000:000006')).not.toBe('dark');
  await work();
  expect(await shownAt(station, '51D000:000006')).toBe('dark');
  const { pickers } = await station.get<{ pickers: object[] }>(orderPath('SO-9', ''));
  expect(pickers).toMatchObject([{ name: 'Ben', paused: true }]);
  // The batch continues for others.
  expect(await shownAt(station, THIRD_PLACE)).not.toBe('dark');
});

test.each<[string, object, () => Promise<unknown>]>([
  ['in a batch without a picker', {}, () => as('Ben', '/api/batches/1/hand/', { by: 'Anna', do: 'take' })],
  [
    'in a batch of another person',
    { picker: 'Anna' },
    () => as('Ben', '/api/batches/1/hand/', { by: 'Anna', do: 'take' }),
  ],
  [
    'in a batch that this person helps to pick',
    { picker: 'Anna' },
    async () => {
      await act(station, 'join/', { picker: 'Ben' });
      await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
      await as('Ben', orderPath('SO-9', 'join/'), {});
      await as('Ben', '/api/batches/1/hand/', { by: 'Anna', do: 'take' });
    },
  ],
  ['with all hands', { picker: 'Anna' }, () => as('Ben', '/api/batches/1/hand/', { by: '', do: 'take', all: true })],
])('a signed-in person who takes a hand %s pauses the order that this person picks', async (_, launch, take) => {
  await act(station, 'launch/', launch);
  await touch(PLACE, 'Anna');
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  expect(await shownAt(station, '51D000:000006')).not.toBe('dark');
  await take();
  expect(await handsOf(station)).toEqual({ Ben: 2 });
  expect(await shownAt(station, '51D000:000006')).toBe('dark');
});

test.each<[string, object]>([
  ['', {}],
  [' in a batch without a picker', { isOfNobody: true }],
])(
  'a press at a slot that arrives after the hand has left is late, and its person learns of it%s',
  async (_, { isOfNobody }: { isOfNobody?: boolean }) => {
    await act(station, 'launch/', isOfNobody ? {} : { picker: 'Anna' });
    await touch(PLACE, 'Anna');
    const { turbo } = await station.device(SLOT_A1);
    await station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms: 400 });
    await station.press(SLOT_A1);
    await station.clock.advance(50);
    await act(station, 'leave/', { picker: 'Anna' });
    await station.clock.advance(10_000);
    expect(await handsOf(station)).toEqual({ Anna: 2 });
    const facts = station
      .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
      .flatMap((row) => JSON.parse(row.facts) as { type: string }[]);
    expect(facts.filter(({ type }) => type === 'press.late')).toMatchObject([
      { location: 'A1', quantity: 2, picker: 'Anna' },
    ]);
  },
);

test('a press by a device in a batch without a picker pauses nobody', async () => {
  await act(station, 'launch/');
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  await press(station, OTHER_PLACE);
  expect(await shownAt(station, '51D000:000006')).not.toBe('dark');
});

test('a person who holds nothing in a batch without a picker cannot leave it', async () => {
  await act(station, 'launch/');
  expect(await tryTo(station, '1/leave/', { picker: 'Anna' })).toMatchObject({ status: 409 });
});
