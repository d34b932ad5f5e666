import { StationError } from '../../errors.ts';
import type {
  ArrangedMap,
  MapReplacement,
  NewRack,
  NewZone,
  Placed,
  Place,
  Rack,
  RackChange,
  StationMap,
  Zone,
  ZoneChange,
} from '#shared/api/map.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  arranged,
  columnsByShelf,
  inOrder,
  placedBetween,
  withoutPlace,
  withPlace,
  zonesOf,
} from '../../domain/places/stationMap.ts';
import type { By } from '../base/index.ts';
import { change, move, newId, save } from './mapChange.ts';
import { alikeRackWarnings, beyond, problemsOf, refuse } from './mapChecks.ts';
import {
  addRack,
  addZone,
  changeRack,
  changeZone,
  getRack,
  getZone,
  onceEach,
  removeRack,
  removeZone,
  shelvesOf,
} from './racks.ts';
import { listPlaceNames } from './places.ts';
import type { RenameContext } from './rename.ts';
import type { MapContext } from './types.ts';

/**
 * Manages the positions of devices on the map. Each change reads and saves the whole map in one transaction, so that changes do not
 * overwrite each other.
 */
export function createMap(context: MapContext & RenameContext) {
  return {
    get: () => get(context),
    replace: (wanted: MapReplacement, by: By, check: (current: StationMap) => void) =>
      replace(context, wanted, by, check),
    addRack: (wanted: NewRack, by: By) => addRack(context, wanted, by),
    getRack: (id: string) => getRack(context, id),
    changeRack: (id: string, change: RackChange, by: By, check: (current: Rack) => void) =>
      changeRack(context, id, change, by, check),
    removeRack: (id: string, by: By) => removeRack(context, id, by),
    addZone: (wanted: NewZone, by: By) => addZone(context, wanted, by),
    getZone: (id: string) => getZone(context, id),
    changeZone: (id: string, change: ZoneChange, by: By, check: (current: Zone) => void) =>
      changeZone(context, id, change, by, check),
    removeZone: (id: string, by: By) => removeZone(context, id, by),
    place: (wanted: Place, by: By) => place(context, wanted, by),
    unplace: (deviceId: string, by: By) => unplace(context, deviceId, by),
    arrange: (by: By) => arrange(context, by),
    save: (tx: Transaction, after: StationMap) => save(context, tx, after),
    move: (tx: Transaction, moved: readonly Placed[]) => move(context, tx, moved),
    newId: () => newId(context),
  };
}

export type MapService = ReturnType<typeof createMap>;

function get({ reads }: MapContext): StationMap {
  return reads.map.get();
}

/**
 * Replaces the map. Returns warnings about the names of racks. `check` receives the map before the change and can throw. Throws `invalid`, without changing anything, if a device or
 * shelf is unknown or two devices are in the same cell, and `conflict` if a device serves a slot.
 */
function replace(
  context: MapContext,
  wanted: MapReplacement,
  by: By,
  check: (current: StationMap) => void,
): Promise<{ map: StationMap; warnings: string[] }> {
  return change(context, by, (map) => {
    check(map);
    const racks = wanted.racks.map(({ id, name, note, columns, shelves }): Rack => {
      const rackId = id ?? newId(context);
      return { id: rackId, name, note, columns, shelves: shelvesOf(context, shelves) };
    });
    const zones =
      wanted.zones?.map(({ id, name, racks: own }) => ({ id: id ?? newId(context), name, racks: onceEach(own) })) ??
      zonesOf(map.zones, racks);
    const after = inOrder({ racks, zones }, wanted.places);
    refuse(problemsOf(after, new Set(context.repositories.devices.listIds()), wanted));
    wanted.places.forEach(({ deviceid }, index) => refuseSlot(context, deviceid, `/places/${index}/deviceid`));
    return { answer: { map: after, warnings: alikeRackWarnings(map.racks, racks) }, after, subject: '' };
  });
}

/** Places a device in a cell. Returns the new places of this device and of the device that was in the cell before. */
function place(context: MapContext, wanted: Place, by: By): Promise<Placed[]> {
  return change(context, by, (map) => {
    context.devices.byId(wanted.deviceid);
    refuseSlot(context, wanted.deviceid, '/deviceid');
    const columns = columnsByShelf(map.racks).get(wanted.shelf);
    if (columns === undefined) {
      refuse([{ path: '/shelf', message: `There is no shelf ${wanted.shelf}. GET /api/map/ lists them.` }]);
    } else if (wanted.column >= columns) {
      refuse([{ path: '/column', message: beyond(columns) }]);
    }
    const after = withPlace(map, wanted);
    return { answer: placedBetween(map, after), after, subject: wanted.deviceid };
  });
}

/** Throws `conflict` if the device serves a slot. */
function refuseSlot({ repositories }: MapContext, deviceId: string, path: string): void {
  if (!repositories.devices.isSlot(deviceId)) return;
  const message = `${deviceId} serves a slot of a cart or a wall, so it has no place on the map. Take it out of the slot first.`;
  throw new StationError('conflict', message, [{ path, message }]);
}

function unplace(context: MapContext, deviceId: string, by: By): Promise<void> {
  return change(context, by, (map) => {
    context.devices.byId(deviceId);
    return { answer: undefined, after: withoutPlace(map, deviceId), subject: deviceId };
  });
}

/**
 * Places devices by their labels, except devices that serve a slot, and draws the cells of places that wait for a device, also of those
 * that only articles have. Also returns the devices that were not placed, each with the reason.
 */
function arrange(context: MapContext, by: By): Promise<ArrangedMap> {
  const { devices } = context.repositories;
  return change(context, by, (map) => {
    const atPlaces = devices.list().filter((row) => !devices.isSlot(row.device_id));
    const known = atPlaces.map((row) => ({ deviceId: row.device_id, label: row.label }));
    const waiting = listPlaceNames(context.repositories, { light: false });
    const { map: after, left } = arranged(map, { devices: known, waiting }, () => newId(context));
    return { answer: { ...after, not_arranged: left }, after, subject: '' };
  });
}
