import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { FOUR, ONE, THREE, TWO, useSequences } from './sequenceRig.ts';

const shop = useSequences();
const IN_TWO_GROUPS = [
  { order: 1, device: ONE, line1: 'a', stepnonce: 'n-a' },
  { order: 1, device: TWO, line1: 'b', stepnonce: 'n-b' },
  { order: 2, device: THREE, line1: 'c', stepnonce: 'n-c' },
];

async function launched(steps: readonly Record<string, unknown>[] = IN_TWO_GROUPS, given = {}): Promise<void> {
  await shop.create(steps, given);
  await shop.launch();
  await shop.station.clock.advance(1_000);
}

async function pressed(...deviceIds: string[]): Promise<void> {
  for (const deviceid of deviceIds) {
    await shop.press(deviceid);
    await shop.station.clock.advance(1_000);
  }
}

const stalledBecause = async () =>
  (await shop.history('?kind=sequence_stalled')).map(({ reason, by }) => `${by}: ${reason}`);

test('killing a step cancels it and stalls its sequence, without a callback', async () => {
  await launched();
  await shop.station.post(`/api/device/${ONE}/`, { command: 'kill', nonce: 'n-a' });
  expect(await shop.stands()).toBe('stalled: cancelled active pending');
  expect(await shop.step(0)).toMatchObject({ deviceid: ONE, qty: null, finished_time: '2026-11-20T08:00:06.000Z' });
  expect(await stalledBecause()).toEqual(['API key: Step 1 was removed.']);
  await pressed(TWO);
  expect(await shop.stands()).toBe('stalled: cancelled acknowledged pending');
  expect(shop.told()).toEqual([`ack ${TWO}  n-b 0`]);
  await shop.launch();
  await shop.station.clock.advance(1_000);
  await pressed(ONE);
  expect(await shop.stands()).toBe('in-progress: acknowledged acknowledged active');
});

test('a step and an identical single command do not replace each other', async () => {
  await shop.station.post(`/api/device/${ONE}/`, { line1: 'a', nonce: 'n-a' });
  await launched();
  await shop.station.post(`/api/device/${TWO}/`, { line1: 'b', nonce: 'n-b' });
  expect([await shop.lit(ONE), await shop.lit(TWO)]).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ]);
  await pressed(ONE, TWO);
  expect(await shop.stands()).toBe('in-progress: active acknowledged pending');
});

test('removing a device cancels its lit step, and the sequence stalls when a later step needs the device', async () => {
  await launched([...IN_TWO_GROUPS, { order: 2, device: FOUR, line1: 'd' }]);
  await shop.station.request('DELETE', `/api/device/${THREE}/`);
  expect(await shop.stands()).toBe('in-progress: active active pending pending');
  await pressed(ONE, TWO);
  expect(await shop.stands()).toBe('stalled: acknowledged acknowledged cancelled active');
  expect(await stalledBecause()).toEqual([`: Step 3 could not be lit. The device ${THREE} was removed.`]);
  expect(shop.told()).toEqual([`ack ${ONE}  n-a 0`, `ack ${TWO}  n-b 0`]);
  const refused = await shop.launchWith('');
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'conflict', errors: [{ path: '/steps/2/device', message: `There is no device ${THREE}.` }] },
  });
  await shop.station.request('DELETE', `/api/device/${FOUR}/`);
  expect(await shop.stands()).toBe('stalled: acknowledged acknowledged cancelled cancelled');
});

test('a replacement device takes over the lit step, later steps, and the steps of later launches', async () => {
  await shop.create([
    { order: 1, device: ONE, line1: 'a', stepnonce: 'n' },
    { order: 2, device: ONE, line1: 'b' },
    { order: 3, location: ONE, line1: 'c' },
  ]);
  await shop.launch();
  await shop.station.clock.advance(1_000);
  await shop.station.post(`/api/device/${ONE}/replace/`, { deviceid: FOUR });
  expect(await shop.step(0)).toMatchObject({ device: FOUR, deviceid: FOUR, state: 'active' });
  await shop.station.clock.advance(1_000);
  await pressed(FOUR);
  expect(shop.told()).toEqual([`ack ${FOUR}  n 0`]);
  expect(await shop.lit(FOUR)).toEqual(['b']);
  await pressed(FOUR, FOUR);
  expect(await shop.stands()).toBe('completed: acknowledged acknowledged acknowledged');
  expect(await shop.step(2)).toMatchObject({ location: ONE, deviceid: FOUR });
  await shop.launch();
  expect(await shop.lit(FOUR)).toEqual(['a']);
});

