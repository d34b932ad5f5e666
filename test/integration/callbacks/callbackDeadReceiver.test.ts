import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeliveryCounts } from '#shared/api/callback.ts';
import { heapInUse } from '../../helpers/heap.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const OWED = 40;
const HOUR = 3_600_000;
const MIB = 1024 * 1024;
/** Generous size in bytes for an outbox row including its last attempt. */
const ROW_BYTES = 2_048;

let station: TestStation;
let attempts = 0;

beforeEach(async () => {
  attempts = 0;
  station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    http: {
      send() {
        attempts += 1;
        const answer = Promise.reject(new Error('connect ECONNREFUSED 10.0.0.9:80'));
        return { answer, giveUp: () => undefined };
      },
      stop: () => undefined,
    },
  });
  await station.patch('/api/settings/', { callback_url: 'http://10.0.0.9/hook', backup_every: 0 });
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

test('a receiver that is down for three days costs only database rows: no memory, timers, extra disk space or log lines', async () => {
  for (let count = 0; count < OWED; count += 1) await station.press(DEVICE, 'front', 'long');
  // Each callback has been tried a few times by now, so usage should no longer grow.
  await station.clock.advance(4 * HOUR);
  const before = { heap: heapInUse(), timers: station.clock.timerCount(), log: station.logged.length };
  const file = join(station.dataFolder, 'pickstation.sqlite');
  const bytes = statSync(file).size;
  await station.clock.advance(60 * HOUR);
  expect(await station.get<DeliveryCounts>('/api/callbacks/counts/')).toMatchObject({ pending: OWED, dead: 0 });
  expect(heapInUse() - before.heap).toBeLessThan(8 * MIB);
  expect(station.clock.timerCount()).toBeLessThanOrEqual(before.timers + 2);
  expect(statSync(file).size - bytes).toBeLessThan(OWED * ROW_BYTES + MIB);
  expect(station.logged.length - before.log).toBe(0);
  await station.clock.advance(12 * HOUR);
  expect(await station.get<DeliveryCounts>('/api/callbacks/counts/')).toMatchObject({ pending: 0, dead: OWED });
  expect(station.rows('SELECT count(*) AS count FROM outbox_attempts')).toEqual([{ count: OWED }]);
  expect(attempts).toBeLessThan(OWED * 30);
}, 300_000);

test('the station does not wait for answers from receivers when it stops', async () => {
  let underWay = 0;
  const begun = Promise.withResolvers<void>();
  const slow = await startTestStation({
    http: {
      send() {
        underWay += 1;
        begun.resolve();
        const { promise, reject } = Promise.withResolvers<never>();
        const giveUp = (): void => {
          underWay -= 1;
          reject(new Error('given up'));
        };
        return { answer: promise, giveUp };
      },
      stop: () => undefined,
    },
  });
  await slow.patch('/api/settings/', { callback_url: 'http://10.0.0.9/hook' });
  const tested = slow.request('POST', '/api/callbacks/test/', {}).catch(() => undefined);
  await begun.promise;
  await slow.stop();
  expect(underWay).toBe(0);
  await tested;
});
