import { mapSchema } from '#shared/api/map.ts';
import { setupSchema } from '#shared/api/setup.ts';
import type { Setup } from '../../services/setup.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('access');

export const setupEndpoints = ({ setup }: { setup: Setup }): Endpoint[] => [
  define('finishSetup', 'set_up', 'Set the password of admin at the first start', {
    description: 'Only while `setup` of the station is `pending`.',
    body: setupSchema,
    examples: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
    refusals: { 409: 'The password is already set.' },
    handle: ({ body, by }) => setup.finish(body.password, by),
  }),
  endpointsOf('simulator')('makeDemoShop', 'set_up', 'Create a demo shop of simulated devices', {
    description: 'Two racks with labels and statics. Refused if there are racks.',
    ...noFields,
    status: 201,
    answer: mapSchema,
    refusals: { 409: 'There are racks already.' },
    handle: ({ by }) => setup.makeDemoShop(by),
  }),
];
