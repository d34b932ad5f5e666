import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  aliasIdOf,
  isAddress,
  isFirst,
  locationOf,
  lostTarget,
  type QueuedCommand,
} from '../../domain/commands/commandQueue.ts';
import { pointed, type Target } from '../devices/index.ts';
import { labelOf, outageAt, showNext } from './queue.ts';
import type { CommandContext } from './types.ts';
import { newPosition } from './queuePlace.ts';
import { succeed } from './sending.ts';

/** Moves open commands when their place changes. Call these functions inside a transaction. */

export function createCommandMoves(context: CommandContext) {
  return {
    move: (tx: Transaction, commands: readonly QueuedCommand[], where: MovedBetween) =>
      move(context, tx, commands, where),
    /** Gives a command to the light that its place has now, and moves it to the device of this light. */
    follow: (tx: Transaction, command: QueuedCommand, light: Target, by: string) =>
      follow(context, tx, command, light, by),
    /** Leaves a command where it is, although its place has no light now. It keeps the name of the place. */
    leave: (tx: Transaction, command: QueuedCommand, name: string) => leave(context, tx, command, name),
  };
}

export type CommandMoves = ReturnType<typeof createCommandMoves>;

/** The two devices between which commands move, and who caused the move. */
type MovedBetween = { from: string; to: string; by: string };

/** Moves commands to the end of another device's queue, keeping their order. Throws `invalid` if that queue is full. */
function move(
  context: CommandContext,
  tx: Transaction,
  moved: readonly QueuedCommand[],
  { from, to, by }: MovedBetween,
): void {
  if (moved.length === 0) return;
  for (const command of moved) moveOne(context, tx, command, to, by);
  if (moved.some(isFirst)) showNext(context, tx, from);
  context.refresh(tx, to);
  context.due(tx);
}

/** Moves one command under a new id, so that late reports from the old device are not attributed to it. */
function moveOne(context: CommandContext, tx: Transaction, command: QueuedCommand, to: string, by: string): void {
  const { repositories } = context;
  const first = repositories.commands.findFirst(to);
  const position = newPosition(repositories, to, first);
  const state = { kind: 'queued', firstAt: first === undefined ? tx.now : null } as const;
  const outage = outageAt(context, tx, to, state);
  const moved = { ...command, deviceId: to, position, latencyMs: context.latencyMs(to), state, outage };
  succeed(context, tx, command, moved, { type: 'command.moved', to, by });
}

function follow(context: CommandContext, tx: Transaction, command: QueuedCommand, light: Target, by: string): void {
  const bare = command.arrowAdded ? { ...command.content, arrow: null } : command.content;
  const { content, arrowAdded } = pointed(bare, light);
  // Commands to the stock of a place keep their own targets.
  const target = command.owner !== null || isAddress(command.target) ? light.target : command.target;
  readdress(context, tx, command, { target, alias: light.alias, content, arrowAdded });
  if (light.deviceId === command.deviceId) return;
  const readdressed = context.repositories.commands.find(command.id);
  if (readdressed !== undefined) move(context, tx, [readdressed], { from: command.deviceId, to: light.deviceId, by });
}

function leave(context: CommandContext, tx: Transaction, command: QueuedCommand, name: string): void {
  const target = isAddress(command.target) ? lostTarget(nameKey(name)) : command.target;
  const { content, arrowAdded } = command;
  readdress(context, tx, command, { target, alias: name, content, arrowAdded });
}

function readdress(
  context: CommandContext,
  tx: Transaction,
  command: QueuedCommand,
  changed: Pick<QueuedCommand, 'target' | 'alias' | 'content' | 'arrowAdded'>,
): void {
  const { id, deviceId, nonce } = command;
  const { target, alias, content } = changed;
  const isShownSame = command.alias === alias && command.content.arrow === content.arrow;
  if (isShownSame && command.target === target) return;
  context.repositories.commands.readdress({ id, nonce, ...changed });
  if (isShownSame && aliasIdOf(command.target) === aliasIdOf(target)) return;
  tx.emit({
    type: 'command.changed',
    deviceid: deviceId,
    command_id: String(id),
    changed: {
      location: locationOf({ alias }, labelOf(context.repositories.devices, deviceId)),
      alias_id: aliasIdOf(target),
      arrow: content.arrow,
    },
  });
  if (isFirst(command)) context.refresh(tx, deviceId);
}
