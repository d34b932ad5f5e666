import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { isOpen, next } from '../../domain/commands/commandQueue.ts';
import { headQueue, noteOutage } from './queue.ts';
import { findOwn, findWanted, linesAt } from './wantedLine.ts';
import type { PressedLine, CommandContext } from './types.ts';

/** Moves lines of pickers who are at the device, or on the way to it, ahead of other order lines. */
export function arrange(context: CommandContext, tx: Transaction, deviceId: string): void {
  const { repositories } = context;
  const first = repositories.commands.findFirst(deviceId);
  // Never defer commands from callers or steps of sequences.
  if (first?.owner?.kind !== 'item') return;
  const wanted = findWanted(context, deviceId, first);
  const state = next(first.state, { kind: 'putBack' });
  if (wanted === undefined || !isOpen(state)) return;
  // End the outage of the deferred command, because only the first command waits for its device.
  noteOutage(context, tx, first, { kind: 'reached', at: tx.now });
  repositories.commands.setState(first, state);
  repositories.commands.setPosition(wanted, first.position - 1);
  headQueue(context, tx, wanted);
  tx.emit({ type: 'command.first', deviceid: deviceId, command_id: String(wanted.id), waits: String(first.id) });
  context.refresh(tx, deviceId);
  context.due(tx);
}

/** Like `arrange`, but for every device that a picker has reached or is on the way to. */
export function arrangeAll(context: CommandContext, tx: Transaction): void {
  for (const { itemId } of context.currentLines.list()) {
    const deviceId = deviceOf(context, itemId);
    if (deviceId !== undefined) arrange(context, tx, deviceId);
  }
}

/**
 * Returns the pickers who are waiting at this device for a line other than the pressed one. `isQuiet` tells whether only the picker of the
 * pressed line has arrived, so that the press was most likely theirs.
 */
export function waitingAt(
  context: CommandContext,
  deviceId: string,
  { itemId, picker }: PressedLine,
): { people: { picker: string; item_id: number }[]; isQuiet: boolean } {
  const { currentLines } = context;
  const key = nameKey(picker ?? '');
  const others = linesAt(context, deviceId).filter((line) => line.itemId !== itemId && nameKey(line.picker) !== key);
  const own = picker === null ? undefined : currentLines.find(picker);
  const isThere = own?.itemId === itemId && currentLines.hasArrived(own);
  return {
    people: others.map((line) => ({ picker: line.picker, item_id: line.itemId })),
    isQuiet: isThere && !others.some((line) => currentLines.hasArrived(line)),
  };
}

/** Sets the item that this picker's page shows, or none if `itemId` is null. The device shows this item before other order lines. */
export function setCurrent(context: CommandContext, tx: Transaction, picker: string, itemId: number | null): void {
  name(context, tx, picker, { itemId, isThere: false });
}

/** Records that the picker scanned or touched something at this device. The picker's line is then shown first. */
export function arrive(context: CommandContext, tx: Transaction, picker: string, deviceId: string): void {
  const known = context.currentLines.find(picker)?.itemId;
  const isKnown = known !== undefined && deviceOf(context, known) === deviceId;
  const itemId = isKnown ? known : findOwn(context, deviceId, picker);
  if (itemId !== undefined) name(context, tx, picker, { itemId, isThere: true });
}

/** Stores a picker's current line, and updates the devices of this line and of the previous one. */
function name(
  context: CommandContext,
  tx: Transaction,
  picker: string,
  { itemId, isThere }: { itemId: number | null; isThere: boolean },
): void {
  const { currentLines } = context;
  const before = currentLines.find(picker)?.itemId;
  if (itemId === null) currentLines.clear(picker);
  else if (isThere) currentLines.arrive(picker, itemId);
  else currentLines.set(picker, itemId);
  const devices = new Set([before, itemId ?? undefined].map((id) => id && deviceOf(context, id)));
  for (const deviceId of devices) if (typeof deviceId === 'string') arrange(context, tx, deviceId);
}

function deviceOf({ repositories }: CommandContext, itemId: number): string | undefined {
  return repositories.commands.findByOwner({ kind: 'item', id: itemId })?.deviceId;
}
