import { MAX_RACKS, MAX_ZONES } from '#shared/lib/places/mapLimits.ts';
import type { NewRack, NewZone, Rack, RackChange, StationMap, Zone, ZoneChange } from '#shared/api/map.ts';
import { withRacks } from '../../domain/places/stationMap.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { change, changeWithin, newId } from './mapChange.ts';
import { alikeRackWarnings, refuse, refuseTakenZone, unknownRacks } from './mapChecks.ts';
import { type RenameContext, renameWithin } from './rename.ts';
import type { MapContext } from './types.ts';

/** A saved rack, with warnings about its name and its places. */
export type SavedRack = { rack: Rack; warnings: string[] };

export function addRack(context: MapContext, { name, note, columns, shelves }: NewRack, by: By): Promise<SavedRack> {
  return change(context, by, (map) => {
    if (map.racks.length >= MAX_RACKS) {
      throw new StationError('invalid', `There are already ${MAX_RACKS} racks. Remove one first.`);
    }
    const id = newId(context);
    const own = shelves.map((shelf) => ({ id: newId(context), name: shelf }));
    const rack: Rack = { id, name, note, columns, shelves: own };
    const racks = [...map.racks, rack];
    const answer = { rack, warnings: alikeRackWarnings(map.racks, racks) };
    return { answer, after: withRacks(map, racks), subject: name };
  });
}

/** Returns a rack. Throws `not_found`. */
export function getRack({ reads }: MapContext, id: string): Rack {
  return rackAt(reads.map.get(), id);
}

/**
 * Changes a rack, and renames places in the same commit. `check` receives the rack before the change and can throw. Throws `not_found`, or
 * `invalid` if a shelf is not of this rack or is named twice, and the errors of `renamePlaces`.
 */
export function changeRack(
  context: MapContext & RenameContext,
  id: string,
  { rename_places: renames = [], ...wanted }: RackChange,
  by: By,
  check: (current: Rack) => void,
): Promise<SavedRack> {
  const { writer } = context;
  const write = renames.length === 0 ? writer.write : writer.writeLarge;
  return write((tx) => {
    const saved = changeWithin(context, tx, by, changed(context, id, wanted, check));
    if (renames.length === 0) return saved;
    // The cells have their new names now, so the devices stay where they are.
    const renamed = renameWithin(context, tx, renames, by, '/rename_places');
    return { ...saved, warnings: [...saved.warnings, ...renamed.warnings] };
  });
}

function changed(
  context: MapContext,
  id: string,
  { index, shelves, ...wanted }: Omit<RackChange, 'rename_places'>,
  check: (current: Rack) => void,
) {
  return (map: StationMap) => {
    const rack = rackAt(map, id);
    check(rack);
    const known = new Set(rack.shelves.map((shelf) => shelf.id));
    const unknown = [...(shelves ?? []).entries()].filter(
      ([, shelf]) => shelf.id !== undefined && !known.delete(shelf.id),
    );
    const message = 'This is not a shelf of the rack, or it is named twice.';
    refuse(unknown.map(([place]) => ({ path: `/shelves/${place}/id`, message })));
    const { name = rack.name, note = rack.note, columns = rack.columns } = wanted;
    const own = shelves === undefined ? rack.shelves : shelvesOf(context, shelves);
    const after: Rack = { id, name, note, columns, shelves: own };
    const others = map.racks.filter((other) => other !== rack);
    const racks = others.toSpliced(index ?? map.racks.indexOf(rack), 0, after);
    const answer: SavedRack = { rack: after, warnings: alikeRackWarnings(map.racks, racks) };
    return { answer, after: withRacks(map, racks), subject: name };
  };
}

export function removeRack(context: MapContext, id: string, by: By): Promise<void> {
  return change(context, by, (map) => {
    const rack = rackAt(map, id);
    const racks = map.racks.filter((other) => other !== rack);
    return { answer: undefined, after: withRacks(map, racks), subject: rack.name };
  });
}

/** Adds a zone. Throws `conflict` if another zone has this name, and `invalid` if a rack is unknown or there are too many zones. */
export function addZone(context: MapContext, { name, racks }: NewZone, by: By): Promise<Zone> {
  return change(context, by, (map) => {
    if (map.zones.length >= MAX_ZONES) {
      throw new StationError('invalid', `There are already ${MAX_ZONES} zones. Remove one first.`);
    }
    const answer: Zone = { id: newId(context), name, racks: onceEach(racks) };
    refuse(unknownRacks(racks, map.racks));
    refuseTakenZone(map.zones, name);
    return { answer, after: { ...map, zones: [...map.zones, answer] }, subject: name };
  });
}

/** Returns a zone. Throws `not_found`. */
export function getZone({ reads }: MapContext, id: string): Zone {
  return zoneAt(reads.map.get(), id);
}

/**
 * Changes a zone. `check` receives the zone before the change and can throw. Throws `not_found`, `invalid` if a rack is unknown, or
 * `conflict` if another zone has this name.
 */
export function changeZone(
  context: MapContext,
  id: string,
  wanted: ZoneChange,
  by: By,
  check: (current: Zone) => void,
): Promise<Zone> {
  return change(context, by, (map) => {
    const zone = zoneAt(map, id);
    check(zone);
    const { name = zone.name, racks = zone.racks } = wanted;
    refuse(unknownRacks(wanted.racks ?? [], map.racks));
    const others = map.zones.filter((other) => other !== zone);
    refuseTakenZone(others, name);
    const answer: Zone = { id, name, racks: onceEach(racks) };
    return { answer, after: { ...map, zones: map.zones.with(map.zones.indexOf(zone), answer) }, subject: name };
  });
}

export function removeZone(context: MapContext, id: string, by: By): Promise<void> {
  return change(context, by, (map) => {
    const zone = zoneAt(map, id);
    const zones = map.zones.filter((other) => other !== zone);
    return { answer: undefined, after: { ...map, zones }, subject: zone.name };
  });
}

function rackAt({ racks }: StationMap, id: string): Rack {
  const rack = racks.find((candidate) => candidate.id === id);
  if (rack !== undefined) return rack;
  throw new StationError('not_found', `There is no rack ${id}. GET /api/map/ lists the racks.`);
}

function zoneAt({ zones }: StationMap, id: string): Zone {
  const zone = zones.find((candidate) => candidate.id === id);
  if (zone !== undefined) return zone;
  throw new StationError('not_found', `There is no zone ${id}. GET /api/map/ lists the zones.`);
}

export function shelvesOf(
  context: MapContext,
  wanted: readonly { id?: string | undefined; name: string }[],
): Rack['shelves'] {
  return wanted.map(({ id, name }) => ({ id: id ?? newId(context), name }));
}

export function onceEach(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
