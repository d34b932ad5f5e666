import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});
afterEach(() => station.stop());

const LONG = 'x'.repeat(1_100);

test.each([
  ['orders', `order_number;sku;quantity\n${LONG};A;1`, 'order_number: This is too long: at most 1000 characters.'],
  ['articles', `sku;name\n${LONG};Nut`, 'sku: This is too long: at most 100 characters.'],
  ['articles', `sku;name\nA;${LONG}`, 'name: This is too long: at most 200 characters.'],
  ['articles', `sku;name;location\nA;Nut;${LONG}`, 'location: This is too long: at most 200 characters.'],
  ['articles', `sku;name;barcode\nA;Nut;${LONG}`, 'code: This is too long: at most 200 characters.'],
])('a file of %s names the field that is too long and its limit', async (kind, csv, says) => {
  const body = { kind, csv, dry_run: true };
  const { rows } = await station.post<{ rows: { outcome: string; message: string }[] }>('/api/imports/', body);
  expect(rows).toMatchObject([{ outcome: 'refused', message: expect.stringContaining(says) }]);
});

test('a file of orders has at most 30,000 rows, even if all are left out', async () => {
  const rows = Array.from({ length: 30_001 }, (_, at) => `SO-${at};A;1;shipped`);
  const csv = `order_number;sku;quantity;status\n${rows.join('\n')}`;
  const answer = await station.request('POST', '/api/imports/', { kind: 'orders', csv, dry_run: true });
  expect(answer).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('has more than 30,000 rows. Export only orders that are still open') },
  });
});
