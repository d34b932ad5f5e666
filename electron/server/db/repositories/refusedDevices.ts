import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type RefusedDeviceRow = { device_id: string; refused_at: number };

export function refusedDeviceRows(db: Db) {
  const { change, find, list, number, run } = statements(db);
  const rows = 'SELECT device_id, refused_at FROM refused_devices';
  const remove = change<[deviceId: string]>('DELETE FROM refused_devices WHERE device_id = ?');
  return {
    /** Lists refused devices, sorted by DeviceID. */
    list: list<[], RefusedDeviceRow>(`${rows} ORDER BY device_id`),
    find: find<[deviceId: string], RefusedDeviceRow>(`${rows} WHERE device_id = ?`),
    count: number<[]>('SELECT count(*) FROM refused_devices'),
    insert: run<[deviceId: string, at: number]>('INSERT INTO refused_devices (device_id, refused_at) VALUES (?, ?)'),
    /** Returns false if the device was not refused. */
    remove: (deviceId: string) => remove(deviceId) > 0,
  };
}
