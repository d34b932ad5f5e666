import type { Device } from '#shared/api/device.ts';
import type { TablesOf } from '../core.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { withoutPlace, withPlace } from '../domain/places/stationMap.ts';
import { StationError } from '../errors.ts';
import type { Aliases } from './aliases/index.ts';
import type { Audit, By } from './base/index.ts';
import type { Carriers } from './batches/index.ts';
import { type CommandMoves, type Commands, isWork } from './commands/index.ts';
import { BLANK_DEVICE, type Devices } from './devices/index.ts';
import type { Orders } from './orders/index.ts';
import type { MapService } from './places/index.ts';
import type { Sequences } from './sequences/index.ts';

export function createReplacement(
  core: {
    repositories: TablesOf<'replacement'>;
    writer: Writer;
    audit: Audit;
  },
  needs: {
    commands: Pick<Commands, 'cancel'>;
    moves: CommandMoves;
    sequences: Pick<Sequences, 'giveDevice'>;
    orders: Pick<Orders, 'deviceReplaced'>;
    devices: Devices;
    aliases: Aliases;
    map: Pick<MapService, 'save'>;
    carriers: Pick<Carriers, 'deviceReplaced'>;
  },
) {
  const { repositories, writer, audit } = core;
  const { commands, moves, sequences, orders, devices, aliases, map, carriers } = needs;

  /** Removes commands that are not work, such as a light for finding the device. */
  function endSearch(tx: Transaction, deviceId: string, by: string): void {
    for (const command of repositories.commands.list(deviceId)) {
      if (!isWork(command.target)) commands.cancel(tx, command, by);
    }
  }

  function replace(tx: Transaction, { from, to, by }: { from: string; to: string; by: string }): void {
    devices.byId(from);
    if (from === to) throw refused(`${to} cannot replace itself. Name the device that takes its place.`);
    const old = repositories.devices.find(from);
    if (old === undefined || repositories.devices.find(to) === undefined) {
      throw refused(`There is no device ${to}. Register it first, with POST /api/device/.`);
    }
    endSearch(tx, to, by);
    if (repositories.commands.findFirst(to) !== undefined) {
      throw new StationError(
        'conflict',
        `${to} has open work of its own. Let it be picked, or remove it with the command kill. Nothing was changed.`,
      );
    }
    endSearch(tx, from, by);
    devices.setLike(tx, to, old);
    repositories.devices.giveLabelOrder(from, to);
    aliases.giveAll(tx, from, to);
    moves.move(tx, repositories.commands.list(from), { from, to, by });
    sequences.giveDevice(tx, from, to);
    orders.deviceReplaced(tx, from, to);
    carriers.deviceReplaced(from, to);
    devices.setLike(tx, from, BLANK_DEVICE);
    givePlace(tx, from, to);
    const entry = { at: tx.now, commandId: null, nonce: '', location: old.label, qty: 0 };
    repositories.history.insert({ ...entry, kind: 'device_replaced', deviceId: from, detail: { by, otherDevice: to } });
    repositories.history.insert({
      ...entry,
      kind: 'device_took_over',
      deviceId: to,
      detail: { by, otherDevice: from },
    });
  }

  function givePlace(tx: Transaction, from: string, to: string): void {
    const before = repositories.map.get();
    const place = before.places.find(({ deviceid }) => deviceid === from);
    if (place === undefined) return;
    map.save(tx, withPlace(withoutPlace(withoutPlace(before, from), to), { ...place, deviceid: to }));
  }

  return {
    /**
     * Replaces a device with another registered device, which takes over its aliases, label, statics, settings, cell on the map and open
     * work. Throws `not_found`, `invalid`, or `conflict` if the other device has open work, without changing anything.
     */
    async replace({ deviceId, by }: { deviceId: string; by: By }, newDeviceId: string): Promise<Device> {
      await writer.write((tx) => {
        replace(tx, { from: deviceId, to: newDeviceId, by: by.name });
        const detail = { deviceid: newDeviceId };
        audit.record(tx, { action: 'device.replaced', by, subject: deviceId, detail });
      });
      return devices.get(newDeviceId);
    },
  };
}

export type Replacement = ReturnType<typeof createReplacement>;

function refused(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/deviceid', message }]);
}
