import type {
  CallbackReceiverChange,
  CallbackReceiverEntry,
  NewCallbackReceiver,
} from '#shared/api/callbackReceiver.ts';
import type { TablesOf } from '../../core.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { type By, createSecretTags } from '../base/index.ts';
import type { HttpReceivers } from './httpReceivers.ts';
import { type FurtherReceiver, type ReceiverBook, unknownReceiver } from './receiverBook.ts';

/** Manages additional receivers in API form. */
export function createFurtherReceivers(parts: {
  book: ReceiverBook;
  receivers: Pick<HttpReceivers, 'find' | 'endAbandoned'>;
  reads: TablesOf<'callbacks'>;
}) {
  const { book, receivers, reads } = parts;
  const tagOf = createSecretTags();

  function entryOf(receiver: FurtherReceiver): CallbackReceiverEntry {
    const { id, name, url, families, isPaused, secrets, closed } = receiver;
    const watch = receivers.find(id)?.watch;
    const last = watch?.last() ?? null;
    const owed = reads.outbox.of(id);
    return {
      id,
      name,
      url,
      families,
      paused: isPaused,
      api_key_set: secrets.api_key !== null || closed.has('api_key'),
      signing_secret_set: secrets.signing_secret !== null || closed.has('signing_secret'),
      unreadable_secrets: [...closed.keys()],
      waiting: owed.countPending(),
      failed: owed.countDead(),
      last: last && { ...last, at: isoTime(last.at) },
      trouble: watch?.trouble() ?? null,
    };
  }

  /** Throws `not_found`. */
  function get(id: string): CallbackReceiverEntry {
    const receiver = book.find(id);
    if (receiver === undefined) throw unknownReceiver(id);
    return entryOf(receiver);
  }

  return {
    list: (): CallbackReceiverEntry[] => book.list().map(entryOf),
    get,
    /** Returns the receiver with a digest of each secret, so that the entity tag changes when a secret changes. */
    tagView(entry: CallbackReceiverEntry): object {
      const { api_key, signing_secret } = book.find(entry.id)?.secrets ?? {};
      return { ...entry, api_key: tagOf(api_key ?? null), signing_secret: tagOf(signing_secret ?? null) };
    },
    async add(receiver: NewCallbackReceiver, by: By): Promise<CallbackReceiverEntry> {
      return get(await book.add(receiver, by));
    },
    /** Changes a receiver. `check` gets the receiver before the change, and can throw. */
    async change(
      id: string,
      change: CallbackReceiverChange,
      by: By,
      check: (current: CallbackReceiverEntry) => void,
    ): Promise<CallbackReceiverEntry> {
      await book.change(id, change, by, () => check(get(id)));
      return get(id);
    },
    /** Removes a receiver and marks its waiting callbacks as dead. `check` is called as in `change`. */
    async remove(id: string, by: By, check: (current: CallbackReceiverEntry) => void): Promise<void> {
      await book.remove(id, by, () => check(get(id)));
      await receivers.endAbandoned();
    },
  };
}

export type FurtherReceivers = ReturnType<typeof createFurtherReceivers>;
