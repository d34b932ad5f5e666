import type { Db } from '../db.ts';

export type TurboNameRows = ReturnType<typeof turboNameRows>;

/** Names that people gave to turbos, by serial number. */
export function turboNameRows(db: Db) {
  const find = db.prepare<[string], { name: string }>('SELECT name FROM turbo_names WHERE serial_number = ?');
  const set = db.prepare(
    `INSERT INTO turbo_names (serial_number, name) VALUES (?, ?)
     ON CONFLICT (serial_number) DO UPDATE SET name = excluded.name`,
  );
  const remove = db.prepare('DELETE FROM turbo_names WHERE serial_number = ?');
  return {
    find: (serialNumber: string): string | undefined => find.get(serialNumber)?.name,
    set: (serialNumber: string, name: string): void => void set.run(serialNumber, name),
    remove: (serialNumber: string): void => void remove.run(serialNumber),
  };
}
