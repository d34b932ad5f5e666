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
} from '../../domain/stationMap.ts';
import { bind, type By } from '../base/index.ts';
import { change, type InMap, type MapContext, newId, save } from './mapChange.ts';
import { beyond, problemsOf, refuse } from './mapChecks.ts';
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

/** Where the devices hang. Each change is one use-case that reads and saves the whole map, so that no writer overwrites another. */
export type MapService = {
  get(): StationMap;
  /**
   * Replaces the map. `check` gets the map before the change, and can throw. Throws `invalid`, without changes, if a device or shelf is
   * unknown or two devices are in one cell.
   */
  replace(wanted: MapReplacement, by: By, check: (current: StationMap) => void): Promise<StationMap>;
  addRack(wanted: NewRack, by: By): Promise<Rack>;
  /** Throws `not_found`. */
  getRack(id: string): Rack;
  /** `check` gets the rack before the change, and can throw. Throws `not_found`. */
  changeRack(id: string, change: RackChange, by: By, check: (current: Rack) => void): Promise<Rack>;
  removeRack(id: string, by: By): Promise<void>;
  /** Throws `conflict` if another zone has this name. */
  addZone(wanted: NewZone, by: By): Promise<Zone>;
  /** Throws `not_found`. */
  getZone(id: string): Zone;
  /** `check` gets the zone before the change, and can throw. Throws `not_found`, and `conflict` if another zone has this name. */
  changeZone(id: string, change: ZoneChange, by: By, check: (current: Zone) => void): Promise<Zone>;
  removeZone(id: string, by: By): Promise<void>;
  /** Returns what changed: the device, and the device that had the cell before. */
  place(wanted: Place, by: By): Promise<Placed[]>;
  unplace(deviceId: string, by: By): Promise<void>;
  /** Places devices by their labels. Returns the other devices with the reason. */
  arrange(by: By): Promise<ArrangedMap>;
  /** Within another use-case: saves the map and emits the differences. False: there are none. */
  save(tx: Transaction, after: StationMap): boolean;
  /** A short, unique id for a rack, shelf or zone. */
  newId(): string;
};

export function createMap(context: MapContext): MapService {
  return bind(context, {
    get,
    replace,
    addRack,
    getRack,
    changeRack,
    removeRack,
    addZone,
    getZone,
    changeZone,
    removeZone,
    place,
    unplace,
    arrange,
    save,
    newId,
  });
}

const get: InMap<'get'> = ({ reads }) => reads.map.get();

const replace: InMap<'replace'> = (context, wanted, by, check) =>
  change(context, by, (map) => {
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
    return { answer: after, after, subject: '' };
  });

const place: InMap<'place'> = (context, wanted, by) =>
  change(context, by, (map) => {
    context.devices.byId(wanted.deviceid);
    const columns = columnsByShelf(map.racks).get(wanted.shelf);
    if (columns === undefined) {
      refuse([{ path: '/shelf', message: `There is no shelf ${wanted.shelf}. GET /api/map/ lists them.` }]);
    } else if (wanted.column >= columns) {
      refuse([{ path: '/column', message: beyond(columns) }]);
    }
    const after = withPlace(map, wanted);
    return { answer: placedBetween(map, after), after, subject: wanted.deviceid };
  });

const unplace: InMap<'unplace'> = (context, deviceId, by) =>
  change(context, by, (map) => {
    context.devices.byId(deviceId);
    return { answer: undefined, after: withoutPlace(map, deviceId), subject: deviceId };
  });

const arrange: InMap<'arrange'> = (context, by) =>
  change(context, by, (map) => {
    const known = context.repositories.devices.list().map((row) => ({ deviceId: row.device_id, label: row.label }));
    const { map: after, left } = arranged(map, known, () => newId(context));
    return { answer: { ...after, not_arranged: left }, after, subject: '' };
  });
