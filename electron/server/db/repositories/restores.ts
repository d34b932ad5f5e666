import type { Db } from '../db.ts';

/** An ordered restore. `from`: path of the file, inside the data folder or absolute. */
export type RestoreOrder = { id: string; from: string; by: string; address: string; at: number };

/** A completed restore. `kept`: the backup of the previous data; empty if they were unreadable. */
export type Restored = RestoreOrder & { kept: string };

export type RestoreRows = ReturnType<typeof restoreRows>;

/** Records a restore until the station has audited it. */
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
