import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** What the template last wrote to a device. `lines` are joined by line feeds. `fixed` contains the lines without stock figures. */
export type TemplateScreenRow = { deviceId: string; lines: string; fixed: string; writtenAt: number };

/** Reads and writes the device screens that a template fills from articles. */
export function templateScreenRows(db: Db) {
  const { find, run, values } = statements(db);
  return {
    find: find<[deviceId: string], TemplateScreenRow>(
      'SELECT device_id AS deviceId, lines, fixed, written_at AS writtenAt FROM template_screens WHERE device_id = ?',
    ),
    listIds: values<[], string>('SELECT device_id FROM template_screens ORDER BY device_id'),
    save: run<[row: TemplateScreenRow]>(
      'INSERT OR REPLACE INTO template_screens (device_id, lines, fixed, written_at) VALUES (:deviceId, :lines, :fixed, :writtenAt)',
    ),
    remove: run<[deviceId: string]>('DELETE FROM template_screens WHERE device_id = ?'),
  };
}
