import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { type CurrentLine, type LineOwner, lineToShow } from '../../domain/orders/currentLines.ts';
import type { CurrentLines } from './currentLines.ts';

type Tables = {
  repositories: TablesOf<'commands'>;
  currentLines: CurrentLines;
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>) => string | null | undefined;
};

/** Lists the current lines at this device that are still open and still belong to their pickers. */
export function linesAt({ currentLines, repositories, ownerPicker }: Tables, deviceId: string): CurrentLine[] {
  return currentLines.list().filter(({ picker, owner }) => {
    const command = repositories.commands.findByOwner(owner);
    return command?.deviceId === deviceId && isOf(ownerPicker(owner), picker);
  });
}

/** Finds the command that should be first in the queue instead of `head`, because its picker is at the device or on the way. */
export function findWanted(context: Tables, deviceId: string, head: QueuedCommand): QueuedCommand | undefined {
  const { currentLines, repositories } = context;
  const lines = linesAt(context, deviceId);
  if (lines.length === 0 || repositories.devices.find(deviceId)?.buttons === 0) return undefined;
  const wanted = lineToShow(lines, lineOwnerOf(head) ?? null, currentLines.now());
  return wanted === undefined ? undefined : repositories.commands.findByOwner(wanted);
}

/** Finds this picker's first line at the device. */
export function findOwn(
  { repositories, ownerPicker }: Tables,
  deviceId: string,
  picker: string,
): LineOwner | undefined {
  const lines = repositories.commands.list(deviceId).flatMap((command) => lineOwnerOf(command) ?? []);
  return lines.find((line) => isOf(ownerPicker(line), picker));
}

/** Returns the line that a command lights, or undefined if it lights none. */
export function lineOwnerOf({ owner }: Pick<QueuedCommand, 'owner'>): LineOwner | undefined {
  return owner?.kind === 'item' || owner?.kind === 'pick' ? { kind: owner.kind, id: owner.id } : undefined;
}

function isOf(owner: string | null | undefined, picker: string): boolean {
  return typeof owner === 'string' && nameKey(owner) === nameKey(picker);
}
