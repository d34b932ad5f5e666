import type { LocationAlias, NewLocationAlias } from '#shared/api/alias.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { GivenArticle } from '../../../db/repositories/articles.ts';
import type { ImportedPlace, ImportedPlaces } from '../../../db/repositories/imports.ts';
import type { UndoneCell, UndonePlace } from '../../../db/repositories/importUndone.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { findGiven, isUsed } from '../../articles/index.ts';
import { findByLocation } from '../../devices/index.ts';
import { isSame } from './assessLocations.ts';
import { lastLocationImport } from './lastLocationImport.ts';
import { devicesIn, keptCell, nameOfCell, undoCells } from './mapCells.ts';
import { listPages } from './stationLocations.ts';
import type { UndoFate } from '../undoForecast.ts';
import { undoSteps, type Undone } from '../undoSteps.ts';

/** Place that an undo did not restore completely. `message` tells why. */
type Kept = ImportUndo['kept'][number];

/**
 * Reverts the steps of an import, last step first. Removes created places that are unused, and restores changed ones. Keeps values that
 * have changed since the import.
 */
export async function undoLocations(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  const { aliases, reads, repositories } = context;
  const used = await usedNames(context);
  return undoSteps(
    context,
    { id, by },
    {
      steps: reads.imports.listPlaceSteps(id),
      undo(tx, step) {
        // Decide before places are renamed back, which changes labels and aliases.
        const plans = repositories.imports
          .listPlacesOf(id, step)
          .map((each, _index, all) => planOf(repositories, each, { aliases, used, leaving: leavingIn(all) }));
        // Revert notes before places are renamed back, which takes the notes along.
        const taken = new Map(plans.map((plan) => [plan.line, takeArticles(context, tx, plan, by.name)]));
        const named = new Map(plans.map((plan) => [plan.line, revertNamed(context, plan)]));
        const cells = undoCells(
          context,
          tx,
          plans.flatMap(({ place: { cell }, hasCell }) => (cell === null || !hasCell ? [] : [cell])),
        );
        const renames = renameBack(context, tx, plans, by);
        const rows = context.placeLights.together(tx, by.name, () =>
          plans.map((plan) =>
            undoPlace(context, tx, plan, {
              named: named.get(plan.line) ?? null,
              articles: taken.get(plan.line) ?? [],
              cell: (plan.place.cell === null ? undefined : cells.get(plan.place.cell)) ?? null,
              by: by.name,
            }),
          ),
        ).result;
        const changed = rows.flatMap(({ place }) => (place === null ? [] : [place]));
        const isChanged = changed.length + renames.length > 0;
        return {
          results: rows.map(({ undone }) => undone),
          content: isChanged ? { places: { renames, rows: changed } } : undefined,
        };
      },
      keep: (step, message) =>
        repositories.imports
          .listPlacesOf(id, step)
          .map(({ line, place }) => undoneAt(line, keptAs(nameOf(place), message))),
      action: 'aliases.importUndone',
      end: (tx) => tx.emit({ type: 'import.kept', last_import: lastLocationImport(repositories) }),
    },
  );
}

type Tables = Pick<
  ImportsContext['reads'],
  'aliases' | 'articles' | 'devices' | 'map' | 'namedPlaces' | 'placeNames' | 'stock'
>;
/** Keys of the names in use, the open commands of aliases, and the devices that the same step takes from their cells. */
type Used = {
  aliases: Pick<ImportsContext['aliases'], 'openCommands'>;
  used: ReadonlySet<string>;
  leaving: ReadonlySet<string>;
};

function leavingIn(step: ImportedPlaces): Set<string> {
  return devicesIn(step.map(({ place }) => place.cell));
}

/** Creates a function that returns what an undo would do now with rows of a location file. */
export async function locationFates(context: ImportsContext): Promise<(step: ImportedPlaces) => UndoFate[]> {
  const { reads, aliases } = context;
  const used = await usedNames(context);
  return (step) => {
    const leaving = leavingIn(step);
    return step.map(({ place }) => {
      const messages = keptOf(reads, place, { aliases, used, leaving }).map(({ message }) => message);
      const isMade = place.named !== null && place.named.after.isMade && !place.named.before.isMade;
      const fate = isMade || (place.alias !== null && place.alias.before === null) ? 'removed' : 'restored';
      return { name: nameOf(place), fate: messages.length > 0 ? 'kept' : fate, messages };
    });
  };
}

