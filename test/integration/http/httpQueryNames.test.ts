import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 3 });
});

afterAll(() => station.stop());

describe('a query parameter that the endpoint does not have', () => {
  test.each([
    ['GET', '/api/orders/?status=fulfilled', 'status', 'Did you mean state?'],
    [
      'GET',
      '/api/orders/?page=2',
      'page',
      'Known: after, after_revision, attention, limit, picker, state, updated_after.',
    ],
    ['GET', '/api/history/?device_id=51D000:000001', 'device_id', 'Did you mean deviceid?'],
    ['GET', '/api/device/?Limit=5', 'Limit', 'Did you mean limit?'],
    ['GET', '/api/map/?x=1', 'x', 'There are none here.'],
    ['POST', '/api/orders/?Strict=1', 'Strict', 'Did you mean strict?'],
    ['POST', `/api/device/${ONE}/?nonce=a`, 'nonce', 'Known: strict.'],
    ['DELETE', '/api/orders/SO-1/?force=1', 'force', 'Nothing was done.'],
    ['POST', '/api/imports/?dryrun=1', 'dryrun', 'Did you mean dry_run?'],
  ])('is refused: %s %s', async (method, path, name, words) => {
    const body = method === 'POST' ? { order_number: 'SO-1', items: [], line1: 'x' } : undefined;
    const answer = await station.request(method, path, body);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'unknown_parameter',
        errors: [{ path: `/${name}` }],
        detail: expect.stringContaining(words) as string,
      },
    });
    expect(await station.get('/api/orders/')).toEqual([]);
  });

  test('is accepted if libraries use it to bypass caches', async () => {
    expect(await station.get('/api/orders/?_=1732600000000')).toEqual([]);
  });

  test('is ignored with a warning in the query-string interface', async () => {
    expect(await station.get(`/api/${ONE}/message/Nut/?x=1`)).toMatchObject({ warnings: [expect.any(String)] });
  });
});

describe('a list with more than one page', () => {
  async function follow(first: string): Promise<{ pages: number[]; all: unknown[] }> {
    const pages: number[] = [];
    const all: unknown[] = [];
    for (let path: string | undefined = first; path !== undefined;) {
      // oxlint-disable-next-line no-await-in-loop -- each page links to the next one
      const { body, headers } = await station.request('GET', path);
      pages.push((body as unknown[]).length);
      all.push(...(body as unknown[]));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    return { pages, all };
  }

  test('links to the next page, except on the last page', async () => {
    expect(await follow('/api/device/?limit=2')).toMatchObject({ pages: [2, 1] });
    expect(await follow('/api/device/?limit=3')).toMatchObject({ pages: [3] });
    expect(await follow('/api/device/')).toMatchObject({ pages: [3] });
  });

  test('keeps its filters, and continues after order numbers with any characters', async () => {
    for (const number of ['A&1', 'A/2', 'A é', 'B']) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await station.post('/api/orders/', { order_number: number, items: [{ name: 'Nut', ordered_quantity: 1 }] });
    }
    await station.post('/api/orders/', { order_number: 'C', items: [{ name: 'Nut', ordered_quantity: 0 }] });
    for (const list of ['orders', 'order-progress']) {
      // oxlint-disable-next-line no-await-in-loop -- one list after the other
      const { pages, all } = await follow(`/api/${list}/?state=open&limit=1`);
      expect(pages).toEqual([1, 1, 1, 1]);
      const numbers = all.map((order) => (order as { order_number: string }).order_number);
      expect(numbers).toEqual(['A é', 'A&1', 'A/2', 'B']);
    }
  });

  test.each([
    '/api/history/',
    '/api/callbacks/',
    '/api/alerts/',
    '/api/audit/',
    '/api/requests/',
    '/api/sequence/',
    '/api/location-aliases/',
  ])('also links to the next page at %s', async (path) => {
    for (const name of ['a', 'b']) {
      // oxlint-disable no-await-in-loop -- in order
      await station.request('POST', '/api/location-aliases/', { name, deviceid: ONE, deviceIs: 'Above' });
      await station.request('POST', '/api/sequence/', {
        sequenceid: name,
        steps: [{ order: 1, device: ONE, line1: 'x' }],
      });
      // oxlint-enable no-await-in-loop
    }
    const whole = await station.get<unknown[]>(`${path}?limit=1000`);
    const { pages } = await follow(`${path}?limit=1`);
    // Each of these requests adds an entry to the list.
    if (path !== '/api/requests/') expect(pages).toEqual(whole.length === 0 ? [0] : whole.map(() => 1));
    else expect(pages.length).toBeGreaterThan(1);
  });
});
