import type { CallbackReceiver } from '#shared/api/callback.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { createHttpReceiver, furtherTarget, type HttpReceiver, settingsTarget } from './httpReceiver.ts';
import type { ReceiverBook } from './receiverBook.ts';
import type { CallbackSender } from './sender.ts';

/** Maximum number of deliveries to end per transaction, which limits how long the event loop is blocked. */
const ENDED_AT_ONCE = 1_000;
const DELETED = 'The receiver was deleted before it took this callback.';

/** Manages all HTTP receivers: first the main receiver from the settings, then the additional ones. */
export function createHttpReceivers(
  core: CoreOf<'callbacks'>,
  parts: { book: ReceiverBook; sender: CallbackSender; changed: () => void },
) {
  const { repositories, reads, writer, settings, bus, log } = core;
  const { book, changed } = parts;
  const first = createHttpReceiver(core, { ...parts, target: settingsTarget(settings) });
  const receivers = new Map<CallbackReceiver, HttpReceiver>([['http', first]]);
  let known = book.list();
  let unsubscribe: (() => void) | undefined;
  addNew();

  function addNew(): HttpReceiver[] {
    const added = book
      .list()
      .filter(({ id }) => !receivers.has(id))
      .map(({ id }) => createHttpReceiver(core, { ...parts, target: furtherTarget(id, book, settings) }));
    for (const receiver of added) receivers.set(receiver.target.receiver, receiver);
    return added;
  }

  /** Stops deleted receivers, notifies existing receivers of the change, and starts new ones. */
  function follow(): void {
    for (const [id, receiver] of receivers) {
      if (id === 'http' || book.find(id) !== undefined) receiver.reconsider();
      else {
        receiver.stop();
        receivers.delete(id);
      }
    }
    for (const receiver of addNew()) receiver.start();
    if (known === book.list()) return;
    known = book.list();
    changed();
  }

  /** Marks waiting callbacks of deleted receivers as dead. */
  async function endAbandoned(): Promise<void> {
    // Query again for each part, so that a repeated request continues with the remaining deliveries.
    const endNext = (tx: Transaction): number => {
      const ids = repositories.outbox.listAbandoned(ENDED_AT_ONCE);
      for (const id of ids) repositories.outbox.end(DELETED, id);
      if (ids.length > 0) tx.afterCommit(changed);
      return ids.length;
    };
    if (reads.outbox.listAbandoned(1).length === 0) return;
    while ((await writer.write(endNext)) === ENDED_AT_ONCE);
  }

  function endAbandonedSoon(): void {
    endAbandoned().catch((error: unknown) =>
      log.error({ err: error }, 'could not end callbacks of deleted receivers; will retry at the next start'),
    );
  }

  return {
    first,
    /** Lists the receivers, main receiver first. */
    list: (): HttpReceiver[] => [...receivers.values()],
    find: (receiver: CallbackReceiver): HttpReceiver | undefined => receivers.get(receiver),
    /** Marks the waiting callbacks of a deleted receiver as dead. Call once the deletion is on disk. */
    endAbandoned,
    /** Like `endAbandoned`, but does not wait. Call if a receiver was deleted while a row for it was being written. */
    endAbandonedSoon,
    idle: (): boolean => [...receivers.values()].every(({ dispatcher }) => dispatcher.idle()),
    start(): void {
      unsubscribe = bus.subscribe({
        clockChange() {
          for (const { dispatcher } of receivers.values()) dispatcher.look();
        },
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) follow();
        },
      });
      for (const receiver of receivers.values()) receiver.start();
      endAbandonedSoon();
    },
    stop(): void {
      unsubscribe?.();
      for (const receiver of receivers.values()) receiver.stop();
    },
  };
}

export type HttpReceivers = ReturnType<typeof createHttpReceivers>;
