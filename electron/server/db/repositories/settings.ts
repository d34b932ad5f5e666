import type { Db } from '../db.ts';
import { parseJson } from '../parseJson.ts';
import { statements } from './statements.ts';

/** Reads and writes settings that differ from their defaults, each as JSON. */
export function settingRows(db: Db) {
  const { list, run } = statements(db);
  const all = list<[], { key: string; value: string }>('SELECT key, value FROM settings');
  const put = run<[key: string, value: string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    /** Returns the settings. A value is undefined if it is not JSON, which can happen after a damaged backup was restored. */
    list: (): Record<string, unknown> => Object.fromEntries(all().map((row) => [row.key, parseJson(row.value)])),
    put: (key: string, value: unknown) => put(key, JSON.stringify(value)),
    remove: run<[key: string]>('DELETE FROM settings WHERE key = ?'),
  };
}
