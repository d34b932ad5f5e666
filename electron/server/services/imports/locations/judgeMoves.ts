import type { PlaceRename } from '#shared/api/placeRename.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { AssessedPlace, Moves } from '../types.ts';
import type { StationLocations } from './stationLocations.ts';

type Accepted = Extract<AssessedPlace, { wanted: object }>;

/** A name that a device or an alias gives up for another one. `after` is empty if it gets none. */
type Change = { before: string; after: string; places: Accepted[]; isRefused: boolean };

type Judging = {
  station: StationLocations;
  moves: Moves | undefined;
  /** The changes by the key of the name that is given up, and by that of the new name. */
  from: ReadonlyMap<string, readonly Change[]>;
  to: ReadonlyMap<string, readonly Change[]>;
  /** The changes of each row. */
  ofPlace: ReadonlyMap<Accepted, readonly Change[]>;
  /** How many devices and aliases have each name now, and after the accepted rows. */
  held: ReadonlyMap<string, number>;
  after: Map<string, number>;
  /** Keys of the names that become names of renamed places. */
  renames: Set<string>;
  refused: Map<Accepted, { message: string; loses: string }>;
  queue: string[];
};

/**
 * Decides about rows that take a label or an alias from a place: whether its device hangs elsewhere, or the place has a new name. Without
 * an answer, refuses the rows that would leave a place with goods without a light. Contract, section 22.
 */
export function* judgeMoves(
  station: StationLocations,
  places: readonly AssessedPlace[],
  moves: Moves | undefined,
): InParts<readonly AssessedPlace[]> {
  const judging = judgingOf(station, places, moves);
  const { queue, refused } = judging;
  const pace = createPace();
  while (queue.length > 0) {
    if (pace.isDue()) yield* pace.rest();
    judgeName(judging, queue.pop() ?? '');
  }
  yield;
  return places.map((place) => {
    const refusal = 'wanted' in place ? refused.get(place) : undefined;
    if (refusal !== undefined) return { read: place.read, outcome: 'refused', isConflict: true, ...refusal };
    return 'wanted' in place ? judged(judging, place) : place;
  });
}

function judgingOf(station: StationLocations, places: readonly AssessedPlace[], moves: Moves | undefined): Judging {
  const changes = new Map<string, Change>();
  const ofPlace = new Map<Accepted, Change[]>();
  const held = new Map<string, number>();
  for (const name of station.lit) count(held, name, 1);
  const after = new Map(held);
  for (const place of places) {
    if (!('wanted' in place) || place.outcome === 'known') continue;
    const { alias, label, deviceId } = place.wanted;
    // A device or alias that several rows change alike is changed once.
    const add = (id: string, before: string, name: string): void => {
      const change = changes.get(id) ?? { before, after: name, places: [], isRefused: false };
      if (change.places.length === 0) move(after, change, 1);
      change.places.push(place);
      changes.set(id, change);
      ofPlace.set(place, [...(ofPlace.get(place) ?? []), change]);
    };
    if (label !== null) add(`device ${deviceId}`, label.before, label.after);
    if (alias?.isKnown === false)
      add(`alias ${alias.id ?? `of line ${place.read.line}`}`, alias.before?.name ?? '', alias.after.name);
  }
  const all = [...changes.values()].filter((change) => nameKey(change.before) !== nameKey(change.after));
  const from = Map.groupBy(all, ({ before }) => nameKey(before));
  const to = Map.groupBy(all, (change) => nameKey(change.after));
  const renames = new Set(moves === 'rename' ? [...from.keys()].filter((key) => key !== '') : []);
  const queue = [...from.keys()].filter((key) => key !== '').toReversed();
  return { station, moves, from, to, ofPlace, held, after, renames, refused: new Map(), queue };
}

function count(names: Map<string, number>, name: string, by: number): void {
  if (name !== '') names.set(nameKey(name), (names.get(nameKey(name)) ?? 0) + by);
}

function move(names: Map<string, number>, { before, after }: Change, by: 1 | -1): void {
  count(names, before, -by);
  count(names, after, by);
}

function judgeName(judging: Judging, key: string): void {
  const { moves, renames } = judging;
  const group = groupOf(judging, key);
  const [first] = group;
  if (first === undefined) return keepName(judging, key);
  let message = `${first.before} has goods and would have no light. Say with \`moves\` whether its device hangs elsewhere now (\`devices\`) or the place has a new name (\`rename\`).`;
  if (renames.has(key)) {
    const problem = renameProblem(judging, key, group);
    if (problem === undefined) return;
    message = problem;
    keepName(judging, key);
  }
  if (isDark(judging, key) && moves !== 'devices') refuse(judging, group, { message, loses: first.before });
}

/** Renames a place no more, and judges again the places that become this one, which relied on its leaving. */
function keepName({ renames, to, queue }: Judging, key: string): void {
  if (!renames.delete(key)) return;
  for (const change of to.get(key) ?? []) queue.push(nameKey(change.before));
}

function groupOf({ from }: Judging, key: string): Change[] {
  return (from.get(key) ?? []).filter(({ isRefused }) => !isRefused);
}

/** Whether a place has goods and loses its last light. */
function isDark({ station, after }: Judging, key: string): boolean {
  return station.goods.has(key) && (after.get(key) ?? 0) <= 0;
}

/** Returns why a place cannot be renamed as these changes say, or undefined if it can. */
function renameProblem(judging: Judging, key: string, group: readonly Change[]): string | undefined {
  const { station, held, renames, to } = judging;
  const before = group[0]?.before ?? '';
  const after = group[0]?.after ?? '';
  const becomes = nameKey(after);
  const isOne = group.every((change) => nameKey(change.after) === becomes) && group.length === held.get(key);
  if (!isOne || after === '') return `The file gives ${before} no single new name, and it has goods.`;
  if (renames.has(becomes)) return undefined;
  const others = (to.get(becomes) ?? []).some((change) => !change.isRefused && nameKey(change.before) !== key);
  const isHeld = (held.get(becomes) ?? 0) > 0;
  if (others || isHeld) return `${before} cannot be renamed to ${after}, which another device has.`;
  if (station.goods.has(key) && station.goods.has(becomes))
    return `${before} and ${after} both have goods. Transfer the stock of one of them first.`;
  return undefined;
}

function refuse(
  { ofPlace, after, to, queue, refused }: Judging,
  group: readonly Change[],
  why: { message: string; loses: string },
): void {
  for (const place of group.flatMap(({ places }) => places)) {
    if (refused.has(place)) continue;
    refused.set(place, why);
    for (const change of ofPlace.get(place) ?? []) {
      if (change.isRefused) continue;
      change.isRefused = true;
      move(after, change, -1);
      // Judge again what relied on this change: the place that it leaves, the place that keeps its light if this one gets it, and places
      // that become this one.
      queue.push(nameKey(change.after));
      for (const other of to.get(nameKey(change.before)) ?? []) queue.push(nameKey(other.before));
      queue.push(nameKey(change.before));
    }
  }
}

function judged(judging: Judging, place: Accepted): Accepted {
  const changes = (judging.ofPlace.get(place) ?? []).filter(({ before }) => before !== '');
  const renames = changes.flatMap((change): PlaceRename[] => {
    const isRenamed = judging.renames.has(nameKey(change.before)) && nameKey(change.before) !== nameKey(change.after);
    return isRenamed ? [{ from: change.before, to: change.after }] : [];
  });
  const loses = changes.find(({ before }) => isDark(judging, nameKey(before)))?.before ?? '';
  if (renames.length === 0 && loses === '') return place;
  return { ...place, loses, wanted: { ...place.wanted, renames } };
}
