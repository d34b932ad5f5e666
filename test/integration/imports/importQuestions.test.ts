import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderImport } from '#shared/api/imports.ts';
import type { Problem } from '#shared/api/problem.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { textWorkbook } from '../../helpers/files/workbook.ts';

// Contract, section 22: questions about an order file that only a person can answer.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

/** Requests a preview as the page does. */
async function preview(
  bytes: Uint8Array,
  options: object = {},
): Promise<{ status: number; body: OrderImport & Problem }> {
  const form = new FormData();
  form.append('options', JSON.stringify({ ...options, dry_run: true }));
  form.append('file', new Blob([new Uint8Array(bytes)]), 'orders');
  const answer = await fetch(new URL('/api/imports/', station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as OrderImport & Problem };
}

test('a refusal because of the encoding lists the possible encodings, each with the text that it would produce', async () => {
  const bytes = Buffer.from('order_number;name;ordered_quantity\n1;Schl\u00FCssel;2\n', 'latin1');
  const { status, body } = await preview(bytes);
  expect([status, body.errors]).toEqual([
    400,
    [
      { path: '/encoding', message: expect.stringContaining('give the encoding') },
      { path: '/encoding/windows-1252', message: 'Schl\u00FCssel' },
      { path: '/encoding/macintosh', message: 'Schl\u00B8ssel' },
    ],
  ]);
  const read = await preview(bytes, { encoding: 'windows-1252' });
  expect(read.body.rows.map(({ name }) => name)).toEqual(['Schl\u00FCssel']);
});

test('a workbook with several sheets of orders is refused with the sheet names, and a preview lists all sheets', async () => {
  const rowsOf = (number: string) => [
    ['order_number', 'SKU', 'ordered_quantity'],
    [number, 'M8', '2'],
  ];
  const bytes = textWorkbook({ 'Week 1': rowsOf('1'), 'Week 2': rowsOf('2'), Notes: [['Call back']] });
  const { status, body } = await preview(bytes);
  expect([status, body.errors?.map(({ path }) => path)]).toEqual([400, ['/sheet', '/sheet/Week 1', '/sheet/Week 2']]);
  const read = await preview(bytes, { sheet: 'Week 2' });
  expect(read.body).toMatchObject({
    sheet: 'Week 2',
    sheets: ['Week 1', 'Week 2', 'Notes'],
    rows: [{ order_number: '2' }],
  });
});
