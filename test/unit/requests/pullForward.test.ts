import { expect, test } from 'vitest';
import type { Repositories } from '../../../electron/server/db/repositories.ts';
import { createPullForward } from '../../../electron/server/services/callbacks/pullForward.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const FRESH = { isRecovering: false, notBefore: 0, failingSince: null };
const NOW = Date.UTC(2026, 10, 20, 8);
const MINUTE = 60_000;

type Saved = { isRecovering: boolean; notBefore: number; failingSince: number | null };
type Waiting = { id: number; device: string };

/** Creates deliveries 1, 2, 3 and so on to these devices. */
const of = (...devices: string[]): Waiting[] => devices.map((device, index) => ({ id: index + 1, device }));

/** Creates a receiver with these waiting deliveries. `saved` is the state that the previous run saved. */
function start(saved: Saved, waiting: Waiting[], isStarted = true) {
  const clock = createFakeClock(NOW);
  const states: Saved[] = [];
  const sent: number[] = [];
  const said: string[] = [];
  /**
   * State of the other services: `underWay` contains the deliveries in progress, `isBroken` makes reads from disk fail, and `hasRoom` is
   * true if more can be sent.
   */
  const others = { underWay: new Set<number>(), isBroken: false, hasRoom: true };
  const outbox = {
    of: () => ({
      findRecovery: () => saved,
      saveRecovery: (state: Saved) => states.push(state),
      listWaiting(after: number, limit: number) {
        if (others.isBroken) throw new Error('broken');
        return waiting.filter(({ id }) => id > after).slice(0, limit);
      },
    }),
    find: (id: number) => ({ id, next_attempt_at: waiting.some((each) => each.id === id) ? NOW : null }),
  };
  const repositories = { outbox } as unknown as Repositories;
  const say = (_fields: object, message: string): void => void said.push(message);
  const pullForward = createPullForward({
    target: { receiver: 'http' },
    repositories,
    reads: repositories,
    writer: { writeSoon: async (useCase: () => void) => useCase() } as never,
    clock,
    time: { forwardAt: clock.now },
    log: { debug: say, info: say, warn: say, error: say },
    hasRoom: () => others.hasRoom,
    isQuiet: () => others.underWay.size === 0,
    isUnderWay: (id) => others.underWay.has(id),
    send({ id }) {
      sent.push(id);
      others.underWay.add(id);
    },
  });
  if (isStarted) pullForward.start();
  /** Lets the receiver accept or refuse this delivery. */
  const answer = (id: number, isTaken: boolean): void => {
    others.underWay.delete(id);
    if (isTaken) waiting = waiting.filter((each) => each.id !== id);
    pullForward.answered(id, isTaken, 0);
  };
  const add = (...added: Waiting[]): void => void (waiting = [...waiting, ...added]);
  return { clock, states, sent, said, others, answer, add, pullForward };
}

test('saves the recovery and its earliest time only when they change', async () => {
  const { clock, states, sent, pullForward } = start(FRESH, [
    { id: 7, device: 'a' },
    { id: 8, device: 'a' },
  ]);
  await clock.advance(MINUTE);
  expect([sent, states]).toEqual([[], []]);
  pullForward.answered(1, true, 0);
  expect(states.splice(0)).toEqual([{ isRecovering: true, notBefore: 0, failingSince: null }]);
  expect(sent).toEqual([7]);
  pullForward.answered(7, true, 0);
  expect([sent, states]).toEqual([[7, 8], []]);
  const notBefore = clock.now() + MINUTE;
  pullForward.answered(8, false, MINUTE);
  expect(states.splice(0)).toEqual([{ isRecovering: true, notBefore, failingSince: null }]);
  await clock.advance(MINUTE);
  // No delivery is waiting now.
  expect(states).toEqual([{ isRecovering: false, notBefore, failingSince: null }]);
  pullForward.stop();
  expect(clock.timerCount()).toBe(0);
});

test('a recovery interrupted by a shutdown continues after startup, but not before the time that the receiver asked for', async () => {
  const { clock, sent, pullForward } = start({ isRecovering: true, notBefore: NOW + MINUTE, failingSince: null }, [
    { id: 7, device: 'a' },
  ]);
  await clock.advance(MINUTE - 1);
  pullForward.proceed();
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toEqual([7]);
});

