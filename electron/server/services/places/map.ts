import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '#shared/api/problem.ts';
import type {
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
import { MAX_RACKS, MAX_ZONES } from '#shared/lib/mapLimits.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import {
  arranged,
  cellOf,
  columnsByShelf,
  inOrder,
  placedBetween,
  withoutPlace,
  withPlace,
  withRacks,
  zoneKey,
  zonesOf,
} from '../../domain/stationMap.ts';
import { StationError } from '../../errors.ts';
import type { Ids } from '../../ports.ts';
import type { Audit, By } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';

/** Where the devices hang. Each change is one use-case over the whole map: small, and two writers cannot miss each other. */
export type MapService = {
  get(): StationMap;
  /** Throws `invalid` where a device or a shelf is unknown or two are in one cell; then nothing was changed. */
  replace(wanted: MapReplacement, by: By): Promise<StationMap>;
  addRack(wanted: NewRack, by: By): Promise<Rack>;
  /** Throws `not_found`. */
  changeRack(id: string, change: RackChange, by: By): Promise<Rack>;
  removeRack(id: string, by: By): Promise<void>;
  /** Throws `conflict` where another zone is called so. */
  addZone(wanted: NewZone, by: By): Promise<Zone>;
  /** Throws `not_found`, and `conflict` where another zone is called so. */
  changeZone(id: string, change: ZoneChange, by: By): Promise<Zone>;
  removeZone(id: string, by: By): Promise<void>;
  /** Answers what changed: the device, and whoever had the cell before. */
  place(wanted: Place, by: By): Promise<Placed[]>;
  unplace(deviceId: string, by: By): Promise<void>;
  arrange(by: By): Promise<StationMap>;
  /** Within a use-case of somebody else. */
  save(tx: Transaction, after: StationMap): boolean;
  /** For a rack or a shelf: short, and not used by another. */
  newId(): string;
};

/** Of all racks together: each change looks at the whole map, and nothing else is done meanwhile. */
const MAX_SHELVES_IN_ALL = 10_000;

