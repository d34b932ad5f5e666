import { BYTE_ORDER_MARK, type CsvCell, csvLines } from '#shared/lib/csv.ts';
import { explicitText } from '#shared/lib/tables/codes.ts';
import { LOCATION_FIELDS } from '#shared/lib/tables/fields.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import type { TableFiles } from '../tables/index.ts';
import type { ExportedFile, ExportFormat } from './exportOrders.ts';
import { listLocations } from './stationLocations.ts';

/** Exports all device labels and aliases as a file, one value per cell. The import reads it back unchanged. */
export async function exportLocations(
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
  const { devices, aliases } = await listLocations(reads, backgroundReads);
  const rows: CsvCell[][] = [
    ...devices.map(({ device_id: id, label }) => ['', id, '', explicitText(label)]),
    ...aliases.map(({ name, deviceid, deviceIs }) => [explicitText(name), deviceid, deviceIs, '']),
  ];
  if (format === 'csv')
    return { csv: BYTE_ORDER_MARK + csvLines([LOCATION_FIELDS], separator) + csvLines(rows, separator) };
  return { workbook: await tables.writeWorkbook('Locations', LOCATION_FIELDS, rows) };
}
