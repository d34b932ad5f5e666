import type { TimelineCallback } from '#shared/api/history.ts';
import type { HistoryDetail, HistoryRow } from '../../db/repositories/history.ts';
import { parseObject } from '../../db/parseJson.ts';
import { deliveryId, type OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { QueuedCommand } from '../../domain/commands/commandQueue.ts';
import type { DeliveryRecord, EndRecord, CommandRecord } from '../../domain/commands/timeline.ts';
import { isoOrNull } from '../base/index.ts';
import { outageOf, timeOf } from './entry.ts';

/** History row that records how a command ended. */
export type EndedRow = HistoryRow & { kind: EndRecord['kind'] };

const ENDINGS: ReadonlySet<string> = new Set([
  'acknowledged',
  'timedOut',
  'killed',
  'replaced',
] satisfies EndRecord['kind'][]);

export function isEnding(row: HistoryRow): row is EndedRow {
  return ENDINGS.has(row.kind);
}

/** Returns the record of a lit or waiting command. */
export function lifeOfOpen({ sender, createdAt, state, outage, adjusted, adjustment }: QueuedCommand): CommandRecord {
  return {
    sender,
    createdAt,
    firstAt: state.firstAt,
    sentAt: state.kind === 'queued' ? null : state.sentAt,
    shownAt: state.kind === 'shown' ? state.shownAt : null,
    outage,
    adjusted: adjusted === null || adjustment === null ? undefined : { ...adjustment, quantity: adjusted },
    ended: undefined,
    late: [],
    deliveries: [],
  };
}

/** Returns the record of an ended command. */
export function lifeOfEnded(
  { kind, at, qty, detail }: EndedRow,
  { late, callbacks }: { late: readonly HistoryRow[]; callbacks: readonly OutboxRow[] },
): CommandRecord {
  return {
    sender: detail.sender ?? '',
    createdAt: timeOf(detail.createdAt),
    firstAt: timeOf(detail.firstAt),
    sentAt: timeOf(detail.sentAt),
    shownAt: timeOf(detail.shownAt),
    outage: outageOf(detail),
    adjusted: adjustmentOf(detail),
    ended: {
      kind,
      at,
      by: detail.by ?? '',
      qty,
      reason: detail.reason ?? '',
      replacedBy: replacedByOf(detail),
      committedAt: timeOf(detail.committedAt),
    },
    late: late.map(({ at, detail: { ageMs = 0, presses = 1, lastAt } }) => ({
      at,
      committedAt: at + ageMs,
      presses,
      lastAt: timeOf(lastAt),
    })),
    deliveries: callbacks.map(deliveryOf),
  };
}

/** Returns the id of the command that replaced this one, or null if none did. */
export function replacedByOf({ replacedBy }: HistoryDetail): string | null {
  return replacedBy === undefined ? null : String(replacedBy);
}

function adjustmentOf({ adjusted, adjustedAt, adjustedBy }: HistoryDetail): CommandRecord['adjusted'] {
  const at = timeOf(adjustedAt);
  return at === null || typeof adjusted !== 'number' ? undefined : { at, by: adjustedBy ?? '', quantity: adjusted };
}

/** Returns the event that a callback reports, such as `ack` or `item_added`, or the callback's family if the callback names no event. */
export function eventOf(row: OutboxRow): string {
  const { acknack, order_event: event } = parseObject(row.payload) as { acknack?: unknown; order_event?: unknown };
  return [acknack, event].find((word) => typeof word === 'string') ?? row.family;
}

export function deliveryOf(row: OutboxRow): DeliveryRecord {
  return {
    receiver: row.receiver,
    receiverName: row.receiver_name,
    acknack: eventOf(row),
    state: row.state,
    attempts: row.attempts,
    lastAt: row.last_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

export function callbackEntry(row: OutboxRow): TimelineCallback {
  return {
    id: deliveryId(row),
    acknack: eventOf(row),
    state: row.state,
    attempts: row.attempts,
    at: new Date(row.created_at).toISOString(),
    last_status: row.last_status,
    last_error: row.last_error,
    delivered_at: isoOrNull(row.state === 'delivered' ? row.last_attempt_at : null),
  };
}
