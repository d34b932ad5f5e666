import { z } from 'zod';
import {
  DELIVERY_STATES,
  deliverySchema,
  replayResultSchema,
  replaySchema,
  testDeliverySchema,
} from '#shared/api/callback.ts';
import type { Dispatcher } from '../../services/dispatcher.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

const query = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.string().optional().describe('The last id of the page before.'),
});

export function callbackEndpoints(parts: { dispatcher: Dispatcher }): Endpoint[] {
  const { dispatcher } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/callbacks/',
      tag: 'callbacks',
      summary: 'List deliveries, the newest first',
      description:
        'Each callback that was or is to be sent, with the outcome of its last attempt. Without a `callback_url` there are none.',
      scope: 'admin',
      query,
      answer: z.array(deliverySchema),
      handle: ({ query: { state, after, limit } }) => dispatcher.list({ state, after, limit }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/callbacks/replay/',
      tag: 'callbacks',
      summary: 'Try all dead deliveries again',
      description: 'At once, to the `callback_url` of now, under the same `webhook-id`.',
      scope: 'admin',
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
      scope: 'admin',
      answer: testDeliverySchema,
      handle: () => dispatcher.test(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/callbacks/{id}/replay/',
      tag: 'callbacks',
      summary: 'Try one delivery again',
      description: 'At once, whatever its state, under the same `webhook-id`.',
      scope: 'admin',
      params: z.object({ id: z.string() }),
      answer: deliverySchema,
      handle: ({ params }) => dispatcher.replay(params.id),
    }),
  ];
}
