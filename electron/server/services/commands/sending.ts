import type { Transaction } from '../../db/writer.ts';
import {
  expectedAt,
  findReplaced,
  isFirst,
  quantityOf,
  sameContent,
  SHOW_STOCK_TARGET,
  type Adjustment,
  type QueuedCommand,
} from '../../domain/commands/commandQueue.ts';
import { lasts } from '../../domain/devices/outage.ts';
import { commandEntry } from '../base/index.ts';
import { labelOf, outageAt, recordCommand } from './queue.ts';
import { newPosition } from './queuePlace.ts';
import { cancel } from './kill.ts';
import { arrange } from './shownFirst.ts';
import { lineOwnerOf } from './wantedLine.ts';
import type { NewColor, NewCommand, NewQuantity, NewRest, CommandContext, SentCommand } from './types.ts';

export function send(
  context: CommandContext,
  tx: Transaction,
  { label, owner = null, base = null, ...asked }: NewCommand,
): SentCommand {
  const { repositories, reaches } = context;
  const command = { ...asked, owner, base };
  const { deviceId, content, arrowAdded, sender } = command;
  const head = repositories.commands.findFirst(deviceId);
  const isStockShown = head?.target === SHOW_STOCK_TARGET;
  if (isStockShown) cancel(context, tx, head, sender);
  const first = isStockShown ? undefined : head;
  const isDirect = owner === null && first !== undefined;
  const waiting = isDirect ? repositories.commands.listWaitingLike(deviceId, command) : [];
  const replaced = isDirect ? findReplaced([first, ...waiting], command) : undefined;
  if (replaced !== undefined) {
    // Keep the worker's count, so that a script that repeats its request does not reset it.
    const same = sameContent(replaced.content, content);
    const { adjusted, adjustment } = same ? replaced : { adjusted: null, adjustment: null };
    // The last request says whether the command follows the label of its device.
    const { target } = command;
    const change = { target, content, arrowAdded, sender, adjusted, adjustment, base, createdAt: tx.now };
    const id = replace(context, tx, replaced, change, sender);
    const expected = isFirst(replaced) && replaced.latencyMs > 0 ? tx.now + replaced.latencyMs : null;
    const sent = sentCommand(id, isFirst(replaced) && !reaches(deviceId), expected);
    return { ...sent, replacedId: String(replaced.id) };
  }
  const state = { kind: 'queued', firstAt: first === undefined ? tx.now : null } as const;
  const outage = outageAt(context, tx, deviceId, state);
  const position = newPosition(repositories, deviceId, first);
  const latencyMs = context.latencyMs(deviceId);
  const added = { ...command, position, adjusted: null, adjustment: null, createdAt: tx.now, latencyMs, state, outage };
  const id = repositories.commands.insert(added);
  const entry = commandEntry({ ...added, id }, label);
  tx.emit({ type: 'command.queued', deviceid: deviceId, command: entry });
  if (first === undefined) light(context, tx, deviceId);
  return sentCommand(id, outage !== null, expectedAt(added));
}

function sentCommand(id: number, isUnreachable: boolean, at: number | null): SentCommand {
  const delivery = isUnreachable ? 'unreachable' : 'queued';
  return { commandId: String(id), state: 'queued', delivery, expectedAt: at, replacedId: null };
}

/**
 * Sets the quantity of an open command on behalf of somebody other than the worker. Also sets the fulfilled quantity to which a press adds.
 * Returns the id of the current command.
 */
export function setQuantity(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  { quantity, by, base = command.base }: NewQuantity,
): number {
  if (quantityOf(command) === quantity && base === command.base) return command.id;
  const isSent = command.state.kind !== 'queued' || isFirst(command);
  return (isSent ? sendAdjusted : noteAdjusted)(context, tx, command, { adjusted: quantity, base }, { at: tx.now, by });
}

/**
 * Shows the remaining quantity. Always replaces the command, even if the worker had set the same number on the device, because that number
 * referred to the previous quantity.
 */
export function showRest(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  { quantity, by, base }: NewRest,
): number {
  const { arrowAdded, sender, createdAt } = command;
  const content = { ...command.content, quantity };
  const change = { content, arrowAdded, sender, createdAt, base, adjusted: null, adjustment: null };
  return replace(context, tx, command, change, by);
}

