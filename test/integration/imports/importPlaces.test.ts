import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Article } from '#shared/api/article.ts';
import type { LocationFileImport } from '#shared/api/imports.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import type { GoodsPlace } from '#shared/api/place.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import { addOrder, anItem, itemsOf, launch, ONE, THIRD, THREE_BUTTONS as TWO } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 20 and 22: files of places, with and without devices.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4 });
});

afterEach(() => station.stop());

const run = (csv: string, options: object = {}) =>
  station.post<LocationFileImport>('/api/imports/', { kind: 'places', csv, ...options });
const undo = (id: number | null) => station.post<ImportUndo>(`/api/imports/${id}/undo/`);
const outcomes = ({ rows }: LocationFileImport) => rows.map(({ line, outcome }) => `${line} ${outcome}`);
const label = (deviceId: string, locationoverride: string) =>
  station.post(`/api/device/${deviceId}/`, { locationoverride });
const labelOf = async (id: string) => (await station.device(id)).locationoverride;
const labels = async () => [await labelOf(ONE), await labelOf(TWO), await labelOf(THIRD)];
const places = async (query = ''): Promise<string[]> =>
  (await station.get<GoodsPlace[]>(`/api/places/${query}`)).map(({ name, note }) =>
    note === '' ? name : `${name} (${note})`,
  );
const dark = async (): Promise<(string | null)[]> =>
  (await station.get<Alert[]>('/api/alerts/')).flatMap(({ kind, problem }) => (kind === 'place_dark' ? [problem] : []));

test('rows without a device create places that wait for one, with their notes', async () => {
  await label(ONE, 'A-1-1');
  await addArticle(station, 'X', [{ location: 'Cellar' }]);
  const csv = 'Platz;Gerät;Notiz\na-1-1;;\nA-1-2;;Top shelf\nA-1-3;51D000:000002;\nCellar;;\n';
  const { id, rows } = await run(csv);
  expect(rows).toMatchObject([
    { outcome: 'known', found_deviceid: null },
    { outcome: 'new', label: 'A-1-2', note: 'Top shelf', found_deviceid: null },
    { outcome: 'changed', found_deviceid: TWO },
    { outcome: 'known' },
  ]);
  expect(await places()).toEqual(['A-1-1', 'A-1-2 (Top shelf)', 'A-1-3', 'Cellar']);
  expect(await places('?light=0')).toEqual(['A-1-2 (Top shelf)', 'Cellar']);
  expect(await run(csv)).toMatchObject({ id: null, counts: { known: 4 } });
  // A blank cell clears no note, another text changes it.
  expect(await run('Platz;Notiz\nA-1-2;\n')).toMatchObject({ counts: { known: 1 } });
  const { id: noted } = await run('Platz;Notiz\nA-1-2;Bottom\nA-1-3;New\n');
  expect(await places()).toEqual(['A-1-1', 'A-1-2 (Bottom)', 'A-1-3 (New)', 'Cellar']);
  expect(await undo(noted)).toMatchObject({ undone: 2 });
  // Arranging draws the places that wait, too.
  await station.post('/api/map/arrange/');
  expect(await station.get('/api/map/')).toMatchObject({ racks: [{ shelves: [{ name: 'A-1' }], columns: 3 }] });
  expect(await undo(id)).toEqual({ undone: 2, kept: [] });
  expect(await places()).toEqual(['A-1-1', 'Cellar']);
});

test('a file with a column of names only lists places that wait; an unexplained column is asked about', async () => {
  expect(outcomes(await run('Lagerplatz\nB-1\nB-2\n'))).toEqual(['2 new', '3 new']);
  const csv = 'Lagerplatz;Sender\nB-3;17\n';
  expect(await run(csv, { dry_run: true })).toMatchObject({ id: null, questions: [{ column: 'Sender' }] });
  expect(await station.request('POST', '/api/imports/', { kind: 'places', csv })).toMatchObject({ status: 400 });
  expect(outcomes(await run(csv, { columns: { Sender: null } }))).toEqual(['2 new']);
  expect(await places()).toEqual(['B-1', 'B-2', 'B-3']);
});

