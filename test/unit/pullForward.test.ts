import { expect, test } from 'vitest';
import type { Rows } from '../../electron/server/db/rows.ts';
import { createPullForward } from '../../electron/server/services/pullForward.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const MINUTE = 60_000;

type Saved = { isRecovering: boolean; notBefore: number };
type Waiting = { id: number; device: string };

/** A receiver for which these deliveries wait; `saved`: by the run before. */
function start(saved: Saved, waiting: Waiting[]) {
  const clock = createFakeClock(NOW);
  const states: Saved[] = [];
  const sent: number[] = [];
  const said: string[] = [];
  const outbox = {
    findRecovery: () => saved,
    saveRecovery: (state: Saved) => states.push(state),
    listWaiting: (after: number, limit: number) => waiting.filter(({ id }) => id > after).slice(0, limit),
    find: (id: number) => ({ id, next_attempt_at: NOW }),
  };
  const rows = { outbox } as unknown as Rows;
  const say = (_fields: object, message: string): void => void said.push(message);
  const pullForward = createPullForward({
    rows,
    reads: rows,
    writer: { writeSoon: async (useCase: () => void) => useCase() } as never,
    clock,
    time: { forwardAt: clock.now },
    log: { debug: say, info: say, warn: say, error: say },
    hasRoom: () => true,
    isUnderWay: () => false,
    send: ({ id }) => void sent.push(id),
  });
  pullForward.start();
  return { clock, states, sent, said, pullForward };
}

test('that the receiver is back, and when it may be asked again, is saved when it changes and no other time', async () => {
  const { clock, states, sent, pullForward } = start({ isRecovering: false, notBefore: 0 }, [
    { id: 7, device: 'a' },
    { id: 8, device: 'a' },
  ]);
  await clock.advance(MINUTE);
  expect([sent, states]).toEqual([[], []]);
  pullForward.answered(1, true, 0);
  expect(states.splice(0)).toEqual([{ isRecovering: true, notBefore: 0 }]);
  expect(sent).toEqual([7]);
  pullForward.answered(7, true, 0);
  expect([sent, states]).toEqual([[7, 8], []]);
  const notBefore = clock.now() + MINUTE;
  pullForward.answered(8, false, MINUTE);
  expect(states.splice(0)).toEqual([{ isRecovering: true, notBefore }]);
  await clock.advance(MINUTE);
  // Nothing waits any more.
  expect(states).toEqual([{ isRecovering: false, notBefore }]);
  pullForward.stop();
  expect(clock.timerCount()).toBe(0);
});

test('a recovery that the end of the run before cut off goes on at the start, not before the receiver wants it', async () => {
  const { clock, sent } = start({ isRecovering: true, notBefore: NOW + MINUTE }, [{ id: 7, device: 'a' }]);
  await clock.advance(MINUTE - 1);
  expect(sent).toEqual([]);
  await clock.advance(1);
  expect(sent).toEqual([7]);
});
