import { mapSchema } from '#shared/api/map.ts';
import { setupSchema } from '#shared/api/setup.ts';
import type { Setup } from '../../services/setup.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('access');

export function setupEndpoints(parts: { setup: Setup }): Endpoint[] {
  const { setup } = parts;
  return [
    define('finishSetup', {
      summary: 'Set the password of admin at the first start',
      description: 'Only while `setup` of the station is `pending`.',
      right: 'set_up',
      body: setupSchema,
      examples: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
      refusals: { 409: 'The password is already set.' },
      handle: ({ body, by }) => setup.finish(body.password, by),
    }),
    endpointsOf('simulator')('makeDemoShop', {
      summary: 'Create a demo shop of simulated devices',
      description: 'Two racks with labels and statics. Refused if there are racks.',
      right: 'set_up',
      ...noFields,
      status: 201,
      answer: mapSchema,
      refusals: { 409: 'There are racks already.' },
      handle: ({ by }) => setup.makeDemoShop(by),
    }),
  ];
}
