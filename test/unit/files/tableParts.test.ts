import { expect, test } from 'vitest';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import { readArticleRows } from '#shared/lib/tables/articles.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import type { OrderReading } from '#shared/lib/tables/types.ts';
import { csvTable as readCsv } from '#shared/lib/tables/cells/csvTable.ts';
import { csvTable } from '../../helpers/files/csvTable.ts';

const COLUMNS = 1_900;
const ROWS = 300;
/** Parts take about a millisecond on a quiet machine. On a busy one, the share of a part is steadier than its time. */
const MAX_SHARE = 0.2;

const known = { isPlace: () => false, findArticle: () => undefined };

/** Returns the share of the longest part in the processor time of the work. */
function longestShare(work: InParts<unknown>): number {
  let [longest, all] = [0, 0];
  for (;;) {
    const begun = process.threadCpuUsage();
    const { done } = work.next();
    const { user, system } = process.threadCpuUsage(begun);
    longest = Math.max(longest, user + system);
    all += user + system;
    if (done === true) return longest / all;
  }
}

test('reads rows with thousands of cells in short parts', () => {
  const others = Array.from({ length: COLUMNS }, (_, column) => `column ${column}`).join(',');
  const row = (at: number): string =>
    `S-${at},K-${at % 50},1,${Array.from({ length: COLUMNS }, (_, column) => (at + column) % 97).join(',')}`;
  const table = csvTable(
    [`order_number,SKU,ordered_quantity,${others}`, ...Array.from({ length: ROWS }, (_, at) => row(at))].join('\n'),
  );
  const mapping = whole(mapColumns('orders', table, known));
  if (!mapping.ok) throw new Error(mapping.message);
  const how: OrderReading = {
    decimal: undefined,
    dateOrder: undefined,
    timeZone: 'UTC',
    orderPrefix: '',
    takesLeftOut: false,
    answers: { unpaid: undefined, states: new Map() },
    now: 0,
    units: {},
    placePaths: [],
    sharedPlaces: [],
    articleUnit: () => undefined,
    meantSku: () => undefined,
    ...known,
  };
  expect(longestShare(readOrderRows(mapping, how))).toBeLessThan(MAX_SHARE);
});

const MOST_ROWS = 99_999;
const MAX_MS = 25;

const csvOf = (names: readonly string[], row: (at: number) => readonly string[], rows: number): string =>
  [names.join(';'), ...Array.from({ length: rows }, (_, at) => row(at).join(';'))].join('\n');

/** Returns the processor time of the longest part, in milliseconds: the minimum of several runs. */
function longestMs(work: () => InParts<unknown>): number {
  const run = (): number => {
    let longest = 0;
    for (const parts = work(); ;) {
      const begun = process.threadCpuUsage();
      const { done } = parts.next();
      const { user, system } = process.threadCpuUsage(begun);
      longest = Math.max(longest, user + system);
      if (done === true) return longest / 1_000;
    }
  };
  let best = run();
  for (let more = 0; more < 4 && best >= MAX_MS; more += 1) best = Math.min(best, run());
  return best;
}

const REQUIRED = ['order_number', 'SKU', 'ordered_quantity'];

test.each([
  [
    'long names',
    csvOf(
      [...REQUIRED, ...Array.from({ length: COLUMNS }, (_, at) => `${at} ${'ä shipped '.repeat(45)}`)],
      (at) => [`S-${at}`, 'M8', '1'],
      100,
    ),
  ],
  [
    'very long names',
    csvOf(
      [...REQUIRED, ...Array.from({ length: 40 }, (_, at) => `${at} ${'Ä (shipped) '.repeat(10_000)}`)],
      (at) => [`S-${at}`, 'M8', '1'],
      10,
    ),
  ],
  [
    'states',
    csvOf(
      [...REQUIRED, 'Order status', 'Shipped at', 'Delivery status', 'Shop'],
      (at) => [`S-${Math.floor(at / 3)}`, 'M8', '1', `open ${at}`, `2026-01-01 ${at}`, 'delivered', 'x'],
      MOST_ROWS,
    ),
  ],
  [
    'ambiguous names',
    csvOf(
      ['Order', 'Item', 'Qty', 'Name', 'Reference', 'Product', 'Title'],
      (at) => [`S-${at}`, `K-${at}`, '1', `Mug ${at}`, `R-${at}`, `P-${at}`, `a mug ${at}`],
      MOST_ROWS,
    ),
  ],
])('maps columns with %s in short parts', (_name, text) => {
  const table = csvTable(text);
  expect(longestMs(() => mapColumns('orders', table, known))).toBeLessThan(MAX_MS);
});

test('reads an article with thousands of places and barcodes in short parts', () => {
  const row = (at: number): string[] => ['M8', 'Mug', `B-${at}`, `A-${at}`, '1'];
  const table = csvTable(csvOf(['SKU', 'name', 'barcode', 'location', 'on_hand'], row, MOST_ROWS));
  const mapping = whole(mapColumns('articles', table, { ...known, isPlace: (text) => text.startsWith('A-') }));
  if (!mapping.ok) throw new Error(mapping.message);
  const how = { ...known, decimal: undefined, placePaths: [], isArticle: () => false };
  // A share, because garbage collection takes longer than MAX_MS with so many rows. Reading all of them in one part takes 0.2.
  expect(longestShare(readArticleRows(mapping, how))).toBeLessThan(MAX_SHARE / 2);
});

test.each([
  ['a separator', `sep=${'x'.repeat(100_000)}\na,b\n`],
  ['column names', `${Array.from({ length: 500 }, (_, at) => `order ${'x'.repeat(300)} ${at}`).join(',')}\na,b\n`],
  [
    'ambiguous names',
    `order_number,SKU,ordered_quantity,${Array.from({ length: 40 }, (_, at) => `Status${' '.repeat(at)}`).join(',')}\n1,2,3${',x'.repeat(40)}\n`,
  ],
])('a message repeats only the first characters of %s', (_name, text) => {
  expect(messageOf(text).length).toBeLessThan(1_500);
});

function messageOf(text: string): string {
  const read = whole(readCsv(text));
  if (!read.ok) return read.message;
  const mapping = whole(mapColumns('orders', read.table, known));
  return mapping.ok ? '' : mapping.message;
}
