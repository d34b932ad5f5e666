import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../electron/server/db/database.ts';
import type { TestStation } from './startTestStation.ts';

/**
 * Makes the station store the steps of requests that have an idempotency key, but not the answers, as if it were killed after each
 * request's last commit.
 */
export function forgetAnswers({ dataFolder }: Pick<TestStation, 'dataFolder'>): void {
  const database = new Database(join(dataFolder, DATABASE_FILE));
  database.exec(`
    CREATE TRIGGER no_answer BEFORE UPDATE ON keyed_requests BEGIN SELECT RAISE(IGNORE); END;
    CREATE TRIGGER all_steps BEFORE DELETE ON keyed_steps BEGIN SELECT RAISE(IGNORE); END;
  `);
  database.close();
}
