import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle, movementsOf } from '../../helpers/articles.ts';
import { act, addBatch, addCart, addTies, handsOf, SLOT_A1, slotsOf } from '../../helpers/batches.ts';
import { addOrder, anItem, itemsOf, ONE, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { addGoods, addWall, scan, sort } from '../../helpers/walls.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Picking, "Whose press it was": a press that a device held names the person who had the line when it was made.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  for (const username of ['Anna', 'Ben', 'Cara'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker', color: 'blue' });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

const reachable = (deviceId: string, isReachable: boolean) =>
  station.patch(`/api/simulator/devices/${deviceId}/`, { reachable: isReachable });

/** Presses a device that nothing reaches, runs `change` a little later, and then lets the press arrive. */
async function pressHeld(deviceId: string, change: () => Promise<unknown>): Promise<void> {
  await reachable(deviceId, false);
  await station.press(deviceId);
  await station.clock.advance(10_000);
  await change();
  await station.clock.advance(50_000);
  await reachable(deviceId, true);
  await station.clock.advance(30_000);
}

/** Returns the people with figures, each with the lines and pieces. */
async function figures(): Promise<string[]> {
  const people = await station.get<{ picker: string; lines: number; units: number }[]>('/api/history/people/');
  return people.map(({ picker, lines, units }) => `${picker} ${lines} ${units}`);
}

function lateFacts(): object[] {
  const rows = station.rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision');
  const facts = rows.flatMap((row) => JSON.parse(row.facts) as { type: string }[]);
  return facts.filter(({ type }) => type === 'press.late');
}

const movedBy = async () => (await movementsOf(station, '?kind=pick')).map(({ picker }) => picker);
const handOver = (picker: string) => station.post(orderPath('SO-1', 'handover/'), { picker });
const leave = (picker: string) => station.post(orderPath('SO-1', 'leave/'), { picker });
const join = (picker: string) => station.post(orderPath('SO-1', 'join/'), { picker });
const launchFor = async (picker?: string): Promise<void> => {
  await station.post(orderPath('SO-1', 'launch/'), picker === undefined ? {} : { picker });
  await station.clock.advance(5_000);
};

async function addTie(): Promise<void> {
  await addArticle(station, 'CT', [], { name: 'Cable tie' });
  await addOrder(station, 'SO-1', [{ ...anItem({ ordered_quantity: 3 }), SKU: 'CT', name: 'Cable tie' }]);
}

test.each<[string, string | undefined, () => Promise<unknown>, string]>([
  ['was handed over', 'Anna', () => handOver('Ben'), 'Anna'],
  ['was handed over twice', 'Anna', async () => [await handOver('Ben'), await wait(), await handOver('Cara')], 'Anna'],
  [
    'was left and taken by another person',
    'Anna',
    async () => [await leave('Anna'), await wait(), await join('Ben')],
    'Anna',
  ],
  ['was taken, and belonged to nobody before', undefined, () => join('Ben'), ''],
])(
  'a held press at a line that %s names the person who had the line when it was made',
  async (_, picker, change, named) => {
    await addTie();
    await launchFor(picker);
    await pressHeld(ONE, change);
    expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
    expect(await movedBy()).toEqual([named]);
    expect(await figures()).toEqual(named === '' ? [] : [`${named} 1 3`]);
  },
);

test('a held press at a line that its new picker has booked is reported to the person who pressed', async () => {
  await addTie();
  await launchFor('Anna');
  await pressHeld(ONE, async () => {
    await handOver('Ben');
    const [{ command_id } = { command_id: null }] = await itemsOf(station, 'SO-1');
    await station.post(`/api/device/${ONE}/acknowledge/`, { command_id, qty: 3 });
  });
  expect(lateFacts()).toMatchObject([{ picker: 'Anna', quantity: 3 }]);
});

test('a held press names nobody if the line has changed hands too often since', async () => {
  await addTie();
  await launchFor('Anna');
  await pressHeld(ONE, async () => {
    for (let times = 0; times < 5; times += 1) {
      await handOver('Ben');
      await wait();
      await handOver('Cara');
      await wait();
    }
  });
  expect(await movedBy()).toEqual(['']);
  expect(await figures()).toEqual([]);
});

test('a press that a person makes after a handover names this person, also if the clock was set back', async () => {
  await addTie();
  await launchFor('Anna');
  await handOver('Ben');
  await wait();
  station.clock.jump(-3_600_000);
  await press(station, ONE);
  expect(await movedBy()).toEqual(['Ben']);
});

const wait = () => station.clock.advance(1_000);

async function loadCart(): Promise<void> {
  await addCart(station);
  await addArticle(station, 'CT-200', [], { name: 'Cable tie' });
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 3);
  await addBatch(station, ['SO-1', 'SO-2'], { put_confirmation: 'each' });
  await act(station, 'launch/', { picker: 'Anna' });
}

test.each<[string, () => Promise<unknown>]>([
  ['handed over', () => act(station, 'handover/', { picker: 'Ben' })],
  [
    'left and launched by another person',
    async () => {
      await act(station, 'leave/', { picker: 'Anna' });
      await act(station, 'launch/', { picker: 'Ben' });
    },
  ],
  ['joined by another person, who takes its rack', () => act(station, 'join/', { picker: 'Ben' })],
])('a held press at a place of a batch that was %s goes into the hand of the person who had it', async (_, change) => {
  await loadCart();
  await pressHeld(ONE, change);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  expect(await movedBy()).toEqual(['Anna', 'Anna']);
});

test('pieces of a held press stay left if its person left the batch before the press arrived', async () => {
  await loadCart();
  await pressHeld(ONE, () => act(station, 'leave/', { picker: 'Anna' }));
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await act(station, 'launch/');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
});

test('a held press at a slot puts nothing of the person who has taken the pieces since, and is late', async () => {
  await loadCart();
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, ONE);
  expect(await handsOf(station)).toEqual({ Anna: 5 });
  await pressHeld(SLOT_A1, () => act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Ben' }));
  expect(await handsOf(station)).toEqual({ Ben: 5 });
  expect(lateFacts()).toMatchObject([{ location: 'A1', picker: 'Anna' }]);
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Ben: 3 });
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 open 0+3/3']);
  expect((await itemsOf(station, 'SO-1')).map((item) => item.quantity_fulfilled)).toEqual([2]);
});

test('a held press at a slot of a wall puts nothing of the person who has taken the scanned piece since', async () => {
  await addWall(station);
  await addGoods(station, 'SO-1', { TIE: 1, NUT: 1 });
  await sort(station, ['SO-1']);
  await scan(station, 'TIE', { picker: 'Anna' });
  await pressHeld(SLOT_A1, () => act(station, 'hand/', { by: 'Anna', do: 'take', picker: 'Ben' }));
  expect(await figures()).toEqual([]);
  expect(lateFacts()).toMatchObject([{ location: 'A1', picker: 'Anna' }]);
  await press(station, SLOT_A1);
  expect(await figures()).toEqual(['Ben 1 1']);
});
