import type { Db } from '../db.ts';

export type SettingRows = ReturnType<typeof settingRows>;

/** Settings that differ from their default, each as JSON. */
export function settingRows(db: Db) {
  const all = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings');
  const put = db.prepare(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM settings WHERE key = ?');
  return {
    list: (): Record<string, unknown> =>
      Object.fromEntries(all.all().map((row) => [row.key, JSON.parse(row.value) as unknown])),
    put: (key: string, value: unknown): void => void put.run(key, JSON.stringify(value)),
    remove: (key: string): void => void remove.run(key),
  };
}