/** Returns which parts of a row an undo would keep now, and why. */
function keptOf(tables: Tables, place: ImportedPlace, used: Used): Kept[] {
  const { alias, label, named, articles, cell } = place;
  if (place.isDamaged === true) return keptAs(nameOf(place), 'Its stored previous values are damaged.');
  return [
    ...(alias === null ? [] : keptAs(alias.after.name, aliasUndoOf(tables, alias, used).kept)),
    ...(label === null ? [] : keptAs(nameOf({ ...place, alias: null }), keptLabel(tables, label))),
    ...(named === null ? [] : keptAs(named.name, keptNamed(tables, named, { ...used, articles }))),
    ...articles.flatMap((given) => keptAs(given.sku, keptArticle(tables, given))),
    ...(cell === null ? [] : keptAs(nameOfCell(cell), keptCell(tables, cell, used.leaving))),
  ];
}

/** What an undo does with a row. */
type Plan = ImportedPlaces[number] & {
  kept: Kept[];
  alias: AliasUndo | undefined;
  hasLabel: boolean;
  hasNamed: boolean;
  hasCell: boolean;
};

function planOf(tables: Tables, { line, place }: ImportedPlaces[number], used: Used): Plan {
  const { alias, label, named, articles, cell, isDamaged = false } = place;
  return {
    line,
    place,
    kept: keptOf(tables, place, used),
    alias: alias === null || isDamaged ? undefined : aliasUndoOf(tables, alias, used),
    hasLabel: label !== null && !isDamaged && keptLabel(tables, label) === '',
    hasNamed: named !== null && !isDamaged && keptNamed(tables, named, { ...used, articles }) === '',
    hasCell: cell !== null && !isDamaged && keptCell(tables, cell, used.leaving) === '',
  };
}

/** Renames places back whose devices and aliases still have the imported names. Throws `conflict` if they cannot be renamed. */
function renameBack({ places }: ImportsContext, tx: Transaction, plans: readonly Plan[], by: By): PlaceRename[] {
  const back = plans.flatMap(({ place: { label, renames }, alias, hasLabel }) => {
    const names = [hasLabel ? (label?.after ?? '') : '', alias?.now?.name ?? ''].map(nameKey);
    return renames.filter(({ to }) => names.includes(nameKey(to))).map(({ from, to }) => ({ from: to, to: from }));
  });
  const once = new Map(back.map((rename) => [nameKey(rename.from), rename]));
  const renames = [...once.values()];
  if (renames.length > 0) places.renameWithin(tx, renames, by);
  return renames;
}

/** Takes the place from the articles that got it and do not use it since. Returns these articles. */
function takeArticles({ placeNames }: ImportsContext, tx: Transaction, { place }: Plan, by: string): GivenArticle[] {
  if (place.isDamaged === true) return [];
  return place.articles.filter((given) => placeNames.take(tx, given, by));
}

/** Reverts the note of a place, or removes a place that waits. Returns what was changed, or null. */
function revertNamed({ repositories }: ImportsContext, { place: { named }, hasNamed }: Plan): UndonePlace['named'] {
  const row = named === null || !hasNamed ? undefined : repositories.namedPlaces.find(named.name);
  if (named === null || row === undefined) return null;
  const { note, isMade } = row;
  repositories.namedPlaces.save({ ...row, ...named.before });
  return { name: named.name, before: { note, isMade }, after: named.before };
}

/** Reverts the alias and the label of a row as planned. `named`, `articles` and `cell` are what was reverted of its note, its articles and the map. `place` is what was changed, or null. */
function undoPlace(
  { repositories, aliases, devices }: ImportsContext,
  tx: Transaction,
  { line, kept, place: { alias, label }, ...plan }: Plan,
  {
    named,
    articles,
    cell,
    by,
  }: { named: UndonePlace['named']; articles: readonly GivenArticle[]; cell: UndoneCell | null; by: string },
): { undone: Undone<Kept>; place: UndonePlace | null } {
  const place: UndonePlace = { alias: null, label: null, named, articles, cell };
  const now = alias === null || plan.alias?.now === undefined ? undefined : repositories.aliases.find(alias.id);
  const restored = plan.alias?.restored;
  if (now !== undefined && restored === null) aliases.removeWithin(tx, now, by);
  else if (now !== undefined && restored !== undefined && restored !== null)
    aliases.replaceWithin(tx, now, restored, by);
  // The alias may already have been renamed back.
  const was = plan.alias?.now;
  if (was !== undefined && restored !== undefined) {
    const { id, name, deviceid, deviceIs } = was;
    place.alias = { id, before: { name, deviceid, deviceIs }, after: restored };
  }
  if (label !== null && plan.hasLabel) {
    devices.change(tx, label.deviceid, { locationoverride: label.before }, by);
    place.label = { deviceid: label.deviceid, before: label.after, after: label.before };
  }
  const isChanged =
    place.alias !== null || place.label !== null || named !== null || articles.length > 0 || cell !== null;
  return { undone: undoneAt(line, kept), place: isChanged ? place : null };
}

