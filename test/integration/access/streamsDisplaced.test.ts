import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { WallScreenLink, WallSession } from '#shared/api/wallBoard.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 3: a session that another one displaces loses its stream at once. The clock does not advance, so that no heartbeat ends a stream.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => station.stop());

const streamOf = (headers: Record<string, string>) => openStream(station.url, { headers });

async function repeat(times: number, call: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) await call();
}

test('the 21st session of a wall screen ends the stream of its first one, and of no other', async () => {
  const { url } = await station.post<WallScreenLink>('/api/screens/', { name: 'Hall' });
  const secret = (url ?? '').split('#')[1] ?? '';
  const open = async () => ({
    'api-key': (await station.post<WallSession>('/api/screens/session/', { secret })).apikey,
  });
  const first = await streamOf(await open());
  const second = await streamOf(await open());
  await repeat(18, open);
  expect((await station.request('GET', '/api/screens/')).body).toMatchObject([{ sessions: 20 }]);
  await open();
  await first.ended();
  expect(first.isWhole()).toBe(true);
  await station.post('/api/device/51D000:000001/', { line1: 'x' });
  await station.clock.advance(1_000);
  await second.until(() => second.commits().length > 0);
  second.close();
});

test("a sign-in beyond 10,000 sessions ends the stream of the person's first session", async () => {
  const oldest = await openSession(station);
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec(`WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 9999)
    INSERT INTO sessions (id_hash, name_key, token_hash, key_hash, created_at, ends_at, kiosk_id)
    SELECT 'id' || n, name_key, 'token' || n, 'key' || n, created_at + n, ends_at + n, kiosk_id FROM sessions, more`);
  db.close();
  await station.restart();
  const stream = await streamOf(oldest.cookies);
  expect(stream.status).toBe(200);
  await openSession(station);
  await stream.ended();
  expect(stream.isWhole()).toBe(true);
});

test("a token beyond a program's 200 ends the stream of its first one", async () => {
  const { client_id, client_secret } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP' });
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString();
  async function open() {
    const answer = await station.request('POST', '/api/oauth/token/', form, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    return { authorization: `Bearer ${(answer.body as { access_token: string }).access_token}` };
  }
  const first = await streamOf(await open());
  expect(first.status).toBe(200);
  await repeat(200, open);
  await first.ended();
  expect(first.isWhole()).toBe(true);
});
