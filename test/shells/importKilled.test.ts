import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportEntry, OrderImport, OrderImportUndo } from '#shared/api/imports.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const ORDERS = 2_500;
const LINES = 4;
/** Minimum number of orders when the station is killed. One commit creates hundreds. */
const KILLED_AT = 400;
/** Maximum number of attempts, because an import on a fast machine can finish before the signal arrives. */
const ATTEMPTS = 5;

let folder: string;
let station: StationProcess | undefined;

beforeAll(() => void (folder = folderOnDisk('import-killed')));

afterAll(async () => {
  await station?.kill();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<string> {
  station = spawnStation({ dataFolder: join(folder, 'data'), simulate: 0, port: 0 });
  return await station.ready;
}

async function ask<T>(url: string, method: string, path: string, body?: string, type = 'application/json'): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': type };
  const answer = await fetch(new URL(path, url), { method, headers, body: body ?? null });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const numberOf = (round: number, order: number): string => `R${round}-${String(order).padStart(4, '0')}`;

function csvOf(round: number): string {
  const rows = Array.from(
    { length: ORDERS * LINES },
    (_, row) => `${numberOf(round, Math.floor(row / LINES))};SKU-${row};${(row % 9) + 1}`,
  );
  return ['order;sku;qty', ...rows, ''].join('\n');
}

test(
  'a killed import of 10,000 rows leaves complete orders, and the same file creates the rest once',
  { timeout: 600_000 },
  async () => {
    let cuts = 0;
    for (let round = 0; cuts === 0 && round < ATTEMPTS; round += 1) {
      let url = await start();
      const sent = ask<OrderImport>(url, 'POST', '/api/imports/', csvOf(round), 'text/csv').then(
        () => 'answered',
        () => 'cut off',
      );
      const count = async () =>
        (
          await ask<OrderProgress[]>(
            url,
            'GET',
            `/api/order-progress/?after=${numberOf(round, 0).slice(0, 3)}&limit=10000`,
          )
        ).length;
      await until(`${KILLED_AT} orders`, async () => (await count()) >= KILLED_AT);
      await station?.kill();
      await sent;

      url = await start();
      const [cutOff] = await ask<ImportEntry[]>(url, 'GET', '/api/imports/');
      const before = await count();
      expect(before).toBeGreaterThanOrEqual(KILLED_AT);
      expect(cutOff).toMatchObject({ undoable: before });
      if (before < ORDERS) expect(cutOff).toMatchObject({ state: 'importing' });
      cuts += before < ORDERS ? 1 : 0;

      const again = await ask<OrderImport>(url, 'POST', '/api/imports/', csvOf(round), 'text/csv');
      expect(again.counts).toMatchObject({ orders: ORDERS - before, known: before * LINES, refused: 0, changed: 0 });
      const orders = await ask<OrderProgress[]>(
        url,
        'GET',
        `/api/order-progress/?after=${numberOf(round, 0).slice(0, 3)}&limit=10000`,
      );
      expect(orders.map(({ order_number: number }) => number)).toEqual(
        Array.from({ length: ORDERS }, (_, order) => numberOf(round, order)),
      );
      expect(orders.filter(({ item_count: items }) => items !== LINES)).toEqual([]);
      // Both halves can be undone, so that the next round begins without orders.
      const undone = await ask<OrderImportUndo>(url, 'POST', `/api/imports/${cutOff?.id}/undo/`);
      const rest = await ask<OrderImportUndo>(url, 'POST', `/api/imports/${again.id}/undo/`);
      expect([undone.undone, rest.undone]).toEqual([before, ORDERS - before]);
      await station?.stop();
    }
    expect(cuts).toBeGreaterThan(0);
  },
);
