import { REPORT_WINDOW_BITS, type ReportWindow } from '../../domain/commands/reportWindow.ts';
import type { Db } from '../db.ts';
import { RowCache } from '../rowCache.ts';

/** Number of epochs to keep per device. When a device is reset, a new epoch begins, but reports from earlier epochs can still arrive. */
const KEPT_EPOCHS = 4;

export function reportWindowRows(db: Db, cache = new RowCache()) {
  const known = cache.rows<string, ReportWindow>();
  // 64-bit values exceed JavaScript numbers, and SQLite stores them signed.
  const one = db
    .prepare<[string, number], { highest: bigint; seen: bigint; pressed_at: bigint | null }>(
      'SELECT highest, seen, pressed_at FROM report_windows WHERE device_id = ? AND epoch = ?',
    )
    .safeIntegers();
  // The newest epoch gets the highest `at`, even after the wall clock was set back.
  const insert = db.prepare(
    `INSERT INTO report_windows (device_id, epoch, highest, seen, pressed_at, at) VALUES (:deviceId, :epoch, :highest, :seen, :pressedAt,
       max(:now, (SELECT coalesce(max(at), 0) + 1 FROM report_windows WHERE device_id = :deviceId)))`,
  );
  const update = db.prepare(
    'UPDATE report_windows SET highest = ?, seen = ?, pressed_at = ?, at = max(at, ?) WHERE device_id = ? AND epoch = ?',
  );
  const prune = db.prepare(
    `DELETE FROM report_windows WHERE device_id = :deviceId AND epoch NOT IN
       (SELECT epoch FROM report_windows WHERE device_id = :deviceId ORDER BY at DESC, epoch LIMIT ${KEPT_EPOCHS})`,
  );
  return {
    find(deviceId: string, epoch: number): ReportWindow | undefined {
      const key = `${deviceId} ${epoch}`;
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      const row = one.get(deviceId, epoch);
      if (row === undefined) return known.keep(key, undefined);
      const { highest, seen, pressed_at: pressedAt } = row;
      return known.keep(key, {
        highest: Number(highest),
        seen: BigInt.asUintN(REPORT_WINDOW_BITS, seen),
        pressedAt: pressedAt === null ? null : Number(pressedAt),
      });
    },
    save(deviceId: string, epoch: number, window: ReportWindow, now: number): void {
      const { highest, seen, pressedAt } = window;
      const signed = BigInt.asIntN(REPORT_WINDOW_BITS, seen);
      if (update.run(highest, signed, pressedAt, now, deviceId, epoch).changes > 0) {
        known.keep(`${deviceId} ${epoch}`, window);
        return;
      }
      // Clear the cache, because `prune` also removes rows of old epochs.
      known.clear();
      insert.run({ deviceId, epoch, highest, seen: signed, pressedAt, now });
      prune.run({ deviceId });
    },
  };
}
