import type { Cell, Placed } from '#shared/api/map.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { makeAgain, makeCellAt, positionAt, positionText, withoutMade } from '../../../domain/places/positions.ts';
import { cellOf } from '../../../domain/places/stationMap.ts';
import type { ImportedCell, ImportedPlace } from '../../../db/repositories/imports.ts';
import type { UndoneCell } from '../../../db/repositories/importUndone.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { ImportsContext, AssessedPlace, WantedCell } from '../types.ts';

type Tables = Pick<ImportsContext['reads'], 'devices' | 'map'>;
/** A device with the cell to put it in. */
type Moving = { deviceid: string; place: Cell };

/** Changes of the map, and reasons why rows changed nothing, by line. */
type AppliedCells = { cells: Map<number, ImportedCell>; problems: Map<number, string> };

/** Creates the cells of the rows of one step, and puts their devices there. A row changes nothing if its cell is no longer free. */
export function applyCells(
  { repositories, map }: Pick<ImportsContext, 'map' | 'repositories'>,
  tx: Transaction,
  step: readonly AssessedPlace[],
): AppliedCells {
  const applied: AppliedCells = { cells: new Map(), problems: new Map() };
  const wanted = step.flatMap((each) =>
    'wanted' in each && each.wanted.cell !== null ? [{ line: each.read.line, ...each.wanted.cell }] : [],
  );
  if (wanted.length === 0) return applied;
  const racks = structuredClone(repositories.map.listRacks());
  const moving: (Moving & { line: number })[] = [];
  for (const { line, deviceId, position } of wanted) {
    const now = deviceId === null ? undefined : repositories.map.findCell(deviceId);
    const found = makeCellAt(racks, position, map.newId, now);
    if ('problem' in found) {
      applied.problems.set(line, found.problem);
      continue;
    }
    const { cell, made } = found;
    const isThere = now !== undefined && cellOf(now) === cellOf(cell);
    if (made !== null || (deviceId !== null && !isThere))
      applied.cells.set(line, { deviceid: deviceId, before: now ?? null, after: cell, made });
    if (deviceId !== null && !isThere) moving.push({ line, deviceid: deviceId, place: cell });
  }
  if ([...applied.cells.values()].some(({ made }) => made !== null)) map.save(tx, { ...repositories.map.get(), racks });
  const free = freeMoves(repositories, moving);
  for (const each of moving) {
    if (free.includes(each)) continue;
    const { line, deviceid, place } = each;
    const position = positionAt(racks, place);
    applied.cells.delete(line);
    applied.problems.set(
      line,
      `Another device is at ${position === undefined ? '' : positionText(position)}, so ${deviceid} is not placed there.`,
    );
  }
  map.move(
    tx,
    free.map(({ deviceid, place }) => ({ deviceid, place })),
  );
  return applied;
}

/** Returns the moves whose cells are free once all of these devices have left theirs. */
function freeMoves<M extends Moving>({ map }: Pick<Tables, 'map'>, moving: readonly M[]): M[] {
  let free = [...moving];
  for (let count = -1; count !== free.length;) {
    count = free.length;
    const leaving = new Set(free.map(({ deviceid }) => deviceid));
    free = free.filter(({ place }) => {
      const holder = map.findDevice(place);
      return holder === undefined || leaving.has(holder);
    });
  }
  return free;
}

/** Lists pairs of rows whose first device takes the cell of the second. Such devices move together. */
export function* cellHolders(
  places: readonly AssessedPlace[],
  { map }: Pick<Tables, 'map'>,
): InParts<[AssessedPlace, AssessedPlace][]> {
  const pace = createPace();
  const moved = new Map(
    places.flatMap((place) => {
      const deviceId = wantedCell(place)?.deviceId;
      return deviceId === undefined || deviceId === null ? [] : [[deviceId, place] as const];
    }),
  );
  if (moved.size === 0) return [];
  const racks = structuredClone(map.listRacks());
  const pairs: [AssessedPlace, AssessedPlace][] = [];
  for (const place of moved.values()) {
    if (pace.isDue()) yield* pace.rest();
    const wanted = wantedCell(place);
    if (wanted === null || wanted.deviceId === null) continue;
    const found = makeCellAt(racks, wanted.position, () => '', map.findCell(wanted.deviceId));
    const holder = 'problem' in found || found.made !== null ? undefined : map.findDevice(found.cell);
    const other = holder === undefined ? undefined : moved.get(holder);
    if (other !== undefined && other !== place) pairs.push([place, other]);
  }
  return pairs;
}

