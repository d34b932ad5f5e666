import { VERSION } from '#shared/api/version.ts';
import type { CoreOf } from '../../core.ts';
import type { HttpClient } from '../../ports.ts';
import { createCallbacks } from './callbacks.ts';
import { createDeliveries } from './deliveries.ts';
import { createDeliveryNotifier } from './deliveryNotifier.ts';
import { createDispatcher } from './dispatcher.ts';
import { createReceiverWatch } from './receiverWatch.ts';
import { createCallbackSender } from './sender.ts';
import { createTestCallbacks } from './testCallback.ts';
import { createTestReceiver } from './testReceiver.ts';

export type { Callbacks } from './callbacks.ts';
export { type Deliveries, findDelivery } from './deliveries.ts';
export type { Dispatcher } from './dispatcher.ts';
export type { ReceiverWatch } from './receiverWatch.ts';
export type { TestCallbacks } from './testCallback.ts';
export type { TestReceiver } from './testReceiver.ts';

/** Callbacks: written with what they tell, sent once that is on disk. `http` sends them. */
export function createCallbackGroup(core: CoreOf<'callbacks'>, { http }: { http: HttpClient }) {
  const testReceiver = createTestReceiver(core);
  const receiver = createReceiverWatch({ ...core, changed: () => changed() });
  const { changed, stop } = createDeliveryNotifier({ ...core, trouble: receiver.trouble });
  core.onStop(stop);
  const sender = createCallbackSender({ ...core, http, testReceiver, version: VERSION });
  const dispatcher = createDispatcher({ ...core, sender, changed, receiver });
  const testCallbacks = createTestCallbacks({ ...core, sender, changed });
  core.onStart(() => {
    core.onStop(() => receiver.stop());
    receiver.start();
    core.onStop(() => testCallbacks.stop());
    core.onStop(() => dispatcher.stop());
    core.onStop(core.bus.subscribe({ clockChange: dispatcher.look }));
    dispatcher.start();
  });
  // An underscore separates it from the number in a webhook id.
  const runMark = Buffer.from(core.ids.bytes(9)).toString('base64url').replaceAll('_', '-');
  const callbacks = createCallbacks({ ...core, runMark, offer: (row) => dispatcher.offer(row) });
  return { callbacks, dispatcher, receiver, testCallbacks, testReceiver, deliveries: createDeliveries(core) };
}
