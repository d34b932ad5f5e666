import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { beforeEach, expect, test } from 'vitest';
import { createFileTurns, type FileTurns } from '../../../electron/server/http/bodies/fileTurns.ts';

const HELD = 8;
const WAITING = 60;

let turns: FileTurns;
beforeEach(() => void (turns = createFileTurns()));

type Sender = { leaves(): void; begins: boolean; during(work: () => Promise<unknown>): Promise<unknown> };

/** Sends a request with a file. `begins` becomes true when the request's body is read. Throws if the request is refused. */
function send(): Sender {
  const events = Object.assign(new EventEmitter(), { locals: {} });
  const res = events as unknown as Response;
  const sender: Sender = {
    begins: false,
    leaves: () => void events.emit('close'),
    during: (work) => turns.during(res, work),
  };
  turns.take({} as Request, res, () => void (sender.begins = true));
  return sender;
}

const fill = (count: number): Sender[] => Array.from({ length: count }, send);
const begun = (senders: readonly Sender[]): number => senders.filter(({ begins }) => begins).length;

test('reads eight files at a time, queues sixty in order, and refuses more', () => {
  const all = fill(HELD + WAITING);
  expect(begun(all)).toBe(HELD);
  expect(send).toThrow(expect.objectContaining({ code: 'too_many_requests', retryAfterS: 10 }));
  all[0]?.leaves();
  expect(all[HELD]?.begins).toBe(true);
  expect(begun(all)).toBe(HELD + 1);
  expect(send().begins).toBe(false);
});

test('a caller that leaves the queue frees its place and never gets a turn', () => {
  const all = fill(HELD + WAITING);
  all[HELD]?.leaves();
  expect(send().begins).toBe(false);
  all[0]?.leaves();
  expect([all[HELD]?.begins, all[HELD + 1]?.begins]).toEqual([false, true]);
});

test('a file occupies one place until it is answered, even if its caller leaves', async () => {
  const all = fill(HELD + 3);
  let finish = (): void => undefined;
  const work = all[0]?.during(() => new Promise<void>((resolve) => (finish = resolve)));
  all[0]?.leaves();
  expect(begun(all)).toBe(HELD);
  finish();
  await work;
  all[0]?.leaves();
  expect(begun(all)).toBe(HELD + 1);
  const failed = all[1]?.during(() => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(begun(all)).toBe(HELD + 2);
});
