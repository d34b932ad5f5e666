import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import { createWhenReader } from '#shared/lib/tables/cells/whenIs.ts';
import { columnKey } from '#shared/lib/tables/columnKey.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { type OrdersOfFile, readOrderRows } from '#shared/lib/tables/orders.ts';
import { LEAVE_OUT_SENTENCES } from '#shared/lib/tables/states.ts';
import type { FileTable, TableRow } from '#shared/lib/tables/table.ts';
import { readFile } from '../../../electron/server/services/tables/readFile.ts';
import { csvTable } from '../../helpers/files/csvTable.ts';
import { CASES } from '../../files/cases.ts';
import type { FileCase } from '../../files/cases/fileCase.ts';
import { type ExpectedOrder, SAMPLES } from '../../files/orders/expected.ts';
import type { OrderReading, ReadOrder } from '#shared/lib/tables/types.ts';

const PLACES = ['A-1-1', 'A-1-2', 'B-2-1'];

type Read =
  | { kind: 'orders'; file: Extract<OrdersOfFile, { ok: true }>; notes: readonly string[] }
  | { kind: 'asks'; about: 'columns' | 'encoding'; message: string }
  | { kind: 'refused'; message: string; badColumn: string | null };

/** Reads an order file as the station does. Returns its orders, a question about it, or its refusal. */
function read(file: string | Uint8Array, given: FileCase['given'] = {}, places: readonly string[] = PLACES): Read {
  const bytes = typeof file === 'string' ? Buffer.from(file, 'utf8') : file;
  const isPlace = (text: string) => places.includes(text);
  const states = new Map(Object.entries(given.states ?? {}).map(([word, meaning]) => [columnKey(word), meaning]));
  const cells = whole(readFile(bytes, given.encoding ?? null));
  if (!cells.ok && cells.ask === 'encoding') return { kind: 'asks', about: 'encoding', message: cells.message };
  if (!cells.ok) return { kind: 'refused', message: cells.message, badColumn: null };
  const [table] = cells.sheets;
  if (table === undefined) throw new Error('a file of text has one table');
  const dates = { dateOrder: given.date_order, timeZone: 'Europe/Berlin', now: Date.parse('2026-11-26T12:00:00Z') };
  const mapping = whole(
    mapColumns('orders', table, {
      ...(given.columns === undefined ? {} : { columns: given.columns }),
      states,
      isPlace,
      whenIs: createWhenReader(dates),
    }),
  );
  if (!mapping.ok && mapping.questions.length > 0) return { kind: 'asks', about: 'columns', message: mapping.message };
  if (!mapping.ok) return { kind: 'refused', message: mapping.message, badColumn: mapping.badColumn };
  const how: OrderReading = {
    decimal: given.decimal,
    ...dates,
    orderPrefix: given.order_prefix ?? '',
    takesLeftOut: false,
    answers: { unpaid: given.unpaid, states },
    meantSku: () => undefined,
    articleUnit: () => undefined,
    placePaths: given.place_paths ?? [],
    sharedPlaces: [],
    units: given.units ?? {},
    isPlace,
  };
  const orders = whole(readOrderRows(mapping, how));
  if (!orders.ok) return { kind: 'refused', message: orders.message, badColumn: null };
  return { kind: 'orders', file: orders, notes: table.notes };
}

/** Converts an order into the form in which the cases describe orders. */
function said({ number, wanted }: ReadOrder): ExpectedOrder | undefined {
  if (wanted === undefined) return undefined;
  const shipments = wanted.shipments?.flatMap(({ shipment_number: shipment, items }) => items.map(() => shipment));
  const items = wanted.items ?? wanted.shipments?.flatMap(({ items: some }) => some) ?? [];
  return {
    number,
    ...part('customer', wanted.customer),
    ...part('note', wanted.note),
    ...part('due', wanted.due_time),
    ...part('color', wanted.color),
    ...part('seconds', wanted.seconds),
    ...part('priority', wanted.priority),
    lines: items.map(
      ({
        SKU,
        UPC,
        name,
        description,
        ordered_quantity: quantity,
        warehouse_location: place,
        deviceid,
        callback_nonce: nonce,
      }) => ({
        ...part('SKU', SKU),
        ...part('UPC', UPC),
        ...part('name', name),
        ...part('description', description),
        quantity,
        ...part('place', place),
        ...part('deviceid', deviceid ?? undefined),
        ...part('nonce', nonce),
      }),
    ),
    ...part('shipments', shipments),
  };
}

