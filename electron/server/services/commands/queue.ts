import type { Repositories } from '../../db/repositories.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  expiresAt,
  isFirst,
  isOpen,
  locationOf,
  next,
  sameTarget,
  workOf,
  type CommandEvent,
  type CommandState,
  type OpenState,
  type QueuedCommand,
} from '../../domain/commands/commandQueue.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { lasts, nextOutage, type Outage, type OutageEvent } from '../../domain/devices/outage.ts';
import { isoOrNull } from '../base/index.ts';
import { noteShown, noteShownBefore } from './screens.ts';
import { findWanted, lineOwnerOf } from './wantedLine.ts';
import type { EndDetail, EndedCommand, CommandContext, Recorded, CommandShown, TimedOut } from './types.ts';

function find({ repositories }: CommandContext, deviceId: string, token: number): QueuedCommand | undefined {
  const command = repositories.commands.find(token);
  return command?.deviceId === deviceId ? command : undefined;
}

/** Finds the open command with this id, or the one with the same content that has replaced it. */
export function findOpenCommand(
  { commands, history }: Pick<Repositories, 'commands' | 'history'>,
  commandId: number,
): QueuedCommand | undefined {
  for (let id: number | undefined = commandId; id !== undefined; id = history.findSuccessor(id)) {
    const command = commands.find(id);
    if (command !== undefined) return command;
  }
  return undefined;
}

/** Saves the new state of an open command. Returns false if the event does not change the state. */
function advance({ repositories, due }: CommandContext, tx: Transaction, command: QueuedCommand, event: CommandEvent) {
  const state = next(command.state, event);
  if (state === command.state || !isOpen(state)) return false;
  repositories.commands.setState(command, state);
  due(tx);
  return true;
}

/** Saves and publishes that the command's device became reachable or unreachable. */
export function noteOutage(context: CommandContext, tx: Transaction, command: QueuedCommand, event: OutageEvent): void {
  const { repositories, ownerReached } = context;
  const outage = nextOutage(command.outage, event);
  if (outage === command.outage) return;
  const wasLasting = lasts(command.outage);
  repositories.commands.setOutage(command, outage);
  if (wasLasting === lasts(outage)) return;
  if (command.owner !== null) ownerReached(tx, command.owner, wasLasting);
  if (event.kind === 'shown') return;
  tx.emit({
    type: lasts(outage) ? 'command.unreachable' : 'command.reached',
    deviceid: command.deviceId,
    command_id: String(command.id),
    at: isoTime(event.at),
  });
}

/** Returns an outage that starts now if a new command is first in its queue and its device is unreachable, otherwise null. */
export function outageAt(
  { reaches }: Pick<CommandContext, 'reaches'>,
  tx: Transaction,
  deviceId: string,
  { firstAt }: OpenState,
): Outage | null {
  return firstAt === null || reaches(deviceId) ? null : { since: tx.now, until: null };
}

/** Handles a command that became the first in its queue. */
export function headQueue(context: CommandContext, tx: Transaction, command: QueuedCommand): void {
  advance(context, tx, command, { kind: 'becameFirst', at: tx.now });
  if (!context.reaches(command.deviceId)) noteOutage(context, tx, command, { kind: 'lost', at: tx.now });
}

/** Lights the next command after the first one was removed. */
export function showNext(context: CommandContext, tx: Transaction, deviceId: string): void {
  const { repositories, refresh } = context;
  const follower = repositories.commands.findFollower(deviceId);
  if (follower !== undefined) {
    const wanted = findWanted(context, deviceId, follower);
    if (wanted !== undefined) {
      repositories.commands.setPosition(wanted, follower.position - 1);
      tx.emit({ type: 'command.first', deviceid: deviceId, command_id: String(wanted.id), waits: null });
    }
    headQueue(context, tx, wanted ?? follower);
  }
  refresh(tx, deviceId);
}

/** Moves an ended command from its queue to the history. */
export function removeFromQueue(
  { repositories, shownLines }: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  event: CommandEvent,
  extra: EndDetail & { by: string },
): EndedCommand {
  const state = next(command.state, event);
  if (isOpen(state) || state.kind === 'replaced') throw new Error(`A command cannot end as ${state.kind}.`);
  repositories.commands.remove(command.id);
  // After a press or a timeout, the device itself removes the command from its screen. Other commands stay on the screen until the next one
  // arrives.
  const isOver = extra.by === 'device' || state.kind === 'timedOut';
  const line = lineOwnerOf(command);
  if (line !== undefined && isOver) shownLines.left(command.deviceId, line, state.at);
  const recorded = recordCommand(repositories, tx, command, state, extra);
  return { command, end: state, recorded, by: extra.by, for: extra.for, reason: extra.reason, base: command.base };
}

/**
 * Notifies the owner that its command ended. Call last, so that commands that the owner lights next are queued after those that already
 * wait.
 */
export function notifyOwner(
  { ownerEnded }: CommandContext,
  tx: Transaction,
  ended: EndedCommand,
  isReported: boolean,
): void {
  const { owner } = ended.command;
  if (owner !== null) ownerEnded(tx, { ...ended, owner, isReported });
}

