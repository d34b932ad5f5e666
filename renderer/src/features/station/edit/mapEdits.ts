import type { ArrangedMap, Cell, NewRack, NewZone, Rack, RackChange, StationMap, Zone } from '#shared/api/map.ts';
import { cellWords } from '../../../station/placeNames.ts';
import * as texts from '../../../words/texts.ts';
import * as changes from './mapChanges.ts';
import type { MapEdit } from './mapEditor.ts';

/** Returns the display name of a device. */
export type NameOf = (deviceid: string) => string;

/** A device that could not be arranged by its label, with the reason. */
export type NotArranged = ArrangedMap['not_arranged'][number];

/**
 * Moves a device to a cell, or to the tray if `cell` is undefined. A device that is already in the cell swaps places
 * with it.
 */
export function moveEdit(map: StationMap, deviceid: string, cell: Cell | undefined, nameOf: NameOf): MapEdit {
  const other = cell === undefined ? undefined : changes.deviceAt(map, cell);
  const to = cell === undefined ? texts.map.tray : cellWords(map, cell);
  return {
    about: deviceid,
    kind: other === undefined ? 'move' : 'swap',
    words:
      other === undefined
        ? texts.map.moved(nameOf(deviceid), to)
        : texts.map.swapped(nameOf(deviceid), nameOf(other), to),
    change: (present) => changes.withDeviceAt(present, deviceid, cell),
    async call(api) {
      if (cell === undefined) await api.unplaceDevice({ path: { DeviceID: deviceid } });
      else await api.placeDevice({ path: { DeviceID: deviceid }, body: cell });
      return undefined;
    },
  };
}

/** Appends a rack. The rack is drawn once the station has assigned its id. */
export function addRackEdit(rack: NewRack): MapEdit {
  const edit: MapEdit = {
    about: '',
    kind: 'rack',
    words: texts.map.rackAdded(rack.name),
    change: (map) => map,
    async call(api) {
      const { warnings = [], ...added } = await api.addRack({ body: rack });
      edit.words = [edit.words, ...warnings].join(' ');
      return (map) =>
        map.racks.some(({ id }) => id === added.id) ? map : changes.withRack(map, added, map.racks.length);
    },
  };
  return edit;
}

export function changeRackEdit(rack: Rack, change: RackChange): MapEdit {
  const edit: MapEdit = {
    about: rack.id,
    kind: 'rack',
    words: texts.map.rackChanged(change.name ?? rack.name),
    change: (map) => changes.withRackChange(map, rack.id, change, () => `new ${(unnamed += 1)}`),
    async call(api) {
      const { warnings = [], ...changed } = await api.changeRack({
        id: rack.id,
        change,
        seen: change.index === undefined ? rack : undefined,
      });
      edit.words = [edit.words, ...warnings].join(' ');
      return (map) => {
        const at = map.racks.findIndex(({ id }) => id === rack.id);
        return at < 0 ? map : changes.withRack(map, changed, change.index ?? at);
      };
    },
  };
  return edit;
}

export function removeRackEdit(rack: Rack): MapEdit {
  return {
    about: rack.id,
    kind: 'rack',
    words: texts.map.rackRemoved(rack.name),
    change: (map) => changes.withoutRack(map, rack.id),
    async call(api) {
      await api.removeRack({ path: { id: rack.id } });
      return undefined;
    },
  };
}

/** Adds a zone. The zone is drawn once the station has assigned its id. */
export function addZoneEdit(zone: NewZone): MapEdit {
  return {
    about: '',
    kind: 'zone',
    words: texts.zones.added(zone.name),
    change: (map) => map,
    async call(api) {
      const added = await api.addZone({ body: zone });
      return (map) => (map.zones.some(({ id }) => id === added.id) ? map : changes.withZone(map, added));
    },
  };
}

export function changeZoneEdit(zone: Zone, change: NewZone): MapEdit {
  const { id } = zone;
  return {
    about: '',
    kind: 'zone',
    words: texts.zones.changed(change.name),
    change: (map) => changes.withZoneChange(map, id, change),
    async call(api) {
      const changed = await api.changeZone({ id, change, seen: zone });
      return (map) => changes.withZoneChange(map, id, changed);
    },
  };
}

export function removeZoneEdit(zone: Zone): MapEdit {
  return {
    about: '',
    kind: 'zone',
    words: texts.zones.removed(zone.name),
    change: (map) => changes.withoutZone(map, zone.id),
    async call(api) {
      await api.removeZone({ path: { id: zone.id } });
      return undefined;
    },
  };
}

/**
 * Arranges devices by their labels. Only the station interprets labels, so the map changes once it has replied.
 * `onLeft` is called with the labeled devices that could not be arranged, if any.
 */
export function arrangeEdit(onLeft: (left: readonly NotArranged[]) => void): MapEdit {
  const edit: MapEdit = {
    about: '',
    kind: 'arrange',
    words: texts.map.arranged,
    change: (map) => map,
    async call(api) {
      const { racks, places, zones, not_arranged: left } = await api.arrangeDevices();
      const labeled = left.filter(({ label }) => label !== '');
      if (labeled.length > 0) {
        edit.words = texts.map.arrangedExcept(labeled.length);
        onLeft(labeled);
      }
      return () => ({ racks, places, zones });
    },
  };
  return edit;
}

/** Number of temporary ids so far. New shelves have one until the station has assigned their ids. */
let unnamed = 0;
