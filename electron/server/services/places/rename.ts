import type { LocationAlias } from '#shared/api/alias.ts';
import type { RenamedPlace, RenamedPlaces } from '#shared/api/place.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import type { ErrorCode, FieldError } from '#shared/api/problem.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import { whyReserved } from '#shared/lib/text/lookAlike.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { RenamedKey } from '../../db/repositories/stock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { ArticlePlaceNames } from '../articles/index.ts';
import { type Audit, type By, lookAlikeWarnings } from '../base/index.ts';
import type { Batches } from '../batches/index.ts';
import type { Devices, PlaceLights } from '../devices/index.ts';
import type { Aliases } from '../aliases/index.ts';
import { followNames, type LightsContext, placeByLabel } from './lights.ts';

export type RenameContext = LightsContext & {
  writer: Pick<Writer, 'writeLarge'>;
  audit: Pick<Audit, 'record'>;
  placeLights: PlaceLights;
  placeNames: ArticlePlaceNames;
  aliases: Pick<Aliases, 'renameWithin'>;
  devices: Pick<Devices, 'change'>;
  batches: Pick<Batches, 'relightPicks' | 'renamePicks'>;
};

/** A place to rename, with what has its name. */
type Renamed = RenamedKey & { name: string; aliases: LocationAlias[]; devices: string[] };

/**
 * Renames places with everything that has their names, in one commit. The renames are judged together, so that places can exchange their
 * names. Throws `not_found` for a name that no place has, and `conflict` if a new name already has what the place has: goods, or a device.
 */
export function renamePlaces(
  context: RenameContext,
  wanted: readonly PlaceRename[],
  by: By,
): Promise<RenamedPlaces & { warnings: string[] }> {
  return context.writer.writeLarge((tx) => renameWithin(context, tx, wanted, by));
}

/**
 * Renames places inside a transaction. Throws the same errors as `renamePlaces`. `at` is the JSON Pointer of the renames in the request, if
 * they are only a part of it.
 */
export function renameWithin(
  context: RenameContext,
  tx: Transaction,
  wanted: readonly PlaceRename[],
  by: By,
  at?: string,
): RenamedPlaces & { warnings: string[] } {
  const renamed = wanted.map((each) => found(context, each));
  refuseConflicts(context, renamed, at ?? (wanted.length === 1 ? undefined : ''));
  const result = rename(context, tx, renamed, by.name);
  for (const { name, place } of renamed)
    context.audit.record(tx, { action: 'place.renamed', by, subject: place, detail: { before: name } });
  const alike = renamed.flatMap(({ place, devices }) =>
    lookAlikeWarnings(context.repositories, 'place', place, { isOwn: ({ of }) => devices.includes(of) }),
  );
  return { renamed: result, warnings: [...new Set(alike), ...sequenceWarnings(context, renamed)] };
}

function found({ repositories }: RenameContext, { from, to }: PlaceRename): Renamed {
  const alias = repositories.aliases.findByName(from);
  return {
    from: nameKey(from),
    to: nameKey(to),
    name: from,
    place: to,
    aliases: alias === undefined ? [] : [alias],
    devices: repositories.devices.listByLabel(from),
  };
}

function rename(context: RenameContext, tx: Transaction, renamed: readonly Renamed[], by: string): RenamedPlace[] {
  const { aliases, batches, darkPlaces, devices, lineLights, placeLights, placeNames } = context;
  const leaving = new Set(renamed.map(({ from }) => from));
  const others = renamed.flatMap(({ to, place }) => (leaving.has(to) ? [] : [place]));
  const former = placeLights.of(...renamed.map(({ name }) => name), ...others);
  const goods = placeNames.rename(tx, renamed);
  const lines = lineLights.rename(tx, renamed);
  batches.renamePicks(tx, renamed);
  renameNotes(context, renamed);
  // Work moves below, once all names have changed.
  placeLights.silently(() => {
    aliases.renameWithin(
      tx,
      renamed.flatMap(({ aliases: own, place }) => own.map((alias) => ({ ...alias, name: place }))),
    );
    for (const { devices: own, place } of renamed)
      for (const deviceId of own) devices.change(tx, deviceId, { locationoverride: place }, by);
  });
  for (const { devices: own } of renamed) for (const deviceId of own) placeByLabel(context, tx, deviceId);
  const nameOf = new Map(renamed.map(({ from, place }) => [from, place]));
  followNames(
    context,
    tx,
    former.map((each) => ({ ...each, becomes: nameOf.get(nameKey(each.name)) ?? each.name })),
    by,
  );
  darkPlaces.changed(
    tx,
    [...former.map(({ name }) => name), ...renamed.map(({ place }) => place)].map((name) => ({
      name,
      light: undefined,
    })),
  );
  return renamed.map(({ name, place, aliases: own, devices: labeled }, index) => ({
    from: name,
    to: place,
    articles: goods[index]?.skus ?? [],
    tasks: goods[index]?.tasks ?? 0,
    lines: lines[index] ?? 0,
    aliases: own.map(({ id }) => id),
    devices: labeled,
  }));
}

