import { BYTE_ORDER_MARK, type CsvCell, csvLines } from '#shared/lib/csv.ts';
import { explicitText } from '#shared/lib/tables/codes.ts';
import { LOCATION_FIELDS } from '#shared/lib/tables/fields.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import type { TableFiles } from '../tables/index.ts';
import type { ExportedFile, ExportFormat } from './exportOrders.ts';

/** Rows exported in one step: about a millisecond. */
const EXPORTED_ROWS = 200;

/** Exports all device labels and aliases as a file, one value per cell. The import reads it back unchanged. */
export async function exportPlaces(
  {
    reads,
    backgroundReads,
    tables,
  }: {
    reads: Pick<Repositories, 'aliases' | 'devices'>;
    backgroundReads: Pick<BackgroundReadQueue, 'take'>;
    tables: Pick<TableFiles, 'writeWorkbook'>;
  },
  { format, separator }: ExportFormat,
): Promise<ExportedFile> {
  const rows: CsvCell[][] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await backgroundReads.take(() => reads.devices.listAfter(from, EXPORTED_ROWS));
    rows.push(...page.map(({ device_id: id, label }) => ['', id, '', explicitText(label)]));
    after = page.at(EXPORTED_ROWS - 1)?.device_id;
  }
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const page = await backgroundReads.take(() => reads.aliases.list({ after: from, limit: EXPORTED_ROWS }));
    rows.push(...page.map(({ name, deviceid, deviceIs }) => [explicitText(name), deviceid, deviceIs, '']));
    after = page.at(EXPORTED_ROWS - 1)?.id;
  }
  if (format === 'csv')
    return { csv: BYTE_ORDER_MARK + csvLines([LOCATION_FIELDS], separator) + csvLines(rows, separator) };
  return { workbook: await tables.writeWorkbook('Locations', LOCATION_FIELDS, rows) };
}
