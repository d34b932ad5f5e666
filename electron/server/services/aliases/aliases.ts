import type { LocationAlias, LocationAliasQuery, NewLocationAlias } from '#shared/api/alias.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { CoreOf, TablesOf } from '../../core.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { aliasTarget, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';
import { type Audit, type By, lookAlikeWarnings, refuseReserved } from '../base/index.ts';
import { type PlaceLights, refuseLost, type SaidOfLights } from '../devices/index.ts';

const NO_LIMIT = -1;

/** A saved alias. `warnings` are about devices and carts with the same name, and about places that changed their light. */
type SavedAlias = { alias: LocationAlias; warnings: string[] };

type AliasesCore = {
  repositories: CoreOf<'aliases'>['repositories'];
  reads: TablesOf<'aliases'>;
  writer: Writer;
  audit: Audit;
};

type AliasesNeeds = {
  placeLights: PlaceLights;
};

/** State shared by the functions that manage aliases. */
type AliasesContext = AliasesCore & AliasesNeeds;

/** Manages aliases, which are names of further places that a device serves. Work for a name follows the device that serves it. */
export function createAliases(core: AliasesCore, needs: AliasesNeeds) {
  const { repositories, reads, writer, audit } = core;
  const { placeLights } = needs;
  const context: AliasesContext = { repositories, reads, writer, audit, placeLights };
  return {
    list: ({ limit = NO_LIMIT, after = '0' }: LocationAliasQuery): LocationAlias[] =>
      reads.aliases.list({ after: Number(after), limit }),
    get: (id: string): LocationAlias => getFrom(reads, id),
    add: (wanted: NewLocationAlias, by: By) => addAliases(context, wanted, by),
    replace: (id: string, wanted: NewLocationAlias, how: { by: By; strict: boolean }) =>
      replaceAliases(context, id, wanted, how),
    remove: (id: string, how: { by: By; strict: boolean }) => removeAliases(context, id, how),
    /** Like `add`, but inside a transaction and without an audit entry, for bulk changes. */
    addWithin: (tx: Transaction, wanted: NewLocationAlias, by: string) => add(context, tx, wanted, by).alias,
    replaceWithin: (tx: Transaction, before: LocationAlias, wanted: NewLocationAlias, by: string) =>
      replace(context, tx, before, wanted, by).alias,
    removeWithin: (tx: Transaction, locationAlias: LocationAlias, by: string) => remove(context, tx, locationAlias, by),
    /** Gives aliases new names, which they may exchange. Inside a transaction whose caller moves the work for the names. */
    renameWithin(tx: Transaction, renamed: readonly LocationAlias[]): void {
      for (const alias of renamed) repositories.aliases.update({ ...alias, name: `\n${alias.id}` });
      for (const alias of renamed) save(context, tx, alias);
    },
    openCommands: (locationAlias: LocationAlias) => openCommands(context, locationAlias),
    /** Removes the aliases of a removed device. Call inside a transaction. */
    removeAllOf(tx: Transaction, deviceId: string, by: string): void {
      for (const alias of repositories.aliases.listByDevice(deviceId)) remove(context, tx, alias, by);
    },
    /** Moves all aliases of a device to its replacement. Call inside a transaction; the caller moves the commands. */
    giveAll(tx: Transaction, from: string, to: string): void {
      for (const alias of repositories.aliases.listByDevice(from)) save(context, tx, { ...alias, deviceid: to });
    },
  };
}

export type Aliases = ReturnType<typeof createAliases>;

/** Adds an alias. Throws `invalid` if the device is unknown, and `conflict` if the device serves a slot or another alias has the name. */
function addAliases(context: AliasesContext, wanted: NewLocationAlias, by: By): Promise<SavedAlias> {
  return context.writer.write((tx) => {
    const { alias, said } = add(context, tx, wanted, by.name);
    const detail = { deviceid: alias.deviceid };
    context.audit.record(tx, { action: 'alias.added', by, subject: alias.name, detail });
    return { alias, warnings: [...hidden(context, alias), ...said.warnings] };
  });
}

/**
 * Replaces an alias. Open work for its name goes to the device that has the name now. Throws the same errors as `get` and `add` and, if
 * `strict`, `invalid` if a place with goods would lose its last light.
 */
function replaceAliases(
  context: AliasesContext,
  id: string,
  wanted: NewLocationAlias,
  { by, strict }: { by: By; strict: boolean },
): Promise<SavedAlias> {
  return context.writer.write((tx) => {
    const before = getFrom(context.repositories, id);
    const { alias: after, said } = replace(context, tx, before, wanted, by.name);
    if (strict) refuseLost(said.lost);
    const { name, deviceid } = after;
    const detail = { deviceid, ...(name === before.name ? {} : { before: before.name }) };
    context.audit.record(tx, { action: 'alias.changed', by, subject: name, detail });
    return { alias: after, warnings: [...hidden(context, after), ...said.lost, ...said.warnings] };
  });
}

/**
 * Removes an alias, and returns warnings. Open commands that nothing else serves keep the name. Throws `not_found` and, if `strict`, `invalid` if a place with
 * goods would lose its last light.
 */
function removeAliases(
  context: AliasesContext,
  id: string,
  { by, strict }: { by: By; strict: boolean },
): Promise<string[]> {
  return context.writer.write((tx) => {
    const alias = getFrom(context.repositories, id);
    const said = remove(context, tx, alias, by.name);
    if (strict) refuseLost(said.lost);
    const detail = { deviceid: alias.deviceid };
    context.audit.record(tx, { action: 'alias.removed', by, subject: alias.name, detail });
    return [...said.lost, ...said.warnings];
  });
}

function getFrom(source: TablesOf<'aliases'>, id: string): LocationAlias {
  const found = /^\d{1,15}$/.test(id) ? source.aliases.find(Number(id)) : undefined;
  if (found !== undefined) return found;
  throw new StationError('not_found', `There is no location alias ${id}. GET /api/location-aliases/ lists them.`);
}

/**
 * Checks a new or changed alias. Throws `invalid` if the device is unknown, and `conflict` if the device serves a slot or the name is
 * taken. `id` is the id of the alias to change, or undefined for a new alias.
 */
function check({ repositories }: AliasesContext, { name, deviceid }: NewLocationAlias, id: number | undefined): void {
  if (repositories.devices.find(deviceid) === undefined) {
    const message = `There is no device ${deviceid}. GET /api/device/ lists the devices that are known.`;
    throw new StationError('invalid', message, [{ path: '/deviceid', message }]);
  }
  if (repositories.devices.isSlot(deviceid)) {
    const message = `${deviceid} serves a slot of a cart or a wall, so it is no place. Take it out of the slot first.`;
    throw new StationError('conflict', message, [{ path: '/deviceid', message }]);
  }
  const other = repositories.aliases.findByName(name);
  if (other?.id !== id || id === undefined) refuseReserved(name, '/name', deviceid);
  if (other === undefined || other.id === id) return;
  const message = `The name "${other.name}" is that of alias ${other.id}, at ${other.deviceid}.`;
  throw new StationError('conflict', message, [{ path: '/name', message }]);
}

/**
 * Returns warnings about devices that this name no longer finds, because the alias takes precedence, and about names that are or look the
 * same.
 */
function hidden({ repositories }: AliasesContext, { name, deviceid }: NewLocationAlias): string[] {
  const ofDevices = repositories.devices
    .listByLabel(name)
    .filter((other) => other !== deviceid)
    .map(
      (other) =>
        `${other} has the label "${name}". Now this location finds ${deviceid} instead: change the alias or the label.`,
    );
  return [...ofDevices, ...lookAlikeWarnings(repositories, 'place', name, { isOwn: ({ of }) => of === deviceid })];
}

function save({ repositories }: AliasesContext, tx: Transaction, alias: LocationAlias): void {
  repositories.aliases.update(alias);
  tx.emit({ type: 'alias.changed', alias });
}

/** An alias after a change, with what the change causes. */
type ChangedAlias = { alias: LocationAlias; said: SaidOfLights };

function remove(
  { repositories, placeLights }: AliasesContext,
  tx: Transaction,
  { id, name }: LocationAlias,
  by: string,
): SaidOfLights {
  const former = placeLights.of(name);
  repositories.aliases.remove(id);
  tx.emit({ type: 'alias.removed', id });
  return placeLights.changed(tx, former, { by });
}

function add(context: AliasesContext, tx: Transaction, wanted: NewLocationAlias, by: string): ChangedAlias {
  const { repositories, placeLights } = context;
  check(context, wanted, undefined);
  const { name, deviceid, deviceIs } = wanted;
  const former = placeLights.of(name);
  const alias = { id: repositories.aliases.insert(wanted), name, deviceid, deviceIs };
  tx.emit({ type: 'alias.changed', alias });
  return { alias, said: placeLights.changed(tx, former, { by }) };
}

/** Returns the open commands of an alias, in queue order. */
function openCommands({ repositories }: AliasesContext, { id, deviceid }: LocationAlias): QueuedCommand[] {
  return repositories.commands.listOfTarget(deviceid, aliasTarget(id));
}

function replace(
  context: AliasesContext,
  tx: Transaction,
  before: LocationAlias,
  wanted: NewLocationAlias,
  by: string,
): ChangedAlias {
  const { placeLights } = context;
  check(context, wanted, before.id);
  const { name, deviceid, deviceIs } = wanted;
  const alias = { id: before.id, name, deviceid, deviceIs };
  const former = placeLights.of(before.name, ...(nameKey(name) === nameKey(before.name) ? [] : [name]));
  save(context, tx, alias);
  return { alias, said: placeLights.changed(tx, former, { by }) };
}
