import type { Arrow } from '#shared/screen/content.ts';
import type { Transaction } from '../../db/writer.ts';
import { isFirst, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { showNext, outageAt } from './queue.ts';
import type { CommandContext } from './types.ts';
import { newPosition } from './queuePlace.ts';
import { succeed } from './sending.ts';

/** Moves open commands when their place changes. Call these functions inside a transaction. */

export function createCommandMoves(context: CommandContext) {
  return {
    move: (tx: Transaction, commands: readonly QueuedCommand[], where: MovedBetween) =>
      move(context, tx, commands, where),
    readdress: (tx: Transaction, commands: readonly QueuedCommand[], place: NewAddress) =>
      readdress(context, tx, commands, place),
  };
}

export type CommandMoves = ReturnType<typeof createCommandMoves>;

/** The two devices between which commands move, and who caused the move. */
type MovedBetween = { from: string; to: string; by: string };

type NewAddress = { alias: string; arrow: Arrow };

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

/** Updates these commands after their alias was renamed or its arrow changed. */
function readdress(
  context: CommandContext,
  tx: Transaction,
  readdressed: readonly QueuedCommand[],
  { alias, arrow }: NewAddress,
): void {
  for (const command of readdressed) {
    const { id, deviceId, nonce } = command;
    const content = command.arrowAdded ? { ...command.content, arrow } : command.content;
    if (command.alias === alias && command.content.arrow === content.arrow) continue;
    context.repositories.commands.readdress(id, { alias, nonce, content });
    tx.emit({
      type: 'command.changed',
      deviceid: deviceId,
      command_id: String(id),
      changed: { location: alias, arrow: content.arrow },
    });
    if (isFirst(command)) context.refresh(tx, deviceId);
  }
}
