import { z } from 'zod';
import { CALLBACK_FAMILIES } from '#shared/api/settings.ts';
import {
  DELIVERY_STATES,
  deliveryCountsSchema,
  deliveryExchangeSchema,
  deliverySchema,
  receivedCallbackSchema,
  replayResultSchema,
  replaySchema,
  testDeliverySchema,
} from '#shared/api/callback.ts';
import type { Deliveries, Dispatcher, TestReceiver } from '../../services/callbacks/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('callbacks');

const params = idParams('delivery', 'msg_2b1f9a');

const query = z.object({
  state: z.enum(DELIVERY_STATES).optional().describe('Only in this state.'),
  family: z.enum(CALLBACK_FAMILIES).optional().describe('Only this family of `callback_families`.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('At most this many deliveries.'),
  after: z.string().optional().describe('The last id of the previous page.'),
});

export function callbackEndpoints(parts: {
  dispatcher: Dispatcher;
  deliveries: Deliveries;
  testReceiver: Pick<TestReceiver, 'list' | 'forget'>;
}): Endpoint[] {
  const { dispatcher, deliveries, testReceiver } = parts;
  return [
    define('GET /api/callbacks/', {
      operationId: 'listCallbacks',
      summary: 'List the deliveries, newest first',
      description:
        'Every callback that was sent or waits, with the result of its last attempt. There are none without a `callback_url`.',
      right: 'manage_callbacks',
      query,
      parameterExamples: { state: 'pending', family: 'device', limit: 100 },
      answer: z.array(deliverySchema),
      refusals: { 404: 'There is no delivery with the id in `after`.' },
      handle: ({ query: { state, family, after, limit } }) => deliveries.list({ state, family, after, limit }),
    }),
    define('GET /api/callbacks/counts/', {
      operationId: 'countCallbacks',
      summary: 'Count the deliveries that wait and that failed',
      right: 'manage_callbacks',
      answer: deliveryCountsSchema,
      handle: () => deliveries.counts(),
    }),
    define('GET /api/callbacks/received/', {
      operationId: 'listReceivedCallbacks',
      summary: 'List the callbacks of the built-in receiver, newest first',
      description:
        'For trying callbacks without a receiver: set `callback_url` to http://receiver.invalid/, with replacement fields if you like. The station builds and signs each callback as usual, sends nothing, and keeps the last 100 here, in memory.',
      right: 'manage_callbacks',
      answer: z.array(receivedCallbackSchema),
      handle: () => testReceiver.list(),
    }),
    define('DELETE /api/callbacks/received/', {
      operationId: 'forgetReceivedCallbacks',
      summary: 'Clear the built-in receiver',
      right: 'manage_callbacks',
      handle: () => testReceiver.forget(),
    }),
    define('POST /api/callbacks/replay/', {
      operationId: 'replayDeadCallbacks',
      summary: 'Retry all failed deliveries',
      description: 'Sends those in the state `dead` at once to the current `callback_url`, with the same `webhook-id`.',
      right: 'manage_callbacks',
      body: replaySchema,
      examples: { dead: { summary: 'All failed deliveries', value: { state: 'dead' } } },
      answer: replayResultSchema,
      handle: async () => ({ replayed: await dispatcher.replayDead() }),
    }),
    define('POST /api/callbacks/test/', {
      operationId: 'testCallback',
      summary: 'Send a sample callback',
      description:
        'Sends it once to the current `callback_url`, with the usual key, headers and signature. Its DeviceID is 000000:000000, its nonce `test`, its qty 0. It is not listed and not retried.',
      right: 'manage_callbacks',
      answer: testDeliverySchema,
      refusals: { 409: 'No `callback_url` is set, or eight sample callbacks already wait for the receiver.' },
      handle: () => dispatcher.test(),
    }),
    define('POST /api/callbacks/{id}/replay/', {
      operationId: 'replayCallback',
      summary: 'Retry a delivery',
      description: 'Sends it at once, in any state, with the same `webhook-id`.',
      right: 'manage_callbacks',
      params,
      answer: deliverySchema,
      refusals: { 404: 'There is no such delivery.' },
      handle: ({ params }) => dispatcher.replay(params.id),
    }),
    // After the routes with a fixed word in its place.
    define('GET /api/callbacks/{id}/', {
      operationId: 'getCallback',
      summary: 'Get a delivery with its request and answer',
      description: 'Shows the last attempt and the beginning of the answer. Secrets are replaced by ***.',
      right: 'manage_callbacks',
      params,
      answer: deliveryExchangeSchema,
      refusals: { 404: 'There is no such delivery.' },
      handle: ({ params }) => deliveries.get(params.id),
    }),
  ];
}
