import type { CallbackPayload, CallbackReceiver } from '#shared/api/callback.ts';
import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import type { TablesOf } from '../../core.ts';
import type { OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { Transaction } from '../../db/writer.ts';
import { withNonceAlias } from '../../domain/commands/nonceAlias.ts';
import type { RunningClock } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { ReceiverBook } from './receiverBook.ts';

/**
 * The event that a callback reports. `at` is in epoch milliseconds. `picked` is the quantity that the event adds to the item. `historyId`
 * is null if the event is not in the history.
 */
type CallbackEvent = { family: CallbackFamily; historyId: number | null; at: number; picked?: number };

/** A receiver of a callback. `name` is the name of an additional receiver, or null for the main receiver and the broker. */
type Recipient = { receiver: CallbackReceiver; name: string | null; address: string };

/** Writes callbacks to the outbox, in the same savepoint as the change that causes them. */
export function createCallbacks(parts: {
  repositories: TablesOf<'callbacks'>;
  settings: Pick<SettingsService, 'current' | 'hasReceiver'>;
  book: Pick<ReceiverBook, 'list'>;
  time: Pick<RunningClock, 'ranMs' | 'forwardAt' | 'keep'>;
  /** Random text of this run of the station, which is part of every webhook id. */
  runMark: string;
  /** Called with each new row once it is on disk. */
  offer: (row: OutboxRow, device: string) => void;
}) {
  const { repositories, settings, book, time, runMark, offer } = parts;

  function recipients(family: CallbackFamily): Recipient[] {
    const { callback_url, mqtt_url, callback_families } = settings.current();
    const first = [
      { receiver: 'http', name: null, address: callback_url },
      { receiver: 'mqtt', name: null, address: mqtt_url },
    ] as const;
    const further = book.list().filter(({ families }) => families[family]);
    return [
      ...(callback_families[family] ? first.filter(({ receiver }) => settings.hasReceiver(receiver)) : []),
      ...further.map(({ id, name, url }) => ({ receiver: id, name, address: url })),
    ];
  }

  /**
   * Writes a row and returns its number. `webhookNumber` is the row number of the first receiver, or null if this row is for the first
   * receiver.
   */
  function insert(
    tx: Transaction,
    { receiver, name, address }: Recipient,
    webhookNumber: number | null,
    callback: CallbackEvent & { text: string; device: string },
  ): number {
    const { family, text: payload, device, historyId, at: eventAt, picked = 0 } = callback;
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
      receiver_name: name,
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
    /** Writes one row for each receiver of this callback family. */
    add(tx: Transaction, { payload, ...event }: CallbackEvent & { payload: CallbackPayload }): void {
      const all = recipients(event.family);
      if (all.length === 0) return;
      const text = JSON.stringify(withNonceAlias(payload, settings.current().nonce_alias));
      const device = 'deviceid' in payload ? payload.deviceid : '';
      const callback = { ...event, text, device };
      let first: number | null = null;
      for (const recipient of all) {
        const id = insert(tx, recipient, first, callback);
        first ??= id;
      }
    },
  };
}

export type Callbacks = ReturnType<typeof createCallbacks>;
