import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Task } from '#shared/api/task.ts';
import { addArticle, getArticle, onHand } from '../../helpers/articles.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Rows about articles and stock that were changed in the database or in a backup. Each affects only its own object.
const WRONG = [7, true, [], [7], [null], [{}], {}];
const MISSHAPEN = ['{not json', 'null', ...WRONG.map((each) => JSON.stringify(each))];

let station: TestStation;
beforeEach(async () => {
  station = await startTestStation();
  await addArticle(station, 'A', [{ location: 'Q-1', on_hand: 5 }], { name: 'Nut', barcodes: [{ code: '400' }] });
  await addArticle(station, 'B', [], { name: 'Bolt' });
});
afterEach(() => station.stop());

function damage(sql: string, text: string): void {
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  expect(db.prepare(sql).run(text).changes).toBe(1);
  db.close();
}

const errors = () => station.logged.filter(({ level }) => level === 'error').map(({ message }) => message);

const FIELDS = ['name', 'description', 'unit', 'note', 'active', 'barcodes', 'places'];
const PARTS = [
  ...FIELDS.flatMap((field) => WRONG.map((value) => ({ [field]: value }))),
  ...WRONG.map((code) => ({ barcodes: [{ code, quantity: 1 }] })),
  ...['x', null].map((quantity) => ({ barcodes: [{ code: '1', quantity }] })),
  ...WRONG.map((location) => ({ places: [{ location }] })),
  ...['x', [], {}].map((minimum) => ({ places: [{ location: 'Q-1', minimum }] })),
].filter((part) => !['{"active":true}', '{"barcodes":[]}', '{"places":[]}'].includes(JSON.stringify(part)));

test.each([...MISSHAPEN.filter((text) => text !== '{}'), ...PARTS.map((part) => JSON.stringify(part))])(
  'undoing an article import keeps the article whose previous values are %s, and undoes the others',
  async (text) => {
    const csv = 'sku;name;description;unit;note;active;barcode;location\nA;X;d;kg;n;no;401;Q-2\nB;Y;;;;;;\n';
    const { id } = await station.post<{ id: string }>('/api/imports/', { csv, kind: 'articles' });
    damage(`UPDATE import_articles SET before = ? WHERE article_id = 1`, text);
    expect(await station.post<{ undone: number }>(`/api/imports/${id}/undo/`)).toMatchObject({ undone: 1 });
    expect(await getArticle(station, 'A')).toMatchObject({ name: 'X' });
    expect(await getArticle(station, 'B')).toMatchObject({ name: 'Bolt' });
    expect(errors()).toEqual([]);
  },
);

test.each([...MISSHAPEN, '[{"place":7,"quantity":1}]', '[{"place":"Q-1","quantity":"1"}]'])(
  'pieces of a deleted order with the stored places %s return to the place of the task',
  async (text) => {
    const items = ['A', 'B'].map((SKU) => ({ SKU, ordered_quantity: 2 }));
    await station.post('/api/orders/', { order_number: 'SO-1', items });
    await station.post('/api/orders/SO-1/launch/', { picker: 'admin' });
    const order = await station.get<{ items: { id: number }[] }>('/api/orders/SO-1/');
    await station.post(`/api/orders/SO-1/items/${order.items[0]?.id}/confirm/`, { picker: 'admin', quantity: 2 });
    await station.request('DELETE', '/api/orders/SO-1/');
    const [task] = await station.get<[Task]>('/api/tasks/');
    expect([task.kind, await onHand(station, 'A')]).toEqual(['put_back', { 'Q-1': 3 }]);
    damage('UPDATE tasks SET sources = ?', text);
    await station.post(`/api/tasks/${task.id}/done/`);
    const isNowhere = text === '[]';
    expect(await onHand(station, 'A')).toEqual({ 'Q-1': isNowhere ? 3 : 5 });
    expect(errors()).toEqual([]);
  },
);
