import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { COUNTS } from '../../../electron/server/db/repositories/orderSql.ts';
import { createFind } from '../../../electron/server/services/find/find.ts';
import { createSearchIndex } from '../../../electron/server/services/find/searchIndex.ts';

// Orders of several years: the newest and the open ones are searched in memory, the others in the database.
const MAX_ITEMS = 40;
const ITEMS = 2;
/** The counts of an order that are not 0. */
const COUNTED: Readonly<Record<string, number>> = { item_count: ITEMS, ordered_quantity: 1, quantity_fulfilled: 1 };

let folder: string;
let shop: ReturnType<typeof openShop>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-find-'));
  shop = openShop();
});

afterEach(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a search over a database without a station. The tests write rows with SQL and publish facts themselves. */
function openShop() {
  const database = openDatabase(folder);
  const db = database.writer;
  const reads = createRepositories(db);
  let publish: (facts: readonly Fact[]) => void = () => undefined;
  const takeAll = <T>(work: InParts<T>): Promise<T> => Promise.resolve(whole(work));
  const backgroundReads = { takeAll } as Parameters<typeof createSearchIndex>[0]['backgroundReads'];
  const bus = {
    subscribe(to: { commit?(commit: { facts: readonly Fact[] }): void }) {
      publish = (facts) => to.commit?.({ facts });
      return () => undefined;
    },
  } as Parameters<typeof createSearchIndex>[0]['bus'];
  const searchIndex = createSearchIndex({ reads, bus, backgroundReads, maxItems: MAX_ITEMS });
  const find = createFind({ reads, searchIndex, foregroundReads: { takeAll } });
  const counts = COUNTS.replaceAll(/\w+/g, (column) => String(COUNTED[column] ?? 0));
  const order = db.prepare(
    `INSERT INTO orders (order_number, token, has_items, priority, created_at, updated_at, state, is_told, ${COUNTS}, zero_count)
      VALUES (?, 't', 1, 0, 0, 0, ?, 1, ${counts}, 0)`,
  );
  const shipment = db.prepare(
    `INSERT INTO shipments (order_id, shipment_number, state, is_told, ${COUNTS}, zero_count)
      VALUES (?, '', ?, 1, ${counts}, 0)`,
  );
  const item = db.prepare(
    `INSERT INTO items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, name, sku, upc, description, is_guessed)
      VALUES (?, ?, 1, 1, 'open', ?, ?, ?, ?, 0)`,
  );
  return {
    add(number: string, state: string): void {
      const { lastInsertRowid: id } = order.run(number, state);
      const { lastInsertRowid: shipmentId } = shipment.run(id, state);
      for (let index = 0; index < ITEMS; index += 1)
        item.run(id, shipmentId, `Part ${number} ${index}`, `P-${number}`, `99${number}`, `of ${number}, old`);
    },
    end: (number: string) => db.prepare("UPDATE orders SET state = 'fulfilled' WHERE order_number = ?").run(number),
    changed(number: string): void {
      publish([{ type: 'order.changed', order: { order_number: number } } as Fact]);
    },
    find: find.find,
    /** Returns the numbers of the orders that are searched in memory. */
    async inMemory(): Promise<string[]> {
      return (await searchIndex.current()).indexes.order.keys();
    },
    close: () => database.close(),
  };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => String(from + index));
const found = async (q: string) =>
  (await shop.find(q)).map(({ kind, matched, order_number: number }) => `${kind} ${matched} ${number}`);

test('the newest and all open orders are in memory, and others are found by the beginning of their texts', async () => {
  for (const number of numbers(1000, 30)) shop.add(number, number === '1003' ? 'in_progress' : 'fulfilled');
  expect(await shop.inMemory()).toEqual(['1003', ...numbers(1010, 20)]);
  for (const each of ['1001', '1025']) {
    expect(await found(each), each).toContain(`order order_number ${each}`);
    expect(await found(`p-${each}`), each).toEqual([`item sku ${each}`, `item sku ${each}`]);
    expect(await found(`99${each}`), each).toEqual([`item upc ${each}`, `item upc ${each}`]);
    expect(await found(`part ${each} 1`), each).toEqual([`item name ${each}`]);
  }
  // Descriptions and the middle of a text are found only in memory.
  expect(await found('of 1025, old')).toEqual(['item description 1025', 'item description 1025']);
  expect(await found('art 1003')).toHaveLength(ITEMS);
  expect(await found('of 1001, old')).toEqual([]);
  expect((await found('100')).filter((each) => each.startsWith('order'))).toEqual(
    ['1003', '1009', '1008', '1007', '1006', '1005', '1004', '1002', '1001', '1000'].map(
      (number) => `order order_number ${number}`,
    ),
  );
  expect(await found('zz')).toEqual([]);
});

test('a small shop has all its orders in memory', async () => {
  for (const number of numbers(1000, 15)) shop.add(number, 'fulfilled');
  expect(await shop.inMemory()).toEqual(numbers(1000, 15));
  expect(await found('of 1001, old')).toHaveLength(ITEMS);
});

test('ended orders leave memory when there are too many newer ones, but open orders stay', async () => {
  for (const number of numbers(1000, 20)) shop.add(number, 'open');
  expect(await shop.inMemory()).toEqual(numbers(1000, 20));
  for (const number of numbers(1000, 18)) shop.end(number);
  for (const number of numbers(1020, 2)) {
    shop.add(number, 'open');
    shop.changed(number);
  }
  expect(await shop.inMemory()).toEqual(numbers(1000, 22));
  for (const number of numbers(1022, 20)) {
    shop.add(number, 'fulfilled');
    shop.changed(number);
  }
  expect(await shop.inMemory()).toEqual(['1018', '1019', ...numbers(1020, 22)]);
  expect(await found('1003')).toContain('order order_number 1003');
  expect(await found('of 1003, old')).toEqual([]);
  expect(await found('of 1018, old')).toHaveLength(ITEMS);
});

test('an old order that is reopened is in memory again', async () => {
  for (const number of numbers(1000, 30)) shop.add(number, 'fulfilled');
  await shop.inMemory();
  shop.changed('1002');
  expect(await found('of 1002, old')).toHaveLength(ITEMS);
});
