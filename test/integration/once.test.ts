import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MIGRATIONS, migrate } from '../../electron/server/db/migrations.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import type { Transaction } from '../../electron/server/db/writer.ts';
import { once } from '../../electron/server/services/base/index.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

test('a key confirms once per caller and day, and is then forgotten', () => {
  const db = new Database(':memory:');
  migrate(db, 'memory', MIGRATIONS);
  const repositories = createRepositories(db);
  let times = 0;
  const confirm = (now: number, by: string, key: string | undefined, what = 'short') =>
    once(repositories, { now } as Transaction, { by, key, what }, () => ({ times: (times += 1) }));
  expect([confirm(0, 'Anna', 'a'), confirm(DAY_MS - 1, 'Anna', 'a')]).toEqual([{ times: 1 }, { times: 1 }]);
  expect([confirm(1, 'Ben', 'a'), confirm(1, 'Anna', 'b')]).toEqual([{ times: 2 }, { times: 3 }]);
  expect([confirm(1, 'Anna', undefined), confirm(1, 'Anna', undefined)]).toEqual([{ times: 4 }, { times: 5 }]);
  expect(confirm(DAY_MS, 'Anna', 'a')).toEqual({ times: 6 });
  expect(() => confirm(DAY_MS, 'Anna', 'a', 'reopen')).toThrow('The key a was used to short before.');
  confirm(3 * DAY_MS, 'Anna', 'c');
  expect(db.prepare('SELECT key FROM confirmations').pluck().all()).toEqual(['c']);
  db.close();
});
