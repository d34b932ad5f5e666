import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchActsResult } from '#shared/api/batchActs.ts';
import { act, addBatch, addCart, addTies, getBatch, handsOf, PLACE, slotsOf, tryTo } from '../../helpers/batches.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import { addOrder, itemsOf, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { owed } from '../../helpers/walls.ts';

// Contract, section 16: one touch is one act, and one request is one commit.
const DARK = 'Q-1-1';

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:9/' });
  await addCart(station);
});
afterEach(() => station.stop());

/** Launches a cart whose orders need these quantities of one article at a place without a light. */
async function loadDark(quantities: readonly number[], given: object = {}): Promise<void> {
  const orders = quantities.map((_, index) => `SO-${index + 1}`);
  for (const [index, quantity] of quantities.entries())
    await addOrder(station, orders[index] ?? '', [
      { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity, warehouse_location: DARK },
    ]);
  await addBatch(station, orders, given);
  await act(station, 'launch/');
}

/** Launches a cart whose orders need these quantities at a light. */
async function loadLit(quantities: readonly number[]): Promise<void> {
  for (const [index, quantity] of quantities.entries()) await addTies(station, `SO-${index + 1}`, quantity);
  await addBatch(
    station,
    quantities.map((_, index) => `SO-${index + 1}`),
  );
  await act(station, 'launch/');
}

type Line = { item_id: number; quantity: number; seen?: number };
const lines = (...quantities: number[]): Line[] =>
  quantities.map((quantity, index) => ({ item_id: index + 1, quantity, seen: 0 }));
const pick = (key: string, given: readonly Line[], more: object = {}) => ({
  key,
  act: 'pick',
  acted_at: new Date(station.clock.now()).toISOString(),
  lines: given,
  ...more,
});
async function send(acts: readonly object[], more: object = {}): Promise<{ status: number; body: BatchActsResult }> {
  const { status, body } = await tryTo(station, '1/acts/', { acts, ...more });
  // Safe cast: the station validates its answers in tests.
  return { status, body: body as BatchActsResult };
}
/** Returns how many commits changed the batch since `before`. The confirmations of the slot lights are commits too. */
const commitsSince = (before: number): number =>
  station.rows(`SELECT 1 FROM commits WHERE revision > ${before} AND facts LIKE '%batch.changed%'`).length;
const revision = (): number => Number(station.rows('SELECT MAX(revision) AS last FROM commits')[0]?.['last']);

