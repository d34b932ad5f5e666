import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { ONE } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Lines of order files whose articles and places look like known ones.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'MB-8', [{ location: 'Loft 2' }]);
});
afterEach(() => station.stop());

async function messageOf(sku: string, place: string): Promise<string> {
  const csv = `Order,SKU,Bin location,Qty\nSO-1,${sku},${place},2\n`;
  const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, dry_run: true });
  const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
  return rows[0]?.message ?? '';
}

test.each([
  ['a hyphen that does not break', 'MB\u20118'],
  ['an en dash', 'MB–8'],
  ['Cyrillic letters', 'МВ-8'],
  ['Greek letters', 'ΜΒ-8'],
  ['a minus sign', 'MB\u22128'],
  ['characters of full width', 'ＭＢ-8'],
])('warns about a SKU with %s', async (_what, sku) => {
  expect(await messageOf(sku, 'A-1')).toBe(
    `"${sku}" looks like "MB-8", the SKU of an article, but has different characters. If you mean that one, correct the file.`,
  );
});

test.each([
  ['a label', 'А–1', 'A-1'],
  ['a place of an article', 'Loft\u20072', 'Loft 2'],
])('warns about a place that looks like %s', async (_what, place, known) => {
  expect(await messageOf('MB-8', place)).toBe(
    `"${place}" looks like "${known}", the name of a place, but has different characters. If you mean that one, correct the file.`,
  );
});

test('does not warn about known names, other names, and differences that anybody can see', async () => {
  expect(await messageOf('MB8', 'A1')).toBe('');
  expect(await messageOf('MÜ-8', '中-1')).toBe('');
  await addArticle(station, 'MB–8 x');
  expect(await messageOf('MB–8 x', 'A-1')).toBe('');
});

test.each([
  ['Cyrillic letters', 'КТ-5', 'KT-5'],
  ['one Cyrillic letter', 'KТ-5', 'KT-5'],
  ['Greek letters', 'ΚΤ-5', 'KT-5'],
  ['a Cyrillic letter and a dash', 'KТ–5', 'KT 5'],
])('warns about a Latin name of a line if the station has it with %s', async (_what, stored, typed) => {
  const said = (what: string): string =>
    `"${typed}" looks like "${stored}", ${what}, but has different characters. If you mean that one, correct the file.`;
  await addArticle(station, stored, [{ location: 'Loft 3' }]);
  expect(await messageOf(typed, 'A-1')).toBe(said('the SKU of an article'));
  await station.post(`/api/device/${ONE}/`, { locationoverride: stored });
  expect(await messageOf('MB-8', typed)).toBe(said('the name of a place'));
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post('/api/location-aliases/', { name: stored, deviceid: ONE, deviceIs: 'Above' });
  expect(await messageOf('MB-8', typed)).toBe(said('the name of a place'));
});

test.each([
  ['an order number in another case', 'LK-1,MB-8,A-1', 'lk-1,MB-8,A-1', '"lk-1" looks like "LK-1" in line 2'],
  ['an order number with a dash', 'LK-1,MB-8,A-1', 'LK–1,MB-8,A-1', '"LK–1" looks like "LK-1" in line 2'],
  ['a SKU with a dash', 'LK-1,AA–9,A-1', 'LK-2,AA-9,A-1', '"AA-9" looks like "AA–9" in line 2'],
  ['a place with a dash', 'LK-1,MB-8,Z-9', 'LK-1,MB-8,Z–9', '"Z–9" looks like "Z-9" in line 2'],
])('warns about %s that looks like another one in the file', async (_what, first, second, said) => {
  const csv = `Order,SKU,Bin location,Qty\n${first},2\n${second},2\n`;
  for (const options of [{ dry_run: true }, {}]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, ...options });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
    expect(rows.map(({ message }) => message)).toEqual([
      '',
      `${said}, but has different characters. If both mean the same, correct the file.`,
    ]);
  }
});

test('does not warn about equal names in a file, and differences that anybody can see', async () => {
  const csv = 'Order,SKU,Bin location,Qty\nLK-1,MB-8,A-1,2\nLK-1,mb-8,a-1,2\nLK-2,MB8,A1,1\nLK-12,MB-8,A-1,1\n';
  const { id } = await station.post<{ id: number }>('/api/imports/', { kind: 'orders', csv, dry_run: true });
  const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
  expect(rows.map(({ message }) => message)).toEqual(['', '', '', '']);
});

test.each([
  ['a SKU', 'articles', 'SKU,Place,Stock\nKB-1,A-1,2\nKB–1,A-1,2\n', '"KB–1" looks like "KB-1"'],
  ['a place', 'articles', 'SKU,Place,Stock\nKB-1,Z-9,2\nKB-2,Ζ-9,2\n', '"Ζ-9" looks like "Z-9"'],
  ['a place', 'locations', 'name\nZ-9\nZ–9\n', '"Z–9" looks like "Z-9"'],
])('warns about %s in a file of %s that looks like another one in the file', async (_what, kind, csv, said) => {
  for (const options of [{ dry_run: true }, {}]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { id } = await station.post<{ id: number }>('/api/imports/', { kind, csv, ...options });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
    expect(rows[0]?.message).not.toContain('looks like');
    expect(rows[1]?.message.match(/looks like/g)).toHaveLength(1);
    expect(rows[1]?.message).toContain(said);
  }
});

test('does not warn about names of articles and places in one file that differ as anybody can see', async () => {
  for (const [kind, csv] of [
    ['articles', 'SKU,Place,Stock\nKB-1,Z-9,2\nkb-2,z-9,2\nKB1,Z9,1\n'],
    ['locations', 'name\nZ-9\nZ9\nZ 99\n'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { id } = await station.post<{ id: number }>('/api/imports/', { kind, csv, dry_run: true });
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { rows } = await station.get<{ rows: { message: string }[] }>(`/api/imports/${id}/`);
    expect(rows.filter(({ message }) => message.includes('looks like'))).toEqual([]);
  }
});