export function createMap(parts: {
  repositories: Repositories;
  reads: Repositories;
  writer: Writer;
  devices: Devices;
  ids: Ids;
  audit: Pick<Audit, 'record'>;
}): MapService {
  const { repositories, reads, writer, devices, ids, audit } = parts;

  function newId(): string {
    return Buffer.from(ids.bytes(9)).toString('base64url');
  }

  /** Writes and tells the difference. False: there is none. */
  function save(tx: Transaction, after: StationMap): boolean {
    const before = repositories.map.get();
    refuseTooMany(after.racks);
    const moved = placedBetween(before, after);
    for (const { deviceid } of moved) repositories.map.unplace(deviceid);
    const rezoned = !isDeepStrictEqual(before.zones, after.zones);
    if (rezoned) repositories.map.removeZones();
    const reracked = !isDeepStrictEqual(before.racks, after.racks);
    if (reracked) {
      repositories.map.saveRacks(before.racks, after.racks);
      tx.emit({ type: 'map.racks', racks: after.racks });
    }
    if (rezoned) {
      repositories.map.insertZones(after.zones);
      tx.emit({ type: 'map.zones', zones: after.zones });
    }
    for (const { deviceid, place } of moved) if (place !== null) repositories.map.place({ deviceid, ...place });
    if (moved.length > 0) tx.emit({ type: 'map.placed', places: moved });
    return rezoned || reracked || moved.length > 0;
  }

  /** Writes what somebody changed, and records it unless nothing did. `subject`: the rack, the zone or the device. */
  function change(tx: Transaction, after: StationMap, { by, subject }: { by: By; subject: string }): void {
    if (!save(tx, after)) return;
    audit.record(tx, { action: 'map.changed', by, subject, detail: {} });
  }

  function rackAt(map: StationMap, id: string): Rack {
    const rack = map.racks.find((candidate) => candidate.id === id);
    if (rack === undefined) {
      throw new StationError('not_found', `There is no rack ${id}. GET /api/map/ lists the racks.`);
    }
    return rack;
  }

  function zoneAt(map: StationMap, id: string): Zone {
    const zone = map.zones.find((candidate) => candidate.id === id);
    if (zone === undefined) {
      throw new StationError('not_found', `There is no zone ${id}. GET /api/map/ lists the zones.`);
    }
    return zone;
  }

  function shelvesOf(wanted: readonly { id?: string | undefined; name: string }[]): Rack['shelves'] {
    return wanted.map((shelf) => ({ id: shelf.id ?? newId(), name: shelf.name }));
  }

  return {
    newId,
    save,
    get: () => reads.map.get(),
    replace: (wanted, by) =>
      writer.write((tx) => {
        const racks: Rack[] = wanted.racks.map((rack) => ({
          id: rack.id ?? newId(),
          name: rack.name,
          note: rack.note,
          columns: rack.columns,
          shelves: shelvesOf(rack.shelves),
        }));
        const zones =
          wanted.zones?.map(({ id, name, racks: own }) => ({ id: id ?? newId(), name, racks: onceEach(own) })) ??
          zonesOf(repositories.map.get().zones, racks);
        const after = inOrder({ racks, zones }, wanted.places);
        refuse(problemsOf(after, new Set(repositories.devices.listIds()), wanted));
        change(tx, after, { by, subject: '' });
        return after;
      }),
    addRack: ({ name, note, columns, shelves }, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        if (map.racks.length >= MAX_RACKS) {
          throw new StationError('invalid', `There are ${MAX_RACKS} racks already. Take one away first.`);
        }
        const rack: Rack = {
          id: newId(),
          name,
          note,
          columns,
          shelves: shelvesOf(shelves.map((each) => ({ name: each }))),
        };
        change(tx, withRacks(map, [...map.racks, rack]), { by, subject: name });
        return rack;
      }),
    changeRack: (id, { index, shelves, name, note, columns }, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        const rack = rackAt(map, id);
        const known = new Set(rack.shelves.map((shelf) => shelf.id));
        const errors: FieldError[] = [];
        for (const [place, shelf] of (shelves ?? []).entries()) {
          if (shelf.id === undefined || known.delete(shelf.id)) continue;
          errors.push({
            path: `/shelves/${place}/id`,
            message: 'This is not a shelf of the rack, or it is named twice.',
          });
        }
        refuse(errors);
        const changed: Rack = {
          id,
          name: name ?? rack.name,
          note: note ?? rack.note,
          columns: columns ?? rack.columns,
          shelves: shelves === undefined ? rack.shelves : shelvesOf(shelves),
        };
        const others = map.racks.filter((other) => other !== rack);
        const racks = others.toSpliced(index ?? map.racks.indexOf(rack), 0, changed);
        change(tx, withRacks(map, racks), { by, subject: changed.name });
        return changed;
      }),
    removeRack: (id, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        const rack = rackAt(map, id);
        change(
          tx,
          withRacks(
            map,
            map.racks.filter((other) => other !== rack),
          ),
          { by, subject: rack.name },
        );
      }),
    addZone: ({ name, racks }, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        if (map.zones.length >= MAX_ZONES) {
          throw new StationError('invalid', `There are ${MAX_ZONES} zones already. Take one away first.`);
        }
        const zone: Zone = { id: newId(), name, racks: onceEach(racks) };
        refuse(unknownRacks(racks, map.racks, ''));
        refuseTakenZone(map.zones, name);
        change(tx, { ...map, zones: [...map.zones, zone] }, { by, subject: name });
        return zone;
      }),
    changeZone: (id, { name, racks }, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        const zone = zoneAt(map, id);
        refuse(unknownRacks(racks ?? [], map.racks, ''));
        if (name !== undefined) {
          refuseTakenZone(
            map.zones.filter((other) => other !== zone),
            name,
          );
        }
        const changed: Zone = {
          id,
          name: name ?? zone.name,
          racks: racks === undefined ? zone.racks : onceEach(racks),
        };
        change(tx, { ...map, zones: map.zones.with(map.zones.indexOf(zone), changed) }, { by, subject: changed.name });
        return changed;
      }),
    removeZone: (id, by) =>
      writer.write((tx) => {
        const map = repositories.map.get();
        const zone = zoneAt(map, id);
        change(tx, { ...map, zones: map.zones.filter((other) => other !== zone) }, { by, subject: zone.name });
      }),
    place: (wanted, by) =>
      writer.write((tx) => {
        devices.byId(wanted.deviceid);
        const before = repositories.map.get();
        const columns = columnsByShelf(before.racks).get(wanted.shelf);
        if (columns === undefined) {
          refuse([{ path: '/shelf', message: `There is no shelf ${wanted.shelf}. GET /api/map/ lists them.` }]);
        } else if (wanted.column >= columns) {
          refuse([{ path: '/column', message: `The shelf has ${columns} columns; the last is ${columns - 1}.` }]);
        }
        const after = withPlace(before, wanted);
        change(tx, after, { by, subject: wanted.deviceid });
        return placedBetween(before, after);
      }),
    unplace: (deviceId, by) =>
      writer.write((tx) => {
        devices.byId(deviceId);
        change(tx, withoutPlace(repositories.map.get(), deviceId), { by, subject: deviceId });
      }),
    arrange: (by) =>
      writer.write((tx) => {
        const known = repositories.devices.list().map((row) => ({ deviceId: row.device_id, label: row.label }));
        const after = arranged(repositories.map.get(), known, newId);
        change(tx, after, { by, subject: '' });
        return after;
      }),
  };
}

