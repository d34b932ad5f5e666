import { expect, test } from 'vitest';
import type { Sequence } from '#shared/api/sequence.ts';
import { FOUR, ONE, THREE, TWO, useSequences } from './sequenceRig.ts';

const shop = useSequences();

test('steps with the same order start together, and the next steps start when all of them are acknowledged', async () => {
  await shop.create(
    [
      { order: 1, device: ONE, line1: 'a', stepnonce: 'n-a' },
      { order: 1, device: TWO, line1: 'b', quantity: 4, stepnonce: 'n-b' },
      { order: 20, device: THREE, line1: 'c', stepnonce: 'n-c' },
    ],
    { sequencenonce: 'all done' },
  );
  expect(await shop.stands()).toBe('unstarted: pending pending pending');
  expect(await shop.launch()).toMatchObject({ state: 'in-progress', start_time: '2026-11-20T08:00:05.000Z' });
  expect(await shop.stands()).toBe('in-progress: active active pending');
  expect(await shop.progress()).toMatchObject({
    step_count: 3,
    active_count: 2,
    acknowledged_count: 0,
    halted_count: 0,
  });
  expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([['a'], ['b'], []]);
  await shop.station.clock.advance(1_000);
  await shop.press(TWO, 'minus');
  await shop.press(TWO);
  expect(await shop.stands()).toBe('in-progress: active acknowledged pending');
  expect(await shop.lit(THREE)).toEqual([]);
  expect(await shop.step(1)).toMatchObject({ deviceid: TWO, qty: 3, command_id: null });
  await shop.press(ONE);
  expect(await shop.stands()).toBe('in-progress: acknowledged acknowledged active');
  expect(await shop.lit(THREE)).toEqual(['c']);
  await shop.station.clock.advance(1_000);
  await shop.press(THREE);
  expect(await shop.get()).toMatchObject({ state: 'completed', completed_time: '2026-11-20T08:00:07.000Z' });
  expect(shop.told()).toEqual([
    `ack ${TWO}  n-b 3`,
    `ack ${ONE}  n-a 0`,
    `ack ${THREE}  n-c 0`,
    'ack round 7  all done 0',
  ]);
  const kinds = (await shop.history()).map(({ kind, sequenceid }) => `${kind} ${sequenceid}`);
  expect(kinds).toEqual([
    'sequence_completed round 7',
    'acknowledged round 7',
    'acknowledged round 7',
    'acknowledged round 7',
    'sequence_launched round 7',
  ]);
});

test('a step that times out stalls the sequence; others in its group stay lit and can be acknowledged, but no new step starts', async () => {
  await shop.create([
    { order: 1, device: ONE, line1: 'a', seconds: 5, stepnonce: 'n-a' },
    { order: 1, device: TWO, line1: 'b' },
    { order: 2, device: THREE, line1: 'c' },
  ]);
  await shop.launch();
  await shop.station.clock.advance(6_000);
  expect(await shop.stands()).toBe('stalled: timed_out active pending');
  expect(shop.told()).toEqual([`nack ${ONE}  n-a 0`]);
  expect(await shop.lit(TWO)).toEqual(['b']);
  const [stalled] = await shop.history('?kind=sequence_stalled');
  expect(stalled).toMatchObject({ reason: 'Step 1 timed out.', deviceid: ONE, sequenceid: 'round 7' });
  await shop.press(TWO);
  expect(await shop.stands()).toBe('stalled: timed_out acknowledged pending');
  expect([await shop.lit(ONE), await shop.lit(THREE)]).toEqual([[], []]);
  expect(shop.told()).toEqual([`nack ${ONE}  n-a 0`, `ack ${TWO}   0`]);
});

test('launching a stalled sequence lights the unacknowledged steps of the stalled group, and it continues from there', async () => {
  await shop.create([
    { order: 1, device: FOUR, line1: 'z' },
    { order: 2, device: ONE, line1: 'a', seconds: 5 },
    { order: 2, device: TWO, line1: 'b', seconds: 100 },
    { order: 2, device: THREE, line1: 'c', seconds: 100 },
    { order: 3, device: FOUR, line1: 'd' },
  ]);
  const { start_time } = await shop.launch();
  await shop.station.clock.advance(1_000);
  await shop.press(FOUR);
  await shop.station.clock.advance(1_000);
  await shop.press(TWO);
  const { command_id } = await shop.step(3);
  await shop.station.clock.advance(6_000);
  expect(await shop.stands()).toBe('stalled: acknowledged timed_out acknowledged active pending');
  expect(await shop.launch()).toMatchObject({ state: 'in-progress', start_time });
  expect(await shop.stands()).toBe('in-progress: acknowledged active acknowledged active pending');
  expect((await shop.step(3)).command_id).toBe(command_id);
  expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([['a'], [], ['c']]);
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  await shop.press(THREE);
  expect(await shop.lit(FOUR)).toEqual(['d']);
  await shop.station.clock.advance(1_000);
  await shop.press(FOUR);
  expect(await shop.stands()).toMatch(/^completed/);
  expect((await shop.history()).map(({ kind }) => kind)).toContain('sequence_relaunched');
});

test('launching a sequence in progress succeeds and changes nothing', async () => {
  await shop.create([
    { order: 1, device: ONE, line1: 'a' },
    { order: 2, device: TWO, line1: 'b' },
  ]);
  await shop.launch();
  const before = await shop.get();
  await shop.station.clock.advance(1_000);
  expect(await shop.launch('?restart=0')).toMatchObject({ state: 'in-progress' });
  expect(await shop.get()).toEqual(before);
});

