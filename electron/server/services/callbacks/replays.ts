import type { Delivery } from '#shared/api/callback.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { StationClock } from '../base/index.ts';
import { deliveryEntry, findDelivery } from './deliveries.ts';

/** Rows replayed in one use-case, which bounds how long it holds the loop. */
const REPLAYED_AT_ONCE = 1_000;

/** Makes deliveries pending again, for either receiver. */
export function createReplays(parts: {
  repositories: Pick<Repositories, 'outbox'>;
  reads: Pick<Repositories, 'outbox'>;
  writer: Writer;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'>;
  /** Call once these are due again on disk. */
  replayed: (ids: readonly number[]) => void;
}) {
  const { repositories, reads, writer, time, replayed } = parts;

  /** Within a use-case. */
  function replayThese(tx: Transaction, ids: readonly number[]): void {
    const now = { ranMs: time.ranMs(), forwardAt: time.forwardAt() };
    for (const id of ids) repositories.outbox.replay(id, now);
    time.keep(tx);
    tx.afterCommit(() => replayed(ids));
  }

  return {
    /** Throws `not_found`. */
    async replay(id: string): Promise<Delivery> {
      await writer.write((tx) => replayThese(tx, [findDelivery(repositories, id).id]));
      return deliveryEntry(reads, findDelivery(reads, id), time);
    },
    /** Returns the number of dead deliveries that are pending again. */
    async replayDead(): Promise<number> {
      const newest = reads.outbox.newestDead();
      let count = 0;
      for (let after = 0; after < newest;) {
        const from = after;
        const ids = await writer.write((tx) => {
          const page = repositories.outbox.listDead(from, newest, REPLAYED_AT_ONCE);
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

export type Replays = ReturnType<typeof createReplays>;
