import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { StockRow } from '#shared/api/stock.ts';
import { addArticle, articlePath, getArticle } from '../../helpers/articles.ts';
import { claiming, halves, noise, seen, turned } from '../../helpers/files/pictures.ts';
import { type Answer, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: article pictures.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
  await addArticle(station, 'CT 200/b');
});
afterEach(() => station.stop());

const PICTURE = `${articlePath('CT 200/b')}picture/`;

function send(bytes: Buffer | string, type = 'application/octet-stream', path = PICTURE): Promise<Answer> {
  return station.request('PUT', path, bytes, { 'api-key': API_KEY, 'content-type': type });
}

const read = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  station.request('GET', address, undefined, { 'api-key': API_KEY, ...headers });
const picture = async (query = ''): Promise<Uint8Array> => (await read(`${PICTURE}${query}`)).body as Uint8Array;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

test.for(['jpeg', 'png', 'webp'] as const)(
  'a %s becomes a WebP of at most 640 pixels, and a smaller one for lists',
  async (type) => {
    const answer = await send(halves(type, 2_000, 1_000), 'image/wrong');
    expect(answer).toMatchObject({
      status: 200,
      body: { picture: expect.stringMatching(/^\/api\/articles\/CT%20200%2Fb\/picture\/\?v=[0-9a-f]{12}$/) as string },
    });
    const { picture: address } = answer.body as Article;
    expect((await getArticle(station, 'CT 200/b')).picture).toBe(address);
    const { status, headers, body } = await read(address ?? '');
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ]);
    expect(await seen(body as Uint8Array)).toEqual({ width: 640, height: 320, corners: 'red blue' });
    const small = (await read(`${address}&size=96`)).body as Uint8Array;
    expect(await seen(small)).toEqual({ width: 96, height: 48, corners: 'red blue' });
    expect(small.length).toBeLessThan(2_000);
  },
);

test('a stock row has the picture of its article, if any', async () => {
  const { picture: address } = (await send(halves('png', 30, 20))).body as Article;
  await station.request('PATCH', articlePath('CT 200/b'), { places: [{ location: 'A-1' }] });
  await addArticle(station, 'N-1', [{ location: 'A-2' }]);
  const stock = await station.get<StockRow[]>('/api/stock/');
  expect(stock.map(({ sku, picture: shown }) => [sku, shown])).toEqual([
    ['CT 200/b', address],
    ['N-1', null],
  ]);
});

test('a work line has the picture of its article, if any', async () => {
  const { picture: address } = (await send(halves('png', 30, 20))).body as Article;
  const items = [
    { SKU: 'ct 200/B', ordered_quantity: 1 },
    { name: 'Bolt', ordered_quantity: 1 },
  ];
  await station.post('/api/orders/', { order_number: 'SO-1', items });
  await station.post('/api/orders/SO-1/launch/', { picker: 'admin' });
  const lines = await station.get<WorkLine[]>('/api/work/');
  expect(lines.map(({ text: name, picture: shown }) => [name, shown])).toEqual([
    ['ct 200/B', address],
    ['Bolt', null],
  ]);
});

test('a small picture is not enlarged, and a picture that compresses badly is stored with at most 200 KB', async () => {
  await send(halves('png', 30, 20));
  expect(await seen(await picture())).toMatchObject({ width: 30, height: 20 });
  expect(await seen(await picture('?size=96'))).toMatchObject({ width: 30, height: 20 });
  expect((await send(noise(900))).status).toBe(200);
  const stored = await picture();
  expect(stored.length).toBeLessThanOrEqual(200_000);
  expect((await seen(stored)).width).toBeGreaterThan(200);
});

describe('an EXIF orientation rotates the picture, and no metadata is stored', () => {
  test.for([
    [1, 40, 20, 'red blue'],
    [2, 40, 20, 'blue red'],
    [3, 40, 20, 'blue red'],
    [4, 40, 20, 'red blue'],
    [5, 20, 40, 'red blue'],
    [6, 20, 40, 'red blue'],
    [7, 20, 40, 'blue red'],
    [8, 20, 40, 'blue red'],
  ] as const)('orientation %s', async ([turn, width, height, corners]) => {
    for (const type of ['jpeg', 'png'] as const) {
      expect((await send(turned(halves(type), turn))).status).toBe(200);
      const stored = await picture();
      expect({ type, ...(await seen(stored)) }).toEqual({ type, width, height, corners });
      for (const part of ['EXIF', 'ICCP', 'XMP ', 'GPS 52.5']) expect(text(stored)).not.toContain(part);
    }
  });
});

