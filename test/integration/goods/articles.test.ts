import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Article, ArticleBulkResult } from '#shared/api/article.ts';
import { addArticle, articlePath, getArticle, movedOf, onHand, postStock } from '../../helpers/articles.ts';
import { addOrder, anItem, launch, ONE } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: articles.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});
afterEach(() => station.stop());

const skusOf = (articles: Article[]): string[] => articles.map(({ sku }) => sku);
const skus = async (query = ''): Promise<string[]> => skusOf(await station.get<Article[]>(`/api/articles/${query}`));
const put = (body: unknown, query = '') => station.request('PUT', `/api/articles/${query}`, body);

test('an article is created with places, barcodes and a count, and returned unchanged', async () => {
  const made = await station.request('POST', '/api/articles/', {
    SKU: ' CT-200 ',
    name: 'Cable tie',
    barcodes: [{ code: '4006381333931' }, { code: 'BOX', quantity: '100' }],
    unit: 'pcs',
    places: [{ location: 'A-1-1', minimum: 5, maximum: 50, on_hand: 20 }, { location: 'Loft' }],
  });
  expect(made).toMatchObject({ status: 201, body: { sku: 'CT-200' } });
  const noLight = (place: string) => `No device, alias or other article has the place "${place}", so it has no light.`;
  const warnings = [`/places/0/location: ${noLight('A-1-1')}`, `/places/1/location: ${noLight('Loft')}`];
  expect(made.body).toMatchObject({ warnings });
  const place = {
    priority: null,
    minimum: null,
    maximum: null,
    on_hand: null,
    allocated: 0,
    available: null,
    empty: false,
    attention: [],
  };
  expect(await getArticle(station, 'ct-200')).toEqual({
    id: 1,
    sku: 'CT-200',
    name: 'Cable tie',
    description: null,
    barcodes: [
      { code: '4006381333931', quantity: 1 },
      { code: 'BOX', quantity: 100 },
    ],
    unit: 'pcs',
    note: null,
    picture: null,
    active: true,
    places: [
      { ...place, location: 'A-1-1', minimum: 5, maximum: 50, on_hand: 20, available: 20 },
      { ...place, location: 'Loft' },
    ],
    wanted: 0,
    updated: expect.any(String),
  });
  expect(await movedOf(station)).toEqual([['count', 'A-1-1', 20, 20]]);
});

test('SKUs are case-insensitive and can be percent-encoded; an invalid SKU is refused', async () => {
  await addArticle(station, 'M8/20');
  expect(await getArticle(station, 'm8/20')).toMatchObject({ sku: 'M8/20' });
  const again = await station.request('POST', '/api/articles/', { sku: 'm8/20' });
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining('M8/20') } });
  for (const sku of ['', '  ', '.', '..', 'a\u0000b', 'x'.repeat(101)])
    expect(await station.request('POST', '/api/articles/', { sku }), sku).toMatchObject({ status: 400 });
  expect(await station.request('GET', articlePath('nothing'))).toMatchObject({ status: 404 });
});

test('a barcode belongs to one article, whether written as UPC or EAN; ambiguous codes get warnings', async () => {
  await addArticle(station, 'A', [{ location: 'A-1-1' }], { name: 'Nut', barcodes: [{ code: '036000291452' }] });
  const taken = await station.request('POST', '/api/articles/', { sku: 'B', barcodes: [{ code: '0036000291452' }] });
  expect(taken).toMatchObject({ status: 409, body: { detail: expect.stringContaining('article A (Nut)') } });
  const twice = { sku: 'B', barcodes: [{ code: 'x' }, { code: 'X' }] };
  expect(await station.request('POST', '/api/articles/', twice)).toMatchObject({ status: 400 });
  const doubtful = await station.request('POST', '/api/articles/', {
    sku: 'B',
    barcodes: [{ code: 'a' }, { code: 'a-1-1' }],
  });
  expect(doubtful).toMatchObject({
    status: 201,
    body: { warnings: [expect.stringContaining('SKU of article A'), expect.stringContaining('name of a place')] },
  });
  expect(await skus('?barcode=36000291452')).toEqual([]);
  expect(await skus('?barcode=00036000291452')).toEqual(['A']);
});

