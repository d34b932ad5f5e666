import { execFile } from 'node:child_process';
import { generateKeyPairSync, hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { signRelease } from '../../electron/server/update/signRelease.ts';
import { selfSigned } from '../helpers/servers/selfSigned.ts';
import { ownFolder, ROOT_SWITCHES, runtimeFolder } from './desktop.ts';

// electron-updater reads the update feed over real HTTPS in Electron's own network stack.
const READER = join(import.meta.dirname, 'readFeeds.mjs');
/** A version newer than Electron's, which is the program's version in this test. */
const VERSION = '999.0.0';
const LIST = 'latest-linux';
const FILE = 'pickstation-999.0.0.AppImage';
const CONTENT = 'a program';
const PLAIN = 'the server leads to an address without HTTPS';
const keys = generateKeyPairSync('ed25519');

async function serve(server: Server, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Returns what Electron reads from each of these feeds, one after the other. */
async function readFeeds(cert: string, feeds: readonly object[]): Promise<unknown[]> {
  const folder = ownFolder();
  writeFileSync(join(folder, 'app-update.yml'), 'updaterCacheDirName: pickstation-test\n');
  const key = keys.publicKey.export({ type: 'spki', format: 'pem' });
  const env = { ...process.env, READ_FEEDS: JSON.stringify({ folder, key, cert, feeds }) };
  const { stdout } = await promisify(execFile)(join(runtimeFolder(), 'electron'), [...ROOT_SWITCHES, READER], { env });
  return [...stdout.matchAll(/^READ (.*)$/gm)].map(([, text = '']) => JSON.parse(text) as unknown);
}

test('the feed is read over HTTPS with redirects, but none may leave HTTPS or lead to an untrusted certificate', async () => {
  const asked: string[] = [];
  const listen: RequestListener = (req, res) => {
    asked.push(req.url ?? '');
    res.end(CONTENT);
  };
  const plain = await serve(createPlainServer(listen), 'http');
  const other = await serve(createServer(selfSigned('other'), listen), 'https');
  const signed = signRelease(
    {
      list: LIST,
      version: VERSION,
      signed_at: new Date().toISOString(),
      files: [{ url: FILE, sha512: hash('sha512', CONTENT, 'base64'), size: CONTENT.length }],
    },
    keys.privateKey,
  );
  /** Redirect targets. The first part of a path names what is redirected, how, and where. */
  const targets: Readonly<Record<string, string>> = {
    plain,
    other,
    local: 'file:///etc/',
    data: 'data:text/plain,',
    older: 'ftp://127.0.0.1/',
    further: '/list-302-plain/',
    same: '/none/',
  };
  const given = selfSigned('feed');
  const server = createServer(given, (req, res) => {
    const [, how = '', name = ''] = (req.url ?? '').split('/');
    const [what, status, to = ''] = how.split('-');
    const isMoved = what === (name === FILE ? 'file' : 'list');
    if (isMoved) res.writeHead(Number(status), { location: `${targets[to]}${name}` }).end();
    else if (name === FILE) res.end(CONTENT);
    else res.end(signed);
  });
  const url = await serve(server, 'https');
  const feeds = [
    'none',
    ...[301, 302, 303, 307, 308].map((status) => `list-${status}-same`),
    'file-302-same',
    'list-302-plain',
    'list-308-further',
    'file-302-plain',
    'list-302-other',
    'file-307-other',
    'list-302-local',
    'list-302-data',
    'file-302-local',
    'file-302-data',
    'file-302-older',
  ];
  const read = await readFeeds(
    given.cert,
    feeds.map((each) => ({ url: `${url}${each}/`, downloads: each === 'none' || each.startsWith('file') })),
  );
  const whole = { version: VERSION, file: CONTENT };
  const refused = { error: expect.any(String) as string };
  expect(Object.fromEntries(feeds.map((each, index) => [each, read[index]]))).toEqual({
    none: whole,
    'list-301-same': { version: VERSION },
    'list-302-same': { version: VERSION },
    'list-303-same': { version: VERSION },
    'list-307-same': { version: VERSION },
    'list-308-same': { version: VERSION },
    'file-302-same': whole,
    'list-302-plain': { error: PLAIN },
    'list-308-further': { error: PLAIN },
    'file-302-plain': { error: PLAIN },
    'list-302-other': refused,
    'file-307-other': refused,
    'list-302-local': refused,
    'list-302-data': refused,
    'file-302-local': { error: PLAIN },
    'file-302-data': { error: PLAIN },
    'file-302-older': { error: PLAIN },
  });
  expect(asked).toEqual([]);
});
