import type { Cell, Rack } from '#shared/api/map.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { TablesOf } from '../../../core.ts';
import { describeMade, makeCellAt, positionAt, positionText } from '../../../domain/places/positions.ts';
import { cellOf } from '../../../domain/places/stationMap.ts';
import type { AssessedPlace, WantedPlace } from '../types.ts';
import type { StationLocations } from './stationLocations.ts';

type Accepted = Extract<AssessedPlace, { wanted: WantedPlace }>;
type Tables = Pick<TablesOf<'imports'>, 'devices' | 'map'>;

/** A row that puts a device in a cell, or only creates the cell of a place that waits. */
type Claim = {
  place: Accepted;
  deviceId: string | null;
  cell: Cell;
  now: Cell | undefined;
  /** What is created for the cell, in sentences. */
  made: string;
};

const AN_ALIAS = 'The position is left out: the device of an alias hangs elsewhere.';

/** Number of rows to check per step. A step takes about 1 ms. */
const JUDGED = 25;

/**
 * Decides which rows change the map. An unclear position, or one whose cell belongs to another device, is left out with a note, and the rest
 * of the row counts.
 */
export function* judgeCells(
  tables: Tables,
  station: StationLocations,
  places: readonly AssessedPlace[],
): InParts<readonly AssessedPlace[]> {
  const hasPosition = ({ read }: AssessedPlace): boolean => read.position !== null || read.unplaced !== '';
  if (!places.some(hasPosition)) return places;
  const map = tables.map.get();
  const racks = structuredClone(map.racks);
  const cells = new Map(map.places.map(({ deviceid, shelf, column }) => [deviceid, { shelf, column }]));
  const notes = new Map<AssessedPlace, string>();
  const claims: Claim[] = [];
  let ids = 0;
  for (const [index, place] of places.entries()) {
    if (index % JUDGED === JUDGED - 1) yield;
    if (!('wanted' in place) || !hasPosition(place)) continue;
    const claim = claimOf({ tables, station, cells, racks, newId: () => `new ${(ids += 1)}` }, place);
    if (typeof claim === 'string') notes.set(place, claim);
    else claims.push(claim);
  }
  yield;
  const kept = withoutConflicts(claims, { racks, cells }, notes);
  yield;
  // Rows that are left out create nothing.
  const drawn = structuredClone(map.racks);
  const byPlace = new Map(kept.map((claim) => [claim.place, madeFor(claim, drawn, () => `new ${(ids += 1)}`)]));
  return places.map((place) => {
    const note = notes.get(place);
    if (!('wanted' in place) || (note === undefined && !byPlace.has(place))) return place;
    const claim = byPlace.get(place);
    return claim === undefined
      ? { ...place, warning: joined(place.warning, note ?? '') }
      : withCell(place, claim, drawn);
  });
}

function claimOf(
  {
    tables,
    station,
    cells,
    racks,
    newId,
  }: {
    tables: Tables;
    station: StationLocations;
    cells: ReadonlyMap<string, Cell>;
    racks: Rack[];
    newId: () => string;
  },
  place: Accepted,
): Claim | string {
  const { position, unplaced, name } = place.read;
  if (position === null) return unplaced;
  const { alias } = place.wanted;
  if (alias !== null) return AN_ALIAS;
  const labeled = station.labeled(name);
  const [only] = labeled;
  const deviceId = place.wanted.deviceId ?? (name !== '' && labeled.length === 1 ? only : undefined) ?? null;
  if (deviceId === null && name !== '' && station.aliased(name) !== undefined) return AN_ALIAS;
  if (deviceId !== null && tables.devices.isSlot(deviceId))
    return `${deviceId} serves a slot of a cart or a wall, so the position is left out.`;
  const now = deviceId === null ? findLabeledCell(racks, name) : cells.get(deviceId);
  const found = makeCellAt(racks, position, newId, now);
  if ('problem' in found) return found.problem;
  return { place, deviceId, cell: found.cell, now, made: '' };
}

