import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnyImport, ImportWithRows } from '#shared/api/imports.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { anItem } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterEach(() => station.stop());

const FIELDS = ['order_number', 'SKU', 'ordered_quantity', 'warehouse_location'] as const;
type Field = (typeof FIELDS)[number];

const NUMBERS = ['1', '2', '3', ''];
const cell = {
  order_number: fc.constantFrom(...NUMBERS, '12E3', 'Total'),
  SKU: fc.constantFrom('M8', 'M10', '', '4,00638E+12'),
  ordered_quantity: fc.constantFrom('1', '2', '1.000', '2,50', 'many', ''),
  warehouse_location: fc.constantFrom('', 'A-1', 'B-2', 'WH/A-1'),
} satisfies Record<Field, fc.Arbitrary<string>>;
const row = fc.record(cell);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...FIELDS)
      .chain((field) => fc.record({ at: fc.nat(), field: fc.constant(field), text: cell[field] })),
  },
  { weight: 1, arbitrary: fc.record({ order: fc.constantFrom('1', '2', '3') }) },
  { weight: 1, arbitrary: fc.record({ launch: fc.constantFrom('1', '2', '3') }) },
  { weight: 1, arbitrary: fc.record({ label: fc.constantFrom('A-1', 'B-2', '') }) },
);

const csvOf = (rows: readonly Record<Field, string>[]): string =>
  [
    `order;sku;qty;warehouse_location;note`,
    ...rows.map((each) => `${FIELDS.map((field) => each[field]).join(';')};x`),
    '',
  ].join('\n');

/** Returns the fields that must be equal in a corrected preview and in the preview of a corrected file. */
async function preview(csv: string) {
  const answer = await station.request('POST', '/api/imports/', { csv, dry_run: true, decimal: ',' });
  const { id, counts } = answer.body as AnyImport;
  return { status: answer.status, id, counts };
}

async function rowsOf(id: number | null) {
  const { rows, counts } = (await station.get(`/api/imports/${id}/?limit=1000`)) as ImportWithRows;
  return { rows, counts };
}

test('a correction returns the same as a preview of the corrected file, even if the station changes in the meantime', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (first, steps) => {
        let rows = first;
        const { status, id } = await preview(csvOf(rows));
        if (status !== 200) return;
        for (const each of steps) {
          if ('order' in each) {
            await station.request('POST', '/api/orders/', { order_number: each.order, items: [anItem({ SKU: 'M8' })] });
          } else if ('launch' in each) {
            await station.request('POST', `/api/orders/${each.launch}/launch/`);
          } else if ('label' in each) {
            await station.request('POST', '/api/device/51D000:000002/', { locationoverride: each.label });
          } else {
            const at = each.at % rows.length;
            const next = rows.map((old, index) => (index === at ? { ...old, [each.field]: each.text } : old));
            const corrected = await station.request('PATCH', `/api/imports/${id}/rows/${at + 2}/`, {
              cells: { [each.field]: each.text },
            });
            const whole = await preview(csvOf(next));
            expect(corrected.status).toBe(whole.status);
            if (whole.status !== 200) continue;
            rows = next;
            expect(await rowsOf(id)).toEqual(await rowsOf(whole.id));
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('a correction survives a restart together with other corrections to the same preview', async () => {
  const { id } = await preview('order;sku;qty\n1;M8;many\n2;M8;many\n');
  const correct = (line: number, ordered_quantity: string) =>
    station.request('PATCH', `/api/imports/${id}/rows/${line}/`, { cells: { ordered_quantity } });
  expect(await correct(2, '3')).toMatchObject({ body: { rows: [{ line: 2, outcome: 'new', quantity: 3 }] } });
  await station.restart();
  expect(await correct(3, '4')).toMatchObject({
    body: { counts: { orders: 2, refused: 0 }, rows: [{ line: 3, outcome: 'new', quantity: 4 }] },
  });
  await station.restart();
  const imported = await station.request('POST', `/api/imports/${id}/run/`, undefined, { 'api-key': API_KEY });
  expect(imported).toMatchObject({ status: 200, body: { counts: { orders: 2, new: 2 } } });
});

test('a correction takes into account orders and labels that changed after the preview', async () => {
  const { id } = await preview('order;sku;qty;warehouse_location\n1;M8;1;\n2;M8;1;A-1\n3;M8;1;\n');
  const correct = (ordered_quantity: string) =>
    station.request('PATCH', `/api/imports/${id}/rows/4/`, { cells: { ordered_quantity } });
  await station.request('POST', '/api/orders/', { order_number: '1', items: [anItem({ SKU: 'M10' })] });
  expect((await correct('2')).body).toMatchObject({
    counts: { orders: 2, refused: 1 },
    rows: [
      { line: 2, outcome: 'refused' },
      { line: 4, outcome: 'new', quantity: 2 },
    ],
  });
  await station.request('POST', '/api/device/51D000:000002/', { locationoverride: 'A-1' });
  expect((await correct('3')).body).toMatchObject({
    rows: [
      { line: 3, outcome: 'new', deviceid: '51D000:000002' },
      { line: 4, outcome: 'new', quantity: 3 },
    ],
  });
});

test('after a restart, a correction to an article file returns only the rows that it changed', async () => {
  const csv = 'sku;name;min;place\nA;One;many;P-1\nB;Two;3;P-2\n';
  const { id } = await station.post<AnyImport>('/api/imports/', { kind: 'articles', csv, dry_run: true });
  await station.restart();
  const answer = await station.request('PATCH', `/api/imports/${id}/rows/2/`, { cells: { minimum: '4' } });
  expect(answer).toMatchObject({ status: 200, body: { rows: [{ line: 2, outcome: 'new', level: 4 }] } });
});
