import type { Db } from '../db.ts';

/** A serial port on which a turbo is expected. Texts are empty if it is not USB: then only its path identifies it. */
export type SerialLinkRow = {
  id: number;
  path: string;
  vendor_id: string;
  product_id: string;
  serial_number: string;
  baud_rate: number;
  flow_control: 0 | 1;
};

export type SerialLinkRows = ReturnType<typeof serialLinkRows>;

export function serialLinkRows(db: Db) {
  const columns = 'id, path, vendor_id, product_id, serial_number, baud_rate, flow_control';
  const all = db.prepare<[], SerialLinkRow>(`SELECT ${columns} FROM serial_links ORDER BY id`);
  const insert = db.prepare(
    `INSERT INTO serial_links (path, vendor_id, product_id, serial_number, baud_rate, flow_control)
     VALUES (:path, :vendor_id, :product_id, :serial_number, :baud_rate, :flow_control)`,
  );
  const setPath = db.prepare('UPDATE serial_links SET path = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM serial_links WHERE id = ?');
  return {
    /** Sorted by id. */
    list: (): SerialLinkRow[] => all.all(),
    /** Returns the id. */
    insert: (row: Omit<SerialLinkRow, 'id'>): number => Number(insert.run(row).lastInsertRowid),
    /** It was found in another socket. */
    setPath: (id: number, path: string): void => void setPath.run(path, id),
    remove: (id: number): boolean => remove.run(id).changes > 0,
  };
}
