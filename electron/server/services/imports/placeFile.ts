import type { ImportCounts, ImportLocationRow, LocationFileImport } from '#shared/api/imports.ts';
import type { ReadPlace } from '#shared/lib/tables/places.ts';
import type { Transaction } from '../../db/writer.ts';
import { beginImport, type MadeImport } from './applyFile.ts';
import { applyStep, type PlaceToApply, refuseStep, stepsOf } from './applyPlaces.ts';
import { type ImportsContext, readAnswer, storeRows, unclear } from './judgeFile.ts';
import { JUDGED_PLACES, type JudgedPlace, judgePlace, refuseDuplicates } from './judgePlaces.ts';
import { type OpenedFile, type PlacesReading, readPlaces, type ReadingOptions } from './readFile.ts';
import { readStationPlaces } from './stationPlaces.ts';

/** A location file with the outcome of each row. */
export type JudgedPlaces = { reading: PlacesReading; places: readonly JudgedPlace[] };

/** Reads and judges a location file. `reading.places` is undefined while questions about columns are open. Throws `invalid`. */
export async function judgePlaceFile(
  context: ImportsContext,
  opened: OpenedFile,
  options: ReadingOptions,
): Promise<JudgedPlaces> {
  const { backgroundReads, reads } = context;
  const reading = await readPlaces(context, opened, options);
  if (reading.places === undefined) return { reading, places: [] };
  const station = await readStationPlaces(reads, backgroundReads);
  const judged: JudgedPlace[] = [];
  for (let from = 0; from < reading.places.length; from += JUDGED_PLACES) {
    const part: readonly ReadPlace[] = reading.places.slice(from, from + JUDGED_PLACES);
    judged.push(...(await backgroundReads.take(() => part.map((each) => judgePlace(station, each)))));
  }
  return { reading, places: await backgroundReads.take(() => refuseDuplicates(station, judged)) };
}

/**
 * Creates and changes the places of a judged file, in one use-case per place, so that presses are handled in between. A killed import
 * leaves complete places; importing the file again does the rest.
 */
export function applyPlaces(
  context: ImportsContext,
  { places: judged }: Pick<JudgedPlaces, 'places'>,
  made: MadeImport,
): Promise<{ id: number; places: JudgedPlace[]; rows: ImportLocationRow[] }> {
  const { repositories, writer, audit, alone } = context;
  const { by } = made;
  return alone(async () => {
    const places: PlaceToApply[] = judged.map((each) => ({ judged: each }));
    const after = () => places.map((each) => each.judged);
    let id = 0;
    let isBroken = false;
    let isChanged = false;
    const broken = (error: unknown) => {
      isBroken = true;
      throw error;
    };
    type Step = { run(tx: Transaction): void; failed(error: unknown): void };
    const begin: Step = { run: (tx) => void (id = beginImport(context, tx, 'locations', made)), failed: broken };
    const steps = stepsOf(places).map((step, index): Step => ({
      run(tx) {
        if (isBroken) return;
        if (applyStep(context, tx, step, { id, step: index, by: by.name })) isChanged = true;
      },
      failed: (error) => refuseStep(error, step),
    }));
    const end: Step = {
      run(tx) {
        if (isBroken) return;
        const counts = placeCounts(after());
        repositories.imports.save(id, 'imported', counts);
        repositories.imports.setFile(id, null);
        if (!isChanged) return;
        const detail = { rows: { new: counts.new, changed: counts.changed } };
        audit.record(tx, { action: 'aliases.imported', by, subject: '', detail });
        tx.emit({ type: 'import.kept', last_import: repositories.imports.lastOfPlaces() });
      },
      failed: broken,
    };
    await writer.writeEach(
      [begin, ...steps, end],
      (tx, step) => step.run(tx),
      (error, step) => step.failed(error),
    );
    const rows = after().map(placeRow);
    await storeRows(context, id, rows);
    return { id, places: after(), rows };
  });
}

export function placeCounts(places: readonly JudgedPlace[]): ImportCounts {
  const counts: ImportCounts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };
  for (const { outcome } of places) counts[outcome] += 1;
  return counts;
}

/** The answer's row for a place. */
export function placeRow(place: JudgedPlace): ImportLocationRow {
  const { read, outcome } = place;
  const { line, said } = read;
  const { name, deviceid, deviceIs, label } = said;
  const texts = { line, outcome, name, deviceid, deviceIs, label };
  if (!('wanted' in place)) return { ...texts, message: place.message, found_deviceid: null };
  const message = [...changesOf(place), place.warning].filter((text) => text !== '').join(' ');
  return { ...texts, message, found_deviceid: place.wanted.deviceId };
}

/** Describes the previous values of a changed row. */
function changesOf({ outcome, wanted: { alias, label } }: Extract<JudgedPlace, { wanted: object }>): string[] {
  if (outcome === 'known') return [];
  const before = alias?.before ?? null;
  return [
    before === null || alias?.isKnown === true
      ? ''
      : `Before, ${before.name} was at ${before.deviceid}, ${before.deviceIs}.`,
    label === null ? '' : label.before === '' ? 'The device had no label.' : `Its label was "${label.before}".`,
  ];
}

export function placesAnswer(
  { reading, places }: JudgedPlaces,
  { id, dryRun, rows }: { id: number | null; dryRun: boolean; rows: ImportLocationRow[] },
): LocationFileImport {
  return { kind: 'locations', ...readAnswer(reading, { id, dryRun }), counts: placeCounts(places), rows };
}

/** Throws `invalid` while questions about columns are open. */
export function clearPlaces(judged: JudgedPlaces): JudgedPlaces {
  if (judged.reading.places === undefined) throw unclear(judged.reading);
  return judged;
}
