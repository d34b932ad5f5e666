import { beforeEach, expect, test } from 'vitest';
import type { Rows } from '../../electron/server/db/rows.ts';
import type { Unit, Writer } from '../../electron/server/db/writer.ts';
import { createDeadlines, type Deadlines } from '../../electron/server/services/deadlines.ts';
import { createFakeClock, type FakeClock } from '../helpers/fakeClock.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const HOUR = 3_600_000;

type Asking = { how: 'drain' | 'told'; limitMs: number; answer: () => void };

let clock: FakeClock;
let deadlines: Deadlines;
/** Commands by id, with when each is due. */
let due: Map<number, number>;
let ended: number[];
/** What turbos were asked and have not answered. */
let asked: Asking[];
let timers: number[];
let failing: boolean;
let isReady: boolean;
let said: string[];
let woke: number;

beforeEach(() => {
  clock = createFakeClock(NOW);
  due = new Map();
  [ended, asked, timers, said] = [[], [], [], []];
  [failing, isReady, woke] = [false, false, 0];
  const ask = (how: Asking['how']) => (limitMs: number) => {
    if (isReady) return Promise.resolve();
    return new Promise<void>((answer) => void asked.push({ how, limitMs, answer }));
  };
  const commands = {
    earliestDue: () => (due.size === 0 ? null : Math.min(...due.values())),
    listDue: (now: number) => [...due].filter(([, at]) => at <= now).map(([id]) => id),
    findDue: (id: number, now: number) =>
      (due.get(id) ?? Infinity) <= now ? { deviceId: 'D', state: { kind: 'shown' } } : undefined,
    shiftDeadlines(ms: number) {
      for (const [id, at] of due) due.set(id, at + ms);
    },
  };
  deadlines = createDeadlines({
    rows: { commands } as unknown as Rows,
    writer: () =>
      ({
        write: (useCase) => (failing ? Promise.reject(new Error('full')) : Promise.resolve(inUnit(useCase))),
        writeEach: (items, useCase) => Promise.resolve(items.map((item) => inUnit((unit) => useCase(unit, item)))),
      }) as Partial<Writer> as Writer,
    commands: () =>
      ({
        timeOut(_unit: Unit, { token }: { token: number }) {
          due.delete(token);
          ended.push(token);
        },
      }) as never,
    conditions: { remainingMs: () => undefined } as never,
    settings: () => ({ current: () => ({ unreachable_callback: 'nack' }) }) as never,
    turbos: () => ({ drain: ask('drain'), told: ask('told') }) as never,
    clock: {
      ...clock,
      setTimer(delayMs, run) {
        timers.push(delayMs);
        return clock.setTimer(delayMs, run);
      },
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (_, message) => void said.push(message),
      error: (_, message) => void said.push(message),
    },
    woke: () => (woke += 1),
  });
});

/** A use-case in a commit of its own, which tells the deadlines first what the clock says. */
function inUnit<T>(useCase: (unit: Unit) => T): T {
  const after: (() => void)[] = [];
  const unit = {
    now: clock.now(),
    emit: () => undefined,
    beforeCommit: (_name: string, prepare: () => (() => void) | undefined) => after.push(() => prepare()?.()),
    afterCommit: (run: () => void) => after.push(run),
  } as unknown as Unit;
  deadlines.watchClock()?.(unit);
  const result = useCase(unit);
  for (const run of after) run();
  return result;
}

/** A command that is due in so many milliseconds from now. */
const add = (id: number, ms: number) =>
  inUnit((unit) => {
    due.set(id, clock.now() + ms);
    deadlines.due(unit);
  });

async function answerAll(): Promise<void> {
  for (const { answer } of asked.splice(0)) answer();
  await clock.advance(0);
}

/** A station that has been up for a while, whose turbos answer at once. */
async function started(): Promise<void> {
  isReady = true;
  deadlines.start(NOW);
  await clock.advance(10_000);
  isReady = false;
  timers = [];
}

test('after a start nothing is ended for ten seconds, and nothing while a turbo has not told all', async () => {
  due.set(1, NOW - 1);
  deadlines.start(NOW);
  await clock.advance(60_000);
  expect(asked).toMatchObject([{ how: 'told', limitMs: 10_000 }]);
  expect(ended).toEqual([]);
  await answerAll();
  expect(ended).toEqual([1]);
});

test('where the turbos have told all at once, others have ten seconds to come', async () => {
  isReady = true;
  due.set(1, NOW - 1);
  deadlines.start(NOW);
  await clock.advance(9_999);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual([1]);
});

