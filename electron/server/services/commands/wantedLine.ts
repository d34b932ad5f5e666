import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { type CurrentLine, itemToShow } from '../../domain/orders/currentLines.ts';
import type { CurrentLines } from './currentLines.ts';

type Tables = {
  repositories: TablesOf<'commands'>;
  currentLines: CurrentLines;
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>) => string | null | undefined;
};

/** Lists the current lines at this device that are still open and still belong to their pickers. */
export function linesAt({ currentLines, repositories, ownerPicker }: Tables, deviceId: string): CurrentLine[] {
  return currentLines.list().filter(({ picker, itemId }) => {
    const command = repositories.commands.findByOwner({ kind: 'item', id: itemId });
    return command?.deviceId === deviceId && isOf(ownerPicker({ kind: 'item', id: itemId }), picker);
  });
}

/** Finds the command that should be first in the queue instead of `head`, because its picker is at the device or on the way. */
export function findWanted(context: Tables, deviceId: string, head: QueuedCommand): QueuedCommand | undefined {
  const { currentLines, repositories } = context;
  const lines = linesAt(context, deviceId);
  if (lines.length === 0 || repositories.devices.find(deviceId)?.buttons === 0) return undefined;
  const shown = head.owner?.kind === 'item' ? head.owner.id : null;
  const itemId = itemToShow(lines, shown, currentLines.now());
  return itemId === undefined ? undefined : repositories.commands.findByOwner({ kind: 'item', id: itemId });
}

/** Finds this picker's first line at the device. */
export function findOwn({ repositories, ownerPicker }: Tables, deviceId: string, picker: string): number | undefined {
  const own = repositories.commands.list(deviceId).find(({ owner }) => {
    return owner?.kind === 'item' && isOf(ownerPicker(owner), picker);
  });
  return own?.owner?.id;
}

function isOf(owner: string | null | undefined, picker: string): boolean {
  return typeof owner === 'string' && nameKey(owner) === nameKey(picker);
}
