import { beforeEach, expect, test } from 'vitest';
import { HOUR, NOW, startDeadlinesRig, type DeadlinesRig } from './deadlinesRig.ts';

let rig: DeadlinesRig;

beforeEach(async () => {
  rig = await startDeadlinesRig();
});

test('a clock that is set back moves deadlines with it, one that is set forward does not, and both ask the turbos first', async () => {
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

test.each([-HOUR, -1_000])(
  'a clock that is set back by %i ms before the start moves deadlines once',
  async (jumpMs) => {
    rig.due.set(1, NOW + 60_000);
    rig.clock.jump(jumpMs);
    await rig.started();
    rig.inUnit(() => undefined);
    expect(rig.due.get(1)).toBe(NOW + 60_000 + jumpMs);
    expect([rig.shifted, rig.woke]).toEqual([[jumpMs], 1]);
  },
);

test('before the start a clock that stands still moves nothing', () => {
  rig.add(1, 60_000);
  rig.inUnit(() => undefined);
  expect([rig.due.get(1), rig.said]).toEqual([NOW + 60_000, []]);
});

test('where a link comes up, or the clock is set, after something was found overdue, the turbos are asked first', async () => {
  await rig.started();
  for (const [id, happens] of [
    [1, () => rig.deadlines.linkUp()],
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

test('a clock that is set while links are waited for asks all turbos as well', async () => {
  await rig.started();
  rig.deadlines.linkUp();
  rig.clock.jump(HOUR);
  rig.inUnit(() => undefined);
  await rig.clock.advance(0);
  await rig.answerAll();
  expect(rig.asked).toMatchObject([{ how: 'drain' }]);
});

test('a step of a second is a jump', async () => {
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

test('a step of less than a second is drift', async () => {
  await rig.started();
  rig.add(1, 60_000);
  for (const step of [-999, 999]) {
    rig.clock.jump(step);
    rig.inUnit(() => undefined);
    await rig.clock.advance(0);
  }
  expect([rig.asked, rig.woke, rig.due.get(1)]).toEqual([[], 0, rig.clock.now() + 60_000]);
});

test('while the machine sleeps nothing is ended; awake, the turbos are asked first, each time', async () => {
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

test('a machine that says twice that it sleeps is waited for once, one that only woke asks the turbos too', async () => {
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

test('where nobody says that it woke, ten seconds are enough', async () => {
  await rig.started();
  rig.add(1, 1_000);
  rig.clock.sleep('suspend');
  await rig.clock.advance(9_999);
  expect(rig.asked).toEqual([]);
  await rig.clock.advance(1);
  await rig.answerAll();
  expect(rig.ended).toEqual([1]);
});

test('stopped in the turn in which the clock was found wrong, it asks nobody', async () => {
  await rig.started();
  rig.clock.jump(HOUR);
  rig.inUnit(() => undefined);
  rig.deadlines.stop();
  await rig.clock.advance(0);
  expect(rig.asked).toEqual([]);
});
