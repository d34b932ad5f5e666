import { z } from 'zod';
import { mapSchema } from '#shared/api/map.ts';
import { setupSchema } from '#shared/api/setup.ts';
import type { Setup } from '../../services/setup.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

export function setupEndpoints(parts: { setup: Setup }): Endpoint[] {
  const { setup } = parts;
  return [
    endpoint({
      method: 'POST',
      path: '/api/setup/',
      tag: 'access',
      summary: 'Choose the password of admin at the first start',
      description: 'Only while the station says setup: pending; afterwards it is refused.',
      right: 'set_up',
      body: setupSchema,
      status: 204,
      answer: z.undefined(),
      async handle({ body, by }) {
        await setup.finish(body.password, by);
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/setup/demo/',
      tag: 'simulator',
      summary: 'Make a shop of simulated devices to try things with',
      description: 'Two racks with their labels and statics. Refused where there are racks already.',
      right: 'set_up',
      body: z.object({}),
      bodyOptional: true,
      status: 201,
      answer: mapSchema,
      handle: ({ by }) => setup.makeDemoShop(by),
    }),
  ];
}
