import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 22: every export can be imported again without changes, in both formats.
let station: TestStation;

const CODES = [
  'Oct-12',
  '01. Mrz',
  '26.11.2026',
  '4,00638E+12',
  '12E3',
  '36000291452',
  '0012',
  '00',
  "'5 pack",
  "''5",
  "'=x",
  '=1+1',
  '="0123"',
  '+49 30',
  '-5',
  '@home',
  'WH/Stock/A-1-1',
  'a "b"; c',
  'a,b',
  'a;b',
  'a|b',
  'a\tb',
  'sep=;',
  'two\nlines',
  '"',
  '""',
  'Total',
  'Summe',
  'SKU',
  '1.000',
  '1,5',
  '12345678901234567890',
  'TRUE',
  '#REF!',
  '_x000D_',
  '[K-100] Mug',
  'Ñandú 東京 🦊',
  // Lists of known places.
  'P-1, P-2',
  'P-1; P-2 (3)',
  'P-1|P-2',
  '2026-11-26T08:00:00Z',
];

/** Replaces tabs and line breaks, which codes cannot contain. */
const shown = (code: string) => code.replaceAll(/[\t\n]/g, '/');

beforeAll(async () => {
  station = await startTestStation();
  for (const name of ['P-1', 'P-2']) await station.post('/api/places/', { name });
  for (const [index, code] of CODES.entries()) {
    await station.post('/api/orders/', {
      order_number: shown(code),
      customer: code,
      note: code,
      priority: index % 3,
      seconds: index,
      color: 'blue',
      ...(index % 2 === 0 ? { due_time: `2026-11-28T12:30:${String(10 + index)}.000Z` } : {}),
      items: [
        {
          SKU: shown(code),
          UPC: shown(code),
          name: code,
          description: code,
          ordered_quantity: index,
          warehouse_location: shown(code),
        },
        { name: code, ordered_quantity: 1_000, callback_nonce: code },
        { UPC: shown(code), ordered_quantity: 1_000_000 },
      ],
    });
    await station.post('/api/orders/', {
      order_number: `${shown(code)} 2`,
      shipments: [{ shipment_number: shown(code), items: [{ SKU: shown(code), ordered_quantity: 2 }] }],
    });
  }
});

afterAll(() => station.stop());

async function exported(format: string, language: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const headers = { 'api-key': API_KEY, 'accept-language': language };
  const answer = await fetch(new URL(`/api/order-export/?format=${format}`, station.url), { headers });
  expect(answer.headers.get('vary')).toContain('Accept-Language');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { bytes, type: answer.headers.get('content-type') ?? '' };
}

test.each([
  ['csv', 'en', ','],
  ['csv', 'de-AT', ';'],
  ['xlsx', 'en', null],
] as const)('an export as %s for %s can be read back without changes', async (format, language, delimiter) => {
  const { bytes, type } = await exported(format, language);
  if (format === 'csv') expect(Buffer.from(bytes.slice(0, 3)).toString('hex')).toBe('efbbbf');
  const answer = await fetch(new URL('/api/imports/?dry_run=true', station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': type },
    body: bytes,
  });
  const read = (await answer.json()) as OrderImport;
  expect(read).toMatchObject({ questions: [] });
  const others = read.rows.filter(({ outcome }) => outcome !== 'known');
  expect(others.map(({ order_number: number, outcome, message }) => [number, outcome, message])).toEqual([]);
  expect([read.delimiter, read.rows.length]).toEqual([delimiter, CODES.length * 4]);
});

test.each([
  ['de', ';'],
  ['fr-FR,en;q=0.5', ';'],
  ['de-CH', ','],
  ['en-GB', ','],
  ['*', ','],
  ['xx-nonsense-1, pl', ';'],
])('an export in the language %s uses the separator %s', async (language, separator) => {
  const { bytes } = await exported('csv', language);
  expect(Buffer.from(bytes).toString('utf8')).toMatch(
    new RegExp(`^\u{feff}order_number${separator}shipment_number`, 'u'),
  );
});

test('a truncated export links to its next part, in both formats', async () => {
  const next = async (query: string): Promise<string | null> =>
    (await station.request('GET', `/api/order-export/?${query}`)).headers.get('link');
  const numbers = (await station.get<{ order_number: string }[]>('/api/orders/')).map((order) => order.order_number);
  const [first = ''] = numbers;
  expect(numbers.length).toBeGreaterThan(1);
  for (const format of ['csv', 'xlsx']) {
    expect(await next(`limit=1&format=${format}`)).toBe(
      `</api/order-export/?${new URLSearchParams({ limit: '1', format, after: first }).toString()}>; rel="next"`,
    );
    expect(await next(`limit=${numbers.length}&format=${format}`)).toBeNull();
    expect(await next(`format=${format}`)).toBeNull();
  }
});
