import type { CallbackReceiver, Delivery } from '#shared/api/callback.ts';
import type { TablesOf } from '../../core.ts';
import type { OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { RunningClock } from '../base/index.ts';
import { deliveryEntry, findDelivery } from './deliveries.ts';

/** Maximum number of rows to replay per transaction, which limits how long the event loop is blocked. */
const REPLAYED_AT_ONCE = 1_000;

/** Makes deliveries pending again. */
export function createReplays(parts: {
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Writer;
  time: Pick<RunningClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'>;
  /** Throws `not_found` if the receiver does not exist. */
  refuseUnknown: (receiver: CallbackReceiver) => void;
  /** Called with the ids of the rows once their new due time is on disk. */
  replayed: (ids: readonly number[]) => void;
}) {
  const { repositories, reads, writer, time, refuseUnknown, replayed } = parts;

  /** Makes deliveries due now, inside a transaction. */
  function replayThese(tx: Transaction, ids: readonly number[]): void {
    const now = { ranMs: time.ranMs(), forwardAt: time.forwardAt() };
    for (const id of ids) repositories.outbox.replay(id, now);
    time.keep(tx);
    tx.afterCommit(() => replayed(ids));
  }

  return {
    /** Replays one delivery. Throws `not_found`, or `conflict` if the delivery's receiver was deleted. */
    async replay(id: string): Promise<Delivery> {
      await writer.write((tx) => {
        const row = findDelivery(repositories.outbox, id);
        if (isDeleted(row)) {
          throw new StationError('conflict', 'The receiver of this callback was deleted, so it cannot be sent again.');
        }
        replayThese(tx, [row.id]);
      });
      return deliveryEntry(reads.outbox, findDelivery(reads.outbox, id), time);
    },
    /** Replays the dead deliveries of one receiver, or of all existing receivers. Returns the number of deliveries. */
    async replayDead(receiver: CallbackReceiver | undefined): Promise<number> {
      if (receiver !== undefined) refuseUnknown(receiver);
      const newest = reads.outbox.newestDead();
      let count = 0;
      for (let after = 0; after < newest;) {
        const from = after;
        const ids = await writer.write((tx) => {
          const page = repositories.outbox.listDead({ after: from, newest, limit: REPLAYED_AT_ONCE, receiver });
          replayThese(tx, page);
          return page;
        });
        count += ids.length;
        after = ids.length < REPLAYED_AT_ONCE ? newest : (ids.at(-1) ?? newest);
      }
      return count;
    },
  };
}

/** Whether the delivery belongs to a receiver that no longer exists. */
function isDeleted({ receiver, receiver_name }: OutboxRow): boolean {
  return receiver !== 'http' && receiver !== 'mqtt' && receiver_name === null;
}

export type Replays = ReturnType<typeof createReplays>;