function problemsOf(map: StationMap, devices: ReadonlySet<string>, wanted: MapReplacement): FieldError[] {
  const errors: FieldError[] = [];
  const racks = new Set<string>();
  const shelves = new Set<string>();
  for (const [index, rack] of map.racks.entries()) {
    if (racks.has(rack.id)) errors.push({ path: `/racks/${index}/id`, message: 'Another rack has this id.' });
    racks.add(rack.id);
    for (const [place, shelf] of rack.shelves.entries()) {
      if (shelves.has(shelf.id)) {
        errors.push({ path: `/racks/${index}/shelves/${place}/id`, message: 'Another shelf has this id.' });
      }
      shelves.add(shelf.id);
    }
  }
  const columns = columnsByShelf(map.racks);
  const placed = new Set<string>();
  const taken = new Set<string>();
  for (const [index, place] of wanted.places.entries()) {
    const say = (field: string, message: string) => errors.push({ path: `/places/${index}/${field}`, message });
    const width = columns.get(place.shelf);
    if (!devices.has(place.deviceid)) say('deviceid', `There is no device ${place.deviceid}.`);
    else if (placed.has(place.deviceid)) say('deviceid', `${place.deviceid} has a place already.`);
    else if (width === undefined) say('shelf', 'No rack here has this shelf.');
    else if (place.column >= width) say('column', `The shelf has ${width} columns; the last is ${width - 1}.`);
    else if (taken.has(cellOf(place))) say('column', 'Another device is in this cell.');
    placed.add(place.deviceid);
    taken.add(cellOf(place));
  }
  const zones = new Set<string>();
  const names = new Set<string>();
  for (const [index, { id, name }] of map.zones.entries()) {
    if (zones.has(id)) errors.push({ path: `/zones/${index}/id`, message: 'Another zone has this id.' });
    if (names.has(zoneKey(name))) errors.push({ path: `/zones/${index}/name`, message: 'Another zone has this name.' });
    zones.add(id);
    names.add(zoneKey(name));
  }
  // As they were sent: here a rack that is named twice is named once.
  for (const [index, zone] of (wanted.zones ?? []).entries()) {
    errors.push(...unknownRacks(zone.racks, map.racks, `/zones/${index}`));
  }
  return errors;
}

function unknownRacks(wanted: readonly string[], racks: readonly Rack[], zone: string): FieldError[] {
  const known = new Set(racks.map(({ id }) => id));
  return wanted.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `${zone}/racks/${index}`, message: `There is no rack ${id}.` }],
  );
}

function refuseTakenZone(zones: readonly Zone[], name: string): void {
  const taken = zones.find((zone) => zoneKey(zone.name) === zoneKey(name));
  if (taken === undefined) return;
  throw new StationError('conflict', `There is a zone ${taken.name} already. Choose another name.`, [
    { path: '/name', message: 'Another zone has this name.' },
  ]);
}

function onceEach(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function refuseTooMany(racks: readonly Rack[]): void {
  const count = racks.reduce((sum, { shelves }) => sum + shelves.length, 0);
  if (count <= MAX_SHELVES_IN_ALL) return;
  throw new StationError(
    'invalid',
    `That would be ${count} shelves; a map has at most ${MAX_SHELVES_IN_ALL}. Nothing was changed.`,
  );
}

function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new StationError('invalid', `${first.message} Nothing was changed.`, errors);
}
