import type { Arrow } from '#shared/screen/content.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { isFirst, type QueuedCommand } from '../../domain/commandQueue.ts';
import { commandEntry } from '../base/index.ts';
import type { Commands, OwnerMoved } from './commands.ts';
import { labelOf, recordCommand } from './queue.ts';
import { newPosition } from './queuePlace.ts';

/** Open commands whose place changes while they wait or are lit. Every function runs inside a use-case. */
export type CommandMoves = {
  /** Takes these, in their order, from their queue to the end of another device's. Throws `invalid` where that is full. */
  move(tx: Transaction, commands: readonly QueuedCommand[], where: { from: string; to: string; by: string }): void;
  /** The place that these were addressed by is called otherwise now, and its arrow may point another way. */
  readdress(tx: Transaction, commands: readonly QueuedCommand[], place: { alias: string; arrow: Arrow }): void;
};

export function createCommandMoves(parts: {
  repositories: Repositories;
  commands: Pick<Commands, 'goOn'>;
  refresh: (tx: Transaction, deviceId: string) => void;
  due: (tx: Transaction) => void;
  reaches: (deviceId: string) => boolean;
  ownerMoved: OwnerMoved;
}): CommandMoves {
  const { repositories, commands, refresh, due, reaches, ownerMoved } = parts;

  /** As another command: whatever the old device still says of this one is not said of what the new one shows. */
  function moveOne(tx: Transaction, command: QueuedCommand, to: string, by: string): void {
    const { target, alias, nonce, content, arrowAdded, adjusted, adjustment, sender, createdAt, owner } = command;
    const first = repositories.commands.findFirst(to);
    const position = newPosition(repositories, to, first);
    const state = { kind: 'queued', firstAt: first === undefined ? tx.now : null } as const;
    const kept = { target, alias, nonce, content, arrowAdded, adjusted, adjustment, sender, createdAt, owner };
    const outage = state.firstAt === null || reaches(to) ? null : { since: tx.now, until: null };
    const moved = { ...kept, deviceId: to, position, state, outage };
    repositories.commands.remove(command.id);
    const id = repositories.commands.insert(moved);
    const ended = { kind: 'replaced', at: tx.now } as const;
    recordCommand(repositories, tx, command, ended, { by, replacedBy: id, sameContent: true });
    tx.emit({
      type: 'command.moved',
      deviceid: command.deviceId,
      command_id: String(command.id),
      to,
      command: commandEntry({ ...moved, id }, labelOf(repositories, to)),
    });
    if (owner !== null) ownerMoved(tx, owner);
  }

  return {
    move(tx, moved, { from, to, by }) {
      if (moved.length === 0) return;
      for (const command of moved) moveOne(tx, command, to, by);
      if (moved.some(isFirst)) commands.goOn(tx, from);
      refresh(tx, to);
      due(tx);
    },
    readdress(tx, readdressed, { alias, arrow }) {
      for (const command of readdressed) {
        const { id, deviceId, nonce } = command;
        const content = command.arrowAdded ? { ...command.content, arrow } : command.content;
        if (command.alias === alias && command.content.arrow === content.arrow) continue;
        repositories.commands.readdress(id, { alias, nonce, content });
        tx.emit({
          type: 'command.changed',
          deviceid: deviceId,
          command_id: String(id),
          changed: { location: alias, arrow: content.arrow },
        });
        if (isFirst(command)) refresh(tx, deviceId);
      }
    },
  };
}
