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
import { endpoint, type Endpoint } from '../endpoint.ts';

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
    endpoint({
      method: 'GET',
      path: '/api/callbacks/',
      tag: 'callbacks',
      summary: 'List deliveries, the newest first',
      description:
        'Each callback that was or is to be sent, with the outcome of its last attempt. Without a `callback_url` there are none.',
      right: 'manage_callbacks',
      query,
      answer: z.array(deliverySchema),
      handle: ({ query: { state, family, after, limit } }) => deliveries.list({ state, family, after, limit }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/callbacks/counts/',
      tag: 'callbacks',
      summary: 'How many deliveries wait, and how many were given up',
      right: 'manage_callbacks',
      answer: deliveryCountsSchema,
      handle: () => deliveries.counts(),
    }),
    endpoint({
      method: 'GET',
      path: '/api/callbacks/received/',
      tag: 'callbacks',
      summary: 'What the built-in receiver took, the newest first',
      description:
        'For who has no receiver yet: a `callback_url` of http://receiver.invalid/, with replacement fields where you like, goes to none, and the last 100 callbacks are here, in memory. They are made and signed as for any other, and never leave the station.',
      right: 'manage_callbacks',
      answer: z.array(receivedCallbackSchema),
      handle: () => testReceiver.list(),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/callbacks/received/',
      tag: 'callbacks',
      summary: 'Forget what the built-in receiver took',
      right: 'manage_callbacks',
      status: 204,
      answer: z.undefined(),
      handle: () => testReceiver.forget(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/callbacks/replay/',
      tag: 'callbacks',
      summary: 'Try all dead deliveries again',
      description: 'At once, to the `callback_url` of now, under the same `webhook-id`.',
      right: 'manage_callbacks',
      body: replaySchema,
      answer: replayResultSchema,
      handle: async () => ({ replayed: await dispatcher.replayDead() }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/callbacks/test/',
      tag: 'callbacks',
      summary: 'Send one callback about nothing',
      description:
        'Once, as any other is sent: to the `callback_url` of now, with its key, headers and signature. Its DeviceID is 000000:000000, its nonce `test`, its qty 0. It is in no list, and is not tried again.',
      right: 'manage_callbacks',
      answer: testDeliverySchema,
      handle: () => dispatcher.test(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/callbacks/{id}/replay/',
      tag: 'callbacks',
      summary: 'Try one delivery again',
      description: 'At once, whatever its state, under the same `webhook-id`.',
      right: 'manage_callbacks',
      params: z.object({ id: z.string() }),
      answer: deliverySchema,
      handle: ({ params }) => dispatcher.replay(params.id),
    }),
    // Behind those with a word of their own there.
    endpoint({
      method: 'GET',
      path: '/api/callbacks/{id}/',
      tag: 'callbacks',
      summary: 'One delivery, with what was sent and answered',
      description: 'Of its last attempt; of the answer its beginning. Secrets are *** in it.',
      right: 'manage_callbacks',
      params: z.object({ id: z.string() }),
      answer: deliveryExchangeSchema,
      handle: ({ params }) => deliveries.get(params.id),
    }),
  ];
}