test('rows of a place named twice and rows without a name or with a reserved name are refused', async () => {
  const { rows } = await run(
    `name;deviceid;deviceIs;label;note\nA-1;;;;\na - 1;${ONE};Above;;\nB-1;;;;\nB-1;;;;\n;;;;x\nC-1;;Above;;\nPICK:OK;;;;\n51D000:000009;;;;\nD-1;;;;\n`,
  );
  expect(rows.map(({ outcome, message }) => `${outcome} ${message}`)).toEqual([
    'refused Line 3 names the place "A-1" too. Keep one of these rows.',
    'refused Line 2 names the place "a - 1" too. Keep one of these rows.',
    'refused Line 5 names the place "B-1" too. Keep one of these rows.',
    'refused Line 4 names the place "B-1" too. Keep one of these rows.',
    'refused It has no name.',
    'refused It names no device.',
    expect.stringMatching(/^refused Names that begin with PICK:/),
    expect.stringMatching(/^refused "51D000:000009" is written like the DeviceID/),
    'new ',
  ]);
  expect(await places()).toEqual(['D-1']);
});

test('an undo keeps a place that goods have since, and a note that was changed since', async () => {
  const { id } = await run('name;note\nA-1;\nA-2;\nA-3;old\n');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 2 }]);
  await label(ONE, 'A-2');
  await run('name;note\nA-3;new\n');
  expect(await undo(id)).toEqual({
    undone: 0,
    kept: [
      { name: 'A-1', message: 'It has goods since.' },
      { name: 'A-2', message: 'It has a device since.' },
      { name: 'A-3', message: 'Its note was changed since.' },
    ],
  });
});

test.each(['csv', 'xlsx'])('an export as %s with places that wait reads back unchanged', async (format) => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await addArticle(station, 'X', [{ location: 'A-1' }, { location: 'Cellar' }]);
  for (const sku of ['Oct-12', '0012', '=1+1', "'5 pack", 'a;b', 'a,b', '"', '00123456'])
    await addArticle(station, sku, [{ location: 'A-1' }, { location: `Only ${sku}` }, { location: 'A-2' }]);
  for (const [name, note] of [
    ['Total', ''],
    ['007', '=1+1'],
    ['Oct-12', ''],
    ['Reserve 4', 'a; b'],
  ])
    await station.post('/api/places/', { name, note });
  await run('name;note\nA-1;Top\n');
  await label(ONE, 'B-1');
  const all = await places();
  const goods = await articlesAt();
  expect(all.filter((name) => !name.startsWith('Only'))).toEqual([
    '007 (=1+1)',
    'A-1 (Top)',
    'A-2',
    'B-1',
    'Cellar',
    'Oct-12',
    'Reserve 4 (a; b)',
    'Total',
  ]);
  const url = new URL(`/api/location-aliases/export/?format=${format}`, station.url);
  const file = await (await fetch(url, { headers: { 'api-key': API_KEY } })).arrayBuffer();
  const type = format === 'csv' ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const send = async () => {
    const headers = { 'api-key': API_KEY, 'content-type': type };
    const answer = await fetch(new URL('/api/imports/?kind=places', station.url), {
      method: 'POST',
      headers,
      body: file,
    });
    return (await answer.json()) as LocationFileImport;
  };
  const same = await send();
  expect([same.id, outcomes(same).filter((outcome) => !outcome.endsWith('known'))]).toEqual([null, []]);
  for (const name of ['Total', '007', 'Oct-12', 'Reserve 4'])
    await station.request('DELETE', `/api/places/${encodeURIComponent(name)}/`);
  for (const sku of ['Oct-12', '0012', '=1+1', "'5 pack", 'a;b', 'a,b', '"', '00123456'])
    await station.request('PATCH', `/api/articles/${encodeURIComponent(sku)}/`, { places: [] });
  expect(await places()).toEqual(['A-1 (Top)', 'A-2', 'B-1', 'Cellar']);
  expect(await send()).toMatchObject({ counts: { new: 12, changed: 2, refused: 0 } });
  expect([await places(), await articlesAt()]).toEqual([all, goods]);
});

