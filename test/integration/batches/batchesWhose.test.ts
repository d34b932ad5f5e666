import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  act,
  addBatch,
  addCart,
  getBatch,
  handsOf,
  PLACE,
  OTHER_PLACE,
  shownAt,
  SLOT_A1,
  slotsOf,
  tryTo,
} from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press } from '../../helpers/orders.ts';
import { cutOff } from '../../helpers/servers/cutOff.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Two people at one light of a batch, and hands of people who have left. Anna picks the batch; Ben joins it and gets the second place.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addCart(station);
});
afterEach(() => station.stop());

/** Loads an order with 2 and 3 pieces at two places into slot A1, and lets Anna and Ben pick one place each. */
async function pickTogether(given: object = {}): Promise<void> {
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
  ]);
  await addBatch(station, ['SO-1'], given);
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 2, Ben: 3 });
}

const factsOf = (type: string) =>
  station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts }) => JSON.parse(facts) as { type: string }[])
    .filter((fact) => fact.type === type);
const booked = () => factsOf('line.booked');
const itemId = async (order: string, at = 0) => (await itemsOf(station, order))[at]?.id ?? 0;

test('a press at a slot tells the others who hold pieces for it, and they can say that it was theirs', async () => {
  await pickTogether();
  const [ofAnna, ofBen] = [await itemId('SO-1'), await itemId('SO-1', 1)];
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Ben: 3 });
  expect(booked()).toMatchObject([
    {
      deviceid: SLOT_A1,
      batch: '1',
      slot: 'A1',
      item_id: ofAnna,
      picker: 'Anna',
      quantity: 2,
      waiting: [{ picker: 'Ben', item_id: ofBen }],
      at: expect.stringMatching(/^\d{4}-/),
      pieces: [{ slot: 'A1', order_number: 'SO-1', item_id: ofAnna, quantity: 2 }],
    },
  ]);
  await act(station, 'put/undo/', { slot: 'A1', item_id: ofAnna, instead: true, picker: 'Ben' });
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 3+0/3']);
});

test('lists the unfinished batches of which a person holds pieces that are not put', async () => {
  await pickTogether();
  const heldBy = async (holder: string) =>
    (await station.get<{ id: number }[]>(`/api/batches/?holder=${holder}`)).map(({ id }) => id);
  expect([await heldBy('anna'), await heldBy('Ben'), await heldBy('Cleo')]).toEqual([[1], [1], []]);
  await act(station, 'put/', { all: true, picker: 'Anna' });
  expect([await heldBy('Anna'), await heldBy('Ben')]).toEqual([[], [1]]);
  expect(await station.get('/api/batches/?holder=Ben&state=paused')).toEqual([]);
});

test('a press at an unlit slot tells those whose pieces somebody else may have put there that they are in already', async () => {
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
    { name: 'Screw', ordered_quantity: 1, deviceid: '51D000:000005' },
  ]);
  await addBatch(station, ['SO-1'], { put_confirmation: 'each' });
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, PLACE);
  await press(station, '51D000:000005');
  await press(station, SLOT_A1);
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({});
  expect(booked()).toMatchObject([{ picker: 'Anna', quantity: 2, waiting: [{ picker: 'Ben' }] }]);
  await press(station, SLOT_A1);
  expect(factsOf('batch.wrong_slot')).toEqual([
    { type: 'batch.wrong_slot', batch_id: 1, slot: 'A1', already: [{ picker: 'Anna', quantity: 2 }] },
  ]);
  // The device shows what the slot holds.
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1');
  // A kill does not forget it.
  station = await cutOff(station, { simulate: 6, refreshMs: 0 });
  const copy = station.dataFolder;
  onTestFinished(() => rmSync(copy, { recursive: true }));
  await press(station, SLOT_A1);
  expect(factsOf('batch.wrong_slot')).toEqual([
    expect.anything(),
    { type: 'batch.wrong_slot', batch_id: 1, slot: 'A1', already: [{ picker: 'Anna', quantity: 2 }] },
  ]);
  await station.clock.advance(31_000);
  await press(station, SLOT_A1);
  expect(factsOf('batch.wrong_slot')).toHaveLength(2);
});

test('once pieces were taken out again, a press at the unlit slot does not say that they are in', async () => {
  await pickTogether();
  await press(station, SLOT_A1);
  expect(booked()).toMatchObject([{ picker: 'Anna', quantity: 2 }]);
  await act(station, 'put/undo/', { slot: 'A1', item_id: await itemId('SO-1'), picker: 'Anna' });
  for (const picker of ['Anna', 'Ben']) await act(station, 'pause/', { picker });
  await station.clock.advance(3_000);
  await press(station, SLOT_A1);
  expect(factsOf('batch.wrong_slot')).toEqual([]);
});

