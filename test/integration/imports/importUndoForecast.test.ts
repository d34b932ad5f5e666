import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { AnyImport, ImportWithUndo, OrderImportUndo } from '#shared/api/imports.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import { itemsOf, launch, orderPath } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: what an undo of orders and locations would do, before it is sent.
const ONE = '51D000:000001';
const TWO = '51D000:000002';
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});
afterEach(() => station.stop());

const run = (csv: string, options: object = {}) => station.post<AnyImport>('/api/imports/', { csv, ...options });
async function forecast(id: number | null) {
  const { undo, undoable } = await station.get<ImportWithUndo>(`/api/imports/${id}/`);
  if (undo !== null) expect(undoable).toBe(undo.removed.count + undo.restored.count);
  return undo;
}

test('GET tells which orders an undo would remove, restore and keep, and the undo does the same', async () => {
  await run(`order,sku,qty,deviceid,note\nS1,K-1,2,${ONE},a\nS2,K-1,2,${ONE},a\n`);
  const { id } = await run(
    `order,sku,qty,deviceid,note\nS1,K-1,5,${ONE},b\nS2,K-1,5,${ONE},b\nS3,K-1,1,${ONE},\nS4,K-1,1,${ONE},\nS5,K-1,1,${ONE},\n`,
  );
  expect(await forecast(id)).toEqual({
    removed: { count: 3, names: ['S3', 'S4', 'S5'] },
    restored: { count: 2, names: ['S1', 'S2'] },
    kept: { count: 0, reasons: [] },
  });
  await station.patch(orderPath('S2'), { note: 'call first' });
  await launch(station, 'S3');
  await station.request('DELETE', orderPath('S5'));
  const told = await forecast(id);
  expect(told).toEqual({
    removed: { count: 1, names: ['S4'] },
    restored: { count: 1, names: ['S1'] },
    kept: {
      count: 2,
      reasons: [
        { message: 'Only a part was restored: its note was changed since.', count: 1, names: ['S2'] },
        { message: 'It was launched since.', count: 1, names: ['S3'] },
      ],
    },
  });
  expect(await station.get('/api/order-import/')).toMatchObject({ id, undoable: 2 });
  const { undone, kept } = await station.post<OrderImportUndo>(`/api/imports/${id}/undo/`);
  expect(undone).toBe(2);
  expect(kept.map(({ order_number: name, message }) => ({ message, count: 1, names: [name] }))).toEqual(
    told?.kept.reasons,
  );
  expect((await itemsOf(station, 'S1')).map(({ ordered_quantity: quantity }) => quantity)).toEqual([2]);
  expect((await station.request('GET', orderPath('S4'))).status).toBe(404);
  expect((await station.request('POST', `/api/imports/${id}/undo/`)).status).toBe(409);
  expect(await forecast(id)).toBeNull();
});

test('GET tells which rows of locations an undo would remove, restore and keep, and the undo does the same', async () => {
  const kind = { kind: 'locations' };
  await run(`name;deviceid;deviceIs\nA-1;${ONE};Above\nA-2;${ONE};Above\n`, kind);
  const { id } = await run(
    `name;deviceid;deviceIs;label\na-1;${TWO};Below;\nA-2;${TWO};Below;Shelf\nB-1;${TWO};Above;\nB-2;${TWO};Above;\n`,
    kind,
  );
  expect(await forecast(id)).toMatchObject({ removed: { count: 2 }, restored: { count: 2 }, kept: { count: 0 } });
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'Mine' });
  await station.post('/api/devices/', { location: 'B-1', line1: 'bolt' });
  const told = await forecast(id);
  expect(told).toEqual({
    removed: { count: 1, names: ['B-2'] },
    restored: { count: 1, names: ['a-1'] },
    kept: {
      count: 2,
      reasons: [
        { message: 'It has open commands.', count: 1, names: ['B-1'] },
        { message: 'Its label was changed since.', count: 1, names: ['A-2'] },
      ],
    },
  });
  const { undone, kept } = await station.post<ImportUndo>(`/api/imports/${id}/undo/`);
  expect([undone, kept.map(({ message }) => message).toSorted()]).toEqual([
    2,
    told?.kept.reasons.map(({ message }) => message).toSorted(),
  ]);
  expect((await station.get<LocationAlias[]>('/api/location-aliases/')).map(({ name }) => name)).toEqual([
    'A-1',
    'A-2',
    'B-1',
  ]);
});