const articlesAt = async (): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await station.get<GoodsPlace[]>('/api/places/')).map(({ name, articles }) => [
      name,
      articles.map(({ sku }) => sku).toSorted(),
    ]),
  );

test('an article of a row gets the place; an undo takes it away if nothing uses it, and a redo gives it again', async () => {
  await label(ONE, 'A-1');
  await addArticle(station, 'X-1', [{ location: 'A-1', on_hand: 2 }]);
  await station.post('/api/articles/', { sku: 'Y;2', name: 'Nut', barcodes: [{ code: '4006381333931' }] });
  const csv =
    'Platz;Gerät;Artikel\nA-1;;x-1\nA-2;;X-1\nB-1;;"nut; X-1"\n;51D000:000002;4006381333931\nC-1;51D000:000003;Y;2\n';
  const file = csv.replace('Y;2\n', '"Y;2"\n').replace(';51D000:000002;', 'C-2;51D000:000002;');
  const preview = await run(file, { dry_run: true });
  expect(preview.rows.map(({ outcome, article, message }) => [outcome, article, message])).toEqual([
    ['known', 'x-1', ''],
    ['new', 'X-1', 'Article X-1 gets the place A-2.'],
    ['new', 'nut; X-1', 'Article Y;2 gets the place B-1. Article X-1 gets the place B-1.'],
    ['changed', '4006381333931', 'Article Y;2 gets the place C-2.'],
    ['changed', 'Y;2', 'Article Y;2 gets the place C-1.'],
  ]);
  expect(await articlesAt()).toEqual({ 'A-1': ['X-1'] });
  const { id, rows } = await run(file);
  expect(rows).toEqual(preview.rows);
  const given = { 'A-1': ['X-1'], 'A-2': ['X-1'], 'B-1': ['X-1', 'Y;2'], 'C-1': ['Y;2'], 'C-2': ['Y;2'] };
  expect(await articlesAt()).toEqual(given);
  expect(await run(file)).toMatchObject({ id: null, counts: { known: 5 } });
  expect(await station.get(`/api/imports/${id}/`)).toMatchObject({ undoable: 4, undo: { kept: { count: 0 } } });
  expect(await undo(id)).toEqual({ undone: 4, kept: [] });
  expect(await articlesAt()).toEqual({ 'A-1': ['X-1'] });
  expect(await station.post(`/api/imports/${id}/redo/`)).toMatchObject({ kept: [] });
  expect(await articlesAt()).toEqual(given);

  await station.post('/api/stock/', { movements: [{ sku: 'X-1', location: 'A-2', count: 3, key: 'a/1' }] });
  expect(await undo(id)).toEqual({
    undone: 3,
    kept: [
      { name: 'A-2', message: 'It has goods since.' },
      { name: 'X-1', message: 'It has stock or limits at A-2 since.' },
    ],
  });
  expect(await articlesAt()).toEqual({ 'A-1': ['X-1'], 'A-2': ['X-1'] });
});

test('a column such as Artikel counts by itself only if most of its values are articles; otherwise it is asked about', async () => {
  await addArticle(station, 'K-10', []);
  await addArticle(station, 'K-20', []);
  await station.patch('/api/articles/K-20/', { name: 'Bowl' });
  const questions = async (csv: string) =>
    (await run(csv, { dry_run: true })).questions.map(({ column, fields }) => `${column}: ${fields.join()}`);
  for (const title of ['Artikel', 'item', 'Referencia', 'Produkt']) {
    const unknown = `name;device;where;${title}\nA-1;${ONE};Above;Mug, blue\nA-2;${TWO};Above;K-10\n`;
    expect(await questions(unknown)).toEqual([`${title}: article`]);
    expect(await station.request('POST', '/api/imports/', { kind: 'places', csv: unknown })).toMatchObject({
      status: 400,
    });
    expect(await run(unknown, { dry_run: true, columns: { [title]: null } })).toMatchObject({ counts: { new: 2 } });
  }
  // A column without values is not asked about.
  expect(await questions(`name;device;where;Artikel\nA-1;${ONE};Above;\n`)).toEqual([]);
  // Two columns that name different articles contradict each other. Columns that name the same ones do not.
  const both = 'Platz;Artikel;SKU\nA-1;K-10;K-20\n';
  expect(await questions(both)).toEqual(['Artikel: article', 'SKU: article']);
  expect(await station.request('POST', '/api/imports/', { kind: 'places', csv: both })).toMatchObject({ status: 400 });
  await run(both, { columns: { Artikel: null } });
  expect(outcomes(await run('Platz;Artikel;SKU\nA-1;Bowl;K-20\n'))).toEqual(['2 known']);
  expect(await articlesAt()).toEqual({ 'A-1': ['K-20'] });
  await run('Platz;Artikel\nA-1;K-10\nA-2;"K-10; K-20;"\n');
  expect(await articlesAt()).toEqual({ 'A-1': ['K-10', 'K-20'], 'A-2': ['K-10', 'K-20'] });
});

