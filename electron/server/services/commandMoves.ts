import type { Arrow } from '#shared/screen/content.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction } from '../db/writer.ts';
import { isFirst, type QueuedCommand } from '../domain/commandQueue.ts';
import type { Commands, OwnerMoved } from './commands.ts';
import { labelOf, recordCommand } from './commandHistory.ts';
import { commandEntry } from './deviceEntry.ts';
import { newPosition } from './queuePlace.ts';

/** Open commands whose place changes while they wait or are lit. Every function runs inside a use-case. */
export type CommandMoves = {
  /** Takes these, in their order, from their queue to the end of another device's. Throws `invalid` where that is full. */
  move(unit: Transaction, commands: readonly QueuedCommand[], where: { from: string; to: string; by: string }): void;
  /** The place that these were addressed by is called otherwise now, and its arrow may point another way. */
  readdress(unit: Transaction, commands: readonly QueuedCommand[], place: { alias: string; arrow: Arrow }): void;
};

export function createCommandMoves(parts: {
  rows: Repositories;
  commands: Pick<Commands, 'goOn'>;
  refresh: (unit: Transaction, deviceId: string) => void;
  due: (unit: Transaction) => void;
  reaches: (deviceId: string) => boolean;
  ownerMoved: OwnerMoved;
}): CommandMoves {
  const { rows, commands, refresh, due, reaches, ownerMoved } = parts;

  /** As another command: whatever the old device still says of this one is not said of what the new one shows. */
  function moveOne(unit: Transaction, command: QueuedCommand, to: string, by: string): void {
    const { target, alias, nonce, content, arrowAdded, adjusted, adjustment, sender, createdAt, owner } = command;
    const first = rows.commands.findFirst(to);
    const position = newPosition(rows, to, first);
    const state = { kind: 'queued', firstAt: first === undefined ? unit.now : null } as const;
    const kept = { target, alias, nonce, content, arrowAdded, adjusted, adjustment, sender, createdAt, owner };
    const outage = state.firstAt === null || reaches(to) ? null : { since: unit.now, until: null };
    const moved = { ...kept, deviceId: to, position, state, outage };
    rows.commands.remove(command.id);
    const id = rows.commands.insert(moved);
    const ended = { kind: 'replaced', at: unit.now } as const;
    recordCommand(rows, unit, command, ended, { by, replacedBy: id, sameContent: true });
    unit.emit({
      type: 'command.moved',
      deviceid: command.deviceId,
      command_id: String(command.id),
      to,
      command: commandEntry({ ...moved, id }, labelOf(rows, to)),
    });
    if (owner !== null) ownerMoved(unit, owner);
  }

  return {
    move(unit, moved, { from, to, by }) {
      if (moved.length === 0) return;
      for (const command of moved) moveOne(unit, command, to, by);
      if (moved.some(isFirst)) commands.goOn(unit, from);
      refresh(unit, to);
      due(unit);
    },
    readdress(unit, readdressed, { alias, arrow }) {
      for (const command of readdressed) {
        const { id, deviceId, nonce } = command;
        const content = command.arrowAdded ? { ...command.content, arrow } : command.content;
        if (command.alias === alias && command.content.arrow === content.arrow) continue;
        rows.commands.readdress(id, { alias, nonce, content });
        unit.emit({
          type: 'command.changed',
          deviceid: deviceId,
          command_id: String(id),
          changed: { location: alias, arrow: content.arrow },
        });
        if (isFirst(command)) refresh(unit, deviceId);
      }
    },
  };
}
