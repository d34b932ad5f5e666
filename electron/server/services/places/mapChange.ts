import { isDeepStrictEqual } from 'node:util';
import type { Placed, StationMap } from '#shared/api/map.ts';
import type { Transaction } from '../../db/writer.ts';
import { placedBetween } from '../../domain/places/stationMap.ts';
import type { By } from '../base/index.ts';
import { refuseTooMany } from './mapChecks.ts';
import type { MapContext } from './types.ts';

/** New map and the response to the caller. `subject` is the rack, zone or device that the audit log names. */
type Change<T> = { answer: T; after: StationMap; subject: string };

/** Saves the map that `edit` derives from the current one, in a transaction. Records the change in the audit log unless nothing changed. */
export function change<T>(context: MapContext, by: By, edit: (map: StationMap) => Change<T>): Promise<T> {
  return context.writer.write((tx) => changeWithin(context, tx, by, edit));
}

/** Like `change`, but inside a transaction. */
export function changeWithin<T>(
  context: Pick<MapContext, 'audit' | 'repositories'>,
  tx: Transaction,
  by: By,
  edit: (map: StationMap) => Change<T>,
): T {
  const { answer, after, subject } = edit(context.repositories.map.get());
  const isChanged = save(context, tx, after);
  if (isChanged) context.audit.record(tx, { action: 'map.changed', by, subject, detail: {} });
  return answer;
}

/** Saves the map and publishes the differences, inside a transaction. Returns whether there are any differences. */
export function save(
  { repositories: { map } }: Pick<MapContext, 'repositories'>,
  tx: Transaction,
  after: StationMap,
): boolean {
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
  putInCells(map, tx, moved);
  return isRezoned || isReracked || moved.length > 0;
}

/** Moves devices to other cells, or off the map, inside a transaction. The cells must exist and be free. */
export function move(
  { repositories: { map } }: Pick<MapContext, 'repositories'>,
  tx: Transaction,
  moved: readonly Placed[],
): void {
  for (const { deviceid } of moved) map.unplace(deviceid);
  putInCells(map, tx, moved);
}

function putInCells(map: MapContext['repositories']['map'], tx: Transaction, moved: readonly Placed[]): void {
  for (const { deviceid, place } of moved) if (place !== null) map.place({ deviceid, ...place });
  if (moved.length > 0) tx.emit({ type: 'map.placed', places: [...moved] });
}

export function newId({ ids }: Pick<MapContext, 'ids'>): string {
  return Buffer.from(ids.bytes(9)).toString('base64url');
}
