import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ImportedPlace, ImportedPlaces } from '../../../db/repositories/imports.ts';
import { findByLocation } from '../../devices/index.ts';
import type { BegunFile } from '../applySteps.ts';
import { type ListedLocations, listLocations, type StationLocations, stationLocationsOf } from './stationLocations.ts';
import type { ImportsContext, AssessedPlace } from '../types.ts';

/** Location import that was interrupted. */
export type BegunLocations = {
  /** Places that the import has already changed, by line. */
  done: ReadonlyMap<number, ImportedPlace>;
  /** The station's places before the import began. Labels resolve to the devices that had them then. */
  station: StationLocations;
  /** Whether a place or device had this name before these changes. */
  isPlace(text: string): boolean;
};

/** Finds the interrupted import of a file. Resolves to undefined if there is none, or if it has not changed anything. */
export async function findBegun(
  { reads, foregroundReads }: Pick<ImportsContext, 'foregroundReads' | 'reads'>,
  { name, since }: BegunFile,
): Promise<BegunLocations | undefined> {
  const found = reads.imports.findOfFile('locations', 'inbox', name, since);
  if (found?.state !== 'importing') return undefined;
  const steps = await foregroundReads.take(() => reads.imports.listPlaces(found.id));
  if (steps.length === 0) return undefined;
  const station = stationLocationsOf(before(await listLocations(reads, foregroundReads), steps), reads);
  return {
    done: new Map(steps.flat().map(({ line, place }) => [line, place])),
    station,
    isPlace(text) {
      // Look up DeviceIDs in the current station, because imports do not change them.
      if (DEVICE_ID_PATTERN.test(text.trim().toUpperCase())) return findByLocation(reads, text) !== undefined;
      return station.findPlace(text).isPlace;
    },
  };
}

/** Returns the labels, aliases and notes as they were before these steps, which are sorted from last to first. */
function before(
  { aliases, devices, named, ...rest }: ListedLocations,
  steps: readonly ImportedPlaces[],
): ListedLocations {
  const changes = steps.flat().map(({ place }) => place);
  const labels = new Map(changes.flatMap(({ label }) => (label === null ? [] : [[label.deviceid, label.before]])));
  const notes = new Map(
    changes.flatMap((place) => (place.named === null ? [] : [[nameKey(place.named.name), place.named.before]])),
  );
  const changed = new Map(changes.flatMap(({ alias }) => (alias === null ? [] : [[alias.id, alias.before]])));
  return {
    ...rest,
    named: named.map((row) => ({ ...row, ...notes.get(nameKey(row.name)) })),
    devices: devices.map((device) => ({ ...device, label: labels.get(device.device_id) ?? device.label })),
    aliases: aliases.flatMap((alias) => {
      const was = changed.get(alias.id);
      // Leave out an alias that the import created, for which the previous state is null.
      return was === null ? [] : [{ ...alias, ...was }];
    }),
  };
}

/** Returns the place with the changes that the interrupted import already made. Returns `assessed` unchanged if it made none. */
export function asImported(assessed: AssessedPlace, { done }: Pick<BegunLocations, 'done'>): AssessedPlace {
  const { read } = assessed;
  const place = done.get(read.line);
  if (place === undefined) return assessed;
  const { alias, label, named, articles, renames } = place;
  const isMade = named !== null && named.after.isMade && !named.before.isMade;
  return {
    read,
    outcome: alias?.before === null || isMade ? 'new' : 'changed',
    wanted: {
      deviceId: alias?.after.deviceid ?? label?.deviceid ?? ('wanted' in assessed ? assessed.wanted.deviceId : null),
      alias: alias === null ? null : { ...alias, isKnown: false },
      label: label === null ? null : { after: label.after, before: label.before },
      named,
      articles,
      renames,
      // Already placed.
      cell: null,
    },
    warning: 'wanted' in assessed ? assessed.warning : '',
  };
}