/** Ends a command that timed out, as reported by its device or detected by the station. */
export function timeOut(
  context: CommandContext,
  tx: Transaction,
  { deviceId, token, at, by, hasCallback }: TimedOut,
): void {
  const command = find(context, deviceId, token);
  if (command === undefined) return;
  // Report only a quantity that the worker set, because old receivers book any quantity above 0 as picked.
  const qty = command.adjusted ?? 0;
  const ended = removeFromQueue(context, tx, command, { kind: 'elapsed', at, qty }, { by });
  if (isFirst(command)) showNext(context, tx, deviceId);
  if (hasCallback) writeCallback(context, tx, ended, 'nack', qty);
  tx.emit({ type: 'command.timedOut', deviceid: deviceId, command_id: String(command.id), at: isoTime(at), qty });
  notifyOwner(context, tx, ended, hasCallback);
}

/** Writes a command's callback. Only commands with a nonce have a callback, and owners report their steps and items themselves. */
export function writeCallback(
  { callbacks }: CommandContext,
  tx: Transaction,
  { command, recorded }: EndedCommand,
  acknack: 'ack' | 'nack',
  qty: number,
): void {
  const { deviceId: deviceid, nonce, owner } = command;
  if (nonce === '' || owner !== null) return;
  const { historyId, at, location } = recorded;
  callbacks.add(tx, { family: 'device', historyId, at, payload: { acknack, deviceid, location, nonce, qty } });
}

export function markSent(context: CommandContext, tx: Transaction, deviceId: string, token: number, at: number): void {
  const command = find(context, deviceId, token);
  // The report may arrive after another command has become first.
  if (command === undefined || !isFirst(command) || !advance(context, tx, command, { kind: 'sent', at })) return;
  tx.emit({ type: 'command.sent', deviceid: deviceId, command_id: String(token), at: isoTime(at) });
}

export function markShown(
  context: CommandContext,
  tx: Transaction,
  { deviceId, token, at, sentAt }: CommandShown,
): void {
  const command = find(context, deviceId, token);
  if (command === undefined || !isFirst(command)) {
    return noteShownBefore(context, deviceId, token, { at, now: tx.now });
  }
  if (!advance(context, tx, command, { kind: 'shown', at, sentAt })) return;
  noteOutage(context, tx, command, { kind: 'shown', at });
  noteShown(context, deviceId, command.owner, at);
  tx.emit({
    type: 'command.shown',
    deviceid: deviceId,
    command_id: String(token),
    sent_at: isoOrNull(command.state.kind === 'queued' ? null : command.state.sentAt),
    at: isoTime(at),
    expires_at: isoOrNull(expiresAt(command.state, command.content.seconds)),
  });
}

/** Records that a turbo reaches the device again, or no longer reaches it, unless the device already shows its first command. */
export function noteReach(context: CommandContext, tx: Transaction, deviceId: string, isReached: boolean): void {
  const first = context.repositories.commands.findFirst(deviceId);
  if (first === undefined || first.state.kind === 'shown') return;
  noteOutage(context, tx, first, { kind: isReached ? 'reached' : 'lost', at: tx.now });
}

/** Writes the end of a command to the history, in the transaction that ends it. */
export function recordCommand(
  repositories: TablesOf<'commands'>,
  tx: Transaction,
  command: QueuedCommand,
  state: Extract<CommandState, { at: number }>,
  extra: EndDetail,
): Recorded {
  const { state: open, deviceId } = command;
  const location = locationOf(command, labelOf(repositories.devices, deviceId));
  const historyId = repositories.history.insert({
    at: state.at,
    kind: state.kind,
    deviceId,
    commandId: command.id,
    nonce: command.nonce,
    location,
    qty: 'qty' in state ? state.qty : 0,
    work: workOf(command.owner),
    detail: {
      sender: command.sender,
      target: sameTarget(command.target),
      content: command.content,
      createdAt: isoOrNull(command.createdAt),
      firstAt: isoOrNull(open.firstAt),
      sentAt: isoOrNull(open.kind === 'queued' ? null : open.sentAt),
      shownAt: isoOrNull(open.kind === 'shown' ? open.shownAt : null),
      unreachableAt: isoOrNull(command.outage?.since ?? null),
      reachedAt: isoOrNull(command.outage?.until ?? null),
      adjusted: command.adjusted,
      adjustedAt: isoOrNull(command.adjustment?.at ?? null),
      adjustedBy: command.adjustment?.by ?? null,
      committedAt: isoTime(tx.now),
      ...(command.owner?.kind === 'item' ? { shown: { item: command.owner.id, base: command.base } } : {}),
      ...(command.owner?.kind === 'pick' ? { pick: command.owner.id } : {}),
      ...(command.owner?.kind === 'slot' ? { litSlot: command.owner.id } : {}),
      ...extra,
    },
  });
  return { historyId, at: state.at, location };
}

export function labelOf(devices: Repositories['devices'], deviceId: string): string {
  return devices.find(deviceId)?.label ?? '';
}