test.each(['each', 'once'])(
  '"It was mine" at a slot puts only as many pieces as the person says, with "%s"',
  async (how) => {
    await pickTogether({ put_confirmation: how });
    await press(station, SLOT_A1);
    const ofAnna = await itemId('SO-1');
    await act(station, 'put/undo/', { slot: 'A1', item_id: ofAnna, instead: true, quantity: 2, picker: 'Ben' });
    expect(await handsOf(station)).toEqual({ Anna: 2, Ben: 1 });
    expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 2+1/3']);
  },
);

test('"It was mine" books only as many pieces of a batch as the person says, and the rest is short', async () => {
  const { ofBatch, ofBen } = await waitAtBatch();
  const ofBenCommand = (await station.device(PLACE)).commands[1]?.command_id;
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: ofBenCommand });
  const mine = { instead: ofBatch, instead_quantity: 2 };
  await station.post(orderPath('SO-9', `items/${ofBen}/reopen/`), mine);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  const lines = [...(await itemsOf(station, 'SO-1')), ...(await itemsOf(station, 'SO-2'))];
  expect(lines.map(({ state, quantity_fulfilled: pieces }) => `${pieces} ${state}`)).toEqual(['2 active', '0 short']);
});

test('after a restart, "It was mine" still exchanges what a press at a slot put', async () => {
  await pickTogether();
  const ofAnna = await itemId('SO-1');
  await press(station, SLOT_A1);
  await station.restart();
  await act(station, 'put/undo/', { slot: 'A1', item_id: ofAnna, instead: true, picker: 'Ben' });
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  const twice = { slot: 'A1', item_id: ofAnna, instead: true, picker: 'Ben' };
  expect(await tryTo(station, '1/put/undo/', twice)).toMatchObject({ status: 409 });
});

test('"It was mine" at a slot changes nothing once both have put their pieces', async () => {
  await pickTogether();
  const ofAnna = await itemId('SO-1');
  await press(station, SLOT_A1);
  await station.clock.advance(1_000);
  await press(station, SLOT_A1);
  const answer = await tryTo(station, '1/put/undo/', { slot: 'A1', item_id: ofAnna, instead: true, picker: 'Ben' });
  expect(answer).toMatchObject({ status: 409, body: { detail: 'Both are booked. Nothing was changed.' } });
  expect(await handsOf(station)).toEqual({});
});

test('with "once", "It was mine" exchanges the whole hands', async () => {
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
  ]);
  await addOrder(station, 'SO-2', [
    { name: 'Tie', ordered_quantity: 1, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 4, deviceid: OTHER_PLACE },
  ]);
  await addBatch(station, ['SO-1', 'SO-2'], { put_confirmation: 'once' });
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Ben: 7 });
  await act(station, 'put/undo/', { slot: 'A1', item_id: await itemId('SO-1'), instead: true, picker: 'Ben' });
  expect(await handsOf(station)).toEqual({ Anna: 3 });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 3+0/3', 'A2 open 0+1/1 4+0/4']);
});

/** Lets Anna pick a batch with two orders at a place, where Ben waits for his order. The pages of both show their lines. Returns the ids of the first item of each. */
async function waitAtBatch(given: object = {}): Promise<{ ofBatch: number; ofBen: number }> {
  const tie = (ordered_quantity: number) => [{ name: 'Tie', ordered_quantity, deviceid: PLACE }];
  await addOrder(station, 'SO-1', tie(2));
  await addOrder(station, 'SO-2', tie(1));
  await addOrder(station, 'SO-9', tie(4));
  await addBatch(station, ['SO-1', 'SO-2'], given);
  await act(station, 'launch/', { picker: 'Anna' });
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  const [ofBatch, ofBen] = [await itemId('SO-1'), await itemId('SO-9')];
  await station.request('PUT', '/api/user/current/', { item_id: ofBatch, picker: 'Anna' });
  await station.request('PUT', '/api/user/current/', { item_id: ofBen, picker: 'Ben' });
  await station.clock.advance(3_000);
  return { ofBatch, ofBen };
}

