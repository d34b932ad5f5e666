import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csvTable } from '../../helpers/files/csvTable.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { AMBIGUOUS, ambiguousKeys } from '#shared/lib/tables/ambiguous.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { FIELDS_OF, TABLE_KINDS } from '#shared/lib/tables/fields.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { keysOf, FIELD_BY_KEY } from '#shared/lib/tables/profiles/synonyms.ts';

test.each(TABLE_KINDS)('each column name of %s belongs to one field or is ambiguous', (kind) => {
  const all = [
    ...keysOf(kind).map(({ key, called, field }) => ({ key, means: `${called}: ${field}` })),
    ...ambiguousKeys(kind).map(({ key, called, row }) => ({ key, means: `${called}: ${JSON.stringify(row)}` })),
  ];
  const byKey = Map.groupBy(all, ({ key }) => key);
  // Spellings that differ only in punctuation are the same name.
  const twice = [...byKey.values()].filter(
    (group) => new Set(group.map(({ means }) => means.slice(means.indexOf(': ')))).size > 1,
  );
  expect(twice).toEqual([]);
  expect(byKey.has('')).toBe(false);
  expect([...FIELD_BY_KEY[kind].values()].every((field) => FIELDS_OF[kind].includes(field))).toBe(true);
});

test.each([
  ['Order #', 'order'],
  ['Quantité', 'quantite'],
  ['  Stück  ', 'stuck'],
  ['ordered_quantity', 'orderedquantity'],
  ['N° de commande', 'ndecommande'],
  ['Nº pedido', 'nopedido'],
  ['Maß', 'mass'],
  ['ＳＫＵ', 'sku'],
])('compares %j as %j', (name, key) => expect(columnKey(name)).toBe(key));

test.each([
  ['orders', 'Auftragsnummer', 'order_number'],
  ['orders', 'Bestell-Nr.', 'order_number'],
  ['orders', 'Numéro de commande', 'order_number'],
  ['orders', 'Número de pedido', 'order_number'],
  ['orders', 'Artikel-Nr.', 'SKU'],
  ['orders', 'Réf. article', 'SKU'],
  ['orders', 'Código de artículo', 'SKU'],
  ['orders', 'EAN-Code', 'UPC'],
  ['orders', 'Bezeichnung', 'name'],
  ['orders', 'Désignation', 'name'],
  ['orders', 'Stückzahl', 'ordered_quantity'],
  ['orders', 'Qté commandée', 'ordered_quantity'],
  ['orders', 'Cantidad', 'ordered_quantity'],
  ['orders', 'Lagerplatz', 'warehouse_location'],
  ['orders', 'Emplacement', 'warehouse_location'],
  ['orders', 'Ubicación', 'warehouse_location'],
  ['orders', 'Restmenge', 'quantity_to_ship'],
  ['orders', 'Liefertermin', 'due_time'],
  ['orders', "Date d'échéance", 'due_time'],
  ['orders', 'Kunde', 'customer'],
  ['orders', 'light_color', 'light_color'],
  ['locations', 'Platz', 'name'],
  ['locations', 'Geräte-ID', 'deviceid'],
  ['locations', 'Étiquette', 'label'],
] as const)('in %s, %j is %s', (kind, name, field) => {
  expect(FIELD_BY_KEY[kind].get(columnKey(name))).toBe(field);
});

test.each(['Created at', 'Paid at', 'Sale date', 'Order date', 'Bestelldatum', 'Amount', 'Total', 'Price', 'Color'])(
  '%j does not name a field',
  (name) => expect(FIELD_BY_KEY.orders.get(columnKey(name))).toBeUndefined(),
);

test.each('Name ID Number Nummer Reference Location Item Artikel Total Amount Title Status Notes'.split(' '))(
  '%j is ambiguous',
  (name) => {
    expect(AMBIGUOUS.orders.has(columnKey(name))).toBe(true);
  },
);

test('each field in the documentation of order files is a column name', () => {
  const text = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8');
  const [, table = ''] = /\n\| Field {2,}\| Meaning {2,}\|\n(.*?)\n\n/s.exec(text) ?? [];
  const fields = table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
  const names = fields.map(([, field = '']) => field);
  expect(names.length).toBeGreaterThan(15);
  const head = new Set(['order_number', 'SKU', 'ordered_quantity', ...names]);
  const values = [...head].map((name) => (name === 'unit' ? 'box' : '1'));
  const mapping = whole(
    mapColumns('orders', csvTable(`${[...head].join(',')}\n${values.join(',')}\n`), { isPlace: () => false }),
  );
  expect(mapping.columns.filter(({ name, field }) => name !== field)).toEqual([]);
});
