import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Redone, UndonePlace, UndonePlaces } from '../../../db/repositories/importUndone.ts';
import type { Transaction } from '../../../db/writer.ts';
import { StationError } from '../../../errors.ts';
import type { By } from '../../base/index.ts';
import type { ImportsContext } from '../types.ts';
import { isSame } from './assessLocations.ts';
import { nameOfCell, redoCells } from './mapCells.ts';
import { restoredAlias } from './undoLocations.ts';

const CHANGED = 'It was changed since.';

/**
 * Restores rows of a location file that an undo has reverted together: renames their places again, creates removed aliases and places again,
 * and restores aliases, labels and notes. Throws `not_found` or `conflict` if the places cannot be renamed.
 */
export function redoPlaces(
  context: ImportsContext,
  tx: Transaction,
  { renames, rows }: UndonePlaces,
  by: By,
): Redone[] {
  // A place that was renamed since has another name now, and its old name may be that of another place.
  const names = new Set(rows.flatMap((row) => namesNow(context, row)));
  const forth = renames.filter(({ to }) => names.has(nameKey(to))).map(({ from, to }) => ({ from: to, to: from }));
  if (forth.length > 0) context.places.renameWithin(tx, forth, by);
  const cells = redoCells(
    context,
    tx,
    rows.map(({ cell = null }) => cell),
  );
  return context.placeLights.together(tx, by.name, () =>
    rows.map((row, index) => {
      const messages = [
        redoAlias(context, tx, row, by),
        redoLabel(context, tx, row, by),
        redoNamed(context, row),
        ...redoArticles(context, tx, row),
        cells[index] ?? '',
      ];
      return { name: nameOfPlace(row), message: messages.filter((message) => message !== '').join(' ') };
    }),
  ).result;
}

/** Returns the keys of the names that the undo gave to the device and the alias of a row, if they still have them. */
function namesNow({ repositories }: ImportsContext, { alias, label }: UndonePlace): string[] {
  const device = label === null ? undefined : repositories.devices.find(label.deviceid);
  const now = alias === null || alias.after === null ? undefined : repositories.aliases.find(alias.id);
  return [
    ...(device !== undefined && device.label === label?.after ? [nameKey(device.label)] : []),
    ...(now !== undefined && now.name === alias?.after?.name ? [nameKey(now.name)] : []),
  ];
}

/** Returns the name of a row for people. */
export function nameOfPlace({ alias, label, named, articles = [], cell }: UndonePlace): string {
  if (label === null) return alias?.before.name ?? named?.name ?? articles[0]?.place ?? nameOfCell(cell);
  return alias?.before.name ?? named?.name ?? (label.before || label.deviceid);
}

/** Returns why the alias was not restored completely, or an empty string. */
function redoAlias({ repositories, aliases }: ImportsContext, tx: Transaction, { alias }: UndonePlace, by: By): string {
  if (alias === null) return '';
  const { id, before, after } = alias;
  if (after === null) {
    if (repositories.aliases.findByName(before.name) !== undefined) return 'A place with this name was created again.';
    repositories.imports.renumberAlias(aliases.addWithin(tx, before, by.name).id, id);
    return '';
  }
  const now = repositories.aliases.find(id) ?? repositories.aliases.findByName(after.name);
  if (now === undefined) return 'It was removed since.';
  // The rename may have restored it.
  if (isSame(now, before)) return '';
  const restored = restoredAlias(now, after, before);
  if (isSame(now, restored)) return CHANGED;
  if (repositories.devices.find(restored.deviceid) === undefined) return `${restored.deviceid} no longer exists.`;
  aliases.replaceWithin(tx, now, restored, by.name);
  return isSame(restored, before) ? '' : 'Only a part was restored: the rest was changed since.';
}

function redoLabel({ repositories, devices }: ImportsContext, tx: Transaction, { label }: UndonePlace, by: By): string {
  if (label === null) return '';
  const now = repositories.devices.find(label.deviceid);
  if (now === undefined) return `${label.deviceid} no longer exists.`;
  if (now.label === label.before) return '';
  if (now.label !== label.after) return 'Its label was changed since.';
  devices.change(tx, label.deviceid, { locationoverride: label.before }, by.name);
  return '';
}

function redoNamed({ repositories: { namedPlaces } }: ImportsContext, { named }: UndonePlace): string {
  if (named === null) return '';
  const { name, before, after } = named;
  const row = namedPlaces.find(name) ?? { name, note: '', isMade: false, darkAt: null };
  if (row.note === before.note && row.isMade === before.isMade) return '';
  if (row.note !== after.note || row.isMade !== after.isMade) return CHANGED;
  namedPlaces.save({ ...row, ...before });
  return '';
}

/** Gives the articles their place again. Returns why not, for those that were removed or have too many places. */
function redoArticles({ placeNames }: ImportsContext, tx: Transaction, { articles = [] }: UndonePlace): string[] {
  return articles.flatMap((given) => {
    try {
      placeNames.give(tx, given);
      return [];
    } catch (error) {
      if (error instanceof StationError) return [error.message];
      throw error;
    }
  });
}