/**
 * Replaces the command with one in this color, and returns the new id. If the line was assigned to another picker, it is no longer the
 * previous picker's current line.
 */
export function setColor(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  { color, by }: NewColor,
): number {
  const { content, arrowAdded, sender, createdAt, base, adjusted, adjustment, owner, deviceId } = command;
  const change = { content: { ...content, color }, arrowAdded, sender, createdAt, base, adjusted, adjustment };
  const id = content.color === color ? command.id : replace(context, tx, command, change, by);
  const line = lineOwnerOf({ owner });
  const picker = line === undefined ? undefined : context.ownerPicker(line);
  if (line !== undefined && picker !== undefined && context.currentLines.end(tx, line, picker))
    arrange(context, tx, deviceId);
  return id;
}

/** `adjusted` is the count on the screen, and `base` is the number of pieces that were already fulfilled. */
type Count = { adjusted: number; base: number | null };

/** Replaces the command with one that has this count. Returns the new id. */
export function sendAdjusted(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  count: Count,
  adjustment: Adjustment,
): number {
  const { content, arrowAdded, sender, createdAt } = command;
  const change = { content, arrowAdded, sender, createdAt, adjustment, ...count };
  return replace(context, tx, command, change, adjustment.by);
}

/** Changes the quantity of a command without changing its id. */
export function noteAdjusted(
  { repositories, refresh }: CommandContext,
  tx: Transaction,
  { id, deviceId }: QueuedCommand,
  { adjusted: quantity, base }: Count,
  adjustment: Adjustment,
): number {
  repositories.commands.setAdjusted(id, quantity, { ...adjustment, base });
  // Send the count back to the device, which knows it but loses it when it restarts.
  refresh(tx, deviceId);
  tx.emit({ type: 'command.adjusted', deviceid: deviceId, command_id: String(id), quantity });
  return id;
}

/** Replaces a command at its position in the queue. Returns the new id. */
export function replace(
  context: CommandContext,
  tx: Transaction,
  replaced: QueuedCommand,
  change: Pick<QueuedCommand, 'content' | 'arrowAdded' | 'sender' | 'adjusted' | 'adjustment' | 'base' | 'createdAt'> &
    Partial<Pick<QueuedCommand, 'target'>>,
  by: string,
): number {
  const state = { kind: 'queued', firstAt: isFirst(replaced) ? tx.now : null } as const;
  const outage = outageAt(context, tx, replaced.deviceId, state);
  const id = succeed(
    context,
    tx,
    replaced,
    { ...replaced, ...change, state, outage },
    { type: 'command.replaced', by },
  );
  if (isFirst(replaced)) light(context, tx, replaced.deviceId);
  return id;
}

/** Ends a command and inserts its successor. Returns the new id. */
export function succeed(
  { repositories, ownerMoved }: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  successor: Omit<QueuedCommand, 'id'>,
  { by, ...how }: { by: string } & ({ type: 'command.replaced' } | { type: 'command.moved'; to: string }),
): number {
  const { commands, history } = repositories;
  const firstEqual = commands.findFirstEqual(command.id);
  commands.remove(command.id);
  const id = commands.insert(successor);
  // If a line only changes its color for another picker, the work stays the same, so a press on the old screen counts.
  const same = command.owner !== null || sameContent(command.content, successor.content);
  recordCommand(
    repositories,
    tx,
    command,
    { kind: 'replaced', at: tx.now },
    { by, replacedBy: id, sameContent: same, ...(firstEqual === undefined ? {} : { firstEqual }) },
  );
  // Lets a press for any of many equal commands find the last one at once. Presses at another device do not count for it.
  if (same && successor.deviceId === command.deviceId) {
    const first = firstEqual ?? command.id;
    commands.setFirstEqual(id, first);
    history.setLastEqual(id, first);
  }
  const entry = commandEntry({ ...successor, id }, labelOf(repositories.devices, successor.deviceId));
  tx.emit({ ...how, deviceid: command.deviceId, command_id: String(command.id), command: entry });
  if (command.owner !== null) ownerMoved(tx, command.owner, !lasts(successor.outage));
  return id;
}

/** Shows the new first command in this queue. */
function light({ refresh, due }: CommandContext, tx: Transaction, deviceId: string): void {
  refresh(tx, deviceId);
  due(tx);
}