function part(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}

/** Converts the due time from the shop's time zone to UTC. */
function withMoment(order: ExpectedOrder): ExpectedOrder {
  return order.due === undefined ? order : { ...order, due: momentOf(order.due) };
}

function momentOf(due: string): string {
  if (/[+-]\d{2}:\d{2}$/.test(due)) return new Date(due).toISOString();
  const local = due.includes('T') ? due : `${due}T23:59:59`;
  // Berlin is one hour ahead of UTC in winter, and two in summer: one of them shows this local time.
  const candidates = ['+01:00', '+02:00'].map(
    (offset) => new Date(`${local.length === 16 ? `${local}:00` : local}${offset}`),
  );
  const shows = (date: Date) =>
    new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' }).format(date);
  const fitting = candidates.find(
    (date) => shows(date).replace(' ', 'T') === (local.length === 16 ? `${local}:00` : local),
  );
  return fitting?.toISOString() ?? 'no such time';
}

const REASONS: Readonly<Record<string, string>> = {
  ...LEAVE_OUT_SENTENCES,
  nothing_left: 'Nothing is left to pick.',
  total: 'It sums up other rows.',
  names: 'It repeats the names of the columns.',
  text: 'It is a text: it has neither a code of goods nor a quantity.',
  after_orders: 'It names no article, and no line follows.',
};

function leftOutOf(file: Extract<OrdersOfFile, { ok: true }>): { line: number; message: string }[] {
  const rows = [...file.leftOut, ...file.orders.flatMap((order) => order.rows)];
  return rows
    .filter(({ kind }) => kind === 'left_out')
    .map(({ line, message }) => ({ line, message }))
    .sort((a, b) => a.line - b.line);
}

describe('files of known programs', () => {
  test.each(SAMPLES)('$file', ({ file: name, orders, leftOut, refused }) => {
    const result = read(readFileSync(new URL(`../../files/orders/${name}`, import.meta.url)));
    if (refused.some(({ number }) => number === null)) {
      expect(result.kind).toBe('refused');
      return;
    }
    if (result.kind !== 'orders') throw new Error(`${result.kind}: ${result.message}`);
    expect(result.file.orders.flatMap((order) => said(order) ?? [])).toEqual(orders.map(withMoment));
    expect(result.file.orders.filter(({ problem }) => problem !== null).map(({ number }) => number)).toEqual(
      refused.map(({ number }) => number),
    );
    expect(leftOutOf(result.file)).toEqual(leftOut.map(({ line, reason }) => ({ line, message: REASONS[reason] })));
  });
});

describe('small files', () => {
  test.each(CASES.map((each) => [each.title, each] as const))('%s', (_title, each) => {
    const result = read(each.file, each.given, each.places);
    if (each.asks === 'columns' || each.asks === 'encoding') {
      expect(result).toMatchObject({ kind: 'asks', about: each.asks });
    } else if (each.refusedFile !== undefined || each.badColumn !== undefined) {
      expect(result).toMatchObject({ kind: 'refused', ...part('badColumn', each.badColumn) });
    }
    const messages: string[] = [];
    if (result.kind === 'orders') {
      expect(result.file.orders.flatMap((order) => said(order) ?? [])).toEqual((each.orders ?? []).map(withMoment));
      const wrong = result.file.orders.filter(({ problem }) => problem !== null);
      expect(wrong.map(({ number }) => number).toSorted()).toEqual(Object.keys(each.refused ?? {}).toSorted());
      expect(leftOutOf(result.file).map(({ line }) => line)).toEqual(Object.keys(each.leftOut ?? {}).map(Number));
      const wanted = Object.entries(each.leftOut ?? {}).filter(([, reason]) => reason in LEAVE_OUT_SENTENCES);
      expect(leftOutOf(result.file)).toEqual(
        expect.arrayContaining(wanted.map(([line, reason]) => ({ line: Number(line), message: REASONS[reason] }))),
      );
      expect(result.file.asksDateOrder).toBe(each.asks === 'date_order');
      const rows = result.file.orders.flatMap((order) => order.rows);
      for (const line of each.notes ?? []) {
        const row = [...rows, ...result.file.leftOut].find((one) => one.line === line);
        expect(row?.message ?? '', `the note of line ${line}`).not.toBe('');
      }
      for (const line of each.quiet ?? []) {
        expect(rows.find((one) => one.line === line)?.message, `the note of line ${line}`).toBe('');
      }
      messages.push(
        ...rows.map(({ message }) => message),
        ...wrong.map(({ problem }) => problem?.message ?? ''),
        ...result.notes,
      );
      messages.push(...result.file.leftOut.map(({ message }) => message));
    } else {
      expect([each.orders ?? [], each.asks ?? each.refusedFile ?? each.badColumn]).toEqual([[], expect.any(String)]);
      messages.push(result.message);
    }
    if (each.says !== undefined) expect(messages.join('\n')).toMatch(each.says);
  });
});

