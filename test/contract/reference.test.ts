import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawRequest } from '../helpers/servers/rawHttp.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const ROOT = join(import.meta.dirname, '..', '..');

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation();
});

afterAll(() => station.stop());

async function text(path: string): Promise<string> {
  const answer = await station.request('GET', path, undefined, {});
  expect(answer.status, path).toBe(200);
  return Buffer.from(answer.body as Uint8Array).toString('utf8');
}

test('serves the reference at /docs/ to everybody, and its page names only existing files', async () => {
  const answer = await station.request('GET', '/docs/', undefined, {});
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await text('/docs/');
  const files = [...page.matchAll(/(?:src|href)="([^"/][^"]*)"/g)].map(([, file = '']) => file);
  expect(new Set(files)).toEqual(
    new Set(['mark.svg', 'swagger-ui.css', 'page.css', 'theme.js', 'swagger-ui-bundle.js', 'start.js']),
  );
  for (const file of files) expect((await text(`/docs/${file}`)).length, file).toBeGreaterThan(100);
  const short = await station.request('GET', '/docs', undefined, {});
  expect([short.status, short.headers.get('location')]).toEqual([308, '/docs/']);
});

test("the reference has the window's content security policy: no inline scripts and no other hosts", async () => {
  const answer = await station.request('GET', '/docs/', undefined, {});
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:/);
  const page = await text('/docs/');
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  for (const file of ['', 'page.css', 'theme.js', 'start.js']) {
    expect((await text(`/docs/${file}`)).replace('http://www.w3.org/2000/svg', ''), file).not.toMatch(/https?:\/\//);
  }
});

test('turns off the external validator', async () => {
  // Check the setting, because at a loopback address, as in tests, the library never calls a validator anyway.
  expect(await text('/docs/start.js')).toContain('validatorUrl: null');
});

test("compresses the reference's files, and answers 304 for an unchanged one", async () => {
  for (const file of ['', 'swagger-ui-bundle.js', 'page.css']) {
    const path = `/docs/${file}`;
    const plain = await rawRequest(station.url, { path });
    expect(plain.headers['content-encoding'], path).toBeUndefined();
    const zipped = await fetch(new URL(path, station.url), { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding'), path).toBe('gzip');
    expect(await zipped.text(), path).toBe(plain.text);
    const { etag } = plain.headers;
    expect(zipped.headers.get('etag')).not.toBe(etag);
    const again = await rawRequest(station.url, { path, headers: { 'if-none-match': etag ?? '' } });
    expect([again.status, again.text], path).toEqual([304, '']);
    const head = await rawRequest(station.url, { method: 'HEAD', path });
    expect([head.status, head.headers['content-length']], path).toEqual([200, plain.headers['content-length']]);
  }
});

test('the reference uses the colors of the window', async () => {
  const tokens = readFileSync(join(ROOT, 'renderer/src/kit/tokens.css'), 'utf8');
  const style = await text('/docs/page.css');
  const named = [...style.matchAll(/^ {2}(--[\w-]+: light-dark\(.*\);)$/gm)].map(([, token = '']) => token);
  expect(named.length).toBeGreaterThan(10);
  for (const token of named) expect(tokens).toContain(token);
  // All other colors refer to these by name.
  expect(style.replaceAll(/^ {2}--.*$/gm, '')).not.toMatch(/#[0-9a-f]{3,8}\b|rgb/i);
});

test('packages only the Swagger UI files that the page needs, and their license', () => {
  const builder = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
  const [, kept = ''] = /'!node_modules\/swagger-ui-dist\/!\(([^)]*)\)'/.exec(builder) ?? [];
  expect(kept.split('|').toSorted()).toEqual([
    'LICENSE',
    'NOTICE',
    'package.json',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
  ]);
});
