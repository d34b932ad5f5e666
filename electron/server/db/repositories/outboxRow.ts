import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import type { DeliveryState, CallbackReceiver } from '#shared/api/callback.ts';
import type { CallbackEvent } from '../../domain/callbacks/callbackRequest.ts';

/** One callback for one receiver. The payload is fixed; the address is read at each attempt. */
export type OutboxRow = CallbackEvent & {
  id: number;
  receiver: CallbackReceiver;
  /** Name of an additional receiver; null for other receivers and for deleted ones. */
  receiver_name: string | null;
  /** Id of the callback's first row, which is part of the webhook id; null if this is the first row. */
  webhook_number: number | null;
  /** Random mark of the run that wrote the row. Id and mark together are unique among all stations. */
  run_mark: string;
  family: CallbackFamily;
  payload: string;
  state: DeliveryState;
  attempts: number;
  /** Attempts that do not count for the retry schedule: early attempts, and attempts before a replay. */
  uncounted_attempts: number;
  created_at: number;
  /** The station's running time when the row was created or replayed, in milliseconds. */
  since_ran_ms: number;
  /** Due time of the next attempt, in forward time. See docs/decisions/0006. */
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  last_url: string | null;
};

/** Returns the number that stands for a receiver in rows. For an additional receiver, this is its id. */
export function numberOf(receiver: CallbackReceiver): number {
  if (receiver === 'http') return 0;
  return receiver === 'mqtt' ? 1 : Number(receiver);
}

/**
 * Returns the webhook id. It is the same for all receivers, retries and restarts, and unique among stations, even if they were restored
 * from a backup.
 */
export function webhookId({
  id,
  webhook_number,
  run_mark,
}: Pick<OutboxRow, 'id' | 'webhook_number' | 'run_mark'>): string {
  return `msg_${run_mark}_${webhook_number ?? id}`;
}

/** Returns the id of the delivery in the API. */
export function deliveryId(row: Pick<OutboxRow, 'id' | 'receiver' | 'webhook_number' | 'run_mark'>): string {
  return `${webhookId(row)}${row.receiver === 'http' ? '' : `.${row.receiver}`}`;
}

/** The columns of an `OutboxRow`. */
export const COLUMNS = `id, CASE receiver WHEN 0 THEN 'http' WHEN 1 THEN 'mqtt' ELSE CAST(receiver AS TEXT) END AS receiver,
  (SELECT name FROM callback_receivers WHERE callback_receivers.id = receiver) AS receiver_name, webhook_number, run_mark, family, payload, revision, event_at, picked, state, attempts, uncounted_attempts, created_at, since_ran_ms, next_attempt_at, last_attempt_at, last_status,
  last_error, iif(last_attempt_at IS NULL, NULL, last_url) AS last_url`;
