import { expect, test } from 'vitest';
import { createTurnQueue } from '../../../electron/server/scheduling/turnQueue.ts';

const failures: unknown[] = [];
const failed = (key: string, error: unknown) => void failures.push([key, error]);
const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));
const idOf = (index: number) => `device ${index}`;

test('serves the first 50 devices immediately and the others in later turns, in order', async () => {
  const queue = createTurnQueue(failed);
  const served: string[] = [];
  const ids = Array.from({ length: 120 }, (_, index) => idOf(index));
  for (const id of ids) queue.add(id, () => served.push(id));
  expect(served).toEqual(ids.slice(0, 50));
  await nextTurn();
  expect(served).toEqual(ids.slice(0, 100));
  await nextTurn();
  expect(served).toEqual(ids);
  await nextTurn();
  queue.add('one more', () => served.push('one more'));
  expect(served.at(-1)).toBe('one more');
});

test('newer work replaces waiting work, and a removed device is not served', async () => {
  const queue = createTurnQueue(failed);
  const served: string[] = [];
  for (let index = 0; index < 50; index += 1) queue.add(idOf(index), () => undefined);
  for (const id of ['a', 'b', 'c']) queue.add(id, () => served.push(`${id} old`));
  queue.add('a', () => served.push('a new'));
  queue.remove('b');
  expect(served).toEqual([]);
  await nextTurn();
  expect(served).toEqual(['c old', 'a new']);
});

test('a failing device does not hold up the others, and nothing runs after the queue is stopped', async () => {
  const queue = createTurnQueue(failed);
  const served: string[] = [];
  for (let index = 0; index < 50; index += 1) queue.add(idOf(index), () => undefined);
  queue.add('bad', () => {
    throw new Error('as wanted');
  });
  queue.add('good', () => served.push('good'));
  await nextTurn();
  expect([served, failures]).toMatchObject([['good'], [['bad', new Error('as wanted')]]]);
  for (let index = 0; index < 60; index += 1) queue.add(idOf(index), () => served.push(idOf(index)));
  const before = served.length;
  queue.stop();
  await nextTurn();
  queue.add('late', () => served.push('late'));
  expect(served).toHaveLength(before);
});
