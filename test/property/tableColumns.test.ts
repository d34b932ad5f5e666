import { expect, test } from 'vitest';
import * as fc from '../helpers/fastCheck.ts';
import { ORDER_FIELDS, type TableField } from '#shared/lib/tables/fields.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { keysOf } from '#shared/lib/tables/profiles/synonyms.ts';
import type { FileTable } from '#shared/lib/tables/table.ts';

const REQUIRED: readonly TableField[] = ['order_number', 'ordered_quantity', 'SKU'];
const NAMES = Map.groupBy(keysOf('orders'), ({ field }) => field);

/** Generates spellings of a name with different case, spaces and punctuation. */
const spelled = (called: string) =>
  fc
    .constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => text.replaceAll(' ', '_'),
      (text) => text.replaceAll(' ', ''),
      (text) => ` ${text}: `,
      (text) => text.normalize('NFD'),
    )
    .map((change) => change(called));

/** Names for a random selection of fields, in any order. */
const heads = fc
  .subarray(ORDER_FIELDS.filter((field) => !REQUIRED.includes(field) && NAMES.has(field)))
  .chain((more) =>
    fc.tuple(
      ...[...REQUIRED, ...more].map((field) =>
        fc
          .constantFrom(...(NAMES.get(field) ?? []).map(({ called }) => called))
          .chain(spelled)
          .map((name) => ({ field, name })),
      ),
    ),
  )
  .chain((columns) => fc.shuffledSubarray(columns, { minLength: columns.length }));

function tableOf(rows: readonly (readonly string[])[]): FileTable {
  return {
    sheet: null,
    delimiter: ',',
    rows: rows.map((cells, at) => ({ line: at + 1, cells, isHidden: false, followsGap: false })),
    hiddenRows: 0,
    hiddenColumns: 0,
    notes: [],
  };
}

test('maps columns in any order and with any spelling', () => {
  fc.assert(
    fc.property(heads, (columns) => {
      const names = columns.map(({ name }) => name);
      const mapping = whole(
        mapColumns('orders', tableOf([names, names.map((_name, at) => `value ${at}`)]), {
          isPlace: () => false,
        }),
      );
      if (!mapping.ok) throw new Error(mapping.message);
      expect(new Set(mapping.fields)).toEqual(new Set(columns.map(({ field }, at) => [field, at])));
    }),
  );
});

test('maps or refuses any table, and never gives a column two fields', () => {
  const word = fc.oneof(
    fc.constantFrom('Order', 'Name', 'SKU', 'Qty', 'Menge', 'Status', 'Location', 'Item', 'Notes', 'Tag', 'ID', ''),
    fc.string({ maxLength: 12 }),
  );
  const rows = fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 30 });
  fc.assert(
    fc.property(rows, fc.constantFrom('orders' as const, 'locations' as const), (cells, kind) => {
      const mapping = whole(mapColumns(kind, tableOf(cells), { isPlace: (text) => text.length === 3 }));
      if (mapping.ok) {
        expect(new Set(mapping.fields.values()).size).toBe(mapping.fields.size);
        return;
      }
      expect(mapping.message).not.toBe('');
      expect(mapping.questions.every(({ fields }) => fields.length > 0)).toBe(true);
    }),
  );
});
