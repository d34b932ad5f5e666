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
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('callbacks');

const query = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  family: z.enum(CALLBACK_FAMILIES).optional().describe('Only of this family, as `callback_families` has them.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.string().optional().describe('The last id of the page before.'),
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
      summary: 'List deliveries, the newest first',
      description:
        'Each callback that was or is to be sent, with the outcome of its last attempt. Without a `callback_url` there are none.',
      right: 'manage_callbacks',
      query,
      parameterExamples: { state: 'pending', family: 'device', limit: 100 },
      answer: z.array(deliverySchema),
      refusals: { 404: 'There is no delivery that `after` names.' },
      handle: ({ query: { state, family, after, limit } }) => deliveries.list({ state, family, after, limit }),
    }),
    define('GET /api/callbacks/counts/', {
      operationId: 'countCallbacks',
      summary: 'How many deliveries wait, and how many were given up',
      right: 'manage_callbacks',
      answer: deliveryCountsSchema,
      handle: () => deliveries.counts(),
    }),
    define('GET /api/callbacks/received/', {
      operationId: 'listReceivedCallbacks',
      summary: 'What the built-in receiver took, the newest first',
      description:
        'For who has no receiver yet: a `callback_url` of http://receiver.invalid/, with replacement fields where you like, goes to none, and the last 100 callbacks are here, in memory. They are made and signed as for any other, and never leave the station.',
      right: 'manage_callbacks',
      answer: z.array(receivedCallbackSchema),
      handle: () => testReceiver.list(),
    }),
    define('DELETE /api/callbacks/received/', {
      operationId: 'forgetReceivedCallbacks',
      summary: 'Forget what the built-in receiver took',
      right: 'manage_callbacks',
      handle: () => testReceiver.forget(),
    }),
    define('POST /api/callbacks/replay/', {
      operationId: 'replayDeadCallbacks',
      summary: 'Try all dead deliveries again',
      description: 'At once, to the `callback_url` of now, under the same `webhook-id`.',
      right: 'manage_callbacks',
      body: replaySchema,
      examples: { dead: { summary: 'All that were given up', value: { state: 'dead' } } },
      answer: replayResultSchema,
      handle: async () => ({ replayed: await dispatcher.replayDead() }),
    }),
    define('POST /api/callbacks/test/', {
      operationId: 'testCallback',
      summary: 'Send one callback about nothing',
      description:
        'Once, as any other is sent: to the `callback_url` of now, with its key, headers and signature. Its DeviceID is 000000:000000, its nonce `test`, its qty 0. It is in no list, and is not tried again.',
      right: 'manage_callbacks',
      answer: testDeliverySchema,
      refusals: { 409: 'No `callback_url` is set, or eight tests wait for the receiver already.' },
      handle: () => dispatcher.test(),
    }),
    define('POST /api/callbacks/{id}/replay/', {
      operationId: 'replayCallback',
      summary: 'Try one delivery again',
      description: 'At once, whatever its state, under the same `webhook-id`.',
      right: 'manage_callbacks',
      params: z.object({ id: z.string() }),
      parameterExamples: { id: 'msg_2b1f9a' },
      answer: deliverySchema,
      refusals: { 404: 'There is no such delivery.' },
      handle: ({ params }) => dispatcher.replay(params.id),
    }),
    // After the routes with a fixed word in its place.
    define('GET /api/callbacks/{id}/', {
      operationId: 'getCallback',
      summary: 'One delivery, with what was sent and answered',
      description: 'Of its last attempt; of the answer its beginning. Secrets are *** in it.',
      right: 'manage_callbacks',
      params: z.object({ id: z.string() }),
      parameterExamples: { id: 'msg_2b1f9a' },
      answer: deliveryExchangeSchema,
      refusals: { 404: 'There is no such delivery.' },
      handle: ({ params }) => deliveries.get(params.id),
    }),
  ];
}
