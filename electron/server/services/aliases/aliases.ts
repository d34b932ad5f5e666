import type { LocationAlias, LocationAliasQuery, NewLocationAlias } from '#shared/api/alias.ts';
import { arrowToPlace } from '#shared/lib/deviceIs.ts';
import type { CoreOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { aliasTarget, type QueuedCommand } from '../../domain/commandQueue.ts';
import { StationError } from '../../errors.ts';
import type { Audit, By } from '../base/index.ts';
import type { CommandMoves } from '../commands/index.ts';

const NO_LIMIT = -1;

/** `warnings`: other devices with the name. */
type SavedAlias = { alias: LocationAlias; warnings: string[] };

/** Further places of devices. An alias's open commands are always at its device, under its name. */
export function createAliases(
  core: {
    repositories: CoreOf<'aliases'>['repositories'];
    reads: Pick<Repositories, 'aliases'>;
    writer: Writer;
    audit: Audit;
  },
  needs: {
    moves: CommandMoves;
  },
) {
  const { repositories, reads, writer, audit } = core;
  const { moves } = needs;

  function getFrom(source: Pick<Repositories, 'aliases'>, id: string): LocationAlias {
    const found = /^\d{1,15}$/.test(id) ? source.aliases.find(Number(id)) : undefined;
    if (found !== undefined) return found;
    throw new StationError('not_found', `There is no location alias ${id}. GET /api/location-aliases/ lists them.`);
  }

  /** `id`: the alias that may have the name already; undefined: none may. */
  function check({ name, deviceid }: NewLocationAlias, id: number | undefined): void {
    if (repositories.devices.find(deviceid) === undefined) {
      const message = `There is no device ${deviceid}. GET /api/device/ lists the devices that are known.`;
      throw new StationError('invalid', message, [{ path: '/deviceid', message }]);
    }
    const other = repositories.aliases.findByName(name);
    if (other === undefined || other.id === id) return;
    const message = `The name "${other.name}" is that of alias ${other.id}, at ${other.deviceid}.`;
    throw new StationError('conflict', message, [{ path: '/name', message }]);
  }

  /** Warnings about other devices that the name finds no longer: an alias comes first. */
  function hidden({ name, deviceid }: NewLocationAlias): string[] {
    const id = name.toUpperCase();
    const others = new Set([
      ...repositories.devices.listByLabel(name),
      ...(repositories.devices.find(id) === undefined ? [] : [id]),
    ]);
    others.delete(deviceid);
    return [...others].map(
      (other) =>
        `${other} has the ${other === id ? 'DeviceID' : 'label'} "${name}". Now this location finds ${deviceid} instead: change the alias or the label.`,
    );
  }

  function save(tx: Transaction, alias: LocationAlias): void {
    repositories.aliases.update(alias);
    tx.emit({ type: 'alias.changed', alias });
  }

  function remove(tx: Transaction, { id }: LocationAlias): void {
    repositories.aliases.remove(id);
    tx.emit({ type: 'alias.removed', id });
  }

  function add(tx: Transaction, wanted: NewLocationAlias): LocationAlias {
    check(wanted, undefined);
    const { name, deviceid, deviceIs } = wanted;
    const alias = { id: repositories.aliases.insert(wanted), name, deviceid, deviceIs };
    tx.emit({ type: 'alias.changed', alias });
    return alias;
  }

  /** The open commands of an alias, in the order of their queue. */
  function openCommands({ id, deviceid }: LocationAlias): QueuedCommand[] {
    return repositories.commands.listOfTarget(deviceid, aliasTarget(id));
  }

  function replace(tx: Transaction, before: LocationAlias, wanted: NewLocationAlias, by: string): LocationAlias {
    check(wanted, before.id);
    const { name, deviceid, deviceIs } = wanted;
    const after = { id: before.id, name, deviceid, deviceIs };
    save(tx, after);
    moves.readdress(tx, openCommands(before), { alias: name, arrow: arrowToPlace(deviceIs) });
    // Read again: their places have changed.
    if (deviceid !== before.deviceid) moves.move(tx, openCommands(before), { from: before.deviceid, to: deviceid, by });
    return after;
  }

  return {
    list: ({ limit = NO_LIMIT, after = '0' }: LocationAliasQuery): LocationAlias[] =>
      reads.aliases.list({ after: Number(after), limit }),
    /** Throws `not_found`. */
    get: (id: string): LocationAlias => getFrom(reads, id),
    /** Throws `invalid` where there is no such device, `conflict` where the name is another alias's. */
    add: (wanted: NewLocationAlias, by: By): Promise<SavedAlias> =>
      writer.write((tx) => {
        const alias = add(tx, wanted);
        const detail = { deviceid: alias.deviceid };
        audit.record(tx, { action: 'alias.added', by, subject: alias.name, detail });
        return { alias, warnings: hidden(alias) };
      }),
    /** Takes its open commands along: to another device, name or arrow. Throws as `get` and `add` do. */
    replace: (id: string, wanted: NewLocationAlias, by: By): Promise<SavedAlias> =>
      writer.write((tx) => {
        const before = getFrom(repositories, id);
        const after = replace(tx, before, wanted, by.name);
        const { name, deviceid } = after;
        const detail = { deviceid, ...(name === before.name ? {} : { before: before.name }) };
        audit.record(tx, { action: 'alias.changed', by, subject: name, detail });
        return { alias: after, warnings: hidden(after) };
      }),
    /** Its open commands stay, under the name that it had. Throws `not_found`. */
    remove: (id: string, by: By): Promise<void> =>
      writer.write((tx) => {
        const alias = getFrom(repositories, id);
        remove(tx, alias);
        const detail = { deviceid: alias.deviceid };
        audit.record(tx, { action: 'alias.removed', by, subject: alias.name, detail });
      }),
    /** Within a use-case, the same without a word in the audit: for many at once. */
    addWithin: add,
    replaceWithin: replace,
    removeWithin: remove,
    /** Within a use-case: its open commands. */
    openCommands,
    /** Within a use-case: the device is taken away. */
    removeAllOf(tx: Transaction, deviceId: string): void {
      for (const alias of repositories.aliases.listByDevice(deviceId)) remove(tx, alias);
    },
    /** Within a use-case: another device replaces this one. The caller moves its commands. */
    giveAll(tx: Transaction, from: string, to: string): void {
      for (const alias of repositories.aliases.listByDevice(from)) save(tx, { ...alias, deviceid: to });
    },
  };
}

export type Aliases = ReturnType<typeof createAliases>;
