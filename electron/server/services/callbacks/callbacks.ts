import type { CallbackPayload, CallbackReceiver } from '#shared/api/callback.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import type { OutboxRow } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { withNonceAlias } from '../../domain/nonceAlias.ts';
import type { StationClock } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** What a callback reports. `at`: when it happened, epoch milliseconds; `picked`: the quantity that it added to its item. */
type Told = { family: CallbackFamily; historyId: number; at: number; picked?: number };

/** Writes callbacks into the outbox, in the savepoint of their cause. */
export function createCallbacks(parts: {
  repositories: Pick<Repositories, 'outbox'>;
  settings: SettingsService;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'keep'>;
  /** Random for each start; part of every webhook id of that run. */
  runMark: string;
  /** Receives each new row once it is on disk. */
  offer: (row: OutboxRow, device: string) => void;
}) {
  const { repositories, settings, time, runMark, offer } = parts;

  /** `webhookNumber`: the row of the other receiver. Returns the number of the row. */
  function insert(
    tx: Transaction,
    receiver: CallbackReceiver,
    webhookNumber: number | null,
    callback: Told & { text: string; device: string; address: string },
  ): number {
    const { family, text: payload, device, historyId, at: eventAt, picked = 0, address } = callback;
    const { revision, now: createdAt } = tx;
    const [ranMs, forwardAt] = [time.ranMs(), time.forwardAt()];
    time.keep(tx);
    const id = repositories.outbox.insert({
      receiver,
      webhookNumber,
      runMark,
      historyId,
      family,
      payload,
      revision,
      eventAt,
      picked,
      createdAt,
      ranMs,
      forwardAt,
      address,
    });
    const row: OutboxRow = {
      id,
      receiver,
      webhook_number: webhookNumber,
      run_mark: runMark,
      family,
      payload,
      revision,
      event_at: eventAt,
      picked,
      state: 'pending',
      attempts: 0,
      uncounted_attempts: 0,
      created_at: createdAt,
      since_ran_ms: ranMs,
      next_attempt_at: forwardAt,
      last_attempt_at: null,
      last_status: null,
      last_error: null,
      last_url: null,
    };
    tx.afterCommit(() => offer(row, device));
    return id;
  }

  return {
    /** Writes a row for each receiver that is set, and none if the family is off. */
    add(tx: Transaction, { payload, ...told }: Told & { payload: CallbackPayload }): void {
      const { callback_url, mqtt_url, callback_families, nonce_alias } = settings.current();
      if (!callback_families[told.family]) return;
      const text = JSON.stringify(withNonceAlias(payload, nonce_alias));
      const device = 'deviceid' in payload ? payload.deviceid : '';
      const callback = { ...told, text, device };
      const ofHttp = callback_url === '' ? null : insert(tx, 'http', null, { ...callback, address: callback_url });
      if (mqtt_url !== '') insert(tx, 'mqtt', ofHttp, { ...callback, address: mqtt_url });
    },
  };
}

export type Callbacks = ReturnType<typeof createCallbacks>;