test('a comma in a number does not separate articles, and an SKU that looks like a date is read if an article has it', async () => {
  for (const sku of ['1', '5', 'Oct-12']) await addArticle(station, sku, []);
  const { rows } = await run('Platz;article\nA-1;1,5\nA-2;1, 5;\nA-3;Oct-12\nA-4;Nov-12\nA-5;;\nA-6;1;\n');
  expect(rows.map(({ outcome, message }) => `${outcome} ${message}`)).toEqual([
    'refused There is no article "1,5". Import or add the article first.',
    'new Article 1 gets the place A-2. Article 5 gets the place A-2.',
    'new Article Oct-12 gets the place A-3.',
    expect.stringMatching(/^refused "Nov-12" is a date/),
    'new ',
    'new Article 1 gets the place A-6.',
  ]);
});

test('a row with an unknown article is refused before anything changes, in the preview, the API and the older endpoint', async () => {
  await addArticle(station, '0012', []);
  const csv = 'Platz;SKU;Notiz\nA-1;12;x\nA-2;0012, 77;\nA-3;nothing;\n';
  const messages = [
    'There is no article "12". Did you mean 0012?',
    'There is no article "77". Import or add the article first.',
    'There is no article "nothing". Import or add the article first.',
  ];
  for (const options of [{ dry_run: true }, {}]) {
    const { rows } = await run(csv, options);
    expect(rows.map(({ outcome, conflict, message }) => [outcome, conflict, message])).toEqual(
      messages.map((message) => ['refused', true, message]),
    );
  }
  expect(await station.post('/api/location-aliases/import/', { csv })).toMatchObject({ counts: { refused: 3 } });
  expect(await places()).toEqual([]);
  // A row that clears a label names no place.
  const clearing = await run(`deviceid;label;SKU\n${ONE};;0012\n`);
  expect(clearing.rows[0]?.message).toBe('It names an article, but no place.');
  // Without another column for the place, SKU is its name.
  expect(await run(`SKU;device;where\nCT-1;${ONE};Above\n`)).toMatchObject({ counts: { new: 1 } });
});

test('rows that would give an article more than 100 places are refused, in the preview and the import', async () => {
  const own = Array.from({ length: 98 }, (_, index) => ({ location: `B-${index + 1}` }));
  await addArticle(station, 'X', own);
  await addArticle(station, 'Y', []);
  const csv = 'Platz;article\nB-1;X\nA-1;X\nA-2;x\nA-3;"X\nY"\nA-4;X\nA-5;Y\n';
  const refused = (line: number) => `${line} refused Article X has 100 places, and cannot have more.`;
  for (const options of [{ dry_run: true }, {}]) {
    const { rows } = await run(csv, options);
    expect(
      rows.map(({ line, outcome, message }) => `${line} ${outcome}${outcome === 'refused' ? ` ${message}` : ''}`),
    ).toEqual(['2 known', '3 new', '4 new', refused(5), refused(7), '8 new']);
  }
  expect(await places('?q=A-')).toEqual(['A-1', 'A-2', 'A-5']);
  expect(await articlesAt()).toMatchObject({ 'A-1': ['X'], 'A-2': ['X'], 'A-5': ['Y'] });
  expect((await station.get<Article>('/api/articles/X/')).places).toHaveLength(100);
});

