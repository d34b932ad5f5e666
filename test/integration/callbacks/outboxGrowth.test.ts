import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const URL = 'https://receiver.example/a/path/of/some/length?and=more';

let folder: string;
let database: OpenDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-outbox-'));
  database = openDatabase(folder);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('marking deliveries as delivered does not use more pages, and stores their URL only then', () => {
  const { outbox } = createRepositories(database.writer);
  const pages = (): unknown => database.writer.pragma('page_count', { simple: true });
  const what = { receiver: 'http', webhookNumber: null, runMark: 'mark', historyId: 1, family: 'device' } as const;
  const when = { createdAt: START_MS, revision: 7, eventAt: START_MS, picked: 0, ranMs: 5_000, forwardAt: START_MS };
  const ids = Array.from({ length: 500 }, () =>
    outbox.insert({ ...what, ...when, payload: '{"acknack":"ack","nonce":"n"}', address: URL }),
  );
  expect(outbox.find(ids[0] ?? 0)?.last_url).toBeNull();
  const before = pages();
  const how = {
    state: 'delivered',
    attempts: 1,
    nextAttemptAt: null,
    uncountedAttempts: 0,
    status: 200,
    error: null,
    url: URL,
  } as const;
  for (const id of ids) outbox.record({ id, ...how, attemptAt: START_MS + 10 });
  expect(pages()).toBe(before);
  expect(outbox.find(ids[0] ?? 0)?.last_url).toBe(URL);
});