function undoneAt(line: number, kept: Kept[]): Undone<Kept> {
  return { at: line, isUndone: kept.length === 0, kept };
}

function keptAs(name: string, message: string): Kept[] {
  return message === '' ? [] : [{ name, message }];
}

function nameOf({ alias, label, named, articles, cell }: ImportedPlace): string {
  if (alias === null && label === null) return named?.name ?? articles[0]?.place ?? nameOfCell(cell);
  return alias?.after.name ?? (label === null || label.after === '' ? (label?.deviceid ?? '') : label.after);
}

/**
 * What an undo would do with an alias now. `restored` is null to remove it, or undefined to leave it unchanged. `kept` tells why all or part
 * of the change would be kept; it is empty if all would be reverted.
 */
type AliasUndo = { now?: LocationAlias; restored?: NewLocationAlias | null; kept: string };

function aliasUndoOf(
  tables: Tables,
  { id, after, before }: NonNullable<ImportedPlace['alias']>,
  { aliases, used }: Used,
): AliasUndo {
  const now = tables.aliases.find(id);
  if (now === undefined) return { kept: 'It was removed since.' };
  if (before === null) {
    if (!isSame(now, after)) return { kept: 'It was changed since.' };
    if (aliases.openCommands(now).length > 0) return { kept: 'It has open commands.' };
    if (used.has(nameKey(now.name))) return { kept: 'An open order or sequence uses it.' };
    return { now, restored: null, kept: '' };
  }
  const restored = restoredAlias(now, after, before);
  if (isSame(now, restored)) return { kept: 'It was changed since.' };
  if (tables.devices.find(restored.deviceid) === undefined) return { kept: `${restored.deviceid} no longer exists.` };
  const kept = isSame(restored, before) ? '' : 'Only a part was restored: the rest was changed since the import.';
  return { now, restored, kept };
}

/** Returns the alias to restore. Device and arrow are only restored together, because the arrow points from the device to the place. */
export function restoredAlias(
  now: NewLocationAlias,
  after: NewLocationAlias,
  before: NewLocationAlias,
): NewLocationAlias {
  const isPlaced = now.deviceid === after.deviceid && now.deviceIs === after.deviceIs;
  const { deviceid, deviceIs } = isPlaced ? before : now;
  return { name: now.name === after.name ? before.name : now.name, deviceid, deviceIs };
}

/** Returns why the label of a device would be kept, or an empty string. */
function keptLabel({ devices }: Tables, { deviceid, after }: NonNullable<ImportedPlace['label']>): string {
  const now = devices.find(deviceid);
  if (now === undefined) return `${deviceid} no longer exists.`;
  return now.label === after ? '' : 'Its label was changed since.';
}

/** Returns why an article would keep the place that it got, or an empty string. */
function keptArticle({ articles, stock }: Tables, given: GivenArticle): string {
  const { place } = given;
  const id = findGiven(articles, given)?.id;
  if (id === undefined) return 'It was removed since.';
  const now = stock.listAt(nameKey(place)).find(({ articleId }) => articleId === id);
  if (now === undefined) return `It no longer has the place ${place}.`;
  return isUsed(now) ? `It has stock or limits at ${place} since.` : '';
}

/** Returns why a place that waits, or the note of a place, would be kept, or an empty string. */
function keptNamed(
  tables: Tables,
  { name, after, before }: NonNullable<ImportedPlace['named']>,
  { used, articles }: Pick<Used, 'used'> & Pick<ImportedPlace, 'articles'>,
): string {
  const now = tables.namedPlaces.find(name);
  const isMade = after.isMade && !before.isMade;
  if (isMade && now?.isMade !== true) return 'It was removed since.';
  if ((now?.note ?? '') !== after.note) return 'Its note was changed since.';
  if (!isMade) return '';
  const taken = new Set(
    articles.filter((each) => keptArticle(tables, each) === '').map((each) => findGiven(tables.articles, each)?.id),
  );
  if (tables.stock.listAt(nameKey(name)).some(({ articleId }) => !taken.has(articleId))) return 'It has goods since.';
  if (findByLocation(tables, name) !== undefined) return 'It has a device since.';
  return used.has(nameKey(name)) ? 'An open order or sequence uses it.' : '';
}

/** Returns the keys of all place names that open orders and sequences use. */
async function usedNames({ reads, foregroundReads }: ImportsContext): Promise<Set<string>> {
  const names = new Set((await foregroundReads.take(() => reads.imports.listStepPlaces())).map(nameKey));
  const orders = await listPages(foregroundReads, (limit, last?: number) =>
    reads.imports.listOpenOrders(last ?? 0, limit),
  );
  for (const order of orders) {
    for (const name of await foregroundReads.take(() => reads.imports.listWantedPlaces(order)))
      names.add(nameKey(name));
  }
  return names;
}