test('an array creates or replaces articles by SKU, and each element succeeds or fails separately', async () => {
  await addArticle(station, 'A', [{ location: 'P', on_hand: 3 }], { barcodes: [{ code: '1' }] });
  const answer = await put([
    { sku: 'a', name: 'Nut', places: [{ location: 'p', on_hand: 9 }], barcodes: [] },
    { sku: 'B', barcodes: [{ code: '1' }] },
    { sku: 'C', places: [{ location: 'Q', on_hand: -1 }] },
    { sku: 'D', colour: 'red' },
    'what',
    { sku: 'a', places: [] },
  ]);
  expect(answer.status).toBe(207);
  expect(answer.body).toMatchObject([
    { status: 200, sku: 'a', warnings: [expect.stringContaining('stays 3')] },
    { status: 201, sku: 'B' },
    { status: 400, sku: 'C', errors: [{ path: '/places/0/on_hand' }] },
    { status: 201, sku: 'D', warnings: [expect.stringContaining('/colour')] },
    { status: 400, sku: '' },
    { status: 409, sku: 'a', code: 'in_use', detail: expect.stringContaining('p (3)') },
  ]);
  expect(await getArticle(station, 'A')).toMatchObject({
    sku: 'a',
    name: 'Nut',
    barcodes: [],
    places: [{ on_hand: 3 }],
  });
  const strict = await put([{ sku: 'E', colour: 'red' }, { sku: 'F' }], '?strict=1');
  expect((strict.body as ArticleBulkResult[]).map(({ status }) => status)).toEqual([400, 201]);
  const merged = await station.request('PATCH', '/api/articles/', [{ sku: 'A', unit: 'pcs' }, { sku: 'G' }]);
  expect(merged).toMatchObject({ status: 200, body: [{ status: 200 }, { status: 201 }] });
  expect(await getArticle(station, 'A')).toMatchObject({ name: 'Nut', unit: 'pcs' });
});

test('PATCH merges fields, clears them with null and renames; PUT creates or replaces, and keeps the stock', async () => {
  const { id } = await addArticle(station, 'A', [{ location: 'P', on_hand: 3 }], { name: 'Nut', note: 'x' });
  await station.patch(articlePath('A'), { sku: 'N-1', note: null });
  expect(await getArticle(station, 'N-1')).toMatchObject({ id, name: 'Nut', note: null, places: [{ on_hand: 3 }] });
  expect(await station.request('GET', articlePath('A'))).toMatchObject({ status: 404 });
  await addArticle(station, 'B');
  expect(await station.request('PATCH', articlePath('B'), { sku: 'n-1' })).toMatchObject({ status: 409 });
  const replaced = await station.request('PUT', articlePath('N-1'), { places: [{ location: 'P', on_hand: 4 }] });
  expect(replaced).toMatchObject({ status: 200, body: { name: null, warnings: [expect.stringContaining('stays 3')] } });
  expect(await station.request('PUT', articlePath('new'), { name: 'New' })).toMatchObject({
    status: 201,
    body: { sku: 'new' },
  });
  expect(await station.request('PUT', articlePath('new'), { sku: 'other' })).toMatchObject({ status: 400 });
  expect(await station.request('PUT', articlePath('x'.repeat(101)), {})).toMatchObject({ status: 400 });
  expect(await station.request('PATCH', articlePath('nothing'), { name: 'x' })).toMatchObject({ status: 404 });
  const { body } = await station.request('GET', articlePath('N-1'));
  expect(await station.request('PUT', `${articlePath('N-1')}?strict=1`, body)).toMatchObject({
    status: 200,
    body: { warnings: [] },
  });
});

test('a place with stock cannot be omitted or removed; an article with stock or open lines is deleted only with force', async () => {
  await addArticle(station, 'A', [{ location: 'P', on_hand: 3 }, { location: 'Q' }]);
  expect(await station.request('PATCH', articlePath('A'), { places: [{ location: 'Q' }] })).toMatchObject({
    status: 409,
    body: { code: 'in_use', detail: expect.stringContaining('P (3)') },
  });
  expect(await station.request('DELETE', articlePath('A'))).toMatchObject({ status: 409, body: { code: 'in_use' } });
  expect(await station.request('DELETE', `${articlePath('A')}?force=1`)).toMatchObject({ status: 204 });
  expect(await movedOf(station)).toEqual([
    ['count', 'P', 3, 3],
    ['adjust', 'P', -3, 0],
  ]);
  await addArticle(station, 'B', [{ location: 'P' }]);
  await addOrder(station, 'SO-1', [anItem({ SKU: 'B' })]);
  const used = await station.request('DELETE', articlePath('B'));
  expect(used).toMatchObject({ status: 409, body: { detail: expect.stringContaining('open lines in SO-1') } });
});

