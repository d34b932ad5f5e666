import type { CallbackPayload } from '#shared/api/callback.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import type { OutboxRow } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { withNonceAlias } from '../../domain/nonceAlias.ts';
import type { StationClock } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** Writes callbacks into the outbox, in the savepoint of their cause. */
export function createCallbacks(parts: {
  repositories: Pick<Repositories, 'outbox'>;
  settings: SettingsService;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'keep'>;
  /** Random for each start; part of every webhook id of that run. */
  runMark: string;
  /** Receives each new row once it is on disk. */
  offer: (row: OutboxRow) => void;
}) {
  const { repositories, settings, time, runMark, offer } = parts;
  return {
    /** Writes no row without a callback URL, or if the family is off. */
    add(
      tx: Transaction,
      { family, payload, historyId }: { family: CallbackFamily; payload: CallbackPayload; historyId: number },
    ): void {
      const { callback_url, callback_families, nonce_alias } = settings.current();
      if (callback_url === '' || !callback_families[family]) return;
      const text = JSON.stringify(withNonceAlias(payload, nonce_alias));
      const [ranMs, forwardAt] = [time.ranMs(), time.forwardAt()];
      time.keep(tx);
      const id = repositories.outbox.insert({
        runMark,
        historyId,
        family,
        payload: text,
        createdAt: tx.now,
        ranMs,
        forwardAt,
      });
      const row: OutboxRow = {
        id,
        run_mark: runMark,
        family,
        payload: text,
        state: 'pending',
        attempts: 0,
        created_at: tx.now,
        since_ran_ms: ranMs,
        next_attempt_at: forwardAt,
        last_attempt_at: null,
        last_status: null,
        last_error: null,
        last_url: null,
      };
      tx.afterCommit(() => offer(row));
    },
  };
}

export type Callbacks = ReturnType<typeof createCallbacks>;
