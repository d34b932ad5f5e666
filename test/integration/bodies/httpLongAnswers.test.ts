import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ELEMENTS = 20_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, host: undefined });
  await station.halt();
  const db = new Database(join(station.dataFolder, DATABASE_FILE));
  const insert = db.prepare(
    "INSERT INTO location_aliases (name, name_key, device_id, device_is) VALUES (?, ?, '51D000:000001', 'Above')",
  );
  db.transaction(() => {
    for (let index = 0; index < ELEMENTS; index += 1) {
      const name = `${index} ${'x'.repeat(180)}`;
      insert.run(name, name);
    }
  })();
  db.close();
  await station.restart();
});

afterEach(() => station.stop());

/** Requests a list that is much longer than the system's buffers, without reading the answer. */
function begunAnswer(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'api-key': API_KEY };
    const call = request(new URL('/api/location-aliases/', station.url), { headers, agent: false }, resolve);
    call.on('error', reject);
    call.end();
  });
}

async function read(answer: IncomingMessage): Promise<LocationAlias[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as LocationAlias[];
}

test('a stopping station still completes a long answer', async () => {
  const answer = await begunAnswer();
  const stopped = station.stop();
  // The stop has begun once the port is closed.
  while (await isOpen()) await new Promise((resolve) => setImmediate(resolve));
  expect(await read(answer)).toHaveLength(ELEMENTS);
  await stopped;
});

test('an answer in progress is completed when the station opens to the network', async () => {
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
