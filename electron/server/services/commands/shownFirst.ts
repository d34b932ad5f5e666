import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { isOpen, next } from '../../domain/commands/commandQueue.ts';
import { isSameLine, type LineOwner } from '../../domain/orders/currentLines.ts';
import { headQueue, noteOutage } from './queue.ts';
import { findOwn, findWanted, lineOwnerOf, linesAt } from './wantedLine.ts';
import type { PressedLine, CommandContext } from './types.ts';

/** Moves lines of pickers who are at the device, or on the way to it, ahead of other lines. */
export function arrange(context: CommandContext, tx: Transaction, deviceId: string): void {
  const { repositories } = context;
  const first = repositories.commands.findFirst(deviceId);
  // Never defer commands from callers or steps of sequences.
  if (first === undefined || lineOwnerOf(first) === undefined) return;
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
  for (const { owner } of context.currentLines.list()) {
    const deviceId = deviceOf(context, owner);
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
  { owner, picker }: PressedLine,
): { people: { picker: string; item_id: number }[]; isQuiet: boolean } {
  const { currentLines } = context;
  const key = nameKey(picker ?? '');
  const others = linesAt(context, deviceId).filter(
    (line) => !isSameLine(line.owner, owner) && nameKey(line.picker) !== key,
  );
  const own = picker === null ? undefined : currentLines.find(picker);
  const isThere = own !== undefined && isSameLine(own.owner, owner) && currentLines.hasArrived(own);
  return {
    people: others.flatMap((line) => {
      const itemId = context.ownerItem(line.owner);
      return itemId === undefined ? [] : [{ picker: line.picker, item_id: itemId }];
    }),
    isQuiet: isThere && !others.some((line) => currentLines.hasArrived(line)),
  };
}

/** Sets the line that this picker's page shows, or none if `owner` is null. The device shows this line before other lines. */
export function setCurrent(context: CommandContext, tx: Transaction, picker: string, owner: LineOwner | null): void {
  name(context, tx, picker, { owner, isThere: false });
}

/** Records that the picker scanned or touched something at this device. The picker's line is then shown first. */
export function arrive(context: CommandContext, tx: Transaction, picker: string, deviceId: string): void {
  const known = context.currentLines.find(picker)?.owner;
  const isKnown = known !== undefined && deviceOf(context, known) === deviceId;
  const owner = isKnown ? known : findOwn(context, deviceId, picker);
  if (owner !== undefined) name(context, tx, picker, { owner, isThere: true });
}

/** Stores a picker's current line, and updates the devices of this line and of the previous one. */
function name(
  context: CommandContext,
  tx: Transaction,
  picker: string,
  { owner, isThere }: { owner: LineOwner | null; isThere: boolean },
): void {
  const { currentLines } = context;
  const before = currentLines.find(picker)?.owner;
  if (owner === null) currentLines.clear(picker);
  else if (isThere) currentLines.arrive(picker, owner);
  else currentLines.set(picker, owner);
  const devices = new Set([before, owner ?? undefined].map((line) => line && deviceOf(context, line)));
  for (const deviceId of devices) if (deviceId !== undefined) arrange(context, tx, deviceId);
}

function deviceOf({ repositories }: CommandContext, owner: LineOwner): string | undefined {
  return repositories.commands.findByOwner(owner)?.deviceId;
}
