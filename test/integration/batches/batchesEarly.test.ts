import { afterEach, beforeEach, expect, test } from 'vitest';
import { act, addBatch, addCart, handsOf, PLACE, SLOT_A1, shownAt } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Presses at lights of batches that come too early: before anybody can have read the line that the device just began to show.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addCart(station);
});
afterEach(() => station.stop());

/** Sets the delay of the radio in one direction. */
async function radio(latency: number): Promise<void> {
  const { turbo } = await station.device(PLACE);
  await station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms: latency });
}
/** Presses the device at PLACE at these times, in milliseconds from now. */
async function pressAt(times: readonly number[]): Promise<void> {
  let now = 0;
  for (const time of times) {
    await station.clock.advance(time - now);
    now = time;
    await station.press(PLACE);
  }
  await station.clock.advance(5_000);
}
const early = () =>
  station.rows<{ work: string }>("SELECT work FROM history WHERE kind = 'early' ORDER BY id").map(({ work }) => work);
const told = () =>
  station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts }) => JSON.parse(facts) as { type: string }[])
    .filter(({ type }) => type === 'press.early');
const itemOfBen = async () => (await itemsOf(station, 'SO-9'))[0];

/** Lights 3 pieces of Anna's batch and 4 pieces of Ben's order at PLACE, one after the other. */
async function lightBoth(first: 'batch' | 'order'): Promise<void> {
  const tie = (ordered_quantity: number) => [{ name: 'Tie', ordered_quantity, deviceid: PLACE }];
  await addOrder(station, 'SO-1', tie(3));
  await addOrder(station, 'SO-9', tie(4));
  await addBatch(station, ['SO-1']);
  const launchBatch = () => act(station, 'launch/', { picker: 'Anna' });
  const launchOrder = () => station.post(orderPath('SO-9', 'launch/'), { picker: 'Ben' });
  for (const launch of first === 'batch' ? [launchBatch, launchOrder] : [launchOrder, launchBatch]) await launch();
  await station.clock.advance(5_000);
  await radio(120);
}

test("a press within 250 ms after a batch's line replaced a line of another person books nothing", async () => {
  await lightBoth('order');
  // The second line appears after 240 ms.
  await pressAt([0, 370]);
  expect([await handsOf(station), (await itemOfBen())?.quantity_fulfilled]).toEqual([{}, 4]);
  expect(early()).toEqual(['batch:1']);
  expect(told()).toMatchObject([{ deviceid: PLACE, item_id: null, batch_id: 1, picker: 'Anna' }]);
  expect(await shownAt(station, PLACE)).toContain(' 3 ');
  await pressAt([0]);
  expect(await handsOf(station)).toEqual({ Anna: 3 });
});

test("a press within 250 ms after an order's line replaced a line of another person's batch books nothing", async () => {
  await lightBoth('batch');
  await pressAt([0, 370]);
  expect([await handsOf(station), (await itemOfBen())?.quantity_fulfilled]).toEqual([{ Anna: 3 }, 0]);
  await pressAt([0]);
  expect((await itemOfBen())?.quantity_fulfilled).toBe(4);
});

test('an early press whose line was paused before it arrived books nothing', async () => {
  await lightBoth('order');
  await station.press(PLACE);
  await station.clock.advance(370);
  await station.press(PLACE);
  await act(station, 'pause/');
  await station.clock.advance(5_000);
  expect([await handsOf(station), early()]).toEqual([{}, ['batch:1']]);
});

test.each([
  [50, 0],
  [130, 1],
])("%i ms after the person's next line of a batch appeared, a press books %i lines", async (ms, booked) => {
  const line = (name: string) => ({ name, ordered_quantity: 1, deviceid: PLACE });
  await addOrder(station, 'SO-1', [line('Tie'), line('Clip')]);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  await radio(120);
  await pressAt([0, 240 + ms]);
  expect(await handsOf(station)).toEqual({ Anna: 1 + booked });
});

test.each([0, 60])(
  '20 lines of a batch at one light, pressed every 300 ms, book 20 at a delay of %i ms',
  async (ms) => {
    const lines = Array.from({ length: 20 }, (_, index) => ({
      name: `Tie ${index}`,
      ordered_quantity: 1,
      deviceid: PLACE,
    }));
    await addOrder(station, 'SO-1', lines);
    await addBatch(station, ['SO-1']);
    await act(station, 'launch/');
    await radio(ms);
    await pressAt(Array.from({ length: 20 }, (_, index) => 300 * index));
    expect(await handsOf(station)).toEqual({ '': 20 });
  },
);

test("a press at a slot right after another person's pieces were shown there counts", async () => {
  const line = (name: string, deviceid: string) => ({ name, ordered_quantity: 1, deviceid });
  await addOrder(station, 'SO-1', [line('Tie', PLACE), line('Clip', '51D000:000002')]);
  await addBatch(station, ['SO-1'], { put_confirmation: 'each' });
  await act(station, 'launch/', { picker: 'Anna' });
  await act(station, 'join/', { picker: 'Ben' });
  for (const place of [PLACE, '51D000:000002']) await station.press(place);
  await station.clock.advance(5_000);
  expect(await handsOf(station)).toEqual({ Anna: 1, Ben: 1 });
  await radio(120);
  await station.press(SLOT_A1);
  await station.clock.advance(370);
  await station.press(SLOT_A1);
  await station.clock.advance(5_000);
  expect(await handsOf(station)).toEqual({});
});
