import type { HistoryRow } from '../../db/repositories/history.ts';
import type { Owner } from '../../domain/commands/commandQueue.ts';
import type { CommandContext } from './types.ts';

/** Finds the history row with the end of a command. */
export function endOf(rows: readonly HistoryRow[]): HistoryRow | undefined {
  return rows.find(
    ({ kind }) => kind === 'acknowledged' || kind === 'timedOut' || kind === 'killed' || kind === 'replaced',
  );
}

/** Records when the device began to show the first command in its queue. */
export function noteShown(context: CommandContext, deviceId: string, owner: Owner | null, at: number): void {
  // Do not record batch lights, because for them only a bouncing button counts as an early press.
  const picker = owner?.kind === 'item' ? context.ownerPicker(owner) : undefined;
  if (owner === null || picker === undefined) context.shownLines.forget(deviceId);
  else context.shownLines.shows(deviceId, { itemId: owner.id, picker }, at);
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
  const ended = open === undefined ? endOf(repositories.history.listByCommand(token)) : undefined;
  if ((open ?? ended)?.deviceId !== deviceId) return;
  const itemId = open?.owner?.kind === 'item' ? open.owner.id : ended?.detail.shown?.item;
  if (itemId === undefined) return shownLines.showedOther(deviceId, { at, now });
  const picker = ownerPicker({ kind: 'item', id: itemId }) ?? null;
  const isOver = ended?.kind === 'timedOut' || (ended?.kind === 'acknowledged' && ended.detail.by === 'device');
  shownLines.showed(deviceId, { itemId, picker }, { at, now, leftAt: isOver ? ended.at : null });
}

/** Records when the device began to show its background. */
export function noteBackground({ shownLines }: CommandContext, deviceId: string, at: number): void {
  shownLines.clears(deviceId, at);
}