function wantedCell(place: AssessedPlace): WantedCell | null {
  return 'wanted' in place ? place.wanted.cell : null;
}

/** Returns why a device would not go back to its cell `before`, or an empty string. `leaving` are the devices that the same step moves. */
export function keptCell(
  { devices, map }: Tables,
  { deviceid, before, after }: ImportedCell | UndoneCell,
  leaving: ReadonlySet<string>,
): string {
  if (deviceid === null) return '';
  if (devices.find(deviceid) === undefined) return `${deviceid} no longer exists.`;
  const now = map.findCell(deviceid);
  const isSame = now === undefined ? after === null : after !== null && cellOf(now) === cellOf(after);
  if (!isSame) return 'It was moved on the map since.';
  return before === null ? '' : freeProblem(map, before, leaving);
}

function freeProblem(map: Tables['map'], cell: Cell, leaving: ReadonlySet<string>): string {
  if (
    !map
      .listRacks()
      .some(({ shelves, columns }) => cell.column < columns && shelves.some(({ id }) => id === cell.shelf))
  )
    return 'Its earlier cell no longer exists.';
  const holder = map.findDevice(cell);
  return holder === undefined || leaving.has(holder) ? '' : `${holder} is in its earlier cell.`;
}

/** Lists the devices that rows put in a cell. */
export function devicesIn(cells: readonly (ImportedCell | null)[]): Set<string> {
  return new Set(cells.flatMap((cell) => cell?.deviceid ?? []));
}

/** Reverts changes of the map from one step, last row first. Returns what was reverted, in the order of `undone`. */
export function undoCells(
  { repositories, map }: Pick<ImportsContext, 'map' | 'repositories'>,
  tx: Transaction,
  undone: readonly ImportedCell[],
): Map<ImportedCell, UndoneCell> {
  map.move(
    tx,
    undone.flatMap(({ deviceid, before }): Placed[] => (deviceid === null ? [] : [{ deviceid, place: before }])),
  );
  const made = undone.flatMap((cell) => cell.made ?? []).toReversed();
  if (made.length > 0) map.save(tx, made.reduce(withoutMade, repositories.map.get()));
  return new Map(
    undone.map((cell) => [cell, { deviceid: cell.deviceid, before: cell.after, after: cell.before, made: cell.made }]),
  );
}

/** Redoes changes of the map that one undo step has reverted. Returns the reason for each that failed, or an empty text, in the same order. */
export function redoCells(
  { repositories, map }: Pick<ImportsContext, 'map' | 'repositories'>,
  tx: Transaction,
  cells: readonly (UndoneCell | null)[],
): string[] {
  const all = cells.filter((cell) => cell !== null);
  if (all.length === 0) return cells.map(() => '');
  const racks = structuredClone(repositories.map.listRacks());
  const problems = new Map<UndoneCell, string>();
  for (const cell of all) {
    const problem = cell.made === null ? '' : makeAgain(racks, cell.made);
    if (problem !== '') problems.set(cell, problem);
  }
  if (all.some(({ made }) => made !== null)) map.save(tx, { ...repositories.map.get(), racks });
  const leaving = new Set(all.flatMap(({ deviceid }) => deviceid ?? []));
  const moves = all.flatMap((cell): Moving[] => {
    if (cell.deviceid === null || problems.has(cell)) return [];
    const problem = keptCell(repositories, cell, leaving);
    if (problem === '') return [{ deviceid: cell.deviceid, place: cell.before }];
    problems.set(cell, problem);
    return [];
  });
  map.move(tx, freeMoves(repositories, moves));
  return cells.map((cell) => (cell === null ? '' : (problems.get(cell) ?? '')));
}

/** Returns a name for a row that changed only the map. */
export function nameOfCell(cell: ImportedPlace['cell'] | UndoneCell | undefined): string {
  return cell?.deviceid ?? cell?.made?.shelf?.name ?? cell?.made?.rack?.name ?? '';
}
