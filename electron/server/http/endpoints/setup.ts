import { mapSchema } from '#shared/api/map.ts';
import { demoShopSchema, firstDayChangeSchema, firstDaySchema, setupSchema } from '#shared/api/setup.ts';
import type { DemoShopService } from '../../services/demoShop.ts';
import type { FirstDayService } from '../../services/firstDay.ts';
import type { Setup } from '../../services/setup.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('access');

export const setupEndpoints = ({
  setup,
  demoShop,
  firstDay,
}: {
  setup: Setup;
  demoShop: DemoShopService;
  firstDay: FirstDayService;
}): Endpoint[] => [
  define('finishSetup', 'set_up', 'Set the password of admin at the first start', {
    description: 'Available only while `setup` of the station is `pending`.',
    body: setupSchema,
    examples: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
    refusals: { 409: 'The password is already set.' },
    handle: ({ body, by }) => setup.finish(body.password, by),
  }),
  define('getFirstDay', 'set_up', 'Get the first steps of a shop', {
    description: 'Returns which steps are done. The page shows the list until all steps are done or it is dismissed.',
    answer: firstDaySchema,
    handle: () => firstDay.get(),
  }),
  define('changeFirstDay', 'set_up', 'Dismiss the first steps of a shop', {
    description: '`dismissed: false` shows the list again.',
    body: firstDayChangeSchema,
    examples: { dismiss: { summary: 'Close the list', value: { dismissed: true } } },
    answer: firstDaySchema,
    handle: ({ body }) => firstDay.change(body),
  }),
  endpointsOf('simulator')('makeDemoShop', 'set_up', 'Create a demo shop of simulated devices', {
    description: 'Creates two racks with labels and statics. Returns 409 if there are already racks.',
    ...noFields,
    status: 201,
    answer: mapSchema,
    refusals: { 409: 'There are already racks.' },
    handle: ({ by }) => demoShop.make(by),
  }),
  endpointsOf('simulator')('getDemoShop', 'set_up', 'Preview the removal of the demo shop', {
    description:
      'Lists what `DELETE` removes: everything that the demo shop created and that nobody changed, including its orders, picked or not. The lists are empty if nothing is left.',
    answer: demoShopSchema,
    handle: () => demoShop.get(),
  }),
  endpointsOf('simulator')('removeDemoShop', 'set_up', 'Remove the demo shop', {
    description:
      'Returns what was removed. Everything that you added or changed is kept: devices with their own label or screen texts, racks with such devices, and all other orders. History is also kept.',
    ...noFields,
    answer: demoShopSchema,
    refusals: { 409: 'Some of the demo shop is lit. Nothing was removed.' },
    handle: ({ by }) => demoShop.remove(by),
  }),
];
