import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ImportedPlace, ImportedPlaces } from '../../../db/repositories/imports.ts';
import type { Transaction } from '../../../db/writer.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { isSame } from './assessLocations.ts';
import { lastLocationImport } from './lastLocationImport.ts';
import { listPages } from './stationLocations.ts';
import { undoSteps, type Undone } from '../undoSteps.ts';

/** Place that an undo did not restore completely. `message` tells why. */
type Kept = ImportUndo['kept'][number];

/**
 * Reverts the steps of an import, last step first. Removes created places that are unused, and restores changed ones. Keeps values that
 * have changed since the import.
 */
export async function undoLocations(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  const { reads, repositories } = context;
  const used = await usedNames(context);
  return undoSteps(
    context,
    { id, by },
    {
      steps: reads.imports.listPlaces(id),
      undo: (tx, step) =>
        context.placeLights.together(tx, by.name, () =>
          step.map((each) => undoPlace(context, tx, each, { by: by.name, used })),
        ).result,
      keep: (step, message) => step.map(({ line, place }) => undoneAt(line, keptAs(nameOf(place), message))),
      action: 'aliases.importUndone',
      end: (tx) => tx.emit({ type: 'import.kept', last_import: lastLocationImport(repositories) }),
    },
  );
}

type How = { by: string; used: ReadonlySet<string> };

function undoPlace(
  context: ImportsContext,
  tx: Transaction,
  { line, place }: ImportedPlaces[number],
  how: How,
): Undone<Kept> {
  const { alias, label } = place;
  if (place.isDamaged === true) return undoneAt(line, keptAs(nameOf(place), 'Its stored previous values are damaged.'));
  return undoneAt(line, [
    ...(alias === null ? [] : keptAs(alias.after.name, undoAlias(context, tx, alias, how))),
    ...(label === null ? [] : keptAs(nameOf({ alias: null, label }), undoLabel(context, tx, label, how.by))),
  ]);
}

function undoneAt(line: number, kept: Kept[]): Undone<Kept> {
  return { at: line, isUndone: kept.length === 0, kept };
}

function keptAs(name: string, message: string): Kept[] {
  return message === '' ? [] : [{ name, message }];
}

function nameOf({ alias, label }: ImportedPlace): string {
  return alias?.after.name ?? (label === null || label.after === '' ? (label?.deviceid ?? '') : label.after);
}

/** Reverts a change to an alias. Returns why all or part of the change was kept, or '' if it was reverted. */
function undoAlias(
  { repositories, aliases }: ImportsContext,
  tx: Transaction,
  { id, after, before }: NonNullable<ImportedPlace['alias']>,
  { by, used }: How,
): string {
  const now = repositories.aliases.find(id);
  if (now === undefined) return 'It was removed since.';
  if (before === null) {
    if (!isSame(now, after)) return 'It was changed since.';
    if (aliases.openCommands(now).length > 0) return 'It has open commands.';
    if (used.has(nameKey(now.name))) return 'An open order or sequence uses it.';
    aliases.removeWithin(tx, now, by);
    return '';
  }
  const restored = restoredAlias(now, after, before);
  if (isSame(now, restored)) return 'It was changed since.';
  if (repositories.devices.find(restored.deviceid) === undefined) return `${restored.deviceid} no longer exists.`;
  aliases.replaceWithin(tx, now, restored, by);
  return isSame(restored, before) ? '' : 'Only a part was restored: the rest was changed since the import.';
}

/** Returns the alias to restore. Device and arrow are only restored together, because the arrow points from the device to the place. */
function restoredAlias(now: NewLocationAlias, after: NewLocationAlias, before: NewLocationAlias): NewLocationAlias {
  const isPlaced = now.deviceid === after.deviceid && now.deviceIs === after.deviceIs;
  const { deviceid, deviceIs } = isPlaced ? before : now;
  return { name: now.name === after.name ? before.name : now.name, deviceid, deviceIs };
}

function undoLabel(
  { repositories, devices }: ImportsContext,
  tx: Transaction,
  { deviceid, after, before }: NonNullable<ImportedPlace['label']>,
  by: string,
): string {
  const now = repositories.devices.find(deviceid);
  if (now === undefined) return `${deviceid} no longer exists.`;
  if (now.label !== after) return 'Its label was changed since.';
  devices.change(tx, deviceid, { locationoverride: before }, by);
  return '';
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
