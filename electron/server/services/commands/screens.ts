import type { HistoryRow } from '../../db/repositories/history.ts';
import type { Owner } from '../../domain/commands/commandQueue.ts';
import type { LineOwner } from '../../domain/orders/currentLines.ts';
import { lineOwnerOf } from './wantedLine.ts';
import type { CommandContext } from './types.ts';

/** Returns the line that an ended command lit, or undefined if it lit none. */
export function endedLine({ detail }: Pick<HistoryRow, 'detail'>): LineOwner | undefined {
  if (detail.pick !== undefined) return { kind: 'pick', id: detail.pick };
  return detail.shown === undefined ? undefined : { kind: 'item', id: detail.shown.item };
}

/** Records when the device began to show the first command in its queue. */
export function noteShown(context: CommandContext, deviceId: string, owner: Owner | null, at: number): void {
  const line = lineOwnerOf({ owner });
  const picker = line === undefined ? undefined : context.ownerPicker(line);
  if (line === undefined || picker === undefined) context.shownLines.forget(deviceId);
  else context.shownLines.shows(deviceId, { owner: line, picker }, at);
}

/**
 * Records that, at time `at`, the device showed a command that has since ended or been deferred. People saw that command before the next
 * line, so it decides whether a press is early.
 */
export function noteShownBefore(
  context: CommandContext,
  deviceId: string,
  token: number,
  { at, now }: { at: number; now: number },
): void {
  const { repositories, ownerPicker, shownLines } = context;
  const open = repositories.commands.find(token);
  const ended = open === undefined ? repositories.history.findEnd(token) : undefined;
  if ((open ?? ended)?.deviceId !== deviceId) return;
  const owner = open === undefined ? ended && endedLine(ended) : lineOwnerOf(open);
  if (owner === undefined) return shownLines.showedOther(deviceId, { at, now });
  const picker = ownerPicker(owner) ?? null;
  const isOver = ended?.kind === 'timedOut' || (ended?.kind === 'acknowledged' && ended.detail.by === 'device');
  shownLines.showed(deviceId, { owner, picker }, { at, now, leftAt: isOver ? ended.at : null });
}

/** Records when the device began to show its background. */
export function noteBackground({ shownLines }: CommandContext, deviceId: string, at: number): void {
  shownLines.clears(deviceId, at);
}
