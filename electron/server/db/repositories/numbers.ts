import type { Db } from '../db.ts';

export type StationOrigin = { createdAt: number; firstCommand: number };
export type NumberRows = ReturnType<typeof numberRows>;

/** Where the numbers of this data folder begin. */
export function numberRows(db: Db) {
  const value = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const put = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const lastCommandId = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'commands'").pluck();
  const raise = db.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'commands'");
  const begin = db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('commands', ?)");
  return {
    /**
     * When the data folder was created, epoch milliseconds, and the id after which its commands began; undefined before
     * its first station recorded it.
     */
    findOrigin(): StationOrigin | undefined {
      const createdAt = value.get('created_at');
      if (createdAt === undefined) return undefined;
      return { createdAt: Number(createdAt), firstCommand: Number(value.get('first_command') ?? 0) };
    },
    keepOrigin({ createdAt, firstCommand }: StationOrigin): void {
      put.run('created_at', String(createdAt));
      put.run('first_command', String(firstCommand));
    },
    /** The id of the next command will exceed `floor`. */
    raiseCommandIds(floor: number): void {
      if (floor <= (lastCommandId.get() ?? 0)) return;
      if (raise.run(floor).changes === 0) begin.run(floor);
    },
  };
}
