import { z } from 'zod';
import * as api from '#shared/api/callback.ts';
import type { CallbackQueues, Deliveries, TestCallbacks, TestReceiver } from '../../services/callbacks/index.ts';
import { endpointsOf, idParams, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('callbacks');

const params = idParams('delivery', 'msg_2b1f9a');

type Parts = {
  queues: CallbackQueues;
  testCallbacks: TestCallbacks;
  deliveries: Deliveries;
  testReceiver: Pick<TestReceiver, 'list' | 'forget'>;
};

export const callbackEndpoints = ({ queues, testCallbacks, deliveries, testReceiver }: Parts): Endpoint[] => [
  define('listCallbacks', 'manage_callbacks', 'List the deliveries, newest first', {
    description:
      'Every callback that was sent or waits, once for each receiver, with the result of its last attempt. There are none without a `callback_url`, a `mqtt_url` or a further receiver.',
    query: api.deliveryQuerySchema,
    page: pageBy('id'),
    parameterExamples: { state: 'pending', family: 'device', receiver: 'http', limit: 100 },
    answer: z.array(api.deliverySchema),
    refusals: { 404: 'There is no delivery with the id in `after`.' },
    handle: ({ query: { state, family, receiver, after, limit } }) =>
      deliveries.list({ state, family, receiver, after, limit }),
  }),
  define('countCallbacks', 'manage_callbacks', 'Count the deliveries that wait and that failed', {
    answer: api.deliveryCountsSchema,
    handle: () => deliveries.counts(),
  }),
  define('listReceivedCallbacks', 'manage_callbacks', 'List the callbacks of the built-in receiver, newest first', {
    description:
      'For trying callbacks without a receiver: set `callback_url`, or the `url` of a further receiver, to http://receiver.invalid/, with replacement fields if you like. The station builds and signs each callback as usual, sends nothing, and keeps the last 100 here, in memory.',
    answer: z.array(api.receivedCallbackSchema),
    handle: () => testReceiver.list(),
  }),
  define('forgetReceivedCallbacks', 'manage_callbacks', 'Clear the built-in receiver', {
    actsOutside: true,
    handle: () => testReceiver.forget(),
  }),
  define('replayDeadCallbacks', 'manage_callbacks', 'Retry all failed deliveries', {
    description:
      'Sends callbacks in the state `dead` at once to their receiver, at its current address and with the same `webhook-id`. Leaves out callbacks of deleted receivers.',
    body: api.replaySchema,
    examples: {
      dead: { summary: 'All failed deliveries', value: { state: 'dead' } },
      receiver: { summary: 'Those of one receiver', value: { state: 'dead', receiver: 'http' } },
    },
    answer: api.replayResultSchema,
    refusals: { 404: 'There is no such receiver.' },
    handle: async ({ body }) => ({ replayed: await queues.replayDead(body.receiver) }),
  }),
  define('sendWaitingCallbacks', 'manage_callbacks', 'Send the callbacks that wait', {
    actsOutside: true,
    description:
      'Brings forward the next attempt of everything that waits: oldest first, one at a time, then more as the receiver takes them. Three failed attempts in a row end it, and each callback waits for its own next attempt.',
    answer: api.sentNowSchema,
    handle: () => ({ waiting: queues.sendWaiting() }),
  }),
  define('testCallback', 'manage_callbacks', 'Send a sample callback', {
    actsOutside: true,
    description:
      'Sends a sample callback once to the current `callback_url`, or to a further receiver even while it is paused, with the usual key, headers and signature. Its DeviceID is 000000:000000, its nonce `test`, its qty 0. It is not listed and not retried.',
    body: api.callbackTestSchema,
    bodyOptional: true,
    examples: { receiver: { summary: 'To the receiver in the settings', value: { receiver: 'http' } } },
    answer: api.testDeliverySchema,
    refusals: {
      404: 'There is no such receiver.',
      409: 'No `callback_url` is set, or eight sample callbacks already wait for an answer.',
    },
    handle: ({ body }) => testCallbacks.test(body.receiver),
  }),
  define('replayCallback', 'manage_callbacks', 'Retry a delivery', {
    description: 'Sends it at once, in any state, with the same `webhook-id`.',
    params,
    answer: api.deliverySchema,
    refusals: { 404: 'There is no such delivery.', 409: 'Its receiver was deleted.' },
    handle: ({ params }) => queues.replay(params.id),
  }),
  // This must come after the routes that have a fixed word in place of the id.
  define('getCallback', 'manage_callbacks', 'Get a delivery with its request and answer', {
    description: 'Shows the last attempt and the beginning of the answer. Secrets are replaced by ***.',
    params,
    answer: api.deliveryExchangeSchema,
    refusals: { 404: 'There is no such delivery.' },
    handle: ({ params }) => deliveries.get(params.id),
  }),
];