test('sends the oldest deliveries first, one more after each success, and only one per device at a time', () => {
  const { sent, answer } = start(FRESH, of('a', 'a', 'b', '', '', 'b'));
  answer(0, true);
  expect(sent.splice(0)).toEqual([1]);
  answer(1, true);
  expect(sent.splice(0)).toEqual([2, 3]);
  answer(2, true);
  expect(sent.splice(0)).toEqual([4, 5]);
  answer(4, true);
  expect(sent.splice(0)).toEqual([]);
  answer(3, true);
  expect(sent.splice(0)).toEqual([6]);
});

test('after a failed recovery, the next one begins with the next deliveries, and sends the failed deliveries last', async () => {
  const { clock, states, said, sent, answer } = start(FRESH, of('a', 'b', 'c', 'd', 'e'));
  answer(0, true);
  for (const id of [1, 2, 3]) answer(id, false);
  expect(sent.splice(0)).toEqual([1, 2, 3]);
  answer(0, true);
  expect(sent).toEqual([]);
  await clock.advance(5_000);
  expect(sent.splice(0)).toEqual([4]);
  answer(4, true);
  expect(sent.splice(0)).toEqual([5, 1]);
  answer(1, true);
  expect(sent.splice(0)).toEqual([2, 3]);
  for (const id of [2, 3, 5]) answer(id, true);
  expect([sent, said, states.at(-1)?.isRecovering]).toEqual([[], [], false]);
});

test('after a failed recovery, a delivery that fails in the next one is retried last', async () => {
  const { clock, sent, answer } = start(FRESH, of('a', 'b', 'c', 'd', 'e'));
  answer(0, true);
  for (const id of [1, 2, 3]) answer(id, false);
  answer(0, true);
  await clock.advance(5_000);
  sent.splice(0);
  answer(4, false);
  answer(5, true);
  expect(sent.splice(0)).toEqual([5, 1, 2]);
  for (const id of [1, 2]) answer(id, true);
  expect(sent).toEqual([3, 4]);
});

test('a delivery in flight when failures ended the recovery comes last in the next one', async () => {
  const { clock, sent, answer } = start(FRESH, of('a', 'b'));
  answer(0, true);
  expect(sent.splice(0)).toEqual([1]);
  for (const press of [101, 102, 103]) answer(press, false);
  answer(1, false);
  answer(0, true);
  await clock.advance(5_000);
  answer(2, true);
  expect(sent).toEqual([2, 1]);
});

test('after a completed recovery, the next one begins with the oldest delivery', () => {
  const { sent, answer, add, states } = start(FRESH, of('a', 'b'));
  answer(0, true);
  answer(1, false);
  answer(2, true);
  expect([sent.splice(0), states.at(-1)?.isRecovering]).toEqual([[1, 2], false]);
  add({ id: 3, device: 'c' });
  answer(101, false);
  answer(0, true);
  answer(1, true);
  expect(sent).toEqual([1, 3]);
});

test('after waiting for room, fills the window with two deliveries per answer', () => {
  const { sent, others, answer, pullForward } = start(FRESH, of(...Array.from({ length: 12 }, () => '')));
  answer(0, true);
  for (const id of [1, 2, 3]) answer(id, true);
  others.hasRoom = false;
  for (const id of [4, 5, 6, 7]) answer(id, true);
  expect(sent.splice(0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  others.hasRoom = true;
  pullForward.proceed();
  expect(sent.splice(0)).toEqual([8, 9]);
  answer(8, true);
  expect(sent.splice(0)).toEqual([10, 11]);
});

test('skips many deliveries in flight a few at a time, and then sends the rest', async () => {
  const { clock, sent, others, answer } = start(FRESH, of(...Array.from({ length: 70 }, () => '')));
  for (let id = 1; id <= 64; id += 1) others.underWay.add(id);
  answer(0, true);
  expect(sent).toEqual([]);
  await clock.advance(0);
  expect(sent).toEqual([65]);
});

test('pulls no deliveries before it is started or after it is stopped', async () => {
  const { clock, sent, answer, pullForward } = start(FRESH, of('a', 'b'), false);
  answer(0, true);
  expect(sent).toEqual([]);
  pullForward.start();
  expect(sent.splice(0)).toEqual([1]);
  pullForward.stop();
  answer(1, true);
  await clock.advance(MINUTE);
  expect(sent).toEqual([]);
});

test('skips a delivery in flight, and repeats a failed read five seconds later', async () => {
  const { clock, sent, said, others, answer } = start(FRESH, [
    { id: 1, device: 'a' },
    { id: 2, device: 'b' },
  ]);
  others.isBroken = true;
  answer(0, true);
  expect(said).toEqual(['could not read the waiting deliveries; they are sent later']);
  [others.isBroken, others.underWay] = [false, new Set([1])];
  await clock.advance(4_999);
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toEqual([2]);
});
