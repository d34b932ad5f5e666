import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { addOrder, anItem, correct, itemsOf, launch, ONE, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: a remaining quantity above 99 is shown as the first line, because its box would only show 99+.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

async function shownAt(deviceId: string): Promise<{ lines: string[]; quantity: number | null } | undefined> {
  const { displayed } = await station.get<Device>(`/api/device/${deviceId}/`);
  return displayed === null ? undefined : { lines: displayed.screen.lines, quantity: displayed.screen.quantity };
}

const TIE = anItem({ ordered_quantity: 150, description: 'black' });

test('shows a large quantity as the first line, and a press books the whole quantity', async () => {
  await addOrder(station, 'SO-1', [TIE]);
  await launch(station, 'SO-1');
  expect(await shownAt(ONE)).toEqual({ lines: ['150', 'Cable tie', 'black'], quantity: null });
  const { commands } = await station.get<Device>(`/api/device/${ONE}/`);
  expect(commands).toMatchObject([{ line1: 'Cable tie', quantity: 150 }]);
  await press(station, ONE);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 150 });
});

test('a remaining quantity above 99 is shown in the first line, and a smaller one in its box', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 101, deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await press(station, THREE_BUTTONS, 'minus');
  expect(await shownAt(THREE_BUTTONS)).toEqual({ lines: ['100', 'Cable tie'], quantity: null });
  await press(station, THREE_BUTTONS, 'minus');
  expect(await shownAt(THREE_BUTTONS)).toEqual({ lines: ['Cable tie'], quantity: 99 });
  await press(station, THREE_BUTTONS, 'plus');
  expect(await shownAt(THREE_BUTTONS)).toEqual({ lines: ['100', 'Cable tie'], quantity: null });
  const [item] = await itemsOf(station, 'SO-1');
  await station.post('/api/scan/', { code: 'Cable tie', act: true, quantity: 31 });
  await station.clock.advance(3_000);
  expect(await shownAt(THREE_BUTTONS)).toEqual({ lines: ['Cable tie'], quantity: 70 });
  await correct(station, 'SO-1', item?.id ?? 0, { quantity_fulfilled: 0 });
  await station.clock.advance(3_000);
  expect(await shownAt(THREE_BUTTONS)).toEqual({ lines: ['101', 'Cable tie'], quantity: null });
  await press(station, THREE_BUTTONS);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ state: 'done', quantity_fulfilled: 101 });
});

test('a command or static from a program shows even a large quantity in its box', async () => {
  await station.post(`/api/device/${ONE}/`, { command: 'pick', line1: 'Cable tie', quantity: 150 });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { statica: 'Cable tie', quantity: 150 });
  await station.clock.advance(5_000);
  for (const id of [ONE, THREE_BUTTONS]) expect(await shownAt(id)).toEqual({ lines: ['Cable tie'], quantity: 150 });
});
