import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { cellWords } from '../../station/placeNames.ts';
import { texts } from '../../ui/texts.ts';

const NAMES_SAID = 3;
const words = texts.replace;

/** What a device gives to the one that takes its place, a line each. */
export function whatMoves(station: Station, deviceid: string): string[] {
  const device = findDevice(station.devices, deviceid);
  const label = device?.locationoverride ?? '';
  const names = aliasesOf(station, deviceid);
  const cell = cellOf(station, deviceid);
  const open = device?.commands.length ?? 0;
  return [
    ...(names.length === 0 ? [] : [words.aliases(names.slice(0, NAMES_SAID), Math.max(0, names.length - NAMES_SAID))]),
    label === '' ? words.noLabel : words.label(label),
    ...(cell === '' ? [] : [words.place(cell)]),
    ...(open === 0 ? [] : [words.work(open)]),
    words.settings,
  ];
}

/** What becomes of the place that the new device has already; empty where it has none. */
export function whatIsLost(station: Station, deviceid: string): string[] {
  const label = findDevice(station.devices, deviceid)?.locationoverride ?? '';
  const cell = cellOf(station, deviceid);
  const aliases = aliasesOf(station, deviceid).length;
  return [
    ...(label === '' ? [] : [words.loses(label)]),
    ...(cell === '' ? [] : [words.losesCell(cell)]),
    ...(aliases === 0 ? [] : [words.keeps(aliases)]),
  ];
}

function aliasesOf(station: Station, deviceid: string): string[] {
  return station.aliases.filter((alias) => alias.deviceid === deviceid).map(({ name }) => name);
}

function cellOf({ map }: Station, deviceid: string): string {
  const cell = map.places.find((place) => place.deviceid === deviceid);
  return cell === undefined ? '' : cellWords(map, cell);
}
