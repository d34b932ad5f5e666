import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderProgress } from '#shared/api/order.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import type { Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Transaction, type Writer } from '../../../electron/server/db/writer.ts';
import { createBus } from '../../../electron/server/services/base/index.ts';
import { createStalls } from '../../../electron/server/services/orders/stalls.ts';
import type { SettingsService } from '../../../electron/server/services/settings/settings.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const MINUTE_MS = 60_000;
const NUMBERS = Array.from({ length: 100 }, (_, index) => `SO-${index}`);
const LAST = NUMBERS.at(-1) ?? '';

const clock = createFakeClock(START_MS);
const bus = createBus();
const warned: object[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields: object) => warned.push(fields),
  error: () => undefined,
};

let folder: string;
let database: OpenDatabase;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-stalls-'));
  database = openDatabase(folder);
  writer = createWriter({
    db: database.writer,
    clock,
    log,
    soonMs: 0,
    revisionFloor: 0,
    publish: (commit) => bus.publish(commit),
    watchClock: () => undefined,
  });
  clock.whenIdle(() => writer.idle());
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('marks many orders as stalled in steps, except one that was pressed in the meantime and one that cannot be written', async () => {
  const stalled: string[] = [];
  let before: number | undefined;

  /** Records a press for the last order. */
  function press(tx: Transaction): void {
    before = stalled.length;
    const order = {
      order_number: LAST,
      done_count: 1,
      active_count: 1,
      quantity_fulfilled: 1,
      state: 'in_progress',
      pickers: [],
    } as unknown as OrderProgress;
    tx.emit({ type: 'order.changed', order });
  }

  const stalls = createStalls({
    reads: {
      orders: {
        listUnderWay: () =>
          NUMBERS.map((orderNumber) => ({ orderNumber, counts: { done: 0, active: 1, fulfilled: 0 }, pickers: [] })),
      },
    } as unknown as Pick<Repositories, 'orders'>,
    writer,
    clock,
    log,
    bus,
    settings: { current: () => ({ ...DEFAULT_SETTINGS, order_stalled_minutes: 15 }) } as unknown as SettingsService,
    orders: {
      stall(_tx, orderNumber) {
        if (stalled.length === 0) void writer.write(press);
        if (orderNumber === 'SO-60') throw new Error('as wanted');
        stalled.push(orderNumber);
      },
    },
  });
  stalls.start();
  await clock.advance(15 * MINUTE_MS);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(NUMBERS.length / 2);
  expect(stalled).toEqual(NUMBERS.filter((number) => number !== 'SO-60' && number !== LAST));
  expect(warned).toHaveLength(1);
  await clock.advance(15 * MINUTE_MS);
  expect(stalled.at(-1)).toBe(LAST);
  stalls.stop();
});

test('retries marking an order a minute later if its write or the whole commit failed', async () => {
  const stalled: string[] = [];
  const failures = ['commit', 'write'];
  const stalls = createStalls({
    reads: {
      orders: {
        listUnderWay: () =>
          ['SO-1', 'SO-2'].map((orderNumber) => ({ orderNumber, counts: { done: 0, active: 1 }, pickers: [] })),
      },
    } as unknown as Pick<Repositories, 'orders'>,
    writer: {
      writeEach: (items, useCase, failed) =>
        stalled.length > 0 && failures.pop() === 'commit'
          ? Promise.reject(new Error('as wanted'))
          : writer.writeEach(items, useCase, failed),
    },
    clock,
    log,
    bus,
    settings: { current: () => ({ ...DEFAULT_SETTINGS, order_stalled_minutes: 15 }) } as unknown as SettingsService,
    orders: {
      stall(_tx, orderNumber) {
        if (orderNumber === 'SO-2' && failures.at(-1) === 'write') {
          failures.pop();
          throw new Error('as wanted');
        }
        stalled.push(orderNumber);
      },
    },
  });
  stalls.start();
  await clock.advance(15 * MINUTE_MS);
  expect(stalled).toEqual(['SO-1']);
  await clock.advance(MINUTE_MS);
  expect(stalled).toEqual(['SO-1']);
  await clock.advance(MINUTE_MS);
  expect(stalled).toEqual(['SO-1', 'SO-2']);
  await clock.advance(20 * MINUTE_MS);
  expect(stalled).toEqual(['SO-1', 'SO-2']);
  stalls.stop();
});
