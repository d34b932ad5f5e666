import type { LocationAlias, LocationAliasQuery, NewLocationAlias } from '#shared/api/alias.ts';
import { arrowToPlace } from '#shared/lib/devices/deviceIs.ts';
import type { CoreOf, TablesOf } from '../../core.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { aliasTarget, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { StationError } from '../../errors.ts';
import type { ArticlePlaceNames } from '../articles/index.ts';
import { type Audit, type By, lookAlikeWarnings, refuseReserved } from '../base/index.ts';
import type { CommandMoves } from '../commands/index.ts';

const NO_LIMIT = -1;

/** A saved alias. `warnings` are about devices and carts with the same name. */
type SavedAlias = { alias: LocationAlias; warnings: string[] };

type AliasesCore = {
  repositories: CoreOf<'aliases'>['repositories'];
  reads: TablesOf<'aliases'>;
  writer: Writer;
  audit: Audit;
};

type AliasesNeeds = {
  moves: CommandMoves;
  placeNames: ArticlePlaceNames;
};

/** State shared by the functions that manage aliases. */
type AliasesContext = AliasesCore & AliasesNeeds;

/**
 * Manages aliases, which are additional places of a device. An alias's open commands are always in its device's queue, under the alias's
 * name.
 */
export function createAliases(core: AliasesCore, needs: AliasesNeeds) {
  const { repositories, reads, writer, audit } = core;
  const { moves, placeNames } = needs;
  const context: AliasesContext = { repositories, reads, writer, audit, moves, placeNames };
  return {
    list: ({ limit = NO_LIMIT, after = '0' }: LocationAliasQuery): LocationAlias[] =>
      reads.aliases.list({ after: Number(after), limit }),
    get: (id: string): LocationAlias => getFrom(reads, id),
    add: (wanted: NewLocationAlias, by: By) => addAliases(context, wanted, by),
    replace: (id: string, wanted: NewLocationAlias, by: By) => replaceAliases(context, id, wanted, by),
    remove: (id: string, by: By) => removeAliases(context, id, by),
    /** Like `add`, but inside a transaction and without an audit entry, for bulk changes. */
    addWithin: (tx: Transaction, wanted: NewLocationAlias) => add(context, tx, wanted),
    replaceWithin: (tx: Transaction, before: LocationAlias, wanted: NewLocationAlias, by: string) =>
      replace(context, tx, before, wanted, by),
    removeWithin: (tx: Transaction, locationAlias: LocationAlias) => remove(context, tx, locationAlias),
    openCommands: (locationAlias: LocationAlias) => openCommands(context, locationAlias),
    /** Removes the aliases of a removed device. Call inside a transaction. */
    removeAllOf(tx: Transaction, deviceId: string): void {
      for (const alias of repositories.aliases.listByDevice(deviceId)) remove(context, tx, alias);
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
    const alias = add(context, tx, wanted);
    const detail = { deviceid: alias.deviceid };
    context.audit.record(tx, { action: 'alias.added', by, subject: alias.name, detail });
    return { alias, warnings: hidden(context, alias) };
  });
}

/** Replaces an alias, and updates its open commands with the new device, name or arrow. Throws the same errors as `get` and `add`. */
function replaceAliases(context: AliasesContext, id: string, wanted: NewLocationAlias, by: By): Promise<SavedAlias> {
  return context.writer.write((tx) => {
    const before = getFrom(context.repositories, id);
    const after = replace(context, tx, before, wanted, by.name);
    const { name, deviceid } = after;
    const detail = { deviceid, ...(name === before.name ? {} : { before: before.name }) };
    context.audit.record(tx, { action: 'alias.changed', by, subject: name, detail });
    return { alias: after, warnings: hidden(context, after) };
  });
}

/** Removes an alias. Its open commands keep the name. Throws `not_found`. */
function removeAliases(context: AliasesContext, id: string, by: By): Promise<void> {
  return context.writer.write((tx) => {
    const alias = getFrom(context.repositories, id);
    remove(context, tx, alias);
    const detail = { deviceid: alias.deviceid };
    context.audit.record(tx, { action: 'alias.removed', by, subject: alias.name, detail });
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

function remove({ repositories, placeNames }: AliasesContext, tx: Transaction, { id, name }: LocationAlias): void {
  repositories.aliases.remove(id);
  placeNames.renamed(tx, name, '');
  tx.emit({ type: 'alias.removed', id });
}

function add(context: AliasesContext, tx: Transaction, wanted: NewLocationAlias): LocationAlias {
  const { repositories } = context;
  check(context, wanted, undefined);
  const { name, deviceid, deviceIs } = wanted;
  const alias = { id: repositories.aliases.insert(wanted), name, deviceid, deviceIs };
  tx.emit({ type: 'alias.changed', alias });
  return alias;
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
): LocationAlias {
  const { moves } = context;
  check(context, wanted, before.id);
  const { name, deviceid, deviceIs } = wanted;
  const after = { id: before.id, name, deviceid, deviceIs };
  save(context, tx, after);
  if (name !== before.name) context.placeNames.renamed(tx, before.name, name);
  moves.readdress(tx, openCommands(context, before), { alias: name, arrow: arrowToPlace(deviceIs) });
  // Read the commands again, because their places have changed.
  if (deviceid !== before.deviceid)
    moves.move(tx, openCommands(context, before), { from: before.deviceid, to: deviceid, by });
  return after;
}
