import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Nonces that two lines share, and due times with a wrong year, in files of orders. The API warns about both (contract, sections 2 and 8).
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});
afterEach(() => station.stop());

const HEAD = 'Order,SKU,Qty,Callback Nonce,Due date';

async function messages(lines: readonly string[]): Promise<string[]> {
  const csv = [HEAD, ...lines, ''].join('\n');
  const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, dry_run: true });
  const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
  return rows.map(({ message }) => message);
}

const shared = (owner: string): string =>
  `${owner} has the same nonce "n-1". Receivers that add up by nonce count both as one line.`;

test('warns about two lines of a file with one nonce, in one order and in two', async () => {
  expect(await messages(['SO-1,M-1,2,n-1,', 'SO-1,M-2,3,n-1,'])).toEqual(['', shared('Line 2')]);
  expect(await messages(['SO-1,M-1,2,n-1,', 'SO-1,M-2,3,n-2,', 'SO-2,M-1,1,n-1,'])).toEqual(['', '', shared('Line 2')]);
});

test('warns about a nonce that an unfinished item of another order has, and not about a file that is read again', async () => {
  const items = [{ SKU: 'M-1', ordered_quantity: 1, callback_nonce: 'n-1' }];
  await station.post('/api/orders/', { order_number: 'SO-1', items });
  expect(await messages(['SO-2,M-1,2,n-1,'])).toEqual([shared('An unfinished item of order SO-1')]);
  const csv = `${HEAD}\nSO-3,M-1,2,n-3,\n`;
  await station.post('/api/imports/', { kind: 'orders', csv });
  expect((await messages(['SO-3,M-1,2,n-3,']))[0]).not.toContain('nonce');
  expect((await messages(['SO-3,M-1,5,n-3,']))[0]).not.toContain('nonce');
});

test('a correction of a preview that ends the doubt removes the warning', async () => {
  const csv = `${HEAD}\nSO-1,M-1,2,n-1,\nSO-2,M-2,3,n-1,\n`;
  const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, dry_run: true });
  const corrected = await station.patch<{ rows: { line: number; message: string }[] }>(`/api/imports/${id}/rows/2/`, {
    cells: { callback_nonce: 'n-9' },
  });
  expect(corrected.rows.find(({ line }) => line === 3)?.message ?? 'unchanged').toBe('');
});

test('warns about a due time of another year, and creates the order with it', async () => {
  const now = station.clock.now();
  const [last, soon] = [now - 365 * 86_400_000, now + 86_400_000].map((at) => new Date(at).toISOString().slice(0, 10));
  const said = expect.stringMatching(new RegExp(`^The order is due on ${last}, 36[45] days ago\\. Correct the date`));
  expect(await messages([`SO-1,M-1,2,,${last}`, `SO-2,M-1,2,,${soon}`])).toEqual([said, '']);
  const csv = `${HEAD}\nSO-1,M-1,2,,${last}\n`;
  expect(await station.post('/api/imports/', { kind: 'orders', csv })).toMatchObject({
    counts: { orders: 1 },
    rows: [{ outcome: 'new', message: said }],
  });
});
