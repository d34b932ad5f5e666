import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type StationOrigin = { createdAt: number; firstCommand: number };
/** Reads and writes the origin of this data folder, and its command ids. */
export function numberRows(db: Db) {
  const { change, number, run, value } = statements(db);
  const get = value<[key: string], string>('SELECT value FROM meta WHERE key = ?');
  const put = run<[key: string, text: string]>('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const lastCommandId = number<[]>("SELECT seq FROM sqlite_sequence WHERE name = 'commands'");
  const raise = change<[floor: number]>("UPDATE sqlite_sequence SET seq = ? WHERE name = 'commands'");
  const begin = run<[floor: number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('commands', ?)");
  return {
    /**
     * Returns when the data folder was created, in epoch milliseconds, and the id just before that of its first command. Returns undefined
     * if not recorded yet.
     */
    findOrigin(): StationOrigin | undefined {
      const createdAt = get('created_at');
      if (createdAt === undefined) return undefined;
      return { createdAt: Number(createdAt), firstCommand: Number(get('first_command') ?? 0) };
    },
    keepOrigin({ createdAt, firstCommand }: StationOrigin): void {
      put('created_at', String(createdAt));
      put('first_command', String(firstCommand));
    },
    /** Makes the next command id exceed `floor`. */
    raiseCommandIds(floor: number): void {
      if (floor > lastCommandId() && raise(floor) === 0) begin(floor);
    },
  };
}