test('lists can be filtered and sorted, and are paged', async () => {
  await put([
    { sku: 'b', name: 'Alpha', places: [{ location: 'P' }] },
    { sku: 'A', name: 'Zeta', description: 'Long cable' },
    { sku: 'c', name: 'Beta', active: false, barcodes: [{ code: 'CABLE-1' }] },
  ]);
  expect(await skus()).toEqual(['A', 'b']);
  expect(await skus('?active=0')).toEqual(['c']);
  expect(await skus('?active=all&sort=name')).toEqual(['b', 'c', 'A']);
  expect(await skus('?q=cable&active=all')).toEqual(['A', 'c']);
  expect(await skus('?location=p')).toEqual(['b']);
  const page = await station.request('GET', '/api/articles/?active=all&sort=name&limit=2');
  expect([skusOf(page.body as Article[]), page.headers.get('link')]).toEqual([
    ['b', 'c'],
    expect.stringContaining('after=c'),
  ]);
  expect(await skus('?active=all&sort=name&limit=2&after=c')).toEqual(['A']);
  await station.clock.advance(60_000);
  const since = new Date(station.clock.now()).toISOString();
  await station.patch(articlePath('b'), { name: 'Alpha' });
  expect(await skus(`?updated_after=${since}`)).toEqual([]);
  await station.patch(articlePath('b'), { name: 'Alpha 2' });
  expect(await skus(`?updated_after=${since}`)).toEqual(['b']);
  expect(await station.request('GET', '/api/articles/?colour=red')).toMatchObject({ status: 400 });
});

test('after_revision selects articles that changed in later commits, even if the clock was set back', async () => {
  for (const sku of ['A', 'B']) await addArticle(station, sku, [{ location: `P-${sku}`, on_hand: 3 }], {});
  const read = async (revision: number) => {
    const answer = await station.request('GET', `/api/articles/?after_revision=${revision}`);
    return { skus: skusOf(answer.body as Article[]), revision: Number(answer.headers.get('pickstation-revision')) };
  };
  expect((await read(0)).skus).toEqual(['A', 'B']);
  const acts: [string, () => Promise<unknown>][] = [
    ['a change', () => station.patch(articlePath('B'), { name: 'Nut' })],
    ['a replacement', () => station.request('PUT', articlePath('B'), { name: 'Bolt', places: [{ location: 'P-B' }] })],
    ['a movement', () => station.post('/api/stock/', { movements: [{ sku: 'B', location: 'P-B', count: 9 }] })],
    ['a hidden article', () => station.patch(articlePath('B'), { active: false })],
    ['a shown article', () => station.patch(articlePath('B'), { active: true })],
    ['a renamed place', () => station.post('/api/places/rename/', { from: 'P-B', to: 'P-C' })],
  ];
  for (const [what, act] of acts) {
    const { revision } = await read(0);
    station.clock.jump(-60_000);
    await act();
    const shown = what === 'a hidden article' ? [] : ['B'];
    expect([what, (await read(revision)).skus]).toEqual([what, shown]);
  }
});

