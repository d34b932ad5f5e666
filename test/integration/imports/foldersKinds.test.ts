import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { CSV, TAKEN_MS, useInbox } from './inboxRig.ts';

const ARTICLES = 'sku,name,place,on_hand\nCT-200,Cable tie 200,A-1-1,75\nCT-300,Cable tie 300,A-1-2,20\n';

const inbox = useInbox();

type Article = { sku: string; name: string; places: { location: string; on_hand: number | null }[] };
const articles = async (): Promise<Article[]> => inbox.station.get<Article[]>('/api/articles/');

const makeFolder = (kind: string): void => mkdirSync(join(inbox.folder.path, kind));

test('a file in the subfolder articles creates articles and moves to done, with a result file that has a row per line', async () => {
  await inbox.start();
  makeFolder('articles');
  await inbox.drop('articles/shop.csv', ARTICLES);
  expect(
    (await articles()).map(({ sku, name, places }) => [sku, name, places[0]?.location, places[0]?.on_hand]),
  ).toEqual([
    ['CT-200', 'Cable tie 200', 'A-1-1', 75],
    ['CT-300', 'Cable tie 300', 'A-1-2', 20],
  ]);
  expect(inbox.folder.names('articles')).toEqual(['done', 'failed']);
  expect(inbox.folder.names('articles', 'done')).toEqual(['shop.csv', 'shop.csv.result.csv']);
  expect(inbox.folder.result('articles', 'done', 'shop.csv.result.csv').map((row) => row.slice(0, 3))).toEqual([
    ['2', 'CT-200', 'new'],
    ['3', 'CT-300', 'new'],
  ]);
  expect(await inbox.status()).toMatchObject({
    last: { name: 'articles/shop.csv', outcome: 'done', kind: 'articles', orders: 0, problem: null },
  });
  const [entry] = await inbox.station.get<object[]>('/api/imports/');
  expect(entry).toMatchObject({ kind: 'articles', source: 'inbox', name: 'articles/shop.csv', undoable: 2 });
});

test('a later file changes articles, but not the stock of existing ones', async () => {
  await inbox.start();
  makeFolder('articles');
  await inbox.drop('articles/a.csv', ARTICLES);
  await inbox.drop('articles/b.csv', ARTICLES.replace('Cable tie 200', 'Tie 200').replace(',75', ',999'));
  const [first] = await articles();
  expect(first).toMatchObject({ sku: 'CT-200', name: 'Tie 200', places: [{ location: 'A-1-1', on_hand: 75 }] });
  expect(inbox.folder.result('articles', 'done', 'b.csv.result.csv').map((row) => row[2])).toEqual([
    'changed',
    'known',
  ]);
});

test('the result of an article file contains previous values, including the minimum, and says that the stock is unchanged', async () => {
  await inbox.start();
  makeFolder('articles');
  await inbox.drop('articles/a.csv', 'sku,name,place,on_hand,min\nA,One,P-1,75,5\nB,Two,P-2,20,\nC,Three,P-3,,9\n');
  await inbox.drop('articles/b.csv', 'sku,name,place,on_hand,min\nA,1,P-1,7,8\nB,,,,4\nC,,P-3,,9\nD,Four,P-4,3,2\n');
  const light = 'No device or alias has the name of this place: it has no light.';
  expect(inbox.folder.result('articles', 'done', 'b.csv.result.csv')).toEqual([
    ['2', 'A', 'changed', 'Its name was "One". The stock at P-1 stays 75. At P-1, the minimum was 5.'],
    ['3', 'B', 'changed', 'Its minimum was not set.'],
    ['4', 'C', 'known', ''],
    ['5', 'D', 'new', light],
  ]);
});

test('a file in the subfolder locations creates aliases', async () => {
  await inbox.start({ simulate: 1 });
  makeFolder('locations');
  await inbox.drop('locations/shelves.csv', 'name,deviceid,deviceIs\nA-1-1,51D000:000001,Above\n');
  const aliases = await inbox.station.get<{ name: string }[]>('/api/location-aliases/');
  expect(aliases.map(({ name }) => name)).toEqual(['A-1-1']);
  expect(inbox.folder.result('locations', 'done', 'shelves.csv.result.csv')).toEqual([['2', 'A-1-1', 'new', '']]);
});

