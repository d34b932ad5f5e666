import type { ImportLocationRow } from '#shared/api/imports.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { nameKey, placeKey } from '#shared/lib/text/nameKey.ts';
import type { ImportedCell, ImportedPlace } from '../../../db/repositories/imports.ts';
import type { Transaction } from '../../../db/writer.ts';
import { type AppliedFile, applySteps, type AroundImport, type MadeImport, storeAs } from '../applySteps.ts';
import type { ImportsContext, AssessedPlace, WantedPlace } from '../types.ts';
import { isSame } from './assessLocations.ts';
import { applyCells, cellHolders } from './mapCells.ts';
import { lastLocationImport } from './lastLocationImport.ts';
import { locationCounts, locationRow } from './locationRows.ts';

/** Creates and changes the places of a checked file, with one transaction per step. */
export function applyLocations(
  context: ImportsContext,
  assessed: readonly AssessedPlace[],
  made: MadeImport,
  around: AroundImport = {},
): Promise<AppliedFile<ImportLocationRow[], readonly AssessedPlace[]>> {
  let places = assessed;
  /** Lines that an interrupted attempt has already imported. */
  let done: ReadonlySet<number> = new Set();
  return applySteps(context, made, {
    kind: 'locations',
    action: 'aliases.imported',
    around,
    async steps(id) {
      // Use the outcomes of the first attempt, which may already have moved labels. If the file were checked again, its names could mean
      // other devices.
      places = await storeAs(context, id, assessed, locationRow);
      if (made.continues !== undefined)
        done = new Set(context.reads.imports.listPlaces(id).flatMap((step) => step.map(({ line }) => line)));
      return stepsOf(places, await context.foregroundReads.takeAll(cellHolders(places, context.reads)));
    },
    apply(tx, step, { id, index }) {
      const todo = step.filter(({ read }) => !done.has(read.line));
      const before = todo.map((place) => ({ place, renames: renamesNow(context, place) }));
      // Several rows can name the device of one place.
      const renames = new Map(before.flatMap((each) => each.renames.map((rename) => [nameKey(rename.from), rename])));
      if (renames.size > 0) context.places.renameWithin(tx, [...renames.values()], made.by);
      const how = { id, step: index, by: made.by.name };
      const { cells, problems } = applyCells(context, tx, todo);
      // Devices that exchange labels share a step, and their work moves once.
      const applied = context.placeLights.together(tx, made.by.name, () =>
        before.map((each) => {
          const { line } = each.place.read;
          return applyPlace(
            context,
            tx,
            { ...each, cell: cells.get(line) ?? null, problem: problems.get(line) ?? '' },
            how,
          );
        }),
      ).result;
      return [...step.filter(({ read }) => done.has(read.line)), ...applied];
    },
    refuse: (step, message): AssessedPlace[] => step.map(({ read }) => ({ read, outcome: 'refused', message })),
    outcome(results) {
      const changed = new Map(results.flat().map((place) => [place.read.line, place]));
      const applied = places.map((place) => changed.get(place.read.line) ?? place);
      const counts = locationCounts(applied);
      return Promise.resolve({
        applied,
        rows: applied.map(locationRow),
        counts,
        created: counts.new,
        changed: counts.changed,
      });
    },
    changed: (tx) => tx.emit({ type: 'import.kept', last_import: lastLocationImport(context.repositories) }),
  });
}

/**
 * Groups places into transactions, sorted so that a device gives up its label before another device gets it. Devices that exchange labels
 * share one transaction. So do devices that take each other's cells, which `links` contains as pairs.
 */
export function stepsOf(
  places: readonly AssessedPlace[],
  links: readonly (readonly [AssessedPlace, AssessedPlace])[] = [],
): AssessedPlace[][] {
  const changes = places.filter(({ outcome }) => outcome === 'new' || outcome === 'changed');
  const holders = new Map<string, AssessedPlace>();
  for (const place of changes) {
    const label = labelOf(place);
    if (label !== null && label.before !== '') holders.set(placeKey(label.before), place);
  }
  const steps = linkedSteps(changes, holders, links);
  const done = new Set<AssessedPlace>(steps.flat());
  for (const place of changes) {
    const path: AssessedPlace[] = [];
    for (let next: AssessedPlace | undefined = place; next !== undefined && !done.has(next);) {
      done.add(next);
      path.push(next);
      next = holderOf(holders, next);
    }
    const last = path.at(-1);
    const holder = last === undefined ? undefined : holderOf(holders, last);
    const circle = holder === undefined ? -1 : path.indexOf(holder);
    const open = circle < 0 ? path : path.slice(0, circle);
    if (circle >= 0) steps.push(path.slice(circle));
    steps.push(...open.toReversed().map((each) => [each]));
  }
  return steps;
}

/** Groups the rows that are linked by cells, also through labels. */
function linkedSteps(
  changes: readonly AssessedPlace[],
  holders: ReadonlyMap<string, AssessedPlace>,
  links: readonly (readonly [AssessedPlace, AssessedPlace])[],
): AssessedPlace[][] {
  if (links.length === 0) return [];
  const next = new Map<AssessedPlace, AssessedPlace[]>();
  const link = (one: AssessedPlace, other: AssessedPlace): void => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      next.set(from, [...(next.get(from) ?? []), to]);
  };
  for (const [one, other] of links) link(one, other);
  for (const place of changes) {
    const holder = holderOf(holders, place);
    if (holder !== undefined) link(place, holder);
  }
  const done = new Set<AssessedPlace>();
  const steps: AssessedPlace[][] = [];
  for (const [first] of links) {
    const group = new Set<AssessedPlace>();
    for (const queue = [first]; queue.length > 0;) {
      const place = queue.pop();
      if (place === undefined || done.has(place)) continue;
      done.add(place);
      group.add(place);
      queue.push(...(next.get(place) ?? []));
    }
    if (group.size > 0) steps.push(changes.filter((place) => group.has(place)));
  }
  return steps;
}

