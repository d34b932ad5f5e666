import { mapSchema } from '#shared/api/map.ts';
import { setupSchema } from '#shared/api/setup.ts';
import type { Setup } from '../../services/setup.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('access');

export function setupEndpoints(parts: { setup: Setup }): Endpoint[] {
  const { setup } = parts;
  return [
    define('POST /api/setup/', {
      operationId: 'finishSetup',
      summary: 'Choose the password of admin at the first start',
      description: 'Only while the station says setup: pending; afterwards it is refused.',
      right: 'set_up',
      body: setupSchema,
      examples: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
      refusals: { 409: 'There is a password already.' },
      handle: ({ body, by }) => setup.finish(body.password, by),
    }),
    endpointsOf('simulator')('POST /api/setup/demo/', {
      operationId: 'makeDemoShop',
      summary: 'Make a shop of simulated devices to try things with',
      description: 'Two racks with their labels and statics. Refused where there are racks already.',
      right: 'set_up',
      ...noFields,
      status: 201,
      answer: mapSchema,
      refusals: { 409: 'There are racks already.' },
      handle: ({ by }) => setup.makeDemoShop(by),
    }),
  ];
}
