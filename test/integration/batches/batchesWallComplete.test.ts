import { afterEach, beforeEach, expect, test } from 'vitest';
import { act, getBatch, shownAt, SLOT_A1, SLOT_A2, slotsOf } from '../../helpers/batches.ts';
import { press } from '../../helpers/orders.ts';
import type { TestStation } from '../../helpers/startTestStation.ts';
import { addGoods, BACK_A1, scan, sort, startWithWall } from '../../helpers/walls.ts';

// Contract, section 21: complete slots of a wall, and presses at them.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startWithWall();
});
afterEach(() => station.stop());

/** Starts a wall batch and completes this slot. */
async function complete(slot: string): Promise<void> {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, [], { slots: [{ slot, order_number: 'SO-1' }] });
  await scan(station, 'CT-200', { quantity: 2 });
  await act(station, 'put/', { all: true });
}

test('the back of a complete slot is green for ten minutes and after each press, and shows COMPLETE until the slot is freed', async () => {
  await complete('A1');
  expect([await shownAt(station, SLOT_A1), await shownAt(station, BACK_A1)]).toEqual(['dark', 'COMPLETE  green']);
  await station.clock.advance(11 * 60_000);
  expect(await shownAt(station, BACK_A1)).toMatch(/^COMPLETE {2}(?!green)/);
  expect(await station.get('/api/history/summary/')).toMatchObject({ timed_out: 0 });
  const dimmed = await shownAt(station, BACK_A1);
  // Changes to other slots have no effect.
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await act(station, 'slots/', { slot: 'A2', order_number: 'SO-2' });
  await scan(station, 'CT-200');
  expect(await shownAt(station, BACK_A1)).toBe(dimmed);
  await station.restart();
  await station.clock.advance(15_000);
  expect(await shownAt(station, BACK_A1)).toBe(dimmed);
  await press(station, BACK_A1);
  expect(await shownAt(station, BACK_A1)).toBe('COMPLETE  green');
  await station.clock.advance(11 * 60_000);
  await act(station, 'slots/A1/free/');
  expect(await shownAt(station, BACK_A1)).toBe('dark');
});

test('a press at the back of a complete slot sends an event; a put or a long press that frees the slot does not', async () => {
  const told = () => station.rows<{ facts: string }>("SELECT facts FROM commits WHERE facts LIKE '%slot_pressed%'");
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, [], { slots: [{ slot: 'A1', order_number: 'SO-1' }] });
  await scan(station, 'CT-200', { quantity: 2 });
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
  await press(station, SLOT_A1);
  expect(told()).toEqual([]);
  await press(station, BACK_A1);
  expect(told().map(({ facts }) => facts)).toEqual([
    expect.stringContaining('{"type":"batch.slot_pressed","batch_id":1,"slot":"A1"}'),
  ]);
  // The press also sends an event once the light has gone out.
  await station.clock.advance(11 * 60_000);
  await press(station, BACK_A1);
  expect(told()).toHaveLength(2);
  await station.press(BACK_A1, 'front', 'long');
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual([]);
  expect(told()).toHaveLength(2);
});

test('a long press at the back frees a complete slot; one at the front does not', async () => {
  await complete('A1');
  await station.press(SLOT_A1, 'front', 'long');
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
  await station.press(BACK_A1, 'front', 'long');
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual([]);
  expect((await getBatch(station)).state).toBe('done');
  expect(await shownAt(station, BACK_A1)).toBe('dark');
  await act(station, 'slots/A1/free/undo/');
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
  expect(await shownAt(station, BACK_A1)).toBe('COMPLETE  green');
});

test('if a complete slot has no device at the back, a long press at the front frees it', async () => {
  await complete('A2');
  expect(await shownAt(station, SLOT_A2)).toBe('COMPLETE  green');
  await station.press(SLOT_A2, 'front', 'long');
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual([]);
});

test('a long press at an incomplete slot is a put', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await station.press(SLOT_A1, 'front', 'long');
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2']);
});