test('a link that comes up again and again puts off what is overdue three times and no longer', async () => {
  await started();
  add(1, 1_000);
  deadlines.linkUp();
  await clock.advance(2_000);
  for (let time = 1; time < 3; time += 1) {
    deadlines.linkUp();
    await answerAll();
    expect([time, ended, asked.length]).toEqual([time, [], 1]);
  }
  deadlines.linkUp();
  await answerAll();
  expect(ended).toEqual([1]);
  // The last one is not forgotten: the turbos are asked, and nothing more is ended until they have answered.
  expect(asked).toMatchObject([{ how: 'told' }, { how: 'drain', limitMs: 10_000 }]);
  add(2, 0);
  await clock.advance(1_000);
  expect(ended).toEqual([1]);
  await answerAll();
  expect(ended).toEqual([1, 2]);
});

test('several links that come up meanwhile are waited for once', async () => {
  await started();
  deadlines.linkUp();
  for (let time = 0; time < 5; time += 1) deadlines.linkUp();
  expect(asked).toHaveLength(1);
  await answerAll();
  expect(asked).toHaveLength(1);
  await answerAll();
  expect(asked).toEqual([]);
});

test('no timer is longer than an hour, and what is due in three is ended then', async () => {
  await started();
  add(1, 3 * HOUR);
  await clock.advance(3 * HOUR - 1);
  expect(Math.max(...timers)).toBe(HOUR);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual([1]);
});

test('an earlier deadline is not kept waiting by a later one, and a later one wakes nobody before', async () => {
  await started();
  add(1, 60_000);
  add(2, 5_000);
  add(3, 90_000);
  await clock.advance(5_000);
  expect(ended).toEqual([2]);
  expect(timers).toEqual([60_000, 5_000, 55_000]);
});

test('what could not be ended is said, and tried again a second later', async () => {
  await started();
  add(1, 1_000);
  failing = true;
  await clock.advance(1_000);
  expect(said).toEqual(['overdue commands could not be ended and are tried again']);
  failing = false;
  await clock.advance(999);
  expect(ended).toEqual([]);
  await clock.advance(1);
  expect(ended).toEqual([1]);
});

test('a clock that is set back moves deadlines with it, one that is set forward does not, and both ask the turbos first', async () => {
  await started();
  for (const [id, jumpMs] of [
    [1, -HOUR],
    [2, HOUR],
  ] as const) {
    add(id, 60_000);
    const at = due.get(id) ?? 0;
    clock.jump(jumpMs);
    inUnit(() => undefined);
    expect(due.get(id)).toBe(jumpMs < 0 ? at + jumpMs : at);
    await clock.advance(0);
    expect(asked).toMatchObject([{ how: 'drain' }]);
    await clock.advance(60_000);
    expect(ended).not.toContain(id);
    await answerAll();
    expect(ended).toContain(id);
  }
  expect(woke).toBeGreaterThan(1);
});

test('a clock that is set back before the start moves deadlines once', async () => {
  due.set(1, NOW + 60_000);
  clock.jump(-HOUR);
  await started();
  inUnit(() => undefined);
  expect(due.get(1)).toBe(NOW + 60_000 - HOUR);
});

test('a step of less than a second is drift', async () => {
  await started();
  add(1, 60_000);
  for (const step of [-999, 999]) {
    clock.jump(step);
    inUnit(() => undefined);
    await clock.advance(0);
  }
  expect([asked, woke, due.get(1)]).toEqual([[], 0, clock.now() + 60_000]);
});

test('while the machine sleeps nothing is ended; awake, the turbos are asked first', async () => {
  await started();
  add(1, 1_000);
  clock.sleep('suspend');
  await clock.advance(9_999);
  expect([ended, asked]).toEqual([[], []]);
  clock.sleep('resume');
  expect(woke).toBe(1);
  await clock.advance(0);
  expect(asked).toMatchObject([{ how: 'drain' }]);
  await answerAll();
  expect(ended).toEqual([1]);
});

test('where nobody says that it woke, ten seconds are enough', async () => {
  await started();
  add(1, 1_000);
  clock.sleep('suspend');
  await clock.advance(9_999);
  expect(asked).toEqual([]);
  await clock.advance(1);
  await answerAll();
  expect(ended).toEqual([1]);
});

test('stopped, it ends nothing and asks nobody', async () => {
  await started();
  add(1, 1_000);
  deadlines.stop();
  deadlines.linkUp();
  clock.sleep('suspend');
  await clock.advance(60_000);
  add(2, 0);
  await clock.advance(1_000);
  expect([ended, asked]).toEqual([[], []]);
  expect(clock.timerCount()).toBe(0);
});
