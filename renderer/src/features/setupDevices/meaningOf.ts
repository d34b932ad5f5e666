import type { Station } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';

export type ScanMeans =
  | { kind: 'device'; deviceid: string }
  | { kind: 'place'; place: string }
  | { kind: 'problem'; says: string };

type Known = { station: Station; pattern: readonly string[]; hasCurrent: boolean };

/**
 * Returns the meaning of a scan. A DeviceID selects its device. While a device is selected, other text is its place;
 * otherwise, a label selects its device.
 */
export function meaningOf({ code, second, note = '' }: Scan, { station, pattern, hasCurrent }: Known): ScanMeans {
  const { devices, map } = station;
  const typed = readScan(code).text;
  // Prefer the text by key positions, which is what the scanner sent.
  const texts = [...(second === undefined ? [] : [readScan(second).text]), typed];
  for (const text of texts) {
    const device = devices.find(({ deviceid }) => deviceid === text.toUpperCase());
    if (device !== undefined) return { kind: 'device', deviceid: device.deviceid };
  }
  if (!hasCurrent) {
    const keys = new Set(texts.map(nameKey));
    const [first, ...others] = devices.filter(
      ({ locationoverride: label }) => label !== '' && keys.has(nameKey(label)),
    );
    if (first !== undefined && others.length === 0) return { kind: 'device', deviceid: first.deviceid };
    return { kind: 'problem', says: `${words.unknownScan(typed)} ${note}`.trim() };
  }
  for (const text of texts) {
    const same = pattern.find((place) => nameKey(place) === nameKey(text));
    if (same !== undefined) return { kind: 'place', place: same };
    if (findLabeledCell(map.racks, text) !== undefined) return { kind: 'place', place: text };
  }
  // Refuse the code if the keyboard layout seems wrong, because every device would get a wrong label.
  return note === '' ? { kind: 'place', place: typed } : { kind: 'problem', says: `${words.notUsed(typed)} ${note}` };
}