test('launching a completed sequence starts it from the beginning', async () => {
  await shop.create([{ order: 1, device: ONE, line1: 'a', quantity: 2 }]);
  await shop.launch();
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await shop.stands()).toBe('completed: acknowledged');
  expect(await shop.launch()).toMatchObject({ completed_time: null, start_time: '2026-11-20T08:00:06.000Z' });
  expect(await shop.step(0)).toMatchObject({ state: 'active', qty: null, finished_time: null });
  expect(await shop.lit(ONE)).toEqual(['a']);
});

test.each(['in-progress', 'stalled', 'completed', 'unstarted'] as const)(
  'restart=1 starts a sequence that is %s from the beginning, after turning off its lit steps',
  async (state) => {
    await shop.create([
      { order: 1, device: ONE, line1: 'a', seconds: 5 },
      { order: 1, device: THREE, line1: 'b' },
      { order: 2, device: TWO, line1: 'c' },
    ]);
    if (state !== 'unstarted') await shop.launch();
    await shop.station.clock.advance(1_000);
    if (state === 'in-progress' || state === 'completed') {
      await shop.press(ONE);
      await shop.press(THREE);
      await shop.station.clock.advance(1_000);
    }
    if (state === 'completed') await shop.press(TWO);
    if (state === 'stalled') await shop.station.clock.advance(8_000);
    expect((await shop.get()).state).toBe(state);
    const told = shop.told().length;
    await shop.launch('?restart=1');
    expect(await shop.stands()).toBe('in-progress: active active pending');
    expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([['a'], [], ['b']]);
    expect(shop.told()).toHaveLength(told);
  },
);

test('two steps of one group at one device are shown one after the other', async () => {
  await shop.create([
    { order: 1, device: ONE, line1: 'a', stepnonce: 'n' },
    { order: 1, device: ONE, line1: 'a', stepnonce: 'n' },
    { order: 2, device: TWO, line1: 'b' },
  ]);
  await shop.launch();
  expect(await shop.lit(ONE)).toEqual(['a', 'a']);
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await shop.stands()).toBe('in-progress: acknowledged active pending');
  await shop.station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await shop.stands()).toBe('in-progress: acknowledged acknowledged active');
});

test('a step and an identical command from another sender do not replace each other', async () => {
  const { station } = shop;
  const look = { line1: 'x', quantity: 2, seconds: 0 };
  await station.post(`/api/device/${ONE}/`, look);
  await shop.create([{ order: 1, device: ONE, ...look }]);
  await shop.launch();
  expect(await shop.lit(ONE)).toEqual(['x', 'x']);
  await station.post(`/api/device/${ONE}/`, look);
  expect(await shop.lit(ONE)).toEqual(['x', 'x']);
  await station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await shop.stands()).toBe('in-progress: active');
  await station.clock.advance(1_000);
  await shop.press(ONE);
  expect(await shop.stands()).toBe('completed: acknowledged');
});

const LAUNCHES = 100;

/** Launches a sequence whose first step times out, so that it stalls while the second step is still lit. */
async function halted(): Promise<void> {
  await shop.create(
    [
      { order: 1, device: ONE, line1: 'a', seconds: 5 },
      { order: 1, device: TWO, line1: 'b', seconds: 0 },
      { order: 2, device: THREE, line1: 'c' },
    ],
    { sequencenonce: 'all' },
  );
  await shop.launch();
  await shop.station.clock.advance(8_000);
  expect(await shop.stands()).toBe('stalled: timed_out active pending');
}

/** Sends several launches at the same time and returns the status and state in each answer. */
async function launchAtOnce(query: string): Promise<string[]> {
  const path = `/api/launchsequence/round%207/${query}`;
  const answers = await Promise.all(Array.from({ length: LAUNCHES }, () => shop.station.request('GET', path)));
  await shop.station.clock.advance(1_000);
  return answers.map(({ status, body }) => `${status} ${(body as Sequence).state}`);
}

const kinds = () => shop.station.rows<{ kind: string }>('SELECT kind FROM history ORDER BY id').map(({ kind }) => kind);

test('a hundred simultaneous launches of a stalled sequence continue it once, and light nothing twice', async () => {
  await halted();
  const before = kinds().length;
  const { command_id } = await shop.step(1);
  const told = shop.told();
  expect(new Set(await launchAtOnce(''))).toEqual(new Set(['200 in-progress']));
  expect(kinds().slice(before)).toEqual(['sequence_relaunched']);
  expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([['a'], ['b'], []]);
  expect((await shop.step(1)).command_id).toBe(command_id);
  expect(shop.told()).toEqual(told);
});

test('a hundred simultaneous restarts result in one run, without other lit commands', async () => {
  await halted();
  const before = kinds().length;
  const told = shop.told();
  expect(new Set(await launchAtOnce('?restart=1'))).toEqual(new Set(['200 in-progress']));
  const since = kinds().slice(before);
  const turns = since.filter((kind) => kind.startsWith('sequence_'));
  expect(turns).toEqual(Array.from({ length: LAUNCHES }, () => ['sequence_cancelled', 'sequence_launched']).flat());
  expect(await shop.stands()).toBe('in-progress: active active pending');
  expect([await shop.lit(ONE), await shop.lit(TWO), await shop.lit(THREE)]).toEqual([['a'], ['b'], []]);
  // Neither launches nor cancellations send callbacks: only the presses do.
  await shop.press(ONE);
  await shop.press(TWO);
  await shop.station.clock.advance(1_000);
  await shop.press(THREE);
  expect(shop.told().slice(told.length)).toEqual([
    `ack ${ONE}   0`,
    `ack ${TWO}   0`,
    `ack ${THREE}   0`,
    'ack round 7  all 0',
  ]);
});
