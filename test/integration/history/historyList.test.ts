import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(1_000);
});

afterEach(() => station.stop());

function list(query = ''): Promise<HistoryEntry[]> {
  return station.get<HistoryEntry[]>(`/api/history/${query}`);
}

async function pick(deviceid: string, nonce: string): Promise<string> {
  const request = { line1: nonce, quantity: 2, nonce, color: 'green' };
  const { command_id } = await station.post<{ command_id: string }>(`/api/device/${deviceid}/`, request);
  await station.clock.advance(1_000);
  await station.press(deviceid);
  await station.clock.advance(1_000);
  return command_id;
}

const nonces = (entries: readonly HistoryEntry[]) => entries.map(({ nonce }) => nonce);

test('lists events newest first with their details', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1', unsolicitedNonce: 'bell' });
  const id = await pick(ONE, 'first');
  await station.press(ONE, 'front', 'long');
  await station.post(`/api/device/${TWO}/`, { line1: 'gone' });
  await station.post(`/api/device/${TWO}/`, { command: 'kill' });
  const entries = await list();
  expect(entries.map(({ kind, deviceid }) => [kind, deviceid])).toEqual([
    ['killed', TWO],
    ['call', ONE],
    ['acknowledged', ONE],
  ]);
  expect(entries[2]).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    batch: null,
    kind: 'acknowledged',
    deviceid: ONE,
    command_id: id,
    nonce: 'first',
    location: 'A-1',
    qty: 2,
    sender: 'API key',
    sequenceid: null,
    order_number: null,
    by: 'device',
    for: '',
    changed: [],
    command: 'flash',
    lines: ['first'],
    quantity: 2,
    color: 'green',
    delivery: 'shown',
    sent_at: expect.stringMatching(/Z$/) as string,
    shown_at: expect.stringMatching(/Z$/) as string,
    unreachable_at: null,
    reached_at: null,
    other_deviceid: null,
    alert: null,
    reason: '',
    item_id: null,
    item: null,
  });
  expect(entries[1]).toMatchObject({ command_id: null, nonce: 'bell', command: null, lines: [], color: '' });
});

test('filters by device, by kind, by both and by command', async () => {
  const id = await pick(ONE, 'a');
  await pick(TWO, 'b');
  await station.press(ONE, 'front', 'long');
  await pick(ONE, 'c');
  expect(nonces(await list(`?deviceid=${ONE.toLowerCase()}`))).toEqual(['c', '', 'a']);
  expect(nonces(await list('?kind=acknowledged'))).toEqual(['c', 'b', 'a']);
  expect((await list('?kind=call')).map(({ deviceid }) => deviceid)).toEqual([ONE]);
  expect(nonces(await list(`?deviceid=${ONE}&kind=acknowledged`))).toEqual(['c', 'a']);
  expect(nonces(await list(`?command_id=${id}`))).toEqual(['a']);
  expect(await list(`?command_id=${id}&deviceid=${TWO}`)).toEqual([]);
  expect(await list(`?command_id=${id}&kind=killed`)).toEqual([]);
  expect(await list('?deviceid=FFFFFF:FFFFFF')).toEqual([]);
});

test.each(['', `&deviceid=${ONE}`, '&kind=acknowledged', `&deviceid=${ONE}&kind=acknowledged`])(
  'pages follow one another without a gap with the filter "%s"',
  async (filter) => {
    for (const nonce of ['a', 'b', 'c', 'd', 'e']) await pick(ONE, nonce);
    const seen: string[] = [];
    let after = '';
    for (;;) {
      const page = await list(`?limit=2${filter}${after}`);
      if (page.length === 0) break;
      seen.push(...nonces(page));
      after = `&after=${page.at(-1)?.id ?? ''}`;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
  },
);

test.each(['limit=0', 'limit=1001', 'limit=x', 'kind=pressed', 'after=x', 'after='])(
  'the query %s is refused',
  async (query) => {
    expect((await station.request('GET', `/api/history/?${query}`)).status).toBe(400);
  },
);

test('an unknown command id returns an empty list', async () => {
  await pick(ONE, 'a');
  expect(await list('?command_id=x')).toEqual([]);
});

/** Inserts this many rows with realistic content. */
function fill(count: number): void {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const insert = db.prepare(
    `INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail)
     SELECT at, kind, device_id, ?, nonce, location, qty, detail FROM history WHERE id = 1`,
  );
  db.transaction(() => {
    for (let number = 1; number <= count; number += 1) insert.run(1_000_000 + number);
  })();
  db.close();
}

test('finds the entries of a command in a long history', async () => {
  const first = await pick(ONE, 'a');
  await station.halt();
  fill(5_000);
  await station.restart();
  await station.clock.advance(15_000);
  const newest = await pick(ONE, 'b');
  for (const id of [first, '1000001', '1003000', '1005000', newest]) {
    expect((await station.get<Timeline>(`/api/history/commands/${id}/`)).command_id).toBe(id);
    expect(await list(`?command_id=${id}`), id).toHaveLength(1);
  }
});
