import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  act,
  addBatch,
  addCart,
  addTies,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  SLOT_A1,
  SLOT_A2,
  slotsOf,
} from '../../helpers/batches.ts';
import { addOrder, itemsOf, litDevices, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
});
afterEach(() => station.stop());

const device = (change: object) => station.patch(`/api/simulator/devices/${PLACE}/`, change);
async function slowRadio(): Promise<void> {
  const { turbo } = await station.device(PLACE);
  await station.patch(`/api/simulator/turbos/${turbo}/`, { latency_ms: 400 });
}

/** Loads two orders for 2 and 3 pieces of one article, and for 1 piece each of a second article at a different place. */
async function load(given: object = {}): Promise<void> {
  for (const [index, quantity] of [2, 3].entries()) {
    await addOrder(station, `SO-${index + 1}`, [
      { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity, deviceid: PLACE },
      { name: 'Screw', SKU: 'SC-1', ordered_quantity: 1, deviceid: OTHER_PLACE },
    ]);
  }
  await addBatch(station, ['SO-1', 'SO-2'], given);
  await act(station, 'launch/');
}

test('a press in transit when the batch pauses counts for the sum that was shown', async () => {
  await load();
  await slowRadio();
  await station.press(PLACE);
  await station.clock.advance(50);
  await act(station, 'pause/');
  await station.clock.advance(5_000);
  expect(await handsOf(station)).toEqual({ '': 5 });
  await act(station, 'launch/');
  expect(await litDevices(station)).toContain(OTHER_PLACE);
  expect(await litDevices(station)).not.toContain(PLACE);
});

test('a press made before an abort reduces the sum books only the remaining pieces', async () => {
  await load();
  await slowRadio();
  await station.press(PLACE);
  await station.clock.advance(50);
  await station.post(orderPath('SO-2', 'abort/'));
  await station.clock.advance(5_000);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 0+0/1']);
  expect((await itemsOf(station, 'SO-2')).map((item) => item.quantity_fulfilled)).toEqual([0, 0]);
});

test('a press that arrives after the pick was booked books nothing, and is reported as late to its person', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'Correct horse 7', role: 'picker' });
  await load();
  await act(station, 'launch/', { picker: 'Anna' });
  await device({ reachable: false });
  await station.press(PLACE);
  const [command] = (await station.device(PLACE)).commands;
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: command?.command_id, qty: 5 });
  await device({ reachable: true });
  await station.clock.advance(30_000);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  const facts = station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap((row) => JSON.parse(row.facts) as { type: string }[]);
  expect(facts.filter(({ type }) => type === 'press.late')).toMatchObject([{ quantity: 5, picker: 'Anna' }]);
});

test('a bounced press at a place with two lights books only one of them', async () => {
  await load();
  await addTies(station, 'SO-3', 4);
  await act(station, 'slots/', { order_number: 'SO-3' });
  await station.press(PLACE);
  await station.clock.advance(120);
  await station.press(PLACE);
  await station.clock.advance(3_000);
  expect(await handsOf(station)).toEqual({ '': 5 });
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ '': 9 });
});

test('a hand can hold pieces from several places, and a slot takes the articles in the order of their picks', async () => {
  await load({ put_confirmation: 'each' });
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  expect(await shownAt(station, SLOT_A2)).toContain('SO-2 3');
  await press(station, SLOT_A2);
  expect(await shownAt(station, SLOT_A2)).toContain('SO-2 1');
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 0+1/1', 'A2 complete 3+0/3 1+0/1']);
});

test('presses at two slots within 100 ms are two puts, and two presses at one slot within 200 ms are one put', async () => {
  await load({ put_confirmation: 'each' });
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  await station.press(SLOT_A1);
  await station.clock.advance(50);
  await station.press(SLOT_A2);
  await station.clock.advance(50);
  await station.press(SLOT_A1);
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual(['A1 open 2+0/2 0+1/1', 'A2 open 3+0/3 0+1/1']);
});

test('another person can take over an abandoned hand and put its pieces', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'Correct horse 7', role: 'picker' });
  await load();
  await act(station, 'pause/');
  await act(station, 'launch/', { picker: 'anna' });
  await press(station, PLACE);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'admin' });
  expect(await handsOf(station)).toEqual({ admin: 5 });
  await act(station, 'put/', { all: true });
  expect(await handsOf(station)).toEqual({});
});

test("launching a batch for a person pauses that person's other order", async () => {
  await addTies(station, 'SO-9', 1);
  await station.post(orderPath('SO-9', 'launch/'), { picker: 'admin' });
  await load();
  await act(station, 'launch/', { picker: 'admin' });
  expect(await statesOf(station, 'SO-9')).toBe('in_progress: in_progress(open)');
});

test('a press at a slot without pieces to put shows its order', async () => {
  await load();
  await station.press(SLOT_A1);
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1');
  await station.clock.advance(8_000);
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
});

test('replacing a device moves the light of its batch line to the new device', async () => {
  await load();
  await station.post(`/api/device/${PLACE}/replace/`, { deviceid: '51D000:000005' });
  await station.clock.advance(3_000);
  await press(station, '51D000:000005');
  expect(await handsOf(station)).toEqual({ '': 5 });
});

test('a station killed between any two steps continues where it stopped', { timeout: 60_000 }, async () => {
  /** Starts a second station on a copy of the disk, as after a kill. */
  async function afterKill(check: (again: TestStation) => Promise<void>): Promise<void> {
    const before = await getBatch(station);
    const dataFolder = join(mkdtempSync(join(tmpdir(), 'pickstation-killed-')), 'data');
    cpSync(station.dataFolder, dataFolder, { recursive: true, filter: (path) => !path.includes('lock.sqlite') });
    const again = await startTestStation({ dataFolder });
    try {
      await again.clock.advance(15_000);
      const { updated_time: _, ...kept } = await getBatch(again);
      const { updated_time: __, ...was } = before;
      expect(kept).toEqual(was);
      await check(again);
    } finally {
      await again.stop();
      rmSync(join(dataFolder, '..'), { recursive: true, force: true });
    }
  }
  await load({ put_confirmation: 'each' });
  await afterKill(async (again) => {
    await press(again, PLACE);
    expect(await handsOf(again)).toEqual({ '': 5 });
  });
  await press(station, PLACE);
  await afterKill(async (again) => {
    await press(again, SLOT_A2);
    expect(await slotsOf(again)).toEqual(['A1 open 0+2/2 0+0/1', 'A2 open 3+0/3 0+0/1']);
  });
  await press(station, SLOT_A1);
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1, quantity: 1 });
  await afterKill(async (again) => {
    await act(again, 'put/', { all: true });
    expect(await slotsOf(again)).toEqual(['A1 open 2+0/2 0+0/1', 'A2 open 3+0/3 0+0/1']);
  });
  await station.post(orderPath('SO-1', 'abort/'));
  await afterKill(async (again) => {
    await act(again, 'slots/A1/free/');
    expect(await slotsOf(again)).toEqual(['A2 open 0+3/3 0+0/1']);
  });
});