function labelOf(place: AssessedPlace): WantedPlace['label'] {
  return 'wanted' in place ? place.wanted.label : null;
}

/** Returns the place whose device has the label that this place needs. */
function holderOf(holders: ReadonlyMap<string, AssessedPlace>, place: AssessedPlace): AssessedPlace | undefined {
  const label = labelOf(place);
  const holder = label === null ? undefined : holders.get(placeKey(label.after));
  return holder === place ? undefined : holder;
}

/** A place with the renames that its row still needs, and its change of the map, or why it has none. */
type Place = {
  place: AssessedPlace;
  renames: readonly PlaceRename[];
  cell: ImportedCell | null;
  problem: string;
};

/** Returns the renames of a row that are still to do. Another row of the same place may have done them. */
function renamesNow({ repositories }: Pick<ImportsContext, 'repositories'>, place: AssessedPlace): PlaceRename[] {
  if (!('wanted' in place)) return [];
  const { renames, deviceId, alias } = place.wanted;
  const label = deviceId === null ? undefined : repositories.devices.find(deviceId)?.label;
  const name = alias === null || alias.id === null ? undefined : repositories.aliases.find(alias.id)?.name;
  const has = new Set([label, name].flatMap((each) => (each === undefined ? [] : [nameKey(each)])));
  return renames.filter(({ from }) => has.has(nameKey(from)));
}

/** Creates or changes a place, and records the change for an undo. Returns the place with its final outcome. */
function applyPlace(
  context: ImportsContext,
  tx: Transaction,
  { place, renames, cell, problem }: Place,
  { id, step, by }: { id: number; step: number; by: string },
): AssessedPlace {
  if (!('wanted' in place)) return place;
  const { deviceId } = place.wanted;
  const alias = applyAlias(context, tx, place.wanted.alias, { by, renames });
  const label = applyLabel(context, tx, place.wanted, { by, renames });
  const named = applyNamed(context, place.wanted.named);
  const articles = place.wanted.articles.filter((given) => context.placeNames.give(tx, given));
  const change = {
    alias: alias === null || alias.isKnown ? null : alias,
    label: label === null || deviceId === null ? null : { deviceid: deviceId, ...label },
    named,
    articles,
    renames,
    cell,
  };
  const isKnown = change.alias === null && label === null && named === null && articles.length === 0 && cell === null;
  if (!isKnown) context.repositories.imports.addPlace(id, step, place.read.line, change);
  const isMade = named !== null && named.after.isMade && !named.before.isMade;
  const outcome = isKnown ? 'known' : isMade || change.alias?.before === null ? 'new' : 'changed';
  const warning = [place.warning, problem].filter((text) => text !== '').join(' ');
  const wantedCell = cell === null ? null : place.wanted.cell;
  return { ...place, outcome, warning, wanted: { deviceId, alias, label, named, articles, renames, cell: wantedCell } };
}

type AppliedAlias = ImportedPlace['alias'] & { isKnown: boolean };
/** How to apply a row whose places have just been renamed. */
type Renamed = { by: string; renames: readonly PlaceRename[] };

/** Creates or changes an alias. First compares it again with the stored alias, which may have changed since the row was checked. */
function applyAlias(
  { repositories, aliases }: Pick<ImportsContext, 'aliases' | 'devices' | 'repositories'>,
  tx: Transaction,
  alias: WantedPlace['alias'],
  { by, renames }: Renamed,
): AppliedAlias | null {
  if (alias === null) return null;
  const { after } = alias;
  const assessed = alias.id === null ? undefined : repositories.aliases.find(alias.id);
  const now = assessed ?? repositories.aliases.findByName(after.name);
  if (now === undefined) return { id: aliases.addWithin(tx, after, by).id, after, before: null, isKnown: false };
  const { id, ...has } = now;
  const before = { ...has, name: nameBefore(has.name, renames) };
  if (!isSame(after, has)) aliases.replaceWithin(tx, now, after, by);
  return { id, after, before, isKnown: isSame(after, before) };
}

/** Sets the label of a device. Returns the change, or null if the device already has the label. */
function applyLabel(
  { repositories, devices }: Pick<ImportsContext, 'aliases' | 'devices' | 'repositories'>,
  tx: Transaction,
  { deviceId, label }: WantedPlace,
  { by, renames }: Renamed,
): WantedPlace['label'] {
  if (label === null || deviceId === null) return null;
  const has = repositories.devices.find(deviceId)?.label;
  const before = nameBefore(has ?? '', renames);
  if (before === label.after) return null;
  // This throws if the device was removed.
  if (has !== label.after) devices.change(tx, deviceId, { locationoverride: label.after }, by);
  return { after: label.after, before };
}

/** Returns the name that a device or alias had before the rename. */
function nameBefore(name: string, renames: readonly PlaceRename[]): string {
  return renames.find(({ to }) => nameKey(to) === nameKey(name))?.from ?? name;
}

/** Creates a place or changes its note. Returns the change, or null if it was made before. */
function applyNamed(
  { repositories: { namedPlaces } }: Pick<ImportsContext, 'repositories'>,
  named: WantedPlace['named'],
): WantedPlace['named'] {
  if (named === null) return null;
  const { name, after } = named;
  const row = namedPlaces.find(name) ?? { name, note: '', isMade: false, darkAt: null };
  const before = { isMade: row.isMade, note: row.note };
  if (before.isMade === after.isMade && before.note === after.note) return null;
  namedPlaces.save({ ...row, ...after });
  return { name, after, before };
}
