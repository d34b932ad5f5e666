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
      'Lists each sent or waiting callback, once per receiver, with the result of its last attempt. The list is empty without a `callback_url`, an `mqtt_url` or a further receiver.',
    query: api.deliveryQuerySchema,
    page: pageBy('id'),
    parameterExamples: { state: 'pending', family: 'device', receiver: 'http', limit: 100 },
    answer: z.array(api.deliverySchema),
    refusals: { 404: 'There is no delivery with the id in `after`.' },
    handle: ({ query: { state, family, receiver, after, limit } }) =>
      deliveries.list({ state, family, receiver, after, limit }),
  }),
  define('countCallbacks', 'manage_callbacks', 'Count waiting and failed deliveries', {
    answer: api.deliveryCountsSchema,
    handle: () => deliveries.counts(),
  }),
  define('listReceivedCallbacks', 'manage_callbacks', 'List the callbacks of the built-in receiver, newest first', {
    description:
      'For trying callbacks without your own receiver: set `callback_url`, or the `url` of a further receiver, to http://receiver.invalid/, optionally with replacement fields. The station creates and signs each callback as usual, but does not send it, and keeps the last 100 in memory.',
    answer: z.array(api.receivedCallbackSchema),
    handle: () => testReceiver.list(),
  }),
  define('forgetReceivedCallbacks', 'manage_callbacks', 'Clear the built-in receiver', {
    actsOutside: true,
    handle: () => testReceiver.forget(),
  }),
  define('replayDeadCallbacks', 'manage_callbacks', 'Retry all failed deliveries', {
    isFinal: true,
    description:
      'Sends callbacks with the state `dead` immediately to the current address of their receiver, with the same `webhook-id`. Leaves out callbacks of deleted receivers.',
    body: api.replaySchema,
    examples: {
      dead: { summary: 'All failed deliveries', value: { state: 'dead' } },
      receiver: { summary: 'Failed deliveries of one receiver', value: { state: 'dead', receiver: 'http' } },
    },
    answer: api.replayResultSchema,
    refusals: { 404: 'There is no such receiver.' },
    handle: async ({ body }) => ({ replayed: await queues.replayDead(body.receiver) }),
  }),
  define('sendWaitingCallbacks', 'manage_callbacks', 'Send waiting callbacks immediately', {
    isFinal: true,
    actsOutside: true,
    description:
      'Does not wait for the next scheduled attempts: sends the oldest callback first, one at a time, then more in parallel while the receiver accepts them. Stops after three failed attempts in a row; each callback then waits for its next scheduled attempt.',
    answer: api.sentNowSchema,
    handle: () => ({ waiting: queues.sendWaiting() }),
  }),
  define('testCallback', 'manage_callbacks', 'Send a sample callback', {
    actsOutside: true,
    description:
      'Sends a sample callback once to the current `callback_url`, or to a further receiver even while it is paused, with the usual key, headers and signature. Its `deviceid` is `000000:000000`, its `nonce` is `test`, and its `qty` is 0. It is not listed and not retried.',
    body: api.callbackTestSchema,
    bodyOptional: true,
    examples: { receiver: { summary: 'To the receiver in the settings', value: { receiver: 'http' } } },
    answer: api.testDeliverySchema,
    refusals: {
      404: 'There is no such receiver.',
      409: 'No `callback_url` is set, or eight sample callbacks already wait for a response.',
    },
    handle: ({ body }) => testCallbacks.test(body.receiver),
  }),
  define('replayCallback', 'manage_callbacks', 'Retry a delivery', {
    isFinal: true,
    description: 'Sends the callback immediately, in any state, with the same `webhook-id`.',
    params,
    answer: api.deliverySchema,
    refusals: { 404: 'There is no such delivery.', 409: 'Its receiver was deleted.' },
    handle: ({ params }) => queues.replay(params.id),
  }),
  // This must come after the routes that have a fixed word in place of the id.
  define('getCallback', 'manage_callbacks', 'Get a delivery with its request and response', {
    description: 'Returns the last attempt and the beginning of the response. Secrets are replaced with ***.',
    params,
    answer: api.deliveryExchangeSchema,
    refusals: { 404: 'There is no such delivery.' },
    handle: ({ params }) => deliveries.get(params.id),
  }),
];
