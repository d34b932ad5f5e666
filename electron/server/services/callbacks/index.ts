export { type Callbacks, createCallbacks } from './callbacks.ts';
export { type Deliveries, createDeliveries, findDelivery } from './deliveries.ts';
export { createDeliveryNotifier } from './deliveryNotifier.ts';
export { type Dispatcher, createDispatcher } from './dispatcher.ts';
export { createCallbackSender } from './sender.ts';
export { type TestReceiver, createTestReceiver } from './testReceiver.ts';
