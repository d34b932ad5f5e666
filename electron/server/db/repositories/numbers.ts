import type { Db } from '../database.ts';

export type NumberRows = ReturnType<typeof numberRows>;

/** What the numbers of this data folder go by. */
export function numberRows(db: Db) {
  const createdAt = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'created_at'").pluck();
  const putCreatedAt = db.prepare("INSERT INTO meta (key, value) VALUES ('created_at', ?) ON CONFLICT DO NOTHING");
  const lastCommandId = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'commands'").pluck();
  const raise = db.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'commands'");
  const begin = db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('commands', ?)");
  return {
    /** When the data folder was made, epoch milliseconds; undefined before its first station has said so. */
    findCreatedAt(): number | undefined {
      const value = createdAt.get();
      return value === undefined ? undefined : Number(value);
    },
    keepCreatedAt: (at: number): void => void putCreatedAt.run(String(at)),
    /** The next command's id exceeds `floor`. */
    raiseCommandIds(floor: number): void {
      if (floor <= (lastCommandId.get() ?? 0)) return;
      if (raise.run(floor).changes === 0) begin.run(floor);
    },
  };
}
