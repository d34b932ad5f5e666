import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { act, addBatch, addCart, getBatch, handsOf, shownAt, SLOT_A1, tryTo } from '../../helpers/batches.ts';
import { addOrder, orderPath, press } from '../../helpers/orders.ts';
import { openSession } from '../../helpers/session.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

// Contract, section 21: several people pick one batch. There are two racks of two places. SO-1 needs pieces from all four places, SO-2
// from the first.
const [A, B, C, D] = ['51D000:000001', '51D000:000002', '51D000:000005', '51D000:000006'] as const;
const COLORS = { Anna: 'blue', Ben: 'magenta', Cleo: 'cyan' } as const;

let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  for (const [username, color] of Object.entries(COLORS)) {
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
    await station.request('PATCH', '/api/user/', { color, picker: username });
  }
  await station.request('PUT', '/api/map/', {
    racks: [
      { id: 'R1', name: 'Front', note: '', columns: 2, shelves: [{ id: 'S1', name: '1' }] },
      { id: 'R2', name: 'Back', note: '', columns: 2, shelves: [{ id: 'S2', name: '1' }] },
    ],
    places: [
      { deviceid: A, shelf: 'S1', column: 0 },
      { deviceid: B, shelf: 'S1', column: 1 },
      { deviceid: C, shelf: 'S2', column: 0 },
      { deviceid: D, shelf: 'S2', column: 1 },
    ],
    zones: [],
  });
  const items = [A, B, C, D].map((deviceid, index) => ({
    name: `Article ${index + 1}`,
    ordered_quantity: 2,
    deviceid,
  }));
  await addOrder(station, 'SO-1', items);
  await addOrder(station, 'SO-2', items.slice(0, 1));
  await addOrder(station, 'SO-9', [{ name: 'Screw', ordered_quantity: 1, deviceid: D }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { picker: 'Anna' });
});
afterEach(() => station.stop());

const pickers = async () => (await getBatch(station)).pickers.map(({ name }) => name);
const state = async () => (await getBatch(station)).state;

/** Returns the color at each place, which shows who picks the line there. */
async function colors(): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  // oxlint-disable-next-line no-await-in-loop -- each request advances the clock
  for (const id of [A, B, C, D]) found.push((await shownAt(station, id)).split(' ').at(-1));
  return found;
}

/** Returns the picker of each work line, in walking order. */
async function whose(query: string): Promise<string[]> {
  const lines = await station.get<WorkLine[]>(`/api/work/?${query}`);
  return lines.map(({ deviceid, picker, quantity }) => `${deviceid?.at(-1)} ${picker} ${quantity}`);
}

test('the person who joins gets the farthest rack, and presses there count for that person', async () => {
  const { pickers: after } = await act(station, 'join/', { picker: 'Ben' });
  expect(after).toEqual([
    { name: 'Anna', color: 'blue' },
    { name: 'Ben', color: 'magenta' },
  ]);
  expect(await colors()).toEqual(['blue', 'blue', 'magenta', 'magenta']);
  await press(station, C);
  await press(station, A);
  expect(await handsOf(station)).toEqual({ Ben: 2, Anna: 4 });
});

test('the work lists of a batch and of a person name the picker of each line', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  expect(await whose('batch=1')).toEqual(['1 Anna 4', '2 Anna 2', '5 Ben 2', '6 Ben 2']);
  expect(await whose('picker=Ben')).toEqual(['5 Ben 2', '6 Ben 2']);
  expect(await whose('picker=anna')).toEqual(['1 Anna 4', '2 Anna 2']);
  expect(await whose('batch=1&picker=Ben')).toEqual(['5 Ben 2', '6 Ben 2']);
  const [line] = await station.get<WorkLine[]>('/api/work/?picker=Ben');
  expect([line?.batch, line?.shares?.map(({ slot, quantity }) => `${slot} ${quantity}`)]).toEqual([1, ['A1 2']]);
});

test('a rack with more than half of the open lines stays with its picker, but a nearer rack moves', async () => {
  await press(station, A);
  // One line in the first rack is still open, and two in the second.
  await act(station, 'join/', { picker: 'Ben' });
  expect(await whose('batch=1')).toEqual(['2 Ben 2', '5 Anna 2', '6 Anna 2']);
});

