import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import { ONE } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// K-1 and K-2 are the same goods, but the station counts K-2 in cartons.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.post('/api/articles/', { sku: 'K-1', name: 'Bolt' });
  await station.post('/api/articles/', { sku: 'K-2', name: 'Nut', unit: 'Karton' });
});

afterEach(() => station.stop());

const preview = (csv: string, options: object = {}) =>
  station.post<OrderImport>('/api/imports/', { csv, dry_run: true, ...options });
async function quantities(csv: string, options: object = {}): Promise<unknown[]> {
  const { rows } = await preview(csv, options);
  return rows.map(({ outcome, quantity, message }) => (outcome === 'new' ? quantity : message));
}

test('an answer about a unit does not change articles that are counted in this unit', async () => {
  const inCells = 'Order;SKU;Qty\n1;K-1;2 Karton\n2;K-2;2 Karton\n';
  expect(await quantities(inCells, { units: { Karton: 10 } })).toEqual([20, 2]);
  const inColumn = 'Order;SKU;Qty;Unit\n1;K-1;2;Karton\n2;K-2;2;Karton\n3;K-1;2;Karton\n';
  expect(await quantities(inColumn, { units: { Karton: 10 } })).toEqual([20, 2, 20]);
});

test('a unit in the plural is the unit of the article and of an answer, and is asked about once', async () => {
  const csv = 'Order;SKU;Qty;Unit\n1;K-1;2;Kartons\n2;K-2;2;Kartons\n3;K-1;2 Karton;\n';
  expect((await preview(csv)).asks_units).toEqual(['Kartons']);
  expect(await quantities(csv, { units: { Karton: 10 } })).toEqual([20, 2, 20]);
  const articles = { kind: 'articles', csv: 'sku;unit;location\nGLOVE;Paar;A-1\nGLOVE;Paare;A-2\n' };
  expect((await preview(articles.csv, articles)).rows.map(({ outcome }) => outcome)).toEqual(['new', 'new']);
  expect(await station.request('POST', '/api/imports/', articles)).toMatchObject({ status: 200 });
  expect(await station.get('/api/articles/GLOVE/')).toMatchObject({ unit: 'Paar' });
});

test('a request gives at most 100 units', async () => {
  const units = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`unit ${at}`, 2]));
  const csv = 'Order;SKU;Qty\n1;K-1;2\n';
  expect(await station.request('POST', '/api/imports/', { csv, dry_run: true, units })).toMatchObject({ status: 400 });
});

test('an article counted in dozens takes no units that an answer converts to pieces', async () => {
  await station.post('/api/articles/', { sku: 'EGG', unit: 'dozen' });
  const csv = 'Order;SKU;Qty;Unit\n1;EGG;2;Karton\n2;EGG;2;Dtzd\n';
  const [refused, two] = await quantities(csv, { units: { Karton: 10 } });
  expect(refused).toContain('counted in "dozen"');
  expect(two).toBe(2);
});

test.each([
  ['Menge pro Einheit', '12', '1'],
  ['Menge in Lagereinheit', '24', '2'],
])('a column %s that contradicts the unit of the article is refused', async (name, wrong, right) => {
  const head = `Auftrag;SKU;Menge;Einheit;${name}\n`;
  const [carton, one, counted] = await quantities(
    `${head}1;K-2;2;Karton;${wrong}\n2;K-1;2;Karton;${wrong}\n3;K-2;2;Karton;${right}\n`,
  );
  expect(carton).toContain('The article is counted in "Karton"');
  expect([one, counted]).toEqual([24, 2]);
});

test('asks only about units and paths that an answer can contain', async () => {
  const long = 'Karton mit Einlage, doppelt gewellt, recycelt';
  const read = await preview(`Order;SKU;Qty;Unit\n1;K-1;2;${long}\n2;K-1;2;Palette\n`);
  expect(read.asks_units).toEqual(['Palette']);
  expect(read.rows.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  expect(read.rows[0]?.message).toContain('longer than 40 characters');
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  const paths = (count: number) =>
    `Order;SKU;Qty;Bin\n${Array.from({ length: count }, (_, at) => `${at};K-1;1;WH${at}/A-1-1\n`).join('')}`;
  const asked = async (csv: string) => (await preview(csv)).asks_place_paths.length;
  expect(await asked(paths(100))).toBe(20);
  expect(await asked(paths(101))).toBe(0);
  expect(await asked(`${paths(1)}9;K-1;1;${'W'.repeat(201)}/A-1-1\n`)).toBe(0);
});

test('a barcode of another article than the SKU gets a note', async () => {
  await station.post('/api/articles/', { sku: 'K-3', barcodes: [{ code: '036000291452' }] });
  const csv = 'Order;SKU;UPC;Qty\n1;K-1;036000291452;2\n2;K-3;036000291452;2\n3;K-1;4006381333931;2\n';
  const { rows } = await preview(csv);
  expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['new', expect.stringContaining('belongs to another article, K-3. The SKU counts.')],
    ['new', ''],
    ['new', ''],
  ]);
});