test('a change based on an outdated article is refused if it affects fields changed since; stock changes do not matter', async () => {
  await addArticle(station, 'A', [{ location: 'P', on_hand: 3 }], { name: 'Nut' });
  const { headers } = await station.request('GET', articlePath('A'));
  const match = { 'api-key': API_KEY, 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' };
  await postStock(station, { sku: 'A', location: 'P', count: 9 });
  const places = [{ location: 'P', minimum: 1 }];
  expect(await station.request('PATCH', articlePath('A'), { places }, match)).toMatchObject({ status: 200 });
  expect(await station.request('PATCH', articlePath('A'), { places: [{ location: 'P' }] }, match)).toMatchObject({
    status: 412,
    body: { code: 'changed' },
  });
  expect(await station.request('PATCH', articlePath('A'), { name: 'Bolt' }, match)).toMatchObject({ status: 200 });
  expect(await station.request('DELETE', `${articlePath('A')}?force=1`, undefined, match)).toMatchObject({
    status: 412,
  });
});

test('PUT without places or barcodes keeps them, and an empty list removes them', async () => {
  const barcodes = [{ code: '4006381333931', quantity: 1 }];
  const given = { places: [{ location: 'P', on_hand: 3 }, { location: 'Q' }], barcodes };
  const kept = { barcodes, places: [{ location: 'P', on_hand: 3 }, { location: 'Q' }] };
  await addArticle(station, 'A', [], { name: 'Nut', unit: 'pcs', ...given });
  expect(await station.request('PUT', articlePath('A'), { name: 'Bolt' })).toMatchObject({
    status: 200,
    body: { name: 'Bolt', unit: null, ...kept },
  });
  expect(await put([{ sku: 'A', name: 'Screw' }])).toMatchObject({ status: 200, body: [{ status: 200 }] });
  expect(await getArticle(station, 'A')).toMatchObject({ name: 'Screw', ...kept });
  expect(await put([{ sku: 'A', places: [] }])).toMatchObject({ status: 207, body: [{ status: 409 }] });
  await station.request('PUT', articlePath('A'), { places: [{ location: 'P' }], barcodes: [] });
  expect(await getArticle(station, 'A')).toMatchObject({ name: null, barcodes: [], places: [{ location: 'P' }] });
});

test('a PUT based on an outdated article is refused even if it omits the changed field, because omitting clears it', async () => {
  await addArticle(station, 'A', [{ location: 'P', on_hand: 3 }], { name: 'Nut' });
  const { headers } = await station.request('GET', articlePath('A'));
  const match = { 'api-key': API_KEY, 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' };
  await station.patch(articlePath('A'), { note: 'Order early' });
  const replaced = { name: 'Nut', places: [{ location: 'P' }] };
  expect(await station.request('PUT', articlePath('A'), replaced, match)).toMatchObject({
    status: 412,
    body: { code: 'changed', errors: [{ path: '/note' }] },
  });
  expect(await station.get(articlePath('A'))).toMatchObject({ name: 'Nut', note: 'Order early' });
  const now = await station.request('GET', articlePath('A'));
  await postStock(station, { sku: 'A', location: 'P', count: 9 });
  const fresh = { ...match, 'if-match': now.headers.get('etag') ?? '' };
  await station.patch(articlePath('A'), { barcodes: [{ code: '1' }] });
  expect(await station.request('PUT', articlePath('A'), { ...replaced, barcodes: [] }, fresh)).toMatchObject({
    status: 412,
    body: { errors: [{ path: '/barcodes' }] },
  });
  expect(await station.request('PUT', articlePath('A'), replaced, fresh)).toMatchObject({ status: 200 });
  expect(await station.get(articlePath('A'))).toMatchObject({ note: null, places: [{ on_hand: 9 }] });
});

test('repeating a request with an idempotency key creates the article only once', async () => {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json', 'idempotency-key': 'k-1' };
  const body = { sku: 'A', places: [{ location: 'P', on_hand: 3 }] };
  const first = await station.request('POST', '/api/articles/', body, headers);
  const second = await station.request('POST', '/api/articles/', body, headers);
  expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
  expect(await movedOf(station)).toHaveLength(1);
});

test('readers can only read articles; control and admin can change them', async () => {
  const { api_key: readKey } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'r', scope: 'read' });
  const { api_key: controlKey } = await station.post<{ api_key: string }>('/api/api-users/', {
    name: 'c',
    scope: 'control',
  });
  const as = (key: string) => ({ 'api-key': key, 'content-type': 'application/json' });
  for (const path of ['/api/articles/', '/api/stock/', '/api/movements/'])
    expect((await station.request('GET', path, undefined, as(readKey))).status, path).toBe(200);
  expect(await station.request('POST', '/api/articles/', { sku: 'A' }, as(readKey))).toMatchObject({
    status: 403,
    body: { right: 'edit_stock' },
  });
  expect(await station.request('POST', '/api/articles/', { sku: 'A' }, as(controlKey))).toMatchObject({ status: 201 });
});

test('places are not renamed when a label moves to the name of another place, or when a device is replaced', async () => {
  const other = '51D000:000002';
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${other}/`, { locationoverride: 'A-2' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }]);
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-2' });
  await station.post(`/api/device/${other}/`, { locationoverride: 'A-1' });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 4 });
  await station.post('/api/device/', { deviceid: '51D000:000009', buttons: 1 });
  await station.post(`/api/device/${other}/replace/`, { deviceid: '51D000:000009' });
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 4 });
});

test('an open line stays linked to its article when the SKU changes', async () => {
  await addArticle(station, 'A', [{ location: 'P', on_hand: 9 }]);
  await addOrder(station, 'SO-1', [anItem({ SKU: 'A' })]);
  await station.patch(articlePath('A'), { sku: 'B' });
  await launch(station, 'SO-1');
  expect(await station.request('DELETE', articlePath('B'))).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('SO-1') },
  });
});
