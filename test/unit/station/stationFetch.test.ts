import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStationFetch } from '../../../electron/main/stationFetch.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';

let url: URL;
let fingerprint: string;
let asked: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  asked = [];
  const made = selfSigned('somebody else entirely');
  fingerprint = new X509Certificate(made.cert).fingerprint256;
  const server = createServer(made, (req, res) => {
    asked.push(req.headers['cookie'] ?? '');
    res.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
});

afterEach(() => stop());

const signal = AbortSignal.timeout(60_000);
const headers = { cookie: 'sessionid=secret' };

test('accepts the certificate that it knows, even a self-signed one', async () => {
  const answer = await createStationFetch(() => fingerprint)(url, { headers, signal });
  expect(await answer.json()).toEqual({});
  expect(asked).toEqual(['sessionid=secret']);
});

test('sends nothing to a server with a different certificate, or before a certificate is known', async () => {
  for (const known of [selfSigned('x').cert, undefined]) {
    const ask = createStationFetch(() => (known === undefined ? undefined : new X509Certificate(known).fingerprint256));
    await expect(ask(url, { headers, signal })).rejects.toThrow();
  }
  expect(asked).toEqual([]);
});

test('accepts the new certificate of a station once it is known', async () => {
  let known = 'AA:BB';
  const ask = createStationFetch(() => known);
  await expect(ask(url, { headers, signal })).rejects.toThrow();
  known = fingerprint;
  expect((await ask(url, { headers, signal })).ok).toBe(true);
});
