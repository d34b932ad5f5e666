import type {
  CallbackReceiver,
  Delivery,
  DeliveryCounts,
  DeliveryExchange,
  DeliveryState,
} from '#shared/api/callback.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import { parseObject } from '../../db/parseJson.ts';
import { deliveryId, webhookId, type OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { TablesOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import { hideInBody, hideInUrl } from '../../domain/station/hiddenSecrets.ts';
import { StationError } from '../../errors.ts';
import { type RunningClock, isoOrNull } from '../base/index.ts';
import { type StepQueue } from '../../scheduling/index.ts';

type WallTime = Pick<RunningClock, 'toWall'>;

/** Number of deliveries to read per step, which takes about 1 ms. */
const LISTED_AT_ONCE = 50;

type DeliveryList = {
  state: DeliveryState | undefined;
  family: CallbackFamily | undefined;
  receiver: CallbackReceiver | undefined;
  /** The list continues after this delivery id. */
  after: string | undefined;
  limit: number;
};

/** Reads deliveries in API form. */
export function createDeliveries({
  reads,
  time,
  foregroundReads,
  held,
}: {
  reads: TablesOf<'callbacks'>;
  time: WallTime;
  foregroundReads: Pick<StepQueue, 'takeAll'>;
  /** Returns why no callbacks are sent although a receiver is configured, or undefined if callbacks are sent. */
  held: () => string | undefined;
}) {
  return {
    /** Lists deliveries, newest first. Rejects with `not_found` for an unknown `after`. */
    list: (query: DeliveryList): Promise<Delivery[]> => foregroundReads.takeAll(listInParts({ reads, time }, query)),
    /** Returns a delivery with its request and response. Throws `not_found`. */
    get(id: string): DeliveryExchange {
      const row = findDelivery(reads.outbox, id);
      const attempt = reads.outbox.findAttempt(row.id);
      const entry = deliveryEntry(reads.outbox, row, time);
      if (attempt === undefined) return { ...entry, request: null, answer: null, milliseconds: null };
      const { request, answer } = attempt;
      return {
        ...entry,
        request: {
          method: request.method,
          url: hideInUrl(request.url),
          headers: listed(request.headers),
          body: request.method === 'POST' ? row.payload : '',
        },
        answer:
          answer === null
            ? null
            : {
                headers: listed(answer.headers),
                body: answer.body === null ? null : hideInBody(answer.body),
                whole: answer.whole,
              },
        milliseconds: attempt.milliseconds,
      };
    },
    counts(): DeliveryCounts {
      const { pending, dead, oldestPendingAt } = reads.outbox.counts();
      return { pending, dead, oldest_pending: isoOrNull(oldestPendingAt), held: held() ?? null };
    },
  };
}

function* listInParts(
  { reads, time }: { reads: TablesOf<'callbacks'>; time: WallTime },
  { after, limit, ...filter }: DeliveryList,
): InParts<Delivery[]> {
  const entries: Delivery[] = [];
  let before = after === undefined ? undefined : findDelivery(reads.outbox, after).id;
  while (entries.length < limit) {
    const most = Math.min(LISTED_AT_ONCE, limit - entries.length);
    const rows = reads.outbox.list({ ...filter, after: before, limit: most });
    entries.push(...rows.map((row) => deliveryEntry(reads.outbox, row, time)));
    if (rows.length < most) break;
    before = rows.at(-1)?.id;
    yield;
  }
  return entries;
}

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Finds a delivery by its API id in this outbox. Throws `not_found`. */
export function findDelivery(outbox: Repositories['outbox'], id: string): OutboxRow {
  const [, digits, receiver = 'http'] = /_(\d{1,15})(?:\.(mqtt|[1-9]\d{0,8}))?$/.exec(id) ?? [];
  const row = outbox.findOf(receiver, Number(digits ?? 0));
  if (row === undefined || deliveryId(row) !== id) {
    throw new StationError('not_found', `There is no delivery ${id}.`);
  }
  return row;
}

export function deliveryEntry(outbox: Repositories['outbox'], row: OutboxRow, time: WallTime): Delivery {
  const command = outbox.findCommand(row.id);
  return {
    id: deliveryId(row),
    receiver: row.receiver,
    receiver_name: row.receiver_name,
    webhook_id: webhookId(row),
    state: row.state,
    family: row.family,
    payload: parseObject(row.payload) as Record<string, unknown>,
    url: row.last_url,
    attempts: row.attempts,
    next_attempt: row.next_attempt_at === null ? null : isoOrNull(time.toWall(row.next_attempt_at)),
    last_attempt: isoOrNull(row.last_attempt_at),
    last_status: row.last_status,
    last_error: row.last_error,
    created: new Date(row.created_at).toISOString(),
    command_id: command === undefined ? null : String(command),
  };
}

function listed(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