test('an article that a redo creates again gets and loses its places by a redo and an undo of their file', async () => {
  const redo = (id: number | null) => station.post(`/api/imports/${id}/redo/`);
  const articles = await station.post<{ id: number }>('/api/imports/', {
    kind: 'articles',
    csv: 'sku,name\nK-10,Mug\n',
  });
  const { id } = await run('Platz;article\nA-1;K-10\n');
  await undo(id);
  await undo(articles.id);
  expect(await redo(articles.id)).toMatchObject({ kept: [] });
  expect(await redo(id)).toMatchObject({ kept: [] });
  expect(await articlesAt()).toEqual({ 'A-1': ['K-10'] });
  expect(await station.get(`/api/imports/${id}/`)).toMatchObject({ undoable: 1, undo: { kept: { count: 0 } } });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await articlesAt()).toEqual({});
});

test('a file of places that are renamed gives the articles their new places', async () => {
  await label(ONE, 'A-1');
  await addArticle(station, 'X', [{ location: 'A-1' }]);
  await addArticle(station, 'Y', []);
  const { id } = await run(`deviceid;label;article\n${ONE};B-1;"X\nY"\n`, { moves: 'rename' });
  expect(await articlesAt()).toEqual({ 'B-1': ['X', 'Y'] });
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await articlesAt()).toEqual({ 'A-1': ['X'] });
  expect(await station.post(`/api/imports/${id}/redo/`)).toMatchObject({ kept: [] });
  expect(await articlesAt()).toEqual({ 'B-1': ['X', 'Y'] });
});

const MOVED = `deviceid;label\n${ONE};B-1\n${TWO};A-9\n`;

test('rows that take the last light from goods are refused until moves says what is meant', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }]);
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', deviceid: undefined })]);
  await launch(station, 'SO-1');
  const preview = await run(MOVED, { dry_run: true });
  expect(preview.rows).toMatchObject([
    { outcome: 'refused', loses: 'A-1', conflict: true },
    { outcome: 'changed', loses: '' },
  ]);
  expect(preview.rows[0]?.message).toContain('`moves`');
  expect(outcomes(await run(MOVED))).toEqual(['2 refused', '3 changed']);
  expect(await labels()).toEqual(['A-1', 'A-9', '']);
  for (const moves of ['nothing', ''])
    expect(await station.request('POST', '/api/imports/', { kind: 'places', csv: MOVED, moves })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/moves' }] },
    });

  const renamed = await run(MOVED, { moves: 'rename' });
  expect(renamed.rows).toMatchObject([{ outcome: 'changed', loses: 'A-1' }, { outcome: 'known' }]);
  expect([await labels(), await onHand(station, 'X'), await dark()]).toEqual([['B-1', 'A-9', ''], { 'B-1': 4 }, []]);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'active', deviceid: ONE }]);
  expect(await undo(renamed.id)).toEqual({ undone: 1, kept: [] });
  expect([await labels(), await onHand(station, 'X')]).toEqual([['A-1', 'A-9', ''], { 'A-1': 4 }]);

  const moved = await run(MOVED, { moves: 'devices' });
  expect(moved.rows).toMatchObject([{ outcome: 'changed', loses: 'A-1' }, { outcome: 'known' }]);
  expect([await labels(), await onHand(station, 'X')]).toEqual([['B-1', 'A-9', ''], { 'A-1': 4 }]);
  expect(await dark()).toEqual([expect.stringMatching(/^A-1 has goods/)]);
  expect(await undo(moved.id)).toEqual({ undone: 1, kept: [] });
  expect([await labels(), await dark()]).toEqual([['A-1', 'A-9', ''], []]);
});