test('a third person gets half of the lines of the person with the most lines', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, C);
  await act(station, 'join/', { picker: 'Cleo' });
  expect(await whose('batch=1')).toEqual(['1 Anna 4', '2 Cleo 2', '6 Ben 2']);
});

test('joining twice changes nothing, and only a batch in picking can be joined', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  const again = await act<{ warnings?: string[] }>(station, 'join/', { picker: 'Ben' });
  expect(again.warnings).toEqual([expect.stringContaining('Ben is already picking Cart 1')]);
  expect((await tryTo(station, '1/join/', { picker: 'Nobody' })).status).toBe(400);
  await act(station, 'pause/');
  expect(await tryTo(station, '1/join/', { picker: 'Cleo' })).toMatchObject({ status: 409 });
});

test('a person without open lines who joins again gets lines from the others', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, C);
  await press(station, D);
  await act(station, 'join/', { picker: 'Ben' });
  expect(await whose('batch=1')).toEqual(['1 Anna 4', '2 Ben 2']);
  await press(station, A);
  // The batch's first picker can rejoin too, but a single line cannot be shared.
  const { warnings } = await act<{ warnings?: string[] }>(station, 'join/', { picker: 'Anna' });
  expect(warnings).toEqual([expect.stringContaining('no open line for another person')]);
  expect([await whose('batch=1'), await pickers()]).toEqual([['2 Ben 2'], ['Anna', 'Ben']]);
});

test('the first picker of a batch can rejoin after finishing all lines, and gets lines from a person who joined', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, A);
  await press(station, B);
  await act(station, 'join/', { picker: 'Anna' });
  expect(await whose('batch=1')).toEqual(['5 Ben 2', '6 Anna 2']);
  expect([await colors(), await pickers()]).toEqual([
    [expect.anything(), expect.anything(), 'magenta', 'blue'],
    ['Anna', 'Ben'],
  ]);
});

test('a person who leaves or pauses passes the lines to the others; when the last person leaves, the batch pauses', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await act(station, 'pause/', { picker: 'Anna' });
  expect([await state(), await pickers(), await colors()]).toEqual([
    'picking',
    ['Ben'],
    ['magenta', 'magenta', 'magenta', 'magenta'],
  ]);
  await act(station, 'join/', { picker: 'Anna' });
  expect(await colors()).toEqual(['magenta', 'magenta', 'blue', 'blue']);
  await press(station, C);
  await act(station, 'leave/', { picker: 'Anna' });
  expect([await state(), await pickers(), await handsOf(station)]).toEqual(['picking', ['Ben'], { Anna: 2 }]);
  expect(await whose('batch=1')).toEqual(['1 Ben 4', '2 Ben 2', '6 Ben 2']);
  expect((await tryTo(station, '1/leave/', { picker: 'Anna' })).status).toBe(409);
  await act(station, 'leave/', { picker: 'Ben' });
  expect([await state(), await pickers(), await colors()]).toEqual(['paused', [], ['dark', 'dark', 'dark', 'dark']]);
});

test('a pause that names no person turns all lights off, and the next launch assigns the open lines', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await act(station, 'pause/');
  expect(await colors()).toEqual(['dark', 'dark', 'dark', 'dark']);
  await act(station, 'launch/', { picker: 'Ben' });
  expect([await pickers(), await colors()]).toEqual([['Ben'], ['magenta', 'magenta', 'magenta', 'magenta']]);
});

test("taking an order passes the person's lines to the others; rejoining the batch pauses that order", async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await station.post('/api/scan/', { code: 'SO-9', picker: 'Ben', act: true });
  await station.clock.advance(3_000);
  expect([await state(), await pickers()]).toEqual(['picking', ['Anna']]);
  await act(station, 'join/', { picker: 'Ben' });
  const order = await station.get<{ pickers: { name: string; paused: boolean }[] }>(orderPath('SO-9'));
  expect(order.pickers).toMatchObject([{ name: 'Ben', paused: true }]);
  // A program launches an order for a person who has joined a batch: the order waits.
  await addOrder(station, 'SO-8', [{ name: 'Screw', ordered_quantity: 1, deviceid: D }]);
  const launched = await station.post<{ waits?: boolean }>(orderPath('SO-8', 'launch/'), { picker: 'Ben' });
  expect(launched.waits).toBe(true);
});

