import { isDeepStrictEqual } from 'node:util';
import type { StationMap } from '#shared/api/map.ts';
import type { Transaction } from '../../db/writer.ts';
import { placedBetween } from '../../domain/stationMap.ts';
import type { By } from '../base/index.ts';
import { refuseTooMany } from './mapChecks.ts';
import type { MapContext } from './types.ts';

/** A new map with the answer to the caller. `subject`: the rack, the zone or the device that the audit names. */
type Change<T> = { answer: T; after: StationMap; subject: string };

/** One use-case: saves the map that `edit` makes of the current one, and records the change unless there is none. */
export function change<T>(context: MapContext, by: By, edit: (map: StationMap) => Change<T>): Promise<T> {
  return context.writer.write((tx) => {
    const { answer, after, subject } = edit(context.repositories.map.get());
    const isChanged = save(context, tx, after);
    if (isChanged) context.audit.record(tx, { action: 'map.changed', by, subject, detail: {} });
    return answer;
  });
}

/** Within another use-case: saves the map and emits the differences. False: there are none. */
export function save({ repositories: { map } }: MapContext, tx: Transaction, after: StationMap): boolean {
  const before = map.get();
  refuseTooMany(after.racks);
  const moved = placedBetween(before, after);
  for (const { deviceid } of moved) map.unplace(deviceid);
  const isRezoned = !isDeepStrictEqual(before.zones, after.zones);
  if (isRezoned) map.removeZones();
  const isReracked = !isDeepStrictEqual(before.racks, after.racks);
  if (isReracked) {
    map.saveRacks(before.racks, after.racks);
    tx.emit({ type: 'map.racks', racks: after.racks });
  }
  if (isRezoned) {
    map.insertZones(after.zones);
    tx.emit({ type: 'map.zones', zones: after.zones });
  }
  for (const { deviceid, place } of moved) if (place !== null) map.place({ deviceid, ...place });
  if (moved.length > 0) tx.emit({ type: 'map.placed', places: moved });
  return isRezoned || isReracked || moved.length > 0;
}

export function newId({ ids }: Pick<MapContext, 'ids'>): string {
  return Buffer.from(ids.bytes(9)).toString('base64url');
}
