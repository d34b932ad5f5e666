import type { LocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import { nameKey, placeKey } from '#shared/lib/nameKey.ts';
import { StationError } from '../../errors.ts';
import type { BackgroundReadQueue } from '../base/index.ts';

/** A snapshot of the station's places, searched by name regardless of case and blanks. */
export type StationPlaces = {
  /** Throws `invalid` if several aliases match. */
  findAlias(name: string): LocationAlias | undefined;
  /** Undefined: no such device. */
  labelOf(deviceId: string): string | undefined;
  /** Devices with this label. */
  labeled(label: string): readonly string[];
  /** Finds a device by DeviceID or label. Throws `invalid` if none or several match. */
  deviceOf(text: string): string;
};

type PlaceTables = {
  aliases: { list(page: { after: number; limit: number }): readonly LocationAlias[] };
  devices: { listAfter(after: string, limit: number): readonly { device_id: string; label: string }[] };
};

/** Rows read in one step: about a millisecond. */
const READ_ROWS = 200;

export async function readStationPlaces(
  { aliases, devices }: PlaceTables,
  backgroundReads: Pick<BackgroundReadQueue, 'take'>,
): Promise<StationPlaces> {
  const aliasesByKey = new Map<string, LocationAlias[]>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const page = await backgroundReads.take(() => aliases.list({ after: from, limit: READ_ROWS }));
    for (const alias of page) append(aliasesByKey, placeKey(alias.name), alias);
    after = page.at(READ_ROWS - 1)?.id;
  }
  const labels = new Map<string, string>();
  const idsByKey = new Map<string, string[]>();
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await backgroundReads.take(() => devices.listAfter(from, READ_ROWS));
    for (const { device_id: id, label } of page) {
      labels.set(id, label);
      if (label !== '') append(idsByKey, placeKey(label), id);
    }
    after = page.at(READ_ROWS - 1)?.device_id;
  }

  function findAlias(name: string): LocationAlias | undefined {
    const found = closest(aliasesByKey.get(placeKey(name)) ?? [], name, (alias) => alias.name);
    if (found.length > 1)
      throw invalid(`Several aliases match: ${named(found.map((alias) => alias.name))}. Use one of these names.`);
    return found[0];
  }

  function labeled(label: string): readonly string[] {
    return closest(idsByKey.get(placeKey(label)) ?? [], label, (id) => labels.get(id) ?? '');
  }

  function deviceOf(text: string): string {
    const id = text.toUpperCase();
    if (DEVICE_ID_PATTERN.test(id)) return id;
    const [only, ...others] = labeled(text);
    if (only === undefined) throw invalid(`No DeviceID or label is "${text}".`);
    if (others.length === 0) return only;
    throw invalid(`${others.length + 1} devices have the label "${text}". Use a DeviceID instead.`);
  }

  return { findAlias, labelOf: (deviceId) => labels.get(deviceId), labeled, deviceOf };
}

/** Candidates that differ from the name only in case; if there are none, all candidates. */
function closest<T>(candidates: readonly T[], name: string, nameOf: (candidate: T) => string): readonly T[] {
  const key = nameKey(name);
  const same = candidates.filter((each) => nameKey(nameOf(each)) === key);
  return same.length > 0 ? same : candidates;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function named(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}

function invalid(message: string): StationError {
  return new StationError('invalid', message);
}
