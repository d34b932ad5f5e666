import type { StationMap } from '#shared/api/map.ts';
import { cellWords, meansPlace, placeNames } from '../station/placeNames.ts';
import type { Place } from '../station/places.ts';

/** A device to choose: `text` is what stands in the field, `note` where it is. */
export type DeviceChoice = { deviceid: string; text: string; note: string };

/** More than these nobody reads; typing on finds the others. */
const MAX = 40;

export function choiceText({ deviceid, name }: Place): string {
  return name === deviceid ? deviceid : `${name} · ${deviceid}`;
}

/** The devices that a text may mean, by label, DeviceID or where they hang; all of them as long as it is what was chosen. */
export function findDevices(places: readonly Place[], map: StationMap, typed: string): readonly DeviceChoice[] {
  const wanted = typed.trim().toLowerCase();
  const isChosen = places.some((place) => choiceText(place).toLowerCase() === wanted);
  const standing = placeNames(map);
  const found =
    wanted === '' || isChosen
      ? places
      : places.filter(
          (place) =>
            choiceText(place).toLowerCase().includes(wanted) || meansPlace(standing.get(place.deviceid), wanted),
        );
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  return found.slice(0, MAX).map((place) => {
    const cell = cells.get(place.deviceid);
    const { deviceid } = place;
    return { deviceid, text: choiceText(place), note: cell === undefined ? '' : cellWords(map, cell) };
  });
}

/** The device that a text names: as it was chosen, by its DeviceID, or by a label that no other has. */
export function deviceNamed(places: readonly Place[], typed: string): string | undefined {
  const wanted = typed.trim().toLowerCase();
  const exact = places.find((place) => choiceText(place).toLowerCase() === wanted);
  if (exact !== undefined) return exact.deviceid;
  const named = places.filter(({ deviceid, name }) => [deviceid, name].some((each) => each.toLowerCase() === wanted));
  return named.length === 1 ? named[0]?.deviceid : undefined;
}