test.each<[string, () => Promise<void>]>([
  ['', async () => undefined],
  [' after a restart', () => station.restart()],
])(
  'a press that booked the sum of a batch can be given to the line of an order, with its own rest%s',
  async (_, wait) => {
    const { ofBatch, ofBen } = await waitAtBatch();
    await press(station, PLACE);
    expect(await handsOf(station)).toEqual({ Anna: 3 });
    expect(booked()).toMatchObject([
      {
        item_id: ofBatch,
        batch: '1',
        picker: 'Anna',
        quantity: 3,
        waiting: [{ picker: 'Ben', item_id: ofBen }],
        pieces: [
          { slot: 'A1', order_number: 'SO-1', item_id: ofBatch, quantity: 2 },
          { slot: 'A2', order_number: 'SO-2', quantity: 1 },
        ],
      },
    ]);
    await wait();
    await station.post(orderPath('SO-1', `items/${ofBatch}/reopen/`), { instead: ofBen });
    expect(await handsOf(station)).toEqual({});
    expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 4 });
    await station.clock.advance(3_000);
    expect(await shownAt(station, PLACE)).toContain(' 3 ');
  },
);

test('the person of a batch whose sum was booked can take back the whole press, and it is lit again as one sum', async () => {
  const { ofBatch } = await waitAtBatch();
  await press(station, PLACE);
  await station.clock.advance(3_000);
  await station.post(orderPath('SO-1', `items/${ofBatch}/reopen/`), { press: true });
  expect(await handsOf(station)).toEqual({});
  const quantities = (await station.device(PLACE)).commands.map(({ quantity }) => quantity);
  expect(quantities.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([3, 4]);
});

test('a press that booked the line of an order can be given to a batch, with its whole sum', async () => {
  const { ofBatch, ofBen } = await waitAtBatch();
  const lines = (await station.device(PLACE)).commands;
  expect(lines.map(({ quantity }) => quantity)).toEqual([3, 4]);
  const ofBenCommand = lines[1]?.command_id;
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: ofBenCommand });
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'done' });
  await station.post(orderPath('SO-9', `items/${ofBen}/reopen/`), { instead: ofBatch });
  expect(await handsOf(station)).toEqual({ Anna: 3 });
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  // The batch is booked now, so a second exchange is refused. A press right after the other line appeared is too early.
  await station.clock.advance(3_000);
  await press(station, PLACE);
  const answer = await station.request('POST', orderPath('SO-9', `items/${ofBen}/reopen/`), { instead: ofBatch });
  expect(answer).toMatchObject({ status: 409, body: { detail: 'Both are booked. Nothing was changed.' } });
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'done' });
});

test('without puts, "It was mine" takes what the press booked out of the slots again', async () => {
  const { ofBatch, ofBen } = await waitAtBatch({ put_confirmation: 'none' });
  await press(station, PLACE);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 1+0/1']);
  await station.post(orderPath('SO-1', `items/${ofBatch}/reopen/`), { instead: ofBen });
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+0/1']);
  expect((await itemsOf(station, 'SO-9'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 4 });
  await station.clock.advance(3_000);
  expect(await shownAt(station, PLACE)).toContain(' 3 ');
  await press(station, PLACE);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 1+0/1']);
});

test('the hand of a person who paused lights nothing and takes no press until that person continues', async () => {
  await pickTogether();
  await act(station, 'pause/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 3');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect((await station.device(SLOT_A1)).commands).toEqual([]);
  await station.clock.advance(3_000);
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  await act(station, 'join/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({});
});

test.each<[string, () => Promise<unknown>]>([
  ['left', () => act(station, 'leave/', { picker: 'Anna' })],
  [
    'took an order',
    async () => {
      await addOrder(station, 'SO-9', [{ name: 'Screw', ordered_quantity: 1, deviceid: '51D000:000005' }]);
      const { write } = await openSession(station, { username: 'Anna', password: 'Correct horse 7' });
      const headers = { ...write, 'content-type': 'application/json' };
      await station.request('POST', orderPath('SO-9', 'launch/'), { picker: 'Anna' }, headers);
    },
  ],
  [
    'signed out',
    async () => {
      const { write } = await openSession(station, { username: 'Anna', password: 'Correct horse 7' });
      await station.request('POST', '/api/user/logout/', undefined, write);
    },
  ],
  [
    'paused while another person launched the batch',
    async () => {
      await act(station, 'pause/');
      await act(station, 'launch/', { picker: 'Ben' });
    },
  ],
])('the hand of a person who %s lights nothing, and settling it lights its pieces again', async (_, leave) => {
  await pickTogether();
  await leave();
  await station.clock.advance(3_000);
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 3');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect((await station.device(SLOT_A1)).commands).toEqual([]);
  await act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Ben' });
  expect(await handsOf(station)).toEqual({ Ben: 2 });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
});

test('a person who takes all hands does not join the batch if nobody holds anything', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Tie', ordered_quantity: 2, deviceid: PLACE }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  const answer = await act<{ warnings: string[] }>(station, 'hand/', { all: true, do: 'take', picker: 'Ben' });
  expect(answer.warnings).toEqual(['Nothing is in hand. Nothing was done.']);
  expect((await getBatch(station)).pickers.map(({ name }) => name)).toEqual(['Anna']);
});

test('a person who takes a left hand pauses the order that this person picks', async () => {
  await pickTogether();
  await station.post('/api/users/', { username: 'Cleo', password: 'Correct horse 7', role: 'picker' });
  await addOrder(station, 'SO-9', [{ name: 'Screw', ordered_quantity: 1, deviceid: '51D000:000005' }]);
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'Cleo' });
  await act(station, 'leave/', { picker: 'Anna' });
  expect(await shownAt(station, '51D000:000005')).not.toBe('dark');
  await act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Cleo' });
  expect(await shownAt(station, '51D000:000005')).toBe('dark');
  const { pickers } = await station.get<{ pickers: { name: string; paused: boolean }[] }>(orderPath('SO-9', ''));
  expect(pickers).toMatchObject([{ name: 'Cleo', paused: true }]);
  expect(await handsOf(station)).toEqual({ Cleo: 2, Ben: 3 });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1');
});

