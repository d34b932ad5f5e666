import type { CallbackReceiver } from '#shared/api/callback.ts';
import { VERSION } from '#shared/api/version.ts';
import type { CoreOf } from '../../core.ts';
import type { OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { HttpClient } from '../../ports.ts';
import { createForegroundQueue } from '../../scheduling/index.ts';
import { createBrokerQueue } from './brokerQueue.ts';
import { createCallbacks } from './callbacks.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryNotifier } from './deliveryNotifier.ts';
import { createFurtherReceivers } from './furtherReceivers.ts';
import { hostOf } from './httpReceiver.ts';
import { createHttpReceivers } from './httpReceivers.ts';
import { createReceiverBook, unknownReceiver } from './receiverBook.ts';
import { createReceiverWatch } from './receiverWatch.ts';
import { createReplays, type Replays } from './replays.ts';
import { createCallbackSender } from './sender.ts';
import { createTestCallbacks } from './testCallback.ts';
import { createTestReceiver } from './testReceiver.ts';

export { templateDoubts, urlDoubts } from '../../domain/callbacks/callbackRequest.ts';
export type { BrokerQueue, Published } from './brokerQueue.ts';
export type { Callbacks } from './callbacks.ts';
export { type Deliveries, findDelivery } from './deliveries.ts';
export type { FurtherReceivers } from './furtherReceivers.ts';
export type { ReceiverBook } from './receiverBook.ts';
export type { ReceiverWatch } from './receiverWatch.ts';
export type { TestCallbacks } from './testCallback.ts';
export type { TestReceiver } from './testReceiver.ts';

/** Actions on the deliveries of all receivers. `sendWaiting` returns the number of waiting callbacks. */
export type CallbackQueues = Replays & { sendWaiting(): number };

/** Writes callbacks in the transaction of their cause, and sends them over `http` after the commit. */
export function createCallbackGroup(core: CoreOf<'callbacks'>, { http }: { http: HttpClient }) {
  const { settings } = core;
  const testReceiver = createTestReceiver(core);
  const receiverBook = createReceiverBook(core);
  const { changed, stop } = createDeliveryNotifier({ ...core, trouble: () => receivers.first.watch.trouble() });
  core.onStop(stop);
  const sender = createCallbackSender({ ...core, http, testReceiver, version: VERSION });
  const receivers = createHttpReceivers(core, { book: receiverBook, sender, changed });
  const broker = createReceiverWatch({
    ...core,
    receiver: 'mqtt',
    isSet: () => settings.current().mqtt_url !== '',
    subject: () => hostOf(settings.current().mqtt_url),
    changed,
  });
  const brokerQueue = createBrokerQueue({ ...core, changed, receiver: broker });

  /** Throws `not_found`. */
  function targetOf(receiver: CallbackReceiver) {
    const found = receivers.find(receiver);
    if (found === undefined) throw unknownReceiver(receiver);
    return found.target;
  }

  function offer(row: OutboxRow, device: string): void {
    if (row.receiver === 'mqtt') return brokerQueue.offer(row, device);
    const receiver = receivers.find(row.receiver);
    if (receiver !== undefined) receiver.dispatcher.offer(row);
    // The receiver was deleted in the same commit, so end its waiting callbacks.
    else receivers.endAbandonedSoon();
  }

  const replays = createReplays({
    ...core,
    refuseUnknown(receiver) {
      if (receiver !== 'mqtt') targetOf(receiver);
    },
    replayed(ids) {
      changed();
      for (const { dispatcher } of receivers.list()) dispatcher.replayed(ids);
      brokerQueue.replayed(ids);
    },
  });
  const testCallbacks = createTestCallbacks({ ...core, targetOf, sender, changed });
  core.onStart(() => {
    core.onStop(
      core.bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) broker.reconsider();
        },
      }),
    );
    core.onStop(() => broker.stop());
    broker.start();
    core.onStop(() => brokerQueue.stop());
    core.onStop(() => testCallbacks.stop());
    core.onStop(() => receivers.stop());
    receivers.start();
  });
  // Replace underscores, which separate the run from the number in webhook ids.
  const runMark = Buffer.from(core.ids.bytes(9)).toString('base64url').replaceAll('_', '-');
  const callbacks = createCallbacks({ ...core, book: receiverBook, runMark, offer });
  const queues = {
    ...replays,
    sendWaiting: () =>
      receivers
        .list()
        .reduce((waiting, { dispatcher }) => waiting + dispatcher.sendWaiting(), brokerQueue.sendWaiting()),
  };
  const foregroundReads = createForegroundQueue(core);
  core.onStop(() => foregroundReads.stop());
  const deliveries = createDeliveries({
    ...core,
    foregroundReads,
    held: () =>
      [
        ...receivers.list().map(({ target }) => (target.isSet() ? target.held() : undefined)),
        settings.hasReceiver('mqtt') ? settings.held('mqtt') : undefined,
      ].find((why) => why !== undefined),
  });
  return {
    callbacks,
    brokerQueue,
    queues,
    /** Returns the monitors of all HTTP receivers and of the broker. */
    watches: () => [...receivers.list().map(({ watch }) => watch), broker],
    receiver: receivers.first.watch,
    broker,
    receiverBook,
    furtherReceivers: createFurtherReceivers({ ...core, book: receiverBook, receivers }),
    /** Whether no HTTP delivery is in flight. */
    isSent: receivers.idle,
    testCallbacks,
    testReceiver,
    deliveries,
  };
}
