import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { allEndpoints } from '../../../electron/server/http/endpoints/all.ts';
import { openApiDocument } from '../../../electron/server/http/openapi/document.ts';
import { buildDocuments } from '../../../electron/server/http/openapi/documents.ts';
import { ownTimeMs } from '../../helpers/ownTime.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 13: a stranger's first question after a start must not keep the station busy.
const VERSION = '0.1.0';
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });
const ENDPOINTS = allEndpoints(nothing as never);
const PATHS = {
  Whole: '/api/openapi.json',
  Devices: '/devices/openapi.json',
  LocationAliases: '/location-aliases/openapi.json',
  Sequences: '/sequence/openapi.json',
  Orders: '/orders/openapi.json',
};

let station: TestStation;
let files: ReadonlyMap<string, string | Uint8Array>;

beforeAll(async () => {
  files = await buildDocuments(ENDPOINTS, VERSION);
});

beforeEach(async () => {
  station = await startTestStation({ simulate: 0 });
});

afterEach(() => station.stop());

/** Writes files into the folder of built documents, beside the page. */
function install(files: ReadonlyMap<string, string | Uint8Array>): void {
  const folder = join(station.dataFolder, 'openapi');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

async function served(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, station.url), { headers });
}

test('built documents are those that the station makes, with their gzip and tags', async () => {
  const textOf = (name: string): string => Buffer.from(files.get(name) ?? '').toString();
  for (const [name, path] of Object.entries(PATHS)) {
    const answer = await served(path);
    expect(await answer.text(), name).toBe(textOf(`${name}.json`));
    expect(gunzipSync(files.get(`${name}.json.gz`) as Uint8Array).toString()).toBe(textOf(`${name}.json`));
    expect(answer.headers.get('etag')).toBe(`W/${(JSON.parse(textOf(`${name}.about`)) as { tag: string }).tag}`);
  }
  const frozen = readFileSync(join(import.meta.dirname, '../../../resources/openapi/whole.json'), 'utf8');
  expect(JSON.parse(textOf('Whole.json'))).toEqual({ ...JSON.parse(frozen), info: expect.anything() });
});

test('the station serves a built document and does not make it again', async () => {
  install(new Map([...files, ['Whole.json.gz', gzipSync('{"built":true}')]]));
  const answer = await served(PATHS.Whole);
  expect(await answer.json()).toEqual({ built: true });
  const tag = answer.headers.get('etag') ?? '';
  expect((await served(PATHS.Whole, { 'if-none-match': tag })).status).toBe(304);
});

test('a document that was built for other endpoints, or only in part, is made again', async () => {
  const others = await buildDocuments(ENDPOINTS.slice(1), VERSION);
  const parts = new Map(files);
  parts.delete('Orders.json.gz');
  install(new Map([...parts, ...[...others].filter(([name]) => name.startsWith('Whole'))]));
  const { paths } = (await (await served(PATHS.Whole)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain(ENDPOINTS[0]?.path);
  expect((await served(PATHS.Orders)).status).toBe(200);
});

test('documents are made in small parts, so that others are served in between', () => {
  const about = { title: 'Pickstation', version: VERSION };
  const longest: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    const work = openApiDocument(ENDPOINTS, about);
    for (let at = 0, isLast = false; !isLast; at += 1) {
      const step = { ms: 0, isLast: false };
      step.ms = ownTimeMs(() => void (step.isLast = work.next().done === true), 1);
      longest[at] = Math.min(longest[at] ?? Number.POSITIVE_INFINITY, step.ms);
      ({ isLast } = step);
    }
  }
  expect(longest.length).toBeGreaterThan(1_000);
  const all = ownTimeMs(() => void whole(openApiDocument(ENDPOINTS, about)), 2);
  expect(Math.max(...longest)).toBeLessThan(all / 5);
});