test.for([
  [
    'an SVG with a script',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    /an SVG/,
  ],
  ['a GIF', 'GIF89a\x01\0\x01\0', /a GIF/],
  ['a HEIC picture', '\0\0\0\x18ftypheic\0\0\0\0', /a HEIC picture/],
  ['an AVIF picture', '\0\0\0\x18ftypavif\0\0\0\0', /an AVIF picture/],
  ['an HTML page', '<!doctype html><img src=x onerror=alert(1)>', /neither JPEG nor PNG nor WebP/],
  ['an empty file', '', /an empty file/],
  ['the body of a form', '--abc\r\nContent-Disposition: form-data; name="file"\r\n\r\n', /a form/],
  ['a picture of 40,000 × 40,000 pixels', claiming(40_000, 40_000), /40000 × 40000 pixels; at most 40 megapixels/],
  ['a PNG without pixels', claiming(0, 20), /incomplete or damaged/],
  ['a truncated JPEG', halves('jpeg', 400, 400).subarray(0, 1_500), /incomplete or damaged/],
  ['a truncated PNG', halves('png', 400, 400).subarray(0, 400), /incomplete or damaged/],
  ['a truncated WebP', halves('webp', 400, 400).subarray(0, 300), /incomplete or damaged/],
  ['only the first bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff]), /incomplete or damaged/],
  ['only the first bytes of a WebP', 'RIFF\x04\0\0\0WEBP', /incomplete or damaged/],
  ['a PNG whose pixels contradict its size', claiming(5_000, 5_000), /damaged and cannot be decoded/],
] as const)('%s is refused with an explanation, and the previous picture stays', async ([, bytes, said]) => {
  await send(halves('png'));
  const before = await picture();
  const answer = await send(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, 'image/png');
  expect(answer).toMatchObject({
    status: 415,
    body: { code: 'unsupported_media_type', detail: expect.stringMatching(said) as string },
  });
  expect(text(await picture())).toBe(text(before));
});

test('refuses a file of more than 16 MiB, with or without a content length', async () => {
  expect(await send(Buffer.alloc(50 * 1024 * 1024))).toMatchObject({ status: 413, body: { code: 'too_large' } });
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let part = 0; part < 17; part += 1) controller.enqueue(new Uint8Array(1024 * 1024));
      controller.close();
    },
  });
  const init = { method: 'PUT', body: parts, duplex: 'half', headers: { 'api-key': API_KEY } };
  expect((await fetch(`${station.url.replace(/\/$/, '')}${PICTURE}`, init as RequestInit)).status).toBe(413);
});

test('browsers cache each version of a picture, and request new versions', async () => {
  const { picture: address } = (await send(halves('png'))).body as Article;
  const kept = await read(address ?? '');
  expect(kept.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  const asked = await read(PICTURE);
  expect(asked.headers.get('cache-control')).toBe('private, no-cache');
  const tag = asked.headers.get('etag') ?? '';
  expect((await read(PICTURE, { 'if-none-match': tag })).status).toBe(304);
  // Uploading the same picture keeps the version; a different picture gets a new version.
  expect((await send(halves('png'))).body).toEqual({ picture: address });
  const { picture: other } = (await send(halves('png', 60, 20))).body as Article;
  expect(other).not.toBe(address);
  expect((await read(address ?? '')).headers.get('cache-control')).toBe('private, no-cache');
  expect((await read(PICTURE, { 'if-none-match': tag })).status).toBe(200);
});

test('a picture survives other changes, follows a new SKU, and is removed on request or with its article', async () => {
  expect((await read(PICTURE)).status).toBe(404);
  await send(halves('png'));
  await station.patch(articlePath('CT 200/b'), { name: 'Tie', picture: null });
  await station.request('PUT', '/api/articles/', [{ sku: 'CT 200/b', name: 'Tie 2' }]);
  await station.patch(articlePath('CT 200/b'), { sku: 'CT-2' });
  const { picture: address } = await getArticle(station, 'CT-2');
  expect(address).toMatch(/^\/api\/articles\/CT-2\/picture\//);
  expect((await read(address ?? '')).status).toBe(200);
  expect((await station.request('DELETE', '/api/articles/CT-2/picture/')).status).toBe(204);
  expect((await station.request('DELETE', '/api/articles/CT-2/picture/')).status).toBe(404);
  expect(await getArticle(station, 'CT-2')).toMatchObject({ picture: null, name: 'Tie 2' });
  await send(halves('png'), 'image/png', '/api/articles/CT-2/picture/');
  expect((await station.request('DELETE', '/api/articles/CT-2/')).status).toBe(204);
  expect(station.rows('SELECT * FROM article_pictures')).toEqual([]);
});

test('an unknown article is refused before its picture is converted, and readers cannot change pictures', async () => {
  expect(await send(halves('png'), 'image/png', '/api/articles/none/picture/')).toMatchObject({ status: 404 });
  const { api_key: key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'r', scope: 'read' });
  const headers = { 'api-key': key, 'content-type': 'image/png' };
  expect((await station.request('PUT', PICTURE, halves('png'), headers)).status).toBe(403);
  expect((await station.request('DELETE', PICTURE, undefined, headers)).status).toBe(403);
});

test('the event stream reports the article with its picture', async () => {
  const { picture: address } = (await send(halves('png'))).body as Article;
  const [row] = await station.get<Article[]>('/api/articles/');
  expect(row?.picture).toBe(address);
});

test('backups contain pictures', async () => {
  await send(halves('png'));
  const before = await picture();
  const { name } = await station.post<{ name: string }>('/api/backups/');
  await station.request('DELETE', PICTURE);
  const file = `${station.dataFolder}/backups/${name}`;
  await using restored = await startTestStation({ restore: file });
  const address = `${restored.url.replace(/\/$/, '')}${PICTURE}`;
  const answer = await fetch(address, { headers: { 'api-key': API_KEY } });
  expect(text(new Uint8Array(await answer.arrayBuffer()))).toBe(text(before));
});
