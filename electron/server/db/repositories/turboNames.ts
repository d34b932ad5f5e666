import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** Reads and writes the names that people gave to turbos, by serial number. */
export function turboNameRows(db: Db) {
  const { run, value } = statements(db);
  return {
    find: value<[serialNumber: string], string>('SELECT name FROM turbo_names WHERE serial_number = ?'),
    set: run<[serialNumber: string, name: string]>(
      `INSERT INTO turbo_names (serial_number, name) VALUES (?, ?)
       ON CONFLICT (serial_number) DO UPDATE SET name = excluded.name`,
    ),
    remove: run<[serialNumber: string]>('DELETE FROM turbo_names WHERE serial_number = ?'),
  };
}
