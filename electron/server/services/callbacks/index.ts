import { VERSION } from '#shared/api/version.ts';
import type { CoreOf } from '../../core.ts';
import type { HttpClient } from '../../ports.ts';
import { createBrokerQueue } from './brokerQueue.ts';
import { createCallbacks } from './callbacks.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryNotifier } from './deliveryNotifier.ts';
import { createDispatcher } from './dispatcher.ts';
import { createReceiverWatch } from './receiverWatch.ts';
import { createReplays, type Replays } from './replays.ts';
import { createCallbackSender } from './sender.ts';
import { createTestCallbacks } from './testCallback.ts';
import { createTestReceiver } from './testReceiver.ts';

export type { BrokerQueue, Published } from './brokerQueue.ts';
export type { Callbacks } from './callbacks.ts';
export { type Deliveries, findDelivery } from './deliveries.ts';
export type { ReceiverWatch } from './receiverWatch.ts';
export type { TestCallbacks } from './testCallback.ts';
export type { TestReceiver } from './testReceiver.ts';

/** What people ask of the deliveries to all receivers. `sendWaiting` returns how much waits. */
export type CallbackQueues = Replays & { sendWaiting(): number };

/** Callbacks: written with what they tell, sent once that is on disk. `http` sends them. */
export function createCallbackGroup(core: CoreOf<'callbacks'>, { http }: { http: HttpClient }) {
  const testReceiver = createTestReceiver(core);
  const receiver = createReceiverWatch({ ...core, which: 'http', changed: () => changed() });
  const broker = createReceiverWatch({ ...core, which: 'mqtt', changed: () => changed() });
  const { changed, stop } = createDeliveryNotifier({ ...core, trouble: receiver.trouble });
  core.onStop(stop);
  const sender = createCallbackSender({ ...core, http, testReceiver, version: VERSION });
  const dispatcher = createDispatcher({ ...core, sender, changed, receiver, held: () => core.settings.held('http') });
  const brokerQueue = createBrokerQueue({ ...core, changed, receiver: broker });
  const replays = createReplays({
    ...core,
    replayed(ids) {
      changed();
      dispatcher.replayed(ids);
      brokerQueue.replayed(ids);
    },
  });
  const testCallbacks = createTestCallbacks({ ...core, sender, changed });
  core.onStart(() => {
    for (const watch of [receiver, broker]) {
      core.onStop(() => watch.stop());
      watch.start();
    }
    core.onStop(() => brokerQueue.stop());
    core.onStop(() => testCallbacks.stop());
    core.onStop(() => dispatcher.stop());
    core.onStop(
      core.bus.subscribe({
        clockChange: dispatcher.look,
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) dispatcher.reconsider();
        },
      }),
    );
    dispatcher.start();
  });
  // An underscore separates it from the number in a webhook id.
  const runMark = Buffer.from(core.ids.bytes(9)).toString('base64url').replaceAll('_', '-');
  const callbacks = createCallbacks({
    ...core,
    runMark,
    offer: (row, device) => (row.receiver === 'http' ? dispatcher.offer(row) : brokerQueue.offer(row, device)),
  });
  const queues = { ...replays, sendWaiting: () => dispatcher.sendWaiting() + brokerQueue.sendWaiting() };
  const deliveries = createDeliveries(core);
  return { callbacks, dispatcher, brokerQueue, queues, receiver, broker, testCallbacks, testReceiver, deliveries };
}