test('the hand of the only person who signed out lights nothing', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Tie', ordered_quantity: 2, deviceid: PLACE }]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
  const { write } = await openSession(station, { username: 'Anna', password: 'Correct horse 7' });
  await station.request('POST', '/api/user/logout/', undefined, write);
  await station.clock.advance(3_000);
  expect((await station.device(SLOT_A1)).commands).toEqual([]);
  await act(station, 'launch/', { picker: 'Anna' });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
});

test('a touch puts the pieces of the person who made it, and a program has to say whose pieces it puts', async () => {
  await pickTogether();
  const answer = await tryTo(station, '1/put/', { slot: 'A1' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((answer.body as { detail: string }).detail).toContain('Anna and Ben hold pieces');
  expect(await handsOf(station)).toEqual({ Anna: 2, Ben: 3 });
  await act(station, 'put/', { slot: 'A1', picker: 'Ben' });
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  const none = await tryTo(station, '1/put/', { slot: 'A1', picker: 'Ben' });
  expect(none).toMatchObject({ status: 409, body: { code: 'nothing_in_hand' } });
  await act(station, 'put/', { slot: 'A1' });
  expect(await handsOf(station)).toEqual({});
});

test('a program that names nobody puts the pieces of the only person who has not left, and never those of somebody who left', async () => {
  await pickTogether();
  await act(station, 'pause/', { picker: 'Anna' });
  await act(station, 'put/', { slot: 'A1' });
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  for (const put of [{ slot: 'A1' }, { all: true }]) {
    const answer = await tryTo(station, '1/put/', put);
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((answer.body as { detail: string }).detail).toContain('Anna left pieces');
  }
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  await act(station, 'put/', { slot: 'A1', picker: 'Anna' });
  expect(await handsOf(station)).toEqual({});
});

test('"It was mine" gives the pieces of a whole hand back in the order in which they were picked', async () => {
  await addOrder(station, 'SO-1', [
    { name: 'Tie', ordered_quantity: 2, deviceid: PLACE },
    { name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE },
    { name: 'Bell', ordered_quantity: 1, warehouse_location: 'Q-1' },
  ]);
  await addBatch(station, ['SO-1'], { put_confirmation: 'once' });
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  const [tie, clip, bell] = [await itemId('SO-1'), await itemId('SO-1', 1), await itemId('SO-1', 2)];
  await station.post(orderPath('SO-1', `items/${bell}/confirm/`), { picker: 'Ben' });
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Ben: 1 });
  await act(station, 'put/undo/', { slot: 'A1', item_id: tie, instead: true, picker: 'Ben' });
  const { hands } = await getBatch(station);
  expect(hands.map(({ by, shares }) => [by, shares.map(({ item_id: id }) => id)])).toEqual([['Anna', [tie, clip]]]);
});

test('a complete slot stays lit if another person continues the cart', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Tie', ordered_quantity: 2, deviceid: PLACE }]);
  await addOrder(station, 'SO-2', [{ name: 'Clip', ordered_quantity: 3, deviceid: OTHER_PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
  await press(station, PLACE);
  await press(station, SLOT_A1);
  await station.clock.advance(3_000);
  const lit = await shownAt(station, SLOT_A1);
  expect(JSON.stringify(lit)).toContain('COMPLETE');
  await act(station, 'leave/', { picker: 'Anna' });
  await act(station, 'launch/', { picker: 'Ben' });
  expect(await shownAt(station, SLOT_A1)).toEqual(lit);
});
