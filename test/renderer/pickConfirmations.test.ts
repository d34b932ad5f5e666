import { expect, test } from 'vitest';
import { type Confirmation, createConfirmations, readKept } from '../../renderer/src/features/pick/confirmations.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';

const HOUR_MS = 3_600_000;

function open(answers: readonly (ApiError | 'ok')[] = [], stored = new Map<string, string>()) {
  const sent: string[] = [];
  const refused: string[] = [];
  const left = [...answers];
  const storage = {
    get: (key: string) => stored.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? stored.delete(key) : stored.set(key, value)),
  };
  const made = createConfirmations({
    storage,
    now: () => HOUR_MS,
    async send({ key }) {
      sent.push(key);
      const answer = left.shift() ?? 'ok';
      if (answer !== 'ok') throw answer;
    },
    changed: () => undefined,
    refused: ({ key }) => void refused.push(key),
  });
  const list = () => readKept(storage, HOUR_MS).map(({ key }) => key);
  return { made, sent, refused, stored, storage, list };
}

const one = (key: string, at = HOUR_MS): Confirmation => ({
  key,
  deviceid: '51D000:000001',
  command_id: '7',
  order_number: 'SO-1',
  item_id: 1,
  qty: 2,
  at,
});

const AWAY = new ApiError('unreachable', 'no answer');

test('sends a confirmation at once and removes it from the store', async () => {
  const { made, sent, stored, list } = open();
  expect(await made.add(one('a'))).toBe(1);
  expect([sent, list(), stored.size]).toEqual([['a'], [], 0]);
});

test('keeps confirmations while the station is away, and later sends them in order, each with its own key', async () => {
  const { made, sent, stored, list } = open([AWAY, AWAY]);
  await made.add(one('a'));
  await made.add(one('b'));
  expect(list()).toEqual(['a', 'b']);
  expect(await made.flush()).toBe(2);
  expect(sent).toEqual(['a', 'a', 'a', 'b']);
  expect([list(), stored.size]).toEqual([[], 0]);
});

test('stored confirmations survive a reload, for half a day', async () => {
  const { made, stored, storage } = open([AWAY]);
  await made.add(one('a'));
  const { made: again, sent } = open([], stored);
  expect(await again.flush()).toBe(1);
  expect(sent).toEqual(['a']);
  stored.set('pickstation.confirmations', JSON.stringify([one('old')]));
  expect(readKept(storage, HOUR_MS)).toHaveLength(1);
  expect(readKept(storage, 14 * HOUR_MS)).toEqual([]);
  stored.set('pickstation.confirmations', 'not JSON');
  expect(readKept(storage, 0)).toEqual([]);
});

test('reports a refused confirmation without sending it again, and sends the next one', async () => {
  const { made, sent, refused, list } = open([AWAY, new ApiError('conflict', 'It ended.')]);
  await made.add(one('a'));
  await made.add(one('b'));
  expect([sent, refused, list()]).toEqual([['a', 'a', 'b'], ['a'], []]);
});

test('keeps a confirmation while nobody is signed in', async () => {
  const { made, refused, list } = open([new ApiError('unauthenticated', 'Sign in.')]);
  await made.add(one('a'));
  expect([list().length, refused]).toEqual([1, []]);
});

test('two tabs keep their confirmations side by side, and the remaining tab sends those of a closed one', async () => {
  const stored = new Map<string, string>();
  const left = open([AWAY], stored);
  const right = open([AWAY], stored);
  await left.made.add(one('a'));
  await right.made.add(one('b'));
  expect(left.list()).toEqual(['a', 'b']);
  // The left tab is closed.
  expect(await right.made.flush()).toBe(2);
  expect([right.sent.toSorted(), stored.size]).toEqual([['a', 'b', 'b'], 0]);
  const idle = open([], stored);
  expect(await idle.made.flush()).toBe(0);
  await left.made.add(one('c'));
  expect(left.sent.at(-1)).toBe('c');
  expect(await idle.made.add(one('d'))).toBe(1);
});
