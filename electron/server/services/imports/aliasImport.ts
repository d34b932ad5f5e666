import type { ImportedRow, ImportUndo, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type { LocationField } from '#shared/lib/tables/fields.ts';
import { olderCounts } from '../../db/repositories/imports.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import type { ImportsContext } from './judgeFile.ts';
import type { JudgedPlace } from './judgePlaces.ts';
import { applyPlaces, clearPlaces, judgePlaceFile, placeCounts } from './placeFile.ts';
import { openFile, type PlacesReading, type ReadingOptions } from './readFile.ts';
import { undoPlaces } from './undoPlaces.ts';

/**
 * Imports a location file for `/api/location-aliases/import/`, with the answer of earlier versions. Throws `invalid` if the file cannot be
 * read.
 */
export async function importAliases(
  context: ImportsContext,
  { bytes, name, options: given }: { bytes: Uint8Array; name: string; options: ReadingOptions },
  { dryRun, by }: { dryRun: boolean; by: By },
): Promise<LocationImport> {
  const options = { ...given, kind: 'locations' } as const;
  const judged = clearPlaces(await judgePlaceFile(context, await openFile(context, bytes, options), options));
  const { id, places } = dryRun
    ? { id: 0, places: judged.places }
    : await applyPlaces(context, judged, { source: 'api', name, by });
  const counts = olderCounts(placeCounts(places));
  const { reading } = judged;
  return {
    id: id === 0 || counts.new + counts.changed === 0 ? null : id,
    dry_run: dryRun,
    delimiter: reading.table.delimiter,
    columns: columnsOf(reading),
    ignored: reading.mapping.columns.filter(({ field }) => field === null).map((column) => column.name),
    counts,
    rows: places.map(olderRow),
  };
}

/** The import that can be undone. Throws `not_found`. */
export function lastAliasImport({ reads }: ImportsContext): LastImport {
  const last = reads.imports.lastOfPlaces();
  if (last !== null) return last;
  throw new StationError(
    'not_found',
    'No import can be undone: there is none, or the last one was undone. POST /api/location-aliases/import/ imports a file.',
  );
}

/** Undoes this import if it is the last one. Throws `not_found`. */
export function undoAliasImport(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  return context.alone(() => {
    if (context.reads.imports.lastOfPlaces()?.id === id) return undoPlaces(context, id, by);
    throw new StationError(
      'not_found',
      `Import ${id} cannot be undone here: it was undone already, or another one followed. GET /api/imports/ lists all of them.`,
    );
  });
}

/** The file's column for each field; null if the file has no column names. */
function columnsOf({ mapping }: PlacesReading): LocationImport['columns'] {
  if (mapping.ok && mapping.headLine === 0) return null;
  const nameOf = (field: LocationField) => mapping.columns.find((column) => column.field === field)?.name ?? null;
  return { name: nameOf('name'), deviceid: nameOf('deviceid'), deviceIs: nameOf('deviceIs'), label: nameOf('label') };
}

function olderRow(place: JudgedPlace): ImportedRow {
  const { line, name, device, deviceIs, label } = place.read;
  if (!('wanted' in place)) {
    const nothing = { id: null, before: null, label_before: null };
    return { line, outcome: 'refused', name, deviceid: device, deviceIs, label, message: place.message, ...nothing };
  }
  const { outcome, warning, wanted } = place;
  const { alias } = wanted;
  return {
    line,
    outcome: outcome === 'known' ? 'unchanged' : outcome,
    name,
    deviceid: wanted.deviceId,
    deviceIs: alias?.after.deviceIs ?? '',
    label,
    message: warning,
    id: alias?.id ?? null,
    before: alias?.isKnown === false ? alias.before : null,
    label_before: wanted.label?.before ?? null,
  };
}
