import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Api } from '../../station/calls/api.ts';
import { renamePlace } from '../../shop/place/renamePlace.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import type { Holders } from './places.ts';
import type { Done, Position } from './steps.ts';

type Parts = { api: Api; station: Station; /** Whether this person may change the map. */ mayPlace: boolean };

/**
 * Side effects of a change. `others` are the devices that lost the place. `notes` explain which parts failed, and
 * `warnings` come from the station.
 */
export type Written = { others: readonly Position[]; notes: readonly string[]; warnings: readonly string[] };

/** Returns the current position of a device, or undefined if the device is unknown. */
export function positionOf({ devices, map }: Station, deviceid: string): Position | undefined {
  const device = findDevice(devices, deviceid);
  if (device === undefined) return undefined;
  const place = map.places.find((each) => each.deviceid === deviceid);
  const cell = place === undefined ? undefined : { shelf: place.shelf, column: place.column };
  return { deviceid, label: device.locationoverride, cell };
}

/**
 * Assigns a place to a device: writes the label first, and then removes the label from other devices and moves the
 * device on the map. Rejects without changes if the label is refused. Later failures become notes.
 */
export async function writePlace(
  { api, station, mayPlace }: Parts,
  { deviceid, place, holders }: { deviceid: string; place: string; holders: Holders },
): Promise<Written> {
  const before = positionOf(station, deviceid);
  const others = [...new Set([...holders.labels, ...(holders.cell === undefined ? [] : [holders.cell])])].flatMap(
    (other) => positionOf(station, other) ?? [],
  );
  const warnings = await writeLabel(api, deviceid, place, before === undefined);
  const notes: string[] = [];
  for (const other of holders.labels) {
    await attempt(notes, words.labelKept(other, place), () =>
      api.sendToDevice({ path: { DeviceID: other }, body: { locationoverride: '' } }),
    );
  }
  if (mayPlace)
    await attempt(notes, words.notPlaced(place), () => moveOnMap(api, station, deviceid, place, holders.cell));
  return { others, notes, warnings };
}

/** Writes a label. A new device is registered with its label, which also accepts the device. */
async function writeLabel(api: Api, deviceid: string, label: string, isNew: boolean): Promise<readonly string[]> {
  if (!isNew)
    return (await api.sendToDevice({ path: { DeviceID: deviceid }, body: { locationoverride: label } })).warnings;
  await api.registerDevice({ body: { deviceid, buttons: 1, label } });
  return [];
}

async function moveOnMap(
  api: Api,
  station: Station,
  deviceid: string,
  place: string,
  occupant: string | undefined,
): Promise<void> {
  const before = positionOf(station, deviceid);
  const cell = findLabeledCell(station.map.racks, place);
  if (cell !== undefined) {
    if (before?.cell?.shelf === cell.shelf && before.cell.column === cell.column) return;
    await api.placeDevice({ path: { DeviceID: deviceid }, body: cell });
    // The station swapped the devices, so remove the other device from the cell that this device left.
    if (occupant !== undefined && before?.cell !== undefined) await api.unplaceDevice({ path: { DeviceID: occupant } });
    return;
  }
  // Remove the device from the cell of its old label.
  const old = before === undefined ? undefined : findLabeledCell(station.map.racks, before.label);
  const isThere = old !== undefined && before?.cell?.shelf === old.shelf && before.cell.column === old.column;
  if (isThere) await api.unplaceDevice({ path: { DeviceID: deviceid } });
}

/**
 * Restores the previous positions of a device and of those that lost their place. Rejects if nothing was restored. `isUndone` is false if
 * the device is gone or has a different label by now. Asks the station for the positions, because the page may not show the place yet.
 */
export async function undoPlace(
  { api, mayPlace }: Omit<Parts, 'station'>,
  { place, before, others, isRenamed }: Done,
): Promise<{ isUndone: boolean; notes: readonly string[] }> {
  const { deviceid } = before;
  const station = await api.getStation();
  const now = positionOf(station, deviceid);
  if (now === undefined) return { isUndone: false, notes: [words.goneBack(deviceid)] };
  if (nameKey(now.label) !== nameKey(place))
    return { isUndone: false, notes: [words.changedSince(deviceid, now.label)] };
  // A place that gets its former name back takes its goods along.
  if (isRenamed) await renamePlace(api, place, before.label);
  else await api.sendToDevice({ path: { DeviceID: deviceid }, body: { locationoverride: before.label } });
  const notes: string[] = [];
  for (const { deviceid: other, label } of others) {
    if (nameKey(label) !== nameKey(place)) continue;
    await attempt(notes, words.notRestored(other, label), () =>
      api.sendToDevice({ path: { DeviceID: other }, body: { locationoverride: label } }),
    );
  }
  if (!mayPlace) return { isUndone: true, notes };
  await attempt(notes, words.mapNotRestored(deviceid), async () => {
    const isMoved = now.cell?.shelf !== before.cell?.shelf || now.cell?.column !== before.cell?.column;
    if (isMoved && before.cell === undefined) await api.unplaceDevice({ path: { DeviceID: deviceid } });
    else if (isMoved && before.cell !== undefined)
      await api.placeDevice({ path: { DeviceID: deviceid }, body: before.cell });
    for (const { deviceid: other, cell } of others) {
      if (cell !== undefined && positionOf(station, other)?.cell === undefined)
        await api.placeDevice({ path: { DeviceID: other }, body: cell });
    }
  });
  return { isUndone: true, notes };
}

async function attempt(notes: string[], refused: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    notes.push(`${refused} ${sentenceOf(error)}`);
  }
}
