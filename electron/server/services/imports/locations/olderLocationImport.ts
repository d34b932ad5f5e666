import type { ImportedRow, ImportUndo, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type { LocationField } from '#shared/lib/tables/fields.ts';
import { StationError } from '../../../errors.ts';
import type { By } from '../../base/index.ts';
import { applyLocations } from './applyLocations.ts';
import type { ImportsContext, PlacesReading, ReadingOptions, AssessedPlace } from '../types.ts';
import { refuseUnclear } from '../assessedFile.ts';
import { assessLocations } from './assessLocations.ts';
import { lastLocationImport, olderCounts } from './lastLocationImport.ts';
import { locationCounts } from './locationRows.ts';
import { openFile } from '../readFile.ts';
import { remember } from '../rememberedColumns.ts';
import { undoLocations } from './undoLocations.ts';
import { beginUndo } from '../undoSteps.ts';

/**
 * Imports a location file for `/api/location-aliases/import/`, which keeps the response format of earlier versions. Throws `invalid` if the
 * file cannot be read.
 */
export async function importLocations(
  context: ImportsContext,
  { bytes, name, options }: { bytes: Uint8Array; name: string; options: ReadingOptions },
  { dryRun, by }: { dryRun: boolean; by: By },
): Promise<LocationImport> {
  const opened = await openFile(context, bytes, { ...options, kind: 'locations' });
  const { reading, places } = await assessLocations(context, opened);
  refuseUnclear(reading);
  const { id, applied } = dryRun
    ? { id: null, applied: places }
    : await context.alone(() =>
        applyLocations(
          context,
          places,
          { source: 'api', name, by },
          { end: (tx) => remember(context.repositories, tx, reading, by) },
        ),
      );
  return {
    id,
    dry_run: dryRun,
    delimiter: reading.table.delimiter,
    columns: columnsOf(reading),
    ignored: reading.mapping.columns.filter(({ field }) => field === null).map((column) => column.name),
    counts: olderCounts(locationCounts(applied)),
    rows: applied.map(olderRow),
  };
}

/** Returns the last location import, if it can be undone. Throws `not_found` otherwise. */
export function getLastLocationImport({ reads }: ImportsContext): LastImport {
  const last = lastLocationImport(reads);
  if (last !== null) return last;
  throw new StationError(
    'not_found',
    'No import can be undone: there is none, or the last one was undone. POST /api/location-aliases/import/ imports a file.',
  );
}

/** Undoes this import if it is the last location import. Throws `not_found` otherwise. */
export function undoLastLocationImport(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  return context.alone(async () => {
    await beginUndo(context, (imports) => {
      if (lastLocationImport({ imports })?.id === id) return id;
      throw new StationError(
        'not_found',
        `Import ${id} cannot be undone here: it was already undone, or another one followed. GET /api/imports/ lists all of them.`,
      );
    });
    return undoLocations(context, id, by);
  });
}

/** Returns the name of each field's column in the file, or null if the file has no column names. */
function columnsOf({ mapping }: PlacesReading): LocationImport['columns'] {
  if (mapping.ok && mapping.headLine === 0) return null;
  const nameOf = (field: LocationField) => mapping.columns.find((column) => column.field === field)?.name ?? null;
  return { name: nameOf('name'), deviceid: nameOf('deviceid'), deviceIs: nameOf('deviceIs'), label: nameOf('label') };
}

function olderRow(place: AssessedPlace): ImportedRow {
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
    deviceid: wanted.deviceId ?? '',
    deviceIs: alias?.after.deviceIs ?? '',
    label,
    message: warning,
    id: alias?.id ?? null,
    before: alias?.isKnown === false ? alias.before : null,
    label_before: wanted.label?.before ?? null,
  };
}