test('a file of places that takes the last light from goods is refused until its name says what it means', async () => {
  await inbox.start({ simulate: 1 });
  makeFolder('locations');
  const { station } = inbox;
  await station.post('/api/device/51D000:000001/', { locationoverride: 'A-1' });
  await station.post('/api/articles/', { sku: 'X', name: 'Nut', places: [{ location: 'A-1' }] });
  const file = 'deviceid,label\n51D000:000001,B-1\n';
  await inbox.drop('locations/racks.csv', file);
  expect(inbox.folder.names('locations', 'failed')).toEqual(['racks.csv', 'racks.csv.result.csv']);
  expect(inbox.folder.result('locations', 'failed', 'racks.csv.result.csv')).toEqual([
    [
      '2',
      '',
      'refused',
      expect.stringMatching(/^A-1 has goods and would have no light\..*"racks moves=rename\.csv"\.$/),
    ],
  ]);
  await inbox.drop('locations/racks MOVES=rename.csv', file);
  expect(inbox.folder.names('locations', 'done')).toEqual([
    'racks MOVES=rename.csv',
    'racks MOVES=rename.csv.result.csv',
  ]);
  expect((await articles()).map(({ places }) => places[0]?.location)).toEqual(['B-1']);
});

test('only the article of an invalid row is skipped, and an alert names the subfolder until the file is removed', async () => {
  await inbox.start();
  makeFolder('articles');
  await inbox.drop('articles/mixed.csv', `${ARTICLES}CT-300,Another name,A-1-3,1\n`);
  expect((await articles()).map(({ sku }) => sku)).toEqual(['CT-200']);
  expect(inbox.folder.names('articles', 'failed')).toEqual(['mixed.csv', 'mixed.csv.result.csv']);
  const [problem] = await inbox.alerts('file_refused');
  expect(problem).toContain('articles/mixed.csv: Line 3:');
  expect(problem).toContain('The file is in the subfolder articles/failed');
  // A valid file of orders does not end the alert.
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.alerts('file_refused')).toHaveLength(1);
  rmSync(join(inbox.folder.path, 'articles', 'failed', 'mixed.csv'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.alerts('file_refused')).toEqual([]);
});

test('refuses JSON, files without the required columns, and repeated content', async () => {
  await inbox.start();
  makeFolder('articles');
  await inbox.drop('articles/list.json', '[{"sku":"A"}]');
  await inbox.drop('articles/wrong.csv', 'colour,size\nred,4\n');
  await inbox.drop('articles/a.csv', ARTICLES);
  await inbox.drop('articles/again.csv', ARTICLES);
  const reason = (name: string): string =>
    inbox.folder.result('articles', 'failed', `${name}.result.csv`)[0]?.[3] ?? '';
  expect(reason('list.json')).toBe('Files of articles end in .csv, .tsv, .txt or .xlsx.');
  expect(reason('wrong.csv')).toContain('SKU');
  expect(reason('again.csv')).toContain('The same content was imported as articles/a.csv on');
  expect((await articles()).map(({ sku }) => sku)).toEqual(['CT-200', 'CT-300']);
});

test('the same content can be imported both as orders and as articles', async () => {
  await inbox.start();
  makeFolder('articles');
  const both = 'order_number,SKU,name,ordered_quantity\nSO-1,CT-200,Cable tie,2\n';
  await inbox.drop('both.csv', both);
  await inbox.drop('articles/both.csv', both);
  expect(await inbox.numbers()).toEqual(['SO-1']);
  expect((await articles()).map(({ sku }) => sku)).toEqual(['CT-200']);
});

test('does not create missing subfolders, and without them imports only orders', async () => {
  await inbox.start();
  await inbox.drop('orders.csv', CSV);
  expect(inbox.folder.names()).toEqual(['done', 'failed']);
  writeFileSync(join(inbox.folder.path, 'articles'), ARTICLES);
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await articles()).toEqual([]);
  expect(inbox.folder.names('failed')).toEqual(['articles', 'articles.result.csv']);
});

test('a subfolder that is a link is not followed', async () => {
  await inbox.start();
  makeFolder('elsewhere');
  writeFileSync(join(inbox.folder.path, 'elsewhere', 'a.csv'), ARTICLES);
  symlinkSync(join(inbox.folder.path, 'elsewhere'), join(inbox.folder.path, 'articles'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await articles()).toEqual([]);
  expect(readdirSync(join(inbox.folder.path, 'elsewhere'))).toEqual(['a.csv']);
});

test('does not import a file twice if the shared folder disappears before the file is moved', async () => {
  let isAway = false;
  const folders = changedFolders(({ move }) => ({
    move: (...args) =>
      isAway ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'rename' })) : move(...args),
  }));
  await inbox.start({ folders });
  makeFolder('articles');
  isAway = true;
  await inbox.drop('articles/a.csv', ARTICLES);
  expect(await articles()).toHaveLength(2);
  await inbox.station.request('DELETE', '/api/articles/CT-300/?force=1');
  await inbox.station.restart();
  isAway = false;
  await inbox.station.clock.advance(TAKEN_MS);
  expect((await articles()).map(({ sku }) => sku)).toEqual(['CT-200']);
  expect(inbox.folder.names('articles', 'done')).toEqual(['a.csv', 'a.csv.result.csv']);
  // The result file describes the original import, not what an import would do now.
  expect(inbox.folder.result('articles', 'done', 'a.csv.result.csv').map((row) => row[2])).toEqual(['new', 'new']);
});
