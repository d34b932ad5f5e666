import type { Cell } from '#shared/api/map.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { BYTE_ORDER_MARK, type CsvCell, csvLines } from '#shared/lib/tables/cells/csv.ts';
import { explicitText } from '#shared/lib/tables/cells/codes.ts';
import { LOCATION_FIELDS } from '#shared/lib/tables/fields.ts';
import { articlesText } from '#shared/lib/tables/places.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../../core.ts';
import type { StepQueue } from '../../../scheduling/index.ts';
import type { TableFiles } from '../../tables/index.ts';
import { listLocations } from './stationLocations.ts';

/** Number of rows to write per step. A step takes about 1 ms. */
const EXPORTED_ROWS = 1_000;

type ExportContext = {
  reads: TablesOf<'imports'>;
  foregroundReads: Pick<StepQueue, 'take'>;
  tables: Pick<TableFiles, 'writeWorkbook'>;
};

/**
 * Yields the parts of a CSV file of all device labels, aliases and places without a light, with one value per cell. Importing the file changes nothing. Rejects
 * once `signal` is aborted.
 */
export async function* exportLocationsCsv(
  context: ExportContext,
  separator: ',' | ';',
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  yield BYTE_ORDER_MARK + csvLines([LOCATION_FIELDS], separator);
  const rows = await rowsOfLocations(context);
  for (let from = 0; from < rows.length; from += EXPORTED_ROWS) {
    const part = rows.slice(from, from + EXPORTED_ROWS);
    yield await context.foregroundReads.take(() => {
      signal.throwIfAborted();
      return csvLines(part, separator);
    });
  }
}

/** Exports the same rows as `exportLocationsCsv` as a workbook. */
export async function exportLocationsWorkbook(context: ExportContext, signal: AbortSignal): Promise<Uint8Array> {
  const rows = await rowsOfLocations(context);
  signal.throwIfAborted();
  return context.tables.writeWorkbook('Locations', LOCATION_FIELDS, rows);
}

/** An alias has no cell. */
const NOWHERE: readonly CsvCell[] = ['', '', ''];

async function rowsOfLocations({ reads, foregroundReads }: ExportContext): Promise<CsvCell[][]> {
  const { devices, aliases, goods, named } = await listLocations(reads, foregroundReads);
  const notes = new Map(named.map(({ name, note }) => [nameKey(name), note]));
  const goodsAt = Map.groupBy(
    await foregroundReads.take(() => reads.stock.listPlaceSkus()),
    ({ placeKey }) => placeKey,
  );
  const { racks, places } = await foregroundReads.take(() => reads.map.get());
  const cellOf = new Map(places.map(({ deviceid, shelf, column }) => [deviceid, { shelf, column }]));
  const positions = new Map(
    racks.flatMap(({ name: rack, shelves }) =>
      shelves.map(({ id, name: shelf }) => [id, [explicitText(rack), explicitText(shelf)]] as const),
    ),
  );
  /** Returns the rack, the shelf and the column of a cell. */
  const positionOf = (cell: Cell | undefined): readonly CsvCell[] => {
    const position = cell === undefined ? undefined : positions.get(cell.shelf);
    return cell === undefined || position === undefined ? NOWHERE : [...position, String(cell.column + 1)];
  };
  /** Returns the cells of a place after its label: its note and its articles. */
  const cellsOf = (name: string): CsvCell[] => [
    explicitText(notes.get(nameKey(name)) ?? ''),
    articlesText((goodsAt.get(nameKey(name)) ?? []).map(({ sku }) => sku)),
  ];
  const lit = new Set([...devices.map(({ label }) => label), ...aliases.map(({ name }) => name)].map(nameKey));
  const made = named.filter(({ isMade }) => isMade).map(({ name }) => name);
  const waiting = new Map([...goods, ...made].map((name) => [nameKey(name), name]));
  return [
    ...devices.map(({ device_id: id, label }) => [
      '',
      id,
      '',
      explicitText(label),
      ...(label === '' ? ['', ''] : cellsOf(label)),
      ...positionOf(cellOf.get(id)),
    ]),
    ...aliases.map(({ name, deviceid, deviceIs }) => [
      explicitText(name),
      deviceid,
      deviceIs,
      '',
      ...cellsOf(name),
      ...NOWHERE,
    ]),
    ...[...waiting].flatMap(([key, name]) =>
      lit.has(key)
        ? []
        : [[explicitText(name), '', '', '', ...cellsOf(name), ...positionOf(findLabeledCell(racks, name))]],
    ),
  ];
}
