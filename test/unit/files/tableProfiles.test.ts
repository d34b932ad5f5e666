import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../../files/orders/expected.ts';
import { csvTable } from '../../helpers/files/csvTable.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { FIELDS_OF } from '#shared/lib/tables/fields.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns, type Mapping } from '#shared/lib/tables/mapping.ts';
import { PROFILES, recognize } from '#shared/lib/tables/profiles/profiles.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', 'files', 'orders', file), 'utf8');
const map = (text: string): Mapping => whole(mapColumns('orders', csvTable(text), { isPlace: () => false }));

test.each(SAMPLES)('recognizes $file as $profile', ({ file, profile, refused }) => {
  const mapping = map(read(file));
  if (refused.some(({ number }) => number === null)) {
    expect(mapping).toMatchObject({ ok: false, questions: [], badColumn: null });
    return;
  }
  expect(mapping).toMatchObject({ ok: true, profile: { id: profile } });
});

test('each order profile has a sample file, except the one for our own column names', () => {
  const sampled = new Set(SAMPLES.map(({ profile }) => profile));
  const without = PROFILES.filter(({ kind, id }) => kind === 'orders' && !sampled.has(id)).map(({ id }) => id);
  expect(without).toEqual(['pickstation_names']);
});

test('no profile shadows another: a file with only the names of a profile is recognized as that profile', () => {
  for (const profile of PROFILES) {
    const names = profile.has.map((each) => each.split('|')[0] ?? '');
    expect(whole(recognize(profile.kind, names))?.id).toBe(profile.id);
  }
});

test('a profile has only fields of its kind, and uses each column for one field', () => {
  for (const { kind, id, fields } of PROFILES) {
    const names = Object.values(fields).flat().map(columnKey);
    expect(new Set(names).size, id).toBe(names.length);
    expect(Object.keys(fields).filter((field) => !FIELDS_OF[kind].some((each) => each === field))).toEqual([]);
  }
});

test("does not map Shopify's Location and Device ID to a place or a device", () => {
  const mapping = map(read('shopify-orders.csv'));
  if (!mapping.ok) throw new Error(mapping.message);
  expect(mapping.fields.has('warehouse_location')).toBe(false);
  expect(mapping.fields.has('deviceid')).toBe(false);
  expect(mapping.ignored).toEqual(expect.arrayContaining(['Location', 'Device ID', 'Tags', 'Paid at']));
  expect(mapping.columns.find(({ name }) => name === 'Created at')).toMatchObject({ field: 'ordered_at' });
  expect(mapping.columns.find(({ name }) => name === 'Name')).toEqual({
    name: 'Name',
    field: 'order_number',
    samples: ['#1001', '#1001', '#1002'],
  });
});

test('uses a column named "color" for the light only in our own export', () => {
  const own = map(read('pickstation-orders.csv'));
  if (!own.ok) throw new Error(own.message);
  expect(own.fields.get('light_color')).toBe(10);
  const other = map('order_number,SKU,ordered_quantity,color\nA1,SHIRT,1,red');
  if (!other.ok) throw new Error(other.message);
  expect(other.ignored).toEqual(['color']);
});

test("reads a place column that was added to a shop's file under our name for it", () => {
  const [head = '', ...rows] = read('etsy-sold-order-items.csv').trim().split('\n');
  const mapping = map([`${head},warehouse_location`, ...rows.map((row) => `${row},A-1-1`)].join('\n'));
  expect(mapping.ok && mapping.fields.has('warehouse_location')).toBe(true);
});

test('refuses a file with one row per order and says what to export instead', () => {
  expect(map(read('woocommerce-wide.csv'))).toMatchObject({ message: expect.stringContaining('separate rows') });
  expect(map(read('etsy-sold-orders.csv'))).toMatchObject({ message: expect.stringContaining('Order items') });
});
