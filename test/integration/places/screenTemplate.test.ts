import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle, postStock } from '../../helpers/articles.ts';
import { ONE, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: screens generated from articles.
let station: TestStation;

const template = { a: '{name}', b: '{on_hand} {unit}', c: '{description}', d: '', e: '\\bc{barcode}' };

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-2', statica: 'By hand' });
  const given = { name: 'Nut\\qr M8', unit: 'pcs', barcodes: [{ code: '40063' }] };
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 9 }, { location: 'A-2' }], given);
});
afterEach(() => station.stop());

const MINUTE = 60_000;

async function lines(id = ONE): Promise<string[]> {
  await station.clock.advance(1_000);
  const { statica, staticb, staticc, staticd, statice } = await station.device(id);
  return [statica, staticb, staticc, staticd, statice];
}

const use = (id: string) => station.request('POST', `/api/device/${id}/use-template/`);
const set = (change: object) => station.patch('/api/settings/', { screen_template: { ...template, ...change } });

test('the template fills the lines from an article, and null values are empty', async () => {
  expect(await lines()).toEqual(['', '', '', '', '']);
  await set({});
  expect(await lines()).toEqual(['Nutqr M8', '9 pcs', '', '', '\\bc40063']);
  await station.patch('/api/articles/X/', { name: 'Nut M10', description: 'steel' });
  expect(await lines()).toEqual(['Nut M10', '9 pcs', 'steel', '', '\\bc40063']);
  await station.patch('/api/settings/', { screen_template: {} });
  expect(await lines()).toEqual(['', '', '', '', '']);
});

test('a template with unknown fields is refused', async () => {
  for (const wrong of [{ a: '{price}' }, { f: '{name}' }]) {
    const answer = await station.request('PATCH', '/api/settings/', { screen_template: wrong });
    expect(answer.status, JSON.stringify(wrong)).toBe(400);
  }
  const { body } = await station.request('PATCH', '/api/settings/', { screen_template: { a: '{price} {name}' } });
  expect(body).toMatchObject({ errors: [{ path: '/screen_template/a', message: 'There is no field {price}.' }] });
});

test('a changed number is drawn at most every 10 minutes, but the latest is always drawn in the end, even after a restart', async () => {
  await set({});
  expect((await lines())[1]).toBe('9 pcs');
  await postStock(station, { sku: 'X', location: 'A-1', count: 8 });
  await postStock(station, { sku: 'X', location: 'A-1', count: 7 });
  expect((await lines())[1]).toBe('9 pcs');
  await station.clock.advance(9 * MINUTE);
  await station.restart();
  expect((await lines())[1]).toBe('9 pcs');
  await station.clock.advance(2 * MINUTE);
  expect((await lines())[1]).toBe('7 pcs');
  await postStock(station, { sku: 'X', location: 'A-1', count: 6 });
  await station.patch('/api/articles/X/', { name: 'Nut' });
  expect((await lines()).slice(0, 2)).toEqual(['Nut', '6 pcs']);
});

test('a line written by a person stays until the template is applied; then it follows the article', async () => {
  await set({});
  expect(await lines(THREE_BUTTONS)).toEqual(['By hand', 'pcs', '', '', '\\bc40063']);
  await station.post(`/api/device/${ONE}/`, { staticb: 'mine' });
  await station.patch('/api/articles/X/', { name: 'Nut' });
  expect((await lines()).slice(0, 2)).toEqual(['Nut', 'mine']);
  expect(await use(THREE_BUTTONS)).toMatchObject({
    status: 200,
    body: { lines: ['Nut', 'pcs', '', '', '\\bc40063'] },
  });
  expect(await use('51D000:000099')).toMatchObject({ status: 404 });
  await station.patch('/api/articles/X/', { name: 'Bolt' });
  expect((await lines(THREE_BUTTONS))[0]).toBe('Bolt');
});

test('a place with several articles shows their names, and is cleared when an article leaves it', async () => {
  await set({});
  await addArticle(station, 'Y', [{ location: 'A-1' }], { name: 'Bolt' });
  await addArticle(station, 'Z', [{ location: 'a-1' }]);
  expect(await lines()).toEqual(['Nutqr M8', 'Bolt', 'Z', '', '']);
  await station.patch('/api/articles/Z/', { active: false });
  await station.request('DELETE', '/api/articles/Y/');
  expect(await lines()).toEqual(['Nutqr M8', '9 pcs', '', '', '\\bc40063']);
  await postStock(station, { sku: 'X', location: 'A-1', count: 0 });
  await station.patch('/api/articles/X/', { places: [{ location: 'A-2' }] });
  expect(await lines()).toEqual(['', '', '', '', '']);
});

test('the lines follow the goods of the place to the device that has its name now', async () => {
  await set({});
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'A-1', statica: '' });
  expect((await lines(THREE_BUTTONS))[0]).toBe('');
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'C-1' });
  expect(await lines()).toEqual(['', '', '', '', '']);
  expect((await lines(THREE_BUTTONS)).slice(0, 2)).toEqual(['Nutqr M8', '9 pcs']);
});