test('a renumbered shelf keeps its goods together with rename, and is refused whole without an answer', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await label(THIRD, 'A-3');
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 1 },
    { location: 'A-2', on_hand: 2 },
    { location: 'A-3', on_hand: 3 },
  ]);
  const csv = `deviceid;label\n${ONE};A-2\n${TWO};A-3\n${THIRD};A-4\n`;
  const reversed = `deviceid;label\n${THIRD};A-4\n${TWO};A-3\n${ONE};A-2\n`;
  for (const file of [csv, reversed])
    expect(outcomes(await run(file))).toEqual(['2 refused', '3 refused', '4 refused']);
  expect(await labels()).toEqual(['A-1', 'A-2', 'A-3']);
  const { id } = await run(csv, { moves: 'rename' });
  expect([await labels(), await onHand(station, 'X')]).toEqual([
    ['A-2', 'A-3', 'A-4'],
    { 'A-2': 1, 'A-3': 2, 'A-4': 3 },
  ]);
  expect(await undo(id)).toEqual({ undone: 3, kept: [] });
  expect([await labels(), await onHand(station, 'X')]).toEqual([
    ['A-1', 'A-2', 'A-3'],
    { 'A-1': 1, 'A-2': 2, 'A-3': 3 },
  ]);
});

test('an import that exchanges two labels needs no choice, because both places keep a light; rename exchanges the places', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 1 },
    { location: 'A-2', on_hand: 2 },
  ]);
  const csv = 'deviceid;label\nA-1;A-2\nA-2;A-1\n';
  expect(outcomes(await run(csv))).toEqual(['2 changed', '3 changed']);
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 1, 'A-2': 2 });
  expect(await labels()).toEqual(['A-2', 'A-1', '']);
  await run(csv, { moves: 'rename' });
  expect([await labels(), await onHand(station, 'X')]).toEqual([['A-1', 'A-2', ''], { 'A-2': 1, 'A-1': 2 }]);
});

test('a rename by file is refused where a place gets no single new name, or one that has goods', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await label(THIRD, 'A-3');
  await addArticle(
    station,
    'X',
    ['A-1', 'A-2', 'A-3', 'B-2'].map((location) => ({ location })),
  );
  const csv = `deviceid;label\n${ONE};\n${TWO};B-2\n${THIRD};B-3\n`;
  const { rows } = await run(csv, { moves: 'rename' });
  expect(rows).toMatchObject([
    { outcome: 'refused', loses: 'A-1' },
    { outcome: 'refused', loses: 'A-2' },
    { outcome: 'changed', loses: 'A-3' },
  ]);
  expect(await labels()).toEqual(['A-1', 'A-2', 'B-3']);
  expect(Object.keys(await onHand(station, 'X')).toSorted()).toEqual(['A-1', 'A-2', 'B-2', 'B-3']);
});

test('a rename to a name is refused if the row that gives up the name is refused for its alias', async () => {
  await run(`name;deviceid;deviceIs\nA-1;${ONE};Above\n`);
  await label(ONE, 'B-1');
  await label(TWO, 'Z-1');
  await addArticle(
    station,
    'X',
    ['A-1', 'A - 1', 'Z-1'].map((location) => ({ location })),
  );
  const csv = `name;deviceid;deviceIs;label\nA - 1;${ONE};Above;C-1\n;${TWO};;B-1\n`;
  const { rows } = await run(csv, { moves: 'rename', dry_run: true });
  expect(rows).toMatchObject([
    { outcome: 'refused', loses: 'A-1' },
    { outcome: 'refused', loses: 'Z-1', message: 'Z-1 cannot be renamed to B-1, which another device has.' },
  ]);
});

test('an alias in another spelling keeps the goods with rename, and the older endpoint has the same rule', async () => {
  await run(`name;deviceid;deviceIs\nA-1;${ONE};Above\n`);
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }]);
  const csv = `name;deviceid;deviceIs\nA - 1;${TWO};Below\n`;
  expect(outcomes(await run(csv))).toEqual(['2 refused']);
  expect(await station.post('/api/location-aliases/import/', { csv })).toMatchObject({ counts: { refused: 1 } });
  const { id } = await station.post<{ id: number }>('/api/location-aliases/import/', { csv, moves: 'rename' });
  expect(await onHand(station, 'X')).toEqual({ 'A - 1': 4 });
  expect(await station.get('/api/location-aliases/')).toMatchObject([{ name: 'A - 1', deviceid: TWO }]);
  expect(await undo(id)).toEqual({ undone: 1, kept: [] });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 4 });
  expect(await station.get('/api/location-aliases/')).toMatchObject([{ name: 'A-1', deviceid: ONE }]);
});
