import type { SavedTime } from '../../domain/station/runningTime.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Reads and writes the running time of the station, which is stored in one row. */
export function runningTimeRows(db: Db) {
  const { find, run } = statements(db);
  return {
    find: find<[], SavedTime>('SELECT ran_ms AS ranMs, forward_at AS forwardAt, saved_at AS savedAt FROM station_time'),
    save: run<[time: SavedTime]>(
      `INSERT INTO station_time (id, ran_ms, forward_at, saved_at) VALUES (1, :ranMs, :forwardAt, :savedAt)
       ON CONFLICT (id) DO UPDATE SET ran_ms = excluded.ran_ms, forward_at = excluded.forward_at, saved_at = excluded.saved_at`,
    ),
  };
}
