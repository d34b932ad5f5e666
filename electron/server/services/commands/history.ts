import { isoTime } from '../../domain/isoTime.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import { locationOf, workOf, type CommandState, type QueuedCommand } from '../../domain/commandQueue.ts';
import { isoOrNull } from '../base/index.ts';

/** A row in history, and what it calls the place: the callback that tells of it says the same. */
export type Recorded = { historyId: number; location: string };

/** Who ended a command, and what else its timeline tells of that. */
export type EndDetail = Pick<HistoryDetail, 'by' | 'reason' | 'replacedBy' | 'sameContent'>;

/** Writes into history that a command is over. Runs inside the use-case of that. */
export function recordCommand(
  repositories: Repositories,
  tx: Transaction,
  command: QueuedCommand,
  state: Extract<CommandState, { at: number }>,
  extra: EndDetail,
): Recorded {
  const { state: open, deviceId } = command;
  const location = locationOf(command, labelOf(repositories, deviceId));
  const historyId = repositories.history.insert({
    at: state.at,
    kind: state.kind,
    deviceId,
    commandId: command.id,
    nonce: command.nonce,
    location,
    qty: 'qty' in state ? state.qty : 0,
    work: workOf(command.owner),
    detail: {
      sender: command.sender,
      target: command.target,
      content: command.content,
      createdAt: isoOrNull(command.createdAt),
      firstAt: isoOrNull(open.firstAt),
      sentAt: isoOrNull(open.kind === 'queued' ? null : open.sentAt),
      shownAt: isoOrNull(open.kind === 'shown' ? open.shownAt : null),
      unreachableAt: isoOrNull(command.outage?.since ?? null),
      reachedAt: isoOrNull(command.outage?.until ?? null),
      adjusted: command.adjusted,
      adjustedAt: isoOrNull(command.adjustment?.at ?? null),
      adjustedBy: command.adjustment?.by ?? null,
      committedAt: isoTime(tx.now),
      ...extra,
    },
  });
  return { historyId, location };
}

/** The label that the device has now. */
export function labelOf(repositories: Repositories, deviceId: string): string {
  return repositories.devices.findPlace(deviceId)?.label ?? '';
}