function renameNotes({ repositories: { namedPlaces } }: RenameContext, renamed: readonly Renamed[]): void {
  const rows = renamed.flatMap(({ name, place }) => {
    const row = namedPlaces.find(name);
    namedPlaces.remove(name);
    return row === undefined ? [] : [{ ...row, name: place }];
  });
  for (const row of rows) {
    const other = namedPlaces.find(row.name);
    namedPlaces.save({ ...row, note: row.note === '' ? (other?.note ?? '') : row.note });
  }
}

/**
 * Throws `invalid`, `not_found` or `conflict` if the places cannot be renamed together. `at` is the JSON Pointer of the list of renames, or
 * undefined if the request is a single rename.
 */
function refuseConflicts(context: RenameContext, renamed: readonly Renamed[], at: string | undefined): void {
  const leaving = new Set<string>();
  const coming = new Set<string>();
  const problems: { code: ErrorCode; error: FieldError }[] = [];
  const add = (code: ErrorCode, index: number, field: 'from' | 'to', message: string): void => {
    const path = at === undefined ? `/${field}` : `${at}/${index}/${field}`;
    problems.push({ code, error: { path, message } });
  };
  for (const [index, { from, to, name, place }] of renamed.entries()) {
    if (leaving.has(from)) add('invalid', index, 'from', `${quote(name)} is named twice.`);
    if (coming.has(to)) add('invalid', index, 'to', `Two places cannot both become ${quote(place)}.`);
    leaving.add(from);
    coming.add(to);
  }
  for (const [index, each] of renamed.entries()) {
    const { from, to, name, place } = each;
    const [before, after] = [contentOf(context, name), contentOf(context, place)];
    const reserved = each.devices.length === 0 ? whyReserved(place) : undefined;
    if (reserved !== undefined) add('conflict', index, 'to', reserved);
    if (!before.isPlace) {
      const message = `There is no place ${quote(name)}: no article, device or alias has it. GET /api/places/ lists the places.`;
      add('not_found', index, 'from', message);
    }
    // What leaves its name in the same call is not in the way.
    if (leaving.has(to) || from === to) continue;
    if (before.hasGoods && after.hasGoods)
      add('conflict', index, 'to', `${name} and ${place} both have goods. Transfer the stock of one of them first.`);
    if (before.hasDevice && after.hasDevice)
      add('conflict', index, 'to', `${name} and ${place} both have a device. Move one of the devices first.`);
  }
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.map(({ error }) => error);
  throw new StationError(first.code, `${first.error.message} Nothing was renamed.`, errors);
}

function contentOf({ repositories, placeNames }: RenameContext, name: string) {
  const { aliases, devices, namedPlaces } = repositories;
  const hasGoods = placeNames.hasGoods(nameKey(name));
  const hasDevice = aliases.findByName(name) !== undefined || devices.listByLabel(name, 1).length > 0;
  return { hasGoods, hasDevice, isPlace: hasGoods || hasDevice || namedPlaces.find(name) !== undefined };
}

/** Warns about steps of sequences, which keep the names that their callers gave them. */
function sequenceWarnings({ repositories }: RenameContext, renamed: readonly Renamed[]): string[] {
  const steps = new Set(repositories.imports.listStepPlaces().map(nameKey));
  const used = renamed.flatMap(({ from, to, name }) => (from !== to && steps.has(from) ? [name] : []));
  return used.length === 0 ? [] : [`Steps of sequences still name ${used.join(', ')}. Change these sequences.`];
}
