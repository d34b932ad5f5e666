import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BulkResult } from '#shared/api/device.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';

/** The maximum in one request. */
const ELEMENTS = 1_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, host: undefined });
});

afterEach(() => station.stop());

/** The answer to a bulk before any of it is read: it is far larger than the buffers of the system. */
function begunAnswer(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
    const call = request(new URL('/api/devices/', station.url), { method: 'POST', headers, agent: false }, resolve);
    call.on('error', reject);
    // Each is refused with 3,000 bytes, which name this place.
    const element = { location: '棚'.repeat(1_000), line1: 'x' };
    call.end(JSON.stringify(Array.from({ length: ELEMENTS }, () => element)));
  });
}

async function read(answer: IncomingMessage): Promise<BulkResult[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as BulkResult[];
}

test('a stopping station finishes sending the answer to a bulk request', async () => {
  const answer = await begunAnswer();
  const stopped = station.stop();
  // Wait until the port is closed: the stop has begun.
  while (await isOpen()) await new Promise((resolve) => setImmediate(resolve));
  expect(await read(answer)).toHaveLength(ELEMENTS);
  await stopped;
});

test('finishes sending an answer while the station opens to the network', async () => {
  const answer = await begunAnswer();
  await station.patch('/api/settings/', { listen: 'network' });
  expect(await read(answer)).toHaveLength(ELEMENTS);
});

function isOpen(): Promise<boolean> {
  return fetch(new URL('/healthz', station.url), { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  );
}