function madeFor(claim: Claim, racks: Rack[], newId: () => string): Claim {
  const { position } = claim.place.read;
  const found = position === null ? undefined : makeCellAt(racks, position, newId, claim.now);
  if (found === undefined || 'problem' in found) return claim;
  const { cell, made } = found;
  return { ...claim, cell, made: made === null ? '' : describeMade(racks, made) };
}

/** Removes claims to cells that other devices keep, and claims with devices or cells that several rows name. Adds notes. */
function withoutConflicts(
  claims: readonly Claim[],
  { racks, cells }: { racks: readonly Rack[]; cells: ReadonlyMap<string, Cell> },
  notes: Map<AssessedPlace, string>,
): Claim[] {
  const nameOf = (cell: Cell): string => {
    const position = positionAt(racks, cell);
    return position === undefined ? '' : positionText(position);
  };
  const ofDevices = claims.filter(({ deviceId }) => deviceId !== null);
  const byDevice = Map.groupBy(ofDevices, ({ deviceId }) => deviceId);
  const byCell = Map.groupBy(ofDevices, ({ cell }) => cellOf(cell));
  const left = new Set<Claim>();
  const queue: Claim[] = [];
  const leaveOut = (claim: Claim, note: string): void => {
    if (left.has(claim)) return;
    left.add(claim);
    notes.set(claim.place, note);
    queue.push(claim);
  };
  for (const claim of ofDevices) {
    const { deviceId, cell } = claim;
    const elsewhere = byDevice.get(deviceId)?.find((each) => cellOf(each.cell) !== cellOf(cell));
    const other = byCell.get(cellOf(cell))?.find((each) => each.deviceId !== deviceId);
    if (elsewhere !== undefined)
      leaveOut(
        claim,
        `Line ${elsewhere.place.read.line} puts ${deviceId ?? ''} at ${nameOf(elsewhere.cell)}, so the position is left out.`,
      );
    else if (other !== undefined)
      leaveOut(
        claim,
        `Line ${other.place.read.line} names ${nameOf(cell)} too, so ${deviceId ?? ''} is not placed there.`,
      );
  }
  const holders = new Map([...cells].map(([deviceId, cell]) => [cellOf(cell), deviceId]));
  const keep = (holder: string, cell: Cell): void => {
    for (const claim of byCell.get(cellOf(cell)) ?? [])
      if (claim.deviceId !== holder)
        leaveOut(claim, `${holder} is at ${nameOf(cell)}, so ${claim.deviceId ?? ''} is not placed there.`);
  };
  for (const [key, of] of byCell) {
    const holder = holders.get(key);
    const [first] = of;
    if (holder !== undefined && first !== undefined && !byDevice.has(holder)) keep(holder, first.cell);
  }
  for (let claim = queue.pop(); claim !== undefined; claim = queue.pop()) {
    const { deviceId, now } = claim;
    // Its device stays, so others cannot have the cell.
    if (deviceId !== null && now !== undefined) keep(deviceId, now);
  }
  return claims.filter((claim) => !left.has(claim));
}

/** Returns the row with the change of the map, or with a warning that there is none for a place without a device. */
function withCell(place: Accepted, { deviceId, cell, now, made }: Claim, racks: readonly Rack[]): Accepted {
  const { name, position } = place.read;
  const isThere = now !== undefined && cellOf(now) === cellOf(cell);
  const labeled = deviceId === null ? findLabeledCell(racks, name) : undefined;
  const isDrawn = deviceId !== null || (labeled !== undefined && cellOf(labeled) === cellOf(cell));
  const warning = joined(
    place.warning,
    made,
    isDrawn ? '' : `${name} is not on the map yet: import the row again once it has a device.`,
  );
  if (position === null || (made === '' && (isThere || deviceId === null))) return { ...place, warning };
  const before = deviceId === null || now === undefined ? undefined : positionAt(racks, now);
  const says = before === undefined || isThere ? '' : `Before, it was at ${positionText(before)}.`;
  const outcome = place.outcome === 'known' ? 'changed' : place.outcome;
  return { ...place, outcome, warning, wanted: { ...place.wanted, cell: { deviceId, position, says } } };
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}