test('one act books all orders of a place without a light in one commit', async () => {
  await loadDark([3, 3, 3]);
  const before = revision();
  const { status, body } = await send([pick('a', lines(3, 3, 3))]);
  expect([status, body.outcomes]).toEqual([
    200,
    [{ key: 'a', status: 200, result: 'booked', says: 'Picked 9 at Q-1-1.' }],
  ]);
  expect([commitsSince(before), body.change.before, body.change.revision]).toEqual([1, before, before + 1]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+3/3', 'A2 open 0+3/3', 'B1 open 0+3/3']);
  expect(await handsOf(station)).toEqual({ '': 9 });
  expect(owed(station)).toEqual(['item_added SO-1  3', 'item_added SO-2  3', 'item_added SO-3  3']);
});

test('the change has what the act changed, and nothing else', async () => {
  await loadDark([3, 2]);
  const { change } = (await send([pick('a', lines(3, 2))])).body;
  const share = (slot: string, item: number, quantity: number) => ({
    slot,
    state: 'open',
    shares: [
      expect.objectContaining({ item_id: item, quantity, picked: quantity, in_hand: quantity, state: 'in_hand' }),
    ],
  });
  const held = (slot: string, item: number, quantity: number) => ({
    slot,
    order_number: `SO-${item}`,
    item_id: item,
    quantity,
  });
  expect(change).toMatchObject({
    job: { batch: 1 },
    acts: [
      {
        key: 'a',
        act: 'pick',
        by: '',
        how: 'program',
        lines: [
          { item_id: 1, quantity: 3 },
          { item_id: 2, quantity: 2 },
        ],
      },
    ],
    slots: [share('A1', 1, 3), share('A2', 2, 2)],
    hands: [{ by: '', shares: [held('A1', 1, 3), held('A2', 2, 2)] }],
    people: [],
    state: 'picking',
  });
  expect(change.lines.map((line) => [line.item_id, line.quantity_fulfilled, line.location])).toEqual([
    [1, 3, null],
    [2, 2, null],
  ]);
});

test('a repeated key gets its first outcome and books nothing; another content under the key is refused', async () => {
  await loadDark([3, 3]);
  const first = await send([pick('a', lines(3, 3))]);
  await station.clock.advance(5_000);
  const before = revision();
  const again = await send([pick('a', lines(3, 3))]);
  expect([again.status, again.body.outcomes]).toEqual([200, first.body.outcomes]);
  expect([again.body.change.before, again.body.change.revision, again.body.change.acts]).toEqual([before, before, []]);
  expect(again.body.change.slots.map(({ shares }) => shares[0]?.picked)).toEqual([3, 3]);
  expect(owed(station)).toHaveLength(2);
  const other = await send([pick('a', lines(3, 2))]);
  expect([other.status, other.body.outcomes[0]?.problem?.code]).toEqual([207, 'key_reused']);
  expect(await handsOf(station)).toEqual({ '': 6 });
});

test('an act books once even if the station stopped before its answer arrived', async () => {
  await loadDark([3, 3]);
  await send([pick('a', lines(3, 3))]);
  await station.restart();
  const { body } = await send([pick('a', lines(3, 3))]);
  expect(body.outcomes).toEqual([{ key: 'a', status: 200, result: 'booked', says: 'Picked 6 at Q-1-1.' }]);
  expect(await handsOf(station)).toEqual({ '': 6 });
});

test('a refused act changes nothing and does not stop the next one', async () => {
  await loadDark([3]);
  await addOrder(station, 'SO-2', [{ name: 'Glue', SKU: 'GL', ordered_quantity: 2, warehouse_location: 'Q-2-2' }]);
  await act(station, 'slots/', { order_number: 'SO-2' });
  const before = revision();
  const wrong = pick('a', [
    { item_id: 1, quantity: 3 },
    { item_id: 2, quantity: 2 },
  ]);
  const outdated = pick('b', [{ item_id: 1, quantity: 3, seen: 1 }]);
  const { status, body } = await send([wrong, outdated, pick('c', [{ item_id: 2, quantity: 2, seen: 0 }])]);
  expect([status, body.outcomes.map(({ status: each, problem }) => [each, problem?.code])]).toEqual([
    207,
    [
      [400, 'invalid'],
      [409, 'outdated'],
      [200, undefined],
    ],
  ]);
  expect(body.outcomes[0]?.problem?.errors?.[0]?.path).toBe('/acts/0/lines');
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/3', 'A2 open 0+2/2']);
  expect(commitsSince(before)).toBe(1);
  // A repetition does not judge a refused act again.
  expect((await send([outdated])).body.outcomes).toEqual([body.outcomes[1]]);
});

test('an act whose `of` was refused or never arrived is cancelled', async () => {
  await loadDark([3, 3]);
  const { status, body } = await send([
    pick('a', [{ item_id: 1, quantity: 3, seen: 2 }]),
    pick('b', lines(3, 3), { of: 'a' }),
    pick('c', lines(3, 3), { of: 'never' }),
    pick('d', lines(3, 3)),
  ]);
  expect([status, body.outcomes.map(({ result }) => result)]).toEqual([
    207,
    ['refused', 'cancelled', 'cancelled', 'booked'],
  ]);
});

test('fewer pieces than needed need a reason at a place without a light, and each order gets what the act says', async () => {
  await loadDark([3, 3, 3]);
  const refused = await send([pick('a', lines(1, 3, 2))]);
  expect([refused.status, refused.body.outcomes[0]?.problem?.code]).toEqual([207, 'invalid']);
  expect(await handsOf(station)).toEqual({});
  await send([pick('b', lines(1, 3, 2), { reason: 'missing' })]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+1/3', 'A2 open 0+3/3', 'B1 open 0+2/3']);
  const items = await itemsOf(station, 'SO-1');
  expect(items.map((item) => item.quantity_fulfilled)).toEqual([1]);
});

test('a light is acknowledged with a device_ack for each order, in one commit, also with other shares', async () => {
  await loadLit([2, 3]);
  const before = revision();
  const { status } = await send([pick('a', lines(1, 3), { reason: 'damaged' })]);
  expect([status, commitsSince(before)]).toEqual([200, 1]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+1/2', 'A2 open 0+3/3']);
  expect(owed(station).filter((each) => each.startsWith('device_ack'))).toHaveLength(2);
  expect((await station.device(PLACE)).commands).toEqual([]);
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ '': 4 });
});

test('an act at a light names all items of the light', async () => {
  await loadLit([2, 3]);
  const { body } = await send([pick('a', [{ item_id: 1, quantity: 2, seen: 0 }])]);
  expect(body.outcomes[0]?.problem).toMatchObject({ code: 'invalid', detail: expect.stringContaining('item 2') });
  expect(await handsOf(station)).toEqual({});
});

test('surplus pieces are not booked, and the outcome says how many to put back', async () => {
  await loadDark([3]);
  const { body } = await send([pick('a', lines(5))]);
  expect([body.outcomes[0]?.says, body.change.acts[0]?.left_over]).toEqual(['Picked 3 at Q-1-1. Put 2 back.', 2]);
  expect(await handsOf(station)).toEqual({ '': 3 });
});

test('a pick counts for a light that is off, but not after an hour', async () => {
  await loadLit([2]);
  const at = pick('a', lines(2));
  await act(station, 'pause/');
  await station.clock.advance(3_590_000);
  expect((await send([at])).status).toBe(200);
  expect(await handsOf(station)).toEqual({ '': 2 });
  const late = { ...pick('b', lines(2)), acted_at: new Date(station.clock.now() - 3_601_000).toISOString() };
  expect((await send([late])).body.outcomes[0]?.problem?.code).toBe('outdated');
});

test('the scanned code of the article verifies the items that got pieces; null records that it cannot be scanned', async () => {
  await station.patch('/api/settings/', { scan_required: true });
  await loadDark([3, 3]);
  const waits = async () =>
    (await getBatch(station)).slots.flatMap(({ shares }) => shares.map(({ awaits_scan: awaits }) => awaits));
  expect(await waits()).toEqual([true, true]);
  await send([pick('a', [{ item_id: 1, quantity: 3 }], { code: 'GL-1' })]);
  expect(await waits()).toEqual([true, true]);
  await send([pick('b', [{ item_id: 2, quantity: 3 }], { code: 'CT-200' })]);
  expect(await waits()).toEqual([true, false]);
});

test('an article that cannot be scanned is recorded, and a repetition after a restart records it once', async () => {
  await station.patch('/api/settings/', { scan_required: true });
  await loadDark([3, 3]);
  const act = pick('a', lines(3, 3), { code: null });
  const first = await send([act]);
  await station.restart();
  expect((await send([act])).body.outcomes).toEqual(first.body.outcomes);
  expect((await getBatch(station)).slots.flatMap(({ shares }) => shares.map((each) => each.awaits_scan))).toEqual([
    false,
    false,
  ]);
  expect(await station.get('/api/history/?kind=order_not_scanned')).toMatchObject([
    { order_number: 'SO-2' },
    { order_number: 'SO-1' },
  ]);
  expect(await handsOf(station)).toEqual({ '': 6 });
});

test('an act in the future counts as one of now; an act before a count of the place does not lower the count again', async () => {
  await addArticle(station, 'CT-200', [{ location: DARK, on_hand: 20 }]);
  await loadDark([3, 3]);
  const at = (ms: number) => new Date(station.clock.now() + ms).toISOString();
  await send([{ ...pick('a', lines(3)), acted_at: at(-600_000) }]);
  expect(await onHand(station, 'CT-200')).toEqual({ [DARK]: 20 });
  const { status } = await send([{ ...pick('b', lines(3, 3).slice(1)), acted_at: at(3_600_000) }]);
  expect([status, await onHand(station, 'CT-200')]).toEqual([200, { [DARK]: 17 }]);
  const future = at(0);
  const history = await station.get<{ at: string }[]>('/api/history/?kind=order_counted');
  expect(history.filter((each) => each.at > future)).toEqual([]);
});

test('of a sum, the lines that have changed are listed and the others are booked, with one outcome for every repetition', async () => {
  await loadDark([3, 2, 1]);
  await station.post('/api/orders/SO-2/abort/');
  const before = revision();
  const act = pick('a', lines(3, 2, 1));
  const { status, body } = await send([act]);
  expect([status, body.outcomes]).toMatchObject([
    207,
    [{ key: 'a', status: 207, result: 'booked', not_booked: [{ item_id: 2, quantity: 2 }], problem: { status: 404 } }],
  ]);
  expect(commitsSince(before)).toBe(1);
  expect(await handsOf(station)).toEqual({ '': 4 });
  await station.restart();
  const again = await send([act]);
  expect([again.status, again.body.outcomes]).toEqual([207, body.outcomes]);
  expect(await handsOf(station)).toEqual({ '': 4 });
});

test('a program that names no picker while several people hold pieces gets 409 with their names', async () => {
  for (const username of ['Paula', 'Pia'])
    await station.post('/api/users/', { username, password: 'correct horse battery', role: 'picker' });
  await loadDark([1, 1, 1]);
  await send([pick('a', [{ item_id: 1, quantity: 1 }])], { picker: 'Paula' });
  await send([pick('b', [{ item_id: 2, quantity: 1 }])], { picker: 'Pia' });
  expect(await handsOf(station)).toEqual({ Paula: 1, Pia: 1 });
  const { status, body } = await tryTo(station, '1/acts/', { acts: [pick('c', [{ item_id: 3, quantity: 1 }])] });
  expect([status, body]).toMatchObject([409, { detail: expect.stringMatching(/Paula and Pia/) }]);
  expect((await send([pick('d', [{ item_id: 3, quantity: 1 }])], { picker: 'Pia' })).status).toBe(200);
  expect(await handsOf(station)).toEqual({ Paula: 1, Pia: 2 });
});

test('the change of one press on a cart with 480 lines has at most 5 kB', async () => {
  for (let number = 1; number <= 4; number += 1)
    await addOrder(
      station,
      `SO-${number}`,
      Array.from({ length: 120 }, (_, index) => ({
        name: `Article ${index}`,
        SKU: `ART-${index}`,
        ordered_quantity: 2,
        warehouse_location: `Q-1-${index}`,
      })),
    );
  await addBatch(station, ['SO-1', 'SO-2', 'SO-3', 'SO-4']);
  await act(station, 'launch/');
  const shares = (await getBatch(station)).slots.flatMap((slot) => slot.shares);
  expect(shares).toHaveLength(480);
  const at = async (index: number) => {
    const [first] = await itemsOf(station, 'SO-1');
    const ids = [0, 120, 240, 360].map((from) => (first?.id ?? 0) + from + index);
    return send([
      pick(
        `k${index}`,
        ids.map((item_id) => ({ item_id, quantity: 2, seen: 0 })),
      ),
    ]);
  };
  for (let index = 0; index < 10; index += 1) await at(index);
  const { body } = await at(10);
  expect(body.change.acts[0]?.lines).toHaveLength(4);
  expect(JSON.stringify(body).length).toBeLessThan(5_000);
});

test('a person who was removed and added again does not inherit the keys of acts', async () => {
  await loadDark([1, 2]);
  const newAnna = async () => {
    const person = { username: 'Anna', password: 'correct horse battery', role: 'control' };
    await station.post('/api/users/', person);
    const headers = { 'content-type': 'application/json', ...(await openSession(station, person)).write };
    return async (quantity: number) => {
      const acts = [pick('k-1', [{ item_id: quantity, quantity, seen: 0 }])];
      const { body } = await station.request('POST', '/api/batches/1/acts/', { acts }, headers);
      return (body as BatchActsResult).outcomes.map(({ status, problem }) => problem?.code ?? status);
    };
  };
  const anna = await newAnna();
  expect(await anna(1)).toEqual([200]);
  expect(await anna(1)).toEqual([200]);
  expect(await anna(2)).toEqual(['key_reused']);
  await station.request('DELETE', '/api/users/Anna/');
  await station.clock.advance(1_000);
  const again = await newAnna();
  expect(await again(2)).toEqual([200]);
  expect(await handsOf(station)).toEqual({ Anna: 3 });
});