test('a person who shares a batch can hand over only their own lines', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  const { write } = await openSession(station, { username: 'Ben', password: 'Correct horse 7' });
  const headers = { ...write, 'content-type': 'application/json' };
  const handOver = (picker: string) => station.request('POST', '/api/batches/1/handover/', { picker }, headers);
  const answer = await handOver('Cleo');
  expect(answer.status).toBe(200);
  await station.clock.advance(3_000);
  expect([await pickers(), await colors()]).toEqual([
    ['Anna', 'Cleo'],
    ['blue', 'blue', 'cyan', 'cyan'],
  ]);
  expect((await handOver('Anna')).status).toBe(409);
  await act(station, 'handover/', { picker: 'Ben' });
  expect([await pickers(), await colors()]).toEqual([['Ben'], ['magenta', 'magenta', 'magenta', 'magenta']]);
});

test("a person who joined can take over an absent person's places, but cannot hand them to somebody else", async () => {
  await act(station, 'join/', { picker: 'Ben' });
  const { write } = await openSession(station, { username: 'Ben', password: 'Correct horse 7' });
  const headers = { ...write, 'content-type': 'application/json' };
  const handOver = (picker: string, from: string) =>
    station.request('POST', '/api/batches/1/handover/', { picker, from }, headers);
  expect((await handOver('Cleo', 'Anna')).status).toBe(409);
  expect((await handOver('Ben', 'Cleo')).status).toBe(409);
  expect(await pickers()).toEqual(['Anna', 'Ben']);
  expect((await handOver('Ben', 'anna')).status).toBe(200);
  await station.clock.advance(3_000);
  expect([await state(), await pickers(), await colors()]).toEqual([
    'picking',
    ['Ben'],
    ['magenta', 'magenta', 'magenta', 'magenta'],
  ]);
});

test('a slot lit for two people shows the first, then the second; a press puts the pieces of the person shown', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, C);
  await press(station, B);
  expect(await shownAt(station, SLOT_A1)).toBe('SO-1 2 magenta');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({ Anna: 2 });
  expect(await shownAt(station, SLOT_A1)).toBe('SO-1 2 blue');
  await press(station, SLOT_A1);
  expect(await handsOf(station)).toEqual({});
});

test('after a restart, each line is still lit for its person', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await station.restart();
  await station.clock.advance(60_000);
  expect([await pickers(), await whose('picker=Ben')]).toEqual([
    ['Anna', 'Ben'],
    ['5 Ben 2', '6 Ben 2'],
  ]);
  await press(station, D);
  expect(await handsOf(station)).toEqual({ Ben: 2 });
});

test('a bounced press at a batch light books nothing, and its event names the batch', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await addOrder(station, 'SO-3', [{ name: 'Nut', ordered_quantity: 1, deviceid: D }]);
  await act(station, 'slots/', { order_number: 'SO-3' });
  await station.press(D);
  await station.clock.advance(110);
  await station.press(D);
  await station.clock.advance(3_000);
  expect(await handsOf(station)).toEqual({ Ben: 2 });
  const told = station
    .rows<{ facts: string }>('SELECT facts FROM commits ORDER BY revision')
    .flatMap(({ facts }) => JSON.parse(facts) as { type: string }[])
    .filter(({ type }) => type === 'press.early');
  expect(told).toMatchObject([{ deviceid: D, item_id: null, batch_id: 1 }]);
});

test('picker statistics credit a finished line to the person who put it, and pieces to the person who picked them', async () => {
  await act(station, 'join/', { picker: 'Ben' });
  await press(station, C);
  await act(station, 'put/', { all: true, picker: 'Ben' });
  await press(station, B);
  await act(station, 'put/', { all: true, picker: 'Anna' });
  const people = await station.get<{ picker: string; lines: number; units: number }[]>('/api/history/people/');
  expect(people).toMatchObject([
    { picker: 'Anna', lines: 1, units: 2 },
    { picker: 'Ben', lines: 1, units: 2 },
  ]);
});
