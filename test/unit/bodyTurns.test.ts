import { expect, test } from 'vitest';
import { createTurns } from '../../electron/server/http/bodyTurns.ts';
import type { InParts } from '#shared/lib/inParts.ts';

test('concurrent jobs take turns, one part of one job in each turn of the event loop', async () => {
  const turns = createTurns();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const parts: { work: number; turn: number }[] = [];
  function* workOf(work: number): InParts<number> {
    for (let part = 0; part < 5; part += 1) {
      parts.push({ work, turn });
      yield;
    }
    return work;
  }
  const works = [0, 1, 2].map((work) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    turns(workOf(work), { done: resolve, failed: reject });
    return promise;
  });
  expect(await Promise.all(works)).toEqual([0, 1, 2]);
  isOver = true;
  // The first part of each work runs as soon as it arrives.
  const later = parts.slice(3);
  expect(new Set(later.map((part) => part.turn)).size).toBe(later.length);
  expect(later.map(({ work }) => work)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

test('a failing job reports its error and does not hold up the others', async () => {
  const turns = createTurns();
  const failed = Promise.withResolvers<unknown>();
  const done = Promise.withResolvers<string>();
  turns(
    (function* fails(): InParts<string> {
      yield;
      throw new Error('no');
    })(),
    { done: failed.reject, failed: failed.resolve },
  );
  turns(
    (function* works(): InParts<string> {
      yield;
      yield;
      return 'read';
    })(),
    { done: done.resolve, failed: done.reject },
  );
  expect(await failed.promise).toEqual(new Error('no'));
  expect(await done.promise).toBe('read');
});
