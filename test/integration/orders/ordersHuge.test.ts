import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createArticleGroup } from '../../../electron/server/services/articles/index.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import type { Transaction, Writer } from '../../../electron/server/db/writer.ts';
import { createAlertRecords } from '../../../electron/server/services/alerts/records.ts';
import { createCallbacks } from '../../../electron/server/services/callbacks/callbacks.ts';
import { createCommands, type Commands } from '../../../electron/server/services/commands/commands.ts';
import { createOrders, type Orders } from '../../../electron/server/services/orders/orders.ts';
import type { SettingsService } from '../../../electron/server/services/settings/settings.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { runningTimeAt } from '../../helpers/runningTimeAt.ts';
import { watchReads, type WatchedReading } from '../../helpers/watchedReads.ts';
import { createCurrentLines } from '../../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../../electron/server/services/commands/shownLines.ts';

const DEVICES = 20;
const deviceId = (index: number): string => `51D000:${String(1 + (index % DEVICES)).padStart(6, '0')}`;

/** Measures how many rows one press, one correction and one timeout read and change in an order with `size` items. */
async function costOf(
  size: number,
): Promise<{ name: string; reading: WatchedReading; changes: number; scans: string[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-order-'));
  const database = openDatabase(folder);
  const { watched, readBy } = watchReads();
  const repositories = createRepositories(watched(database.writer));
  let before: (() => unknown)[] = [];
  const tx: Transaction = {
    now: 1_000,
    revision: 1,
    attempt: (part) => part(),
    emit: () => undefined,
    apply: () => undefined,
    afterCommit: () => undefined,
    beforeCommit: (_key, prepare) => void before.push(prepare),
  };
  const write: Writer['write'] = (useCase) => Promise.resolve(database.writer.transaction(() => useCase(tx))());
  const writer: Pick<Writer, 'write' | 'writeLarge' | 'writeEach'> = {
    write,
    writeLarge: write,
    writeEach: (each, useCase) =>
      Promise.resolve(database.writer.transaction(() => each.map((item) => useCase(tx, item)))()),
  };
  const current = { ...DEFAULT_SETTINGS, callback_url: 'http://127.0.0.1:1/', ordernonce: 'o' };
  const settings = {
    current: () => current,
    hasReceiver: (name: string) => name === 'http',
  } as unknown as SettingsService;
  let orders: Orders;
  const callbacks = createCallbacks({
    repositories,
    settings,
    book: { list: () => [] },
    time: runningTimeAt(1_000),
    runMark: 'x',
    offer: () => undefined,
  });
  const commands: Commands = createCommands({
    repositories,
    callbacks,
    refresh: () => undefined,
    due: () => undefined,
    latencyMs: () => 0,
    reaches: () => true,
    ownerEnded: (inUnit, ended) => orders.ended(inUnit, ended),
    directPressed: () => undefined,
    ownerMoved: (inUnit, owner, isReached) => orders.itemMoved(inUnit, owner.id, isReached),
    ownerReached: () => undefined,
    ownerPressed: () => false,
    ownerOpen: () => false,
    ownerPicker: () => null,
    slotName: () => undefined,
    ownerItem: () => undefined,
    shownLines: createShownLines(),
    currentLines: createCurrentLines({ monotonic: () => 0 }),
  });
  orders = createOrders({
    repositories,
    reads: repositories,
    writer: writer as Writer,
    commands,
    callbacks,
    records: createAlertRecords({
      repositories,
      reads: repositories,
      writer,
      callbacks,
      mail: { add: () => undefined },
    }),
    settings,
    endedOrders: { ended: () => undefined, removing: () => undefined },
    itemStock: createArticleGroup(
      { repositories, reads: repositories, settings, writer: writer as Writer, onStop: () => undefined },
      { callbacks, copier: { convertPicture: () => Promise.reject(new Error('There are no pictures.')) } },
    ).itemStock,
    snapshots: { read: (work) => Promise.resolve(whole(work(repositories))) },
    ids: seededIds(1),
  });
  for (let index = 0; index < DEVICES; index += 1) {
    repositories.devices.insert({ deviceId: deviceId(index), buttons: 3, firmware: 70 });
  }
  const items = Array.from({ length: size }, (_, index) => ({
    SKU: 'x',
    ordered_quantity: 5,
    deviceid: deviceId(index),
  }));
  await orders.add({ order_number: 'huge', items }, { strict: false, unknown: [] });
  const launched = await orders.launch('huge', 'somebody');
  const idOf = (index: number): number => launched.items?.[index]?.id ?? 0;
  const tokenOf = (index: number): number => Number(launched.items?.[index]?.command_id);
  const changed = database.writer.prepare<[], number>('SELECT total_changes()').pluck();
  const answers: Promise<unknown>[] = [];
  const correct = (index: number, quantity_fulfilled: number): void =>
    void answers.push(
      orders.changeItem('huge', idOf(index), { quantity_fulfilled }, { by: 'somebody', strict: false }),
    );
  const happenings: [name: string, run: () => void][] = [
    [
      'a press',
      () =>
        commands.acknowledge(tx, {
          deviceId: deviceId(0),
          token: tokenOf(0),
          at: 1,
          qty: 5,
          by: 'device',
          reason: undefined,
        }),
    ],
    [
      'a timeout',
      () => commands.timeOut(tx, { deviceId: deviceId(1), token: tokenOf(1), at: 1, by: 'device', hasCallback: true }),
    ],
    ['a correction', () => correct(2, 3)],
    ['one up to full', () => correct(3, 5)],
  ];
  const costs = happenings.map(([name, run]) => {
    before = [];
    const changesBefore = changed.get() ?? 0;
    const reading = readBy(() => {
      run();
      for (const prepare of before) prepare();
    });
    const scans = [...reading.statements].flatMap((sql) => {
      const values = Array.from(sql.match(/\?/g) ?? [], () => null);
      const named = Object.fromEntries(Array.from(sql.matchAll(/:(\w+)/g), ([, name = '']) => [name, null]));
      const plan = database.writer
        .prepare<[...null[], object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values, named);
      return plan.map(({ detail }) => detail).filter((detail) => /SCAN|TEMP B-TREE/.test(detail));
    });
    return { name, reading, changes: (changed.get() ?? 0) - changesBefore, scans };
  });
  await Promise.all(answers);
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return costs;
}

test('changing one item in an order with a thousand items costs the same as in a small order', async () => {
  // Use three items per device, so that some wait in the queue.
  const few = await costOf(3 * DEVICES);
  const many = await costOf(1_000);
  expect(many.map(({ name, changes }) => [name, changes])).toEqual(few.map(({ name, changes }) => [name, changes]));
  for (const [index, { name, reading, scans }] of many.entries()) {
    expect(reading.rows, name).toBe(few[index]?.reading.rows);
    expect(reading.rows, name).toBeLessThanOrEqual(20);
    expect(scans, name).toEqual([]);
  }
});
