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
    description: 'Only while `setup` of the station is `pending`.',
    body: setupSchema,
    examples: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
    refusals: { 409: 'The password is already set.' },
    handle: ({ body, by }) => setup.finish(body.password, by),
  }),
  define('getFirstDay', 'set_up', 'Get the first steps of a shop', {
    description: 'What is done, as the station knows it. The page shows the list until it is done or dismissed.',
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
    description: 'Two racks with labels and statics. Refused if there are racks.',
    ...noFields,
    status: 201,
    answer: mapSchema,
    refusals: { 409: 'There are already racks.' },
    handle: ({ by }) => demoShop.make(by),
  }),
  endpointsOf('simulator')('getDemoShop', 'set_up', 'Preview the removal of the demo shop', {
    description:
      'Lists what `DELETE` removes: what the demo shop created and nobody changed, with its orders, whether picked or not. Lists are empty if nothing is left.',
    answer: demoShopSchema,
    handle: () => demoShop.get(),
  }),
  endpointsOf('simulator')('removeDemoShop', 'set_up', 'Remove the demo shop', {
    description:
      'Answers what it removed. What you added or changed stays: devices with their own label or screen texts, racks with such devices, and all other orders. History stays, too.',
    ...noFields,
    answer: demoShopSchema,
    refusals: { 409: 'Some of it is lit. Nothing was removed.' },
    handle: ({ by }) => demoShop.remove(by),
  }),
];
