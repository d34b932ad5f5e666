import type { Db } from '../db.ts';

/** Who ordered which restore. `from`: a file, by its path within the data folder or its whole path. */
export type RestoreOrder = { id: string; from: string; by: string; address: string; at: number };

/** What was restored, and `kept`: the backup of what was there before; empty where nothing could be read. */
export type Restored = RestoreOrder & { kept: string };

export type RestoreRows = ReturnType<typeof restoreRows>;

/** That this database was restored, until the station has written down by whom. */
export function restoreRows(db: Db) {
  const get = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'restored'").pluck();
  const put = db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('restored', ?)");
  const remove = db.prepare("DELETE FROM meta WHERE key = 'restored'");
  return {
    find(): Restored | undefined {
      const text = get.get();
      return text === undefined ? undefined : (JSON.parse(text) as Restored);
    },
    keep: (restored: Restored): void => void put.run(JSON.stringify(restored)),
    forget: (): void => void remove.run(),
  };
}
