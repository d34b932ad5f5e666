import type { Db } from '../db.ts';

export type RefusedDeviceRow = { device_id: string; refused_at: number };

export type RefusedDeviceRows = ReturnType<typeof refusedDeviceRows>;

export function refusedDeviceRows(db: Db) {
  const all = db.prepare<[], RefusedDeviceRow>('SELECT device_id, refused_at FROM refused_devices ORDER BY device_id');
  const one = db.prepare<[string], RefusedDeviceRow>(
    'SELECT device_id, refused_at FROM refused_devices WHERE device_id = ?',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM refused_devices').pluck();
  const insert = db.prepare('INSERT INTO refused_devices (device_id, refused_at) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM refused_devices WHERE device_id = ?');
  return {
    /** Sorted by DeviceID. */
    list: (): RefusedDeviceRow[] => all.all(),
    find: (deviceId: string): RefusedDeviceRow | undefined => one.get(deviceId),
    count: (): number => count.get() ?? 0,
    insert: (deviceId: string, at: number): void => void insert.run(deviceId, at),
    /** False: it was not refused. */
    remove: (deviceId: string): boolean => remove.run(deviceId).changes > 0,
  };
}