test('a timeout at an unreachable device stalls the sequence, and sends a nack unless the settings prevent it', async () => {
  for (const unreachable_callback of ['nack', 'none']) {
    await shop.station.patch('/api/settings/', { unreachable_callback });
    await shop.station.request('DELETE', shop.path());
    await shop.station.patch(`/api/simulator/devices/${ONE}/`, { reachable: false });
    await launched([{ order: 1, device: ONE, line1: 'a', seconds: 5, stepnonce: 'n' }, ...IN_TWO_GROUPS.slice(1)]);
    await shop.station.clock.advance(8_000);
    expect(await shop.stands()).toBe('stalled: timed_out active pending');
    expect(shop.told()).toEqual([`nack ${ONE}  n 0`]);
  }
});

test("a press that arrives after the nack is late, and acknowledges neither its step nor the device's current command", async () => {
  await launched([
    { order: 1, device: ONE, line1: 'a', seconds: 5, stepnonce: 'n' },
    { order: 1, device: ONE, line1: 'b', seconds: 500 },
    { order: 2, device: TWO },
  ]);
  // The press is made while the turbo is disconnected, and the station ends the first command before the press arrives.
  await shop.station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  await shop.station.clock.advance(30_000);
  expect(await shop.stands()).toBe('stalled: timed_out active pending');
  await shop.station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await shop.station.clock.advance(10_000);
  expect((await shop.history()).map(({ kind }) => kind)).toContain('late');
  expect(await shop.stands()).toBe('stalled: timed_out active pending');
  expect(shop.told()).toEqual([`nack ${ONE}  n 0`]);
});

test('a sequence keeps its state and continues after restarts', async () => {
  await launched([...IN_TWO_GROUPS, { order: 3, location: TWO, line1: 'd' }], { sequencenonce: 'all' });
  await pressed(ONE);
  const before = await shop.get();
  await shop.station.restart();
  expect(await shop.get()).toEqual(before);
  await shop.station.clock.advance(20_000);
  await pressed(TWO);
  expect(await shop.stands()).toBe('in-progress: acknowledged acknowledged active pending');
  await shop.station.restart();
  await shop.station.clock.advance(20_000);
  await pressed(THREE, TWO);
  expect((await shop.get()).state).toBe('completed');
  expect(shop.told().at(-1)).toBe('ack round 7  all 0');
});

test('a step at a device with a full queue stalls the sequence, and the press that would light it counts', async () => {
  await launched([
    { order: 1, device: ONE, line1: 'a', stepnonce: 'n' },
    { order: 2, device: TWO, line1: 'b' },
    { order: 2, device: THREE, line1: 'c' },
  ]);
  const much = Array.from({ length: 1_000 }, (_, index) => ({ deviceid: TWO, line1: `work ${index}` }));
  await shop.station.post('/api/devices/', much);
  await pressed(ONE);
  expect(await shop.stands()).toBe('stalled: acknowledged cancelled active');
  expect(shop.told()).toEqual([`ack ${ONE}  n 0`]);
  const [because] = await stalledBecause();
  expect(because).toMatch(/^: Step 2 could not be lit\. The queue of 51D000:000002 already holds 1000 commands\./);
  // Unlike a press, a launch changes nothing if it cannot light every step.
  const before = await shop.get();
  expect(await shop.launchWith('?restart=0')).toMatchObject({ status: 409, body: { errors: [{ path: '/steps/1' }] } });
  expect(await shop.get()).toEqual(before);
  await shop.station.post(`/api/device/${TWO}/`, { command: 'kill' });
  await shop.launch();
  expect(await shop.stands()).toBe('in-progress: acknowledged active active');
});

test.each<[string, string]>([
  ['the callback of the step', 'n-a'],
  ['the callback of the sequence', 'all'],
])(
  'a press takes effect completely or not at all: if %s fails, nothing changes, and the press is repeated',
  async (_, nonce) => {
    await launched([{ order: 1, device: ONE, line1: 'a', stepnonce: 'n-a' }], { sequencenonce: 'all' });
    const db = new Database(join(shop.station.dataFolder, DATABASE_FILE));
    db.exec(`CREATE TRIGGER fault BEFORE INSERT ON outbox WHEN NEW.payload LIKE '%"nonce":"${nonce}"%'
    BEGIN SELECT RAISE(ABORT, 'fault'); END`);
    const before = await shop.get();
    const history = await shop.history();
    await shop.press(ONE);
    expect(await shop.get()).toEqual(before);
    expect(await shop.history()).toEqual(history);
    expect(await shop.lit(ONE)).toEqual(['a']);
    expect(shop.station.rows('SELECT * FROM outbox')).toEqual([]);
    expect(shop.station.logged.length).toBeGreaterThan(0);
    db.exec('DROP TRIGGER fault');
    db.close();
    await shop.station.clock.advance(60_000);
    expect(await shop.stands()).toBe('completed: acknowledged');
    expect(shop.told()).toEqual([`ack ${ONE}  n-a 0`, 'ack round 7  all 0']);
  },
);
