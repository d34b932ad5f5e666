import { beforeEach, expect, test } from 'vitest';
import { HOUR, NOW, startDeadlinesRig, type DeadlinesRig } from './deadlinesRig.ts';

let rig: DeadlinesRig;

beforeEach(async () => {
  rig = await startDeadlinesRig();
});

test('asks the turbos first after a clock change, and moves the deadlines only if the clock was set back', async () => {
  await rig.started();
  for (const [id, jumpMs] of [
    [1, -HOUR],
    [2, HOUR],
  ] as const) {
    rig.add(id, 60_000);
    const at = rig.due.get(id) ?? 0;
    rig.clock.jump(jumpMs);
    rig.inUnit(() => undefined);
    expect(rig.due.get(id)).toBe(jumpMs < 0 ? at + jumpMs : at);
    await rig.clock.advance(0);
    expect(rig.asked).toMatchObject([{ how: 'drain' }]);
    await rig.clock.advance(60_000);
    expect(rig.ended).not.toContain(id);
    await rig.answerAll();
    expect(rig.ended).toContain(id);
  }
  expect(rig.woke).toBeGreaterThan(1);
});

test.each([-HOUR, -1_000])('a clock set by %i ms before the start moves the deadlines once', async (jumpMs) => {
  rig.due.set(1, NOW + 60_000);
  rig.clock.jump(jumpMs);
  await rig.started();
  rig.inUnit(() => undefined);
  expect(rig.due.get(1)).toBe(NOW + 60_000 + jumpMs);
  expect([rig.shifted, rig.woke]).toEqual([[jumpMs], 1]);
});

test('moves no deadline before the start if the clock was not set', () => {
  rig.add(1, 60_000);
  rig.inUnit(() => undefined);
  expect([rig.due.get(1), rig.said]).toEqual([NOW + 60_000, []]);
});

test('asks the turbos first if a link comes up or the clock is set after a command was found overdue', async () => {
  await rig.started();
  for (const [id, happens] of [
    [1, () => rig.deadlines.turboUp()],
    [2, () => rig.clock.jump(HOUR)],
  ] as const) {
    rig.add(id, 0);
    rig.found = happens;
    await rig.clock.advance(0);
    rig.found = () => undefined;
    expect(rig.ended).not.toContain(id);
    await rig.answerAll();
    expect(rig.ended).toContain(id);
  }
});

test('setting the clock during a wait for links asks all turbos as well', async () => {
  await rig.started();
  rig.deadlines.turboUp();
  rig.clock.jump(HOUR);
  rig.inUnit(() => undefined);
  await rig.clock.advance(0);
  await rig.answerAll();
  expect(rig.asked).toMatchObject([{ how: 'drain' }]);
});

test('a clock step of one second counts as a jump', async () => {
  await rig.started();
  rig.add(1, 60_000);
  for (const step of [-1_000, 1_000]) {
    rig.clock.jump(step);
    rig.inUnit(() => undefined);
    await rig.clock.advance(0);
    expect(rig.asked).toHaveLength(1);
    await rig.answerAll();
  }
  expect(rig.due.get(1)).toBe(rig.clock.now() + 60_000 - 1_000);
});

test('a clock step below one second counts as drift', async () => {
  await rig.started();
  rig.add(1, 60_000);
  for (const step of [-999, 999]) {
    rig.clock.jump(step);
    rig.inUnit(() => undefined);
    await rig.clock.advance(0);
  }
  expect([rig.asked, rig.woke, rig.due.get(1)]).toEqual([[], 0, rig.clock.now() + 60_000]);
});

test('ends nothing while the machine sleeps, and asks the turbos first at each wake-up', async () => {
  await rig.started();
  for (const id of [1, 2]) {
    rig.add(id, 1_000);
    rig.clock.sleep('suspend');
    await rig.clock.advance(9_999);
    expect([rig.ended.includes(id), rig.asked]).toEqual([false, []]);
    rig.clock.sleep('resume');
    expect(rig.woke).toBe(id);
    await rig.clock.advance(0);
    expect(rig.asked).toMatchObject([{ how: 'drain' }]);
    await rig.answerAll();
    expect(rig.ended).toContain(id);
    expect(rig.clock.timerCount()).toBe(0);
  }
});

test('one resume ends two suspends, and a resume without a suspend also asks the turbos', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.clock.sleep('suspend');
  rig.clock.sleep('suspend');
  rig.clock.sleep('resume');
  await rig.clock.advance(2_000);
  await rig.answerAll();
  expect([rig.ended, rig.asked]).toEqual([[1], []]);
  rig.clock.sleep('resume');
  expect(rig.asked).toMatchObject([{ how: 'drain' }]);
});

test('continues ten seconds after a suspend without a resume', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.clock.sleep('suspend');
  await rig.clock.advance(9_999);
  expect(rig.asked).toEqual([]);
  await rig.clock.advance(1);
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
});

test('asks no turbo if it is stopped right after it finds a clock change', async () => {
  await rig.started();
  rig.clock.jump(HOUR);
  rig.inUnit(() => undefined);
  rig.deadlines.stop();
  await rig.clock.advance(0);
  expect(rig.asked).toEqual([]);
});
