import { expect, test } from 'vitest';
import type { Writer } from '../../../electron/server/db/writer.ts';
import { createReconcileQueue } from '../../../electron/server/scheduling/reconcileQueue.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

function start() {
  const clock = createFakeClock(0);
  const disk = { isFull: false, busy: Promise.resolve(), writes: [] as string[][], said: [] as string[] };
  const say = (_fields: object, message: string): void => void disk.said.push(message);
  const writer: Pick<Writer, 'writeEach'> = {
    writeEach(subjects) {
      if (disk.isFull) return Promise.reject(new Error('full'));
      disk.writes.push(subjects.map(String));
      return disk.busy.then(() => []);
    },
  };
  const log = { debug: say, info: say, warn: say, error: say };
  return { clock, disk, queue: createReconcileQueue({ clock, log, writer, reconcile: () => undefined }) };
}

test('writes all subjects added in one turn together, each once', async () => {
  const { clock, disk, queue } = start();
  for (const subject of ['a', 'b', 'a']) queue.add(subject);
  await clock.advance(0);
  queue.add('c');
  await clock.advance(0);
  expect(disk.writes).toEqual([['a', 'b'], ['c']]);
});

test('writes subjects that are added during a write after that write, unless it is stopped by then', async () => {
  for (const isStopped of [false, true]) {
    const { clock, disk, queue } = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    disk.busy = promise;
    queue.add('a');
    await clock.advance(0);
    queue.add('b');
    await clock.advance(0);
    expect(disk.writes).toEqual([['a']]);
    if (isStopped) queue.stop();
    resolve();
    await clock.advance(0);
    expect(disk.writes).toEqual(isStopped ? [['a']] : [['a'], ['b']]);
  }
});

test('logs a failed write, and retries five seconds later together with newer subjects', async () => {
  const { clock, disk, queue } = start();
  disk.isFull = true;
  queue.add('a');
  await clock.advance(0);
  queue.add('b');
  await clock.advance(4_999);
  expect(disk.said).toEqual(['could not write changes; will retry']);
  disk.isFull = false;
  await clock.advance(1);
  expect([...(disk.writes[0] ?? [])].toSorted()).toEqual(['a', 'b']);
  queue.add('c');
  await clock.advance(0);
  expect(disk.writes[1]).toEqual(['c']);
});

test('after a stop, writes nothing, logs no failure and leaves no timer', async () => {
  const { clock, disk, queue } = start();
  disk.isFull = true;
  queue.add('a');
  await clock.advance(0);
  queue.stop();
  expect(clock.timerCount()).toBe(0);
  disk.isFull = false;
  queue.add('b');
  await clock.advance(60_000);
  expect(disk.writes).toEqual([]);

  const other = start();
  other.disk.isFull = true;
  other.queue.add('a');
  await Promise.resolve();
  other.queue.stop();
  await other.clock.advance(60_000);
  expect([other.disk.said, other.clock.timerCount()]).toEqual([[], 0]);
});
