import type { Elsewhere } from '#shared/api/device.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryRow } from '../../db/repositories/history.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { IDENTIFY_TARGET, quantityOf, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { BARE_CONTENT } from '#shared/lib/requests/deviceRequest.ts';
import { IDENTIFY_LINE } from '#shared/lib/devices/identify.ts';
import { StationError } from '../../errors.ts';
import type { Commands } from './commands.ts';
import type { CommandOwners } from './owners.ts';
import { pickOf } from './presses.ts';
import { findOpenCommand } from './queue.ts';
import { type Devices, pointed, type Target } from '../devices/index.ts';
import { actedAt, refuseMoved, refuseOutdated, type Waited } from '../base/index.ts';
import { isOver } from '../../domain/orders/order.ts';
import type { SentCommand } from './types.ts';

const IDENTIFY_SECONDS = 5;
const POINT_SECONDS = 10;
/** Color for identifying a device. It is rarely used for ordinary work and, unlike white, visible on the page's light background. */
const IDENTIFY_COLOR = 'magenta';

type ConfirmedAt = { deviceId: string; commandId: string };
/**
 * An acknowledged command. `elsewhere` lists other places that may have the item's missing pieces. `leftOver` is the number of pieces that
 * nobody in the batch needs; 0 if the command is not of a batch.
 */
type AcknowledgedAt = ConfirmedAt & {
  qty: number;
  leftOver: number;
  elsewhere: readonly Elsewhere[];
  warnings: readonly string[];
};

/** Actions that people perform on the page or by API instead of a press, recorded under the person's name. */
export function createOperatorActions(parts: {
  repositories: TablesOf<'commands'>;
  writer: Writer;
  commands: Commands;
  devices: Devices;
  shownOf: CommandOwners['shownOf'];
}) {
  const { repositories, writer, commands, devices, shownOf } = parts;

  /** Finds an open command, or the command that replaced it. Throws `not_found`, or `conflict` if the command has ended. */
  function findOpen(deviceId: string, commandId: string): QueuedCommand {
    devices.byId(deviceId);
    const number = /^\d{1,15}$/.test(commandId) ? Number(commandId) : undefined;
    const command = number === undefined ? undefined : findOpenCommand(repositories, number);
    if (command?.deviceId === deviceId) return command;
    const ended = number === undefined ? undefined : repositories.history.findEnd(number);
    if (ended?.deviceId !== deviceId) {
      throw new StationError('not_found', `There is no command ${commandId} at ${deviceId}.`);
    }
    throw new StationError('conflict', `${howItEnded(ended)} Nothing was changed.`);
  }

  /** Returns by how many pieces an acknowledgement exceeds the ordered quantity. `before` is the item before the acknowledgement. */
  function overOf(before: { id: number; fulfilled: number }): number {
    const after = repositories.items.find(before.id);
    return after === undefined || after.fulfilled <= before.fulfilled ? 0 : after.fulfilled - after.ordered;
  }

  return {
    /**
     * Acknowledges a command. Throws `not_found`, `outdated` for a delayed confirmation that is no longer valid, or a `conflict` that says
     * who ended the command and when.
     */
    acknowledge: (
      { deviceId, commandId, by }: { deviceId: string; commandId: string; by: string },
      confirmation: Waited & { qty?: number | undefined; reason?: string | undefined },
      elsewhereOf: (itemId: number) => readonly Elsewhere[],
    ): Promise<AcknowledgedAt> =>
      writer.write((now) => {
        const tx = actedAt(now, confirmation);
        const { qty, reason } = confirmation;
        const named = Number(commandId);
        const itemId = Number.isSafeInteger(named) ? commands.itemOf(named) : undefined;
        const item = itemId === undefined ? undefined : repositories.items.find(itemId);
        const pickId = Number.isSafeInteger(named) ? pickOf(parts, named) : undefined;
        const ofBatch = pickId === undefined ? undefined : shownOf({ kind: 'pick', id: pickId });
        const shown = item === undefined ? ofBatch : { ...item, isOver: isOver(item) };
        refuseOutdated(shown, confirmation, tx.now);
        refuseMoved(shown?.litDeviceId, deviceId, confirmation);
        if (confirmation.seen !== undefined && qty !== undefined && item !== undefined) {
          // The light may be off by now, for example after a pause, but the line has not changed since the caller saw it.
          const waited = { deviceId, token: named, at: tx.now, qty, by, reason };
          if (commands.acknowledge(tx, waited)) {
            const warnings = overWarnings(qty, overOf(item));
            return { deviceId, commandId, qty, leftOver: 0, elsewhere: elsewhereOf(item.id), warnings };
          }
        }
        const command = findOpen(deviceId, commandId);
        const counted = qty ?? quantityOf(command) ?? 0;
        // A given quantity refers to the command that the caller named.
        const token = qty === undefined ? command.id : named;
        commands.acknowledge(tx, { deviceId, token, at: tx.now, qty: counted, by, reason });
        const elsewhere = itemId === undefined ? [] : elsewhereOf(itemId);
        const over = item === undefined ? counted - (command.content.quantity ?? counted) : overOf(item);
        const leftOver = pickId === undefined ? 0 : Math.max(0, over);
        const warnings = leftOver === 0 ? overWarnings(counted, over) : [leftOverWarning(counted, leftOver)];
        return { deviceId, commandId: String(command.id), qty: counted, leftOver, elsewhere, warnings };
      }),
    /** Sets the quantity and returns the current command, because a lit command is replaced by a new one. */
    adjust: (
      { deviceId, commandId, by }: { deviceId: string; commandId: string; by: string },
      quantity: number,
    ): Promise<ConfirmedAt & { quantity: number; warnings: string[] }> =>
      writer.write((tx) => {
        const command = findOpen(deviceId, commandId);
        if (quantityOf(command) === null) {
          throw new StationError('invalid', `Command ${commandId} has no quantity to adjust.`, [
            { path: '/command_id', message: 'Name a command that was sent with a quantity.' },
          ]);
        }
        const adjusted = commands.setQuantity(tx, command, { quantity, by });
        commands.arrive(tx, by, command.deviceId);
        const over = quantity - (command.content.quantity ?? quantity);
        const warnings = over <= 0 ? [] : [overWarning('quantity', `set to ${quantity}`, over)];
        return { deviceId, commandId: String(adjusted), quantity, warnings };
      }),
    /** Removes this command without a callback. Throws `not_found`, or `conflict` if the command has ended. */
    cancel: ({ deviceId, commandId, by }: { deviceId: string; commandId: string; by: string }): Promise<void> =>
      writer.write((tx) => commands.cancel(tx, findOpen(deviceId, commandId), by)),
    /** Flashes the device so that a person can find it. */
    identify: (deviceId: string, sender: string): Promise<SentCommand> =>
      writer.write((tx) => {
        const target = devices.byId(deviceId);
        const lines = [target.label === '' ? deviceId : target.label, IDENTIFY_LINE];
        return pointAt(tx, target, { lines, seconds: IDENTIFY_SECONDS, color: undefined }, sender);
      }),
    pointAt,
  };

  /** Flashes a place's device briefly. For an alias, also shows the alias's arrow. */
  function pointAt(
    tx: Transaction,
    target: Target,
    how: { lines: readonly string[]; seconds: number | undefined; color: string | undefined },
    sender: string,
  ): SentCommand {
    const { lines, seconds = POINT_SECONDS, color = IDENTIFY_COLOR } = how;
    const { content } = pointed({ ...BARE_CONTENT, lines: [...lines], color, seconds }, target);
    return commands.send(tx, {
      deviceId: target.deviceId,
      target: IDENTIFY_TARGET,
      alias: '',
      label: target.label,
      nonce: '',
      content,
      arrowAdded: false,
      sender,
    });
  }
}

export type OperatorActions = ReturnType<typeof createOperatorActions>;

/** Returns a warning if more was acknowledged than requested, which programs may do. */
function overWarnings(qty: number, over: number): string[] {
  return over <= 0 ? [] : [overWarning('qty', `acknowledged ${qty}`, over)];
}

/** Returns a warning about pieces that a batch did not book. */
function leftOverWarning(qty: number, left: number): string {
  return `qty: acknowledged ${qty}, ${left} more than the batch needs. Only ${qty - left} were booked: put ${left} back.`;
}

function overWarning(field: string, what: string, over: number): string {
  return `${field}: ${what}, ${over} more than requested. Correct the quantity if this is wrong.`;
}

/** Describes how a command ended. */
function howItEnded({ kind, at, commandId, detail }: HistoryRow): string {
  const time = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const by = detail.by === 'device' ? 'at the device' : `by ${detail.by ?? 'somebody'}`;
  switch (kind) {
    case 'acknowledged':
      return `Command ${commandId} was acknowledged ${by} at ${time}.`;
    case 'killed':
      return `Command ${commandId} was removed ${by} at ${time}.`;
    case 'replaced':
      return `Command ${commandId} was replaced by command ${detail.replacedBy} at ${time}.`;
    default:
      return `Command ${commandId} timed out at ${time}.`;
  }
}
