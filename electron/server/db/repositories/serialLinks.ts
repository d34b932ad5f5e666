import type { Db } from '../db.ts';
import { statements } from './statements.ts';

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

export function serialLinkRows(db: Db) {
  const { change, insertInto, list, run } = statements(db);
  const columns = 'path, vendor_id, product_id, serial_number, baud_rate, flow_control';
  const setPath = run<[path: string, id: number]>('UPDATE serial_links SET path = ? WHERE id = ?');
  const remove = change<[id: number]>('DELETE FROM serial_links WHERE id = ?');
  return {
    /** Sorted by id. */
    list: list<[], SerialLinkRow>(`SELECT id, ${columns} FROM serial_links ORDER BY id`),
    /** Returns the id. */
    insert: insertInto<Omit<SerialLinkRow, 'id'>>('serial_links', columns),
    /** It was found in another socket. */
    setPath: (id: number, path: string) => setPath(path, id),
    remove: (id: number) => remove(id) > 0,
  };
}