test('a file of 10,000 rows is read in parts of a millisecond, so that the station can handle presses in between', () => {
  const rows = Array.from({ length: 10_000 }, (_none, index) => `${Math.floor(index / 4)},M8,2`);
  const cells = whole(readFile(Buffer.from(['order,sku,qty', ...rows].join('\n')), null));
  const [table] = cells.ok ? cells.sheets : [];
  if (table === undefined) throw new Error('The file was not read.');
  const mapping = whole(mapColumns('orders', table, { isPlace: () => false }));
  if (!mapping.ok) throw new Error(mapping.message);
  const reading = readOrderRows(mapping, {
    decimal: undefined,
    dateOrder: undefined,
    timeZone: 'UTC',
    orderPrefix: '',
    takesLeftOut: false,
    meantSku: () => undefined,
    articleUnit: () => undefined,
    placePaths: [],
    sharedPlaces: [],
    units: {},
    isPlace: () => false,
  });
  // Each row takes a hundredth of a millisecond at least.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01));
  let parts = 0;
  while (reading.next().done !== true) parts += 1;
  clock.mockRestore();
  // Rows are sorted, grouped, checked and read.
  expect(parts).toBeGreaterThanOrEqual((4 * rows.length * 0.01) / 2);
});

/** Returns the maximum number of cells read in one part, and the final result. */
function partsOf<T>(table: FileTable, work: (watched: FileTable) => InParts<T>): { most: number; result: T } {
  let read = 0;
  const watched = (row: TableRow): TableRow => ({
    ...row,
    get cells() {
      read += 1;
      return row.cells;
    },
  });
  let most = 0;
  for (const parts = work({ ...table, rows: table.rows.map(watched) }); ;) {
    read = 0;
    const part = parts.next();
    most = Math.max(most, read);
    if (part.done === true) return { most, result: part.value };
  }
}

test.each([
  ['sums', 'Total;;\n', 60_000],
  ['lines of one order', '1;M8;2\n', 60_000],
  ['repeated names', 'order;sku;qty\n', 60_000],
  ['rows without articles', '1;;\n', 60_000],
])('reads a file of many %s in parts of at most a fixed number of rows', (_, row, count) => {
  const text = `order;sku;qty\n1;M8;2\n${row.repeat(count)}`;
  const csv = csvTable(text);
  const { most, result } = partsOf(csv, function* (table) {
    const mapping = yield* mapColumns('orders', table, { isPlace: () => false });
    return mapping.ok
      ? yield* readOrderRows(mapping, {
          decimal: undefined,
          dateOrder: undefined,
          timeZone: 'UTC',
          orderPrefix: '',
          takesLeftOut: false,
          meantSku: () => undefined,
          articleUnit: () => undefined,
          placePaths: [],
          sharedPlaces: [],
          units: {},
          isPlace: () => false,
        })
      : mapping;
  });
  const isLong = row.startsWith('1');
  expect(result).toMatchObject({
    ok: true,
    orders: [
      { number: '1', problem: isLong ? { line: 0, message: expect.stringContaining('more than 5,000 rows') } : null },
    ],
  });
  expect(most).toBeLessThan(count);
});
