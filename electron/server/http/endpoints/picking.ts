import { z } from 'zod';
import * as api from '#shared/api/picking.ts';
import type { Access } from '../../services/access/index.ts';
import type { Picking } from '../../services/picking/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('orders');

type Parts = { picking: Picking; people: Pick<Access['people'], 'nameOf'> };

/** Contract, section 16. */
export const pickingEndpoints = ({ picking, people }: Parts): Endpoint[] => [
  define('listWork', 'read', 'List what is lit, in walking order', {
    description:
      'What is lit or waits behind other work of its device: past the racks in the order of the map, in each shelf by shelf, the first from left to right, the next from right to left. Devices without a place come last, by label.',
    query: api.workQuerySchema,
    parameterExamples: { picker: 'Paula', order: 'SO-1001' },
    answer: z.array(api.workLineSchema),
    handle: ({ query }) => picking.work(query),
  }),
  define('getNextOrder', 'read', 'Get the order to take next', {
    description:
      'Of the orders that nobody picks: first those that need attention, then by priority, due time and age. A launch for a picker takes it.',
    answer: api.nextOrderSchema,
    handle: () => picking.next(),
  }),
  define('listPickers', 'read', 'List the people who can pick', {
    description: 'Everybody who can sign in, with the color and the unfinished orders of each.',
    answer: z.array(api.pickerSchema),
    handle: () => picking.pickers(),
  }),
  define('listShortReasons', 'read', 'List the reasons for a short', {
    description: 'The setting `short_reasons`, which only an admin may change.',
    answer: z.array(z.string()),
    handle: () => picking.shortReasons(),
  }),
  define('setOwnColor', 'work', 'Choose the color of a picker', {
    description: 'Only a person has one. What is lit already keeps its color.',
    body: api.ownColorSchema,
    dialect: lenientFields({ color: 'text', picker: 'text' }),
    examples: { cyan: { summary: 'Cyan', value: { color: 'cyan', picker: 'Paula' } } },
    answer: api.pickerSchema,
    refusals: { 409: 'There is no such person: a program has no color.' },
    handle: ({ body, caller }) => picking.setColor(body.picker ?? caller.name, body.color),
  }),
  define('scan', 'work', 'Say what a scanned code means, and do it', {
    description:
      'The code is looked for as an order number, a location alias, a label, a DeviceID, a UPC, a SKU and a name, in this order, ignoring case and GS1 prefixes: of a GS1 code the GTIN counts. With `act` the line is acknowledged as by a press, or the order is taken for the person who scans; otherwise nothing changes. The same code with `act` within two seconds from one caller counts once.',
    body: api.scanSchema,
    dialect: lenientFields({ code: 'text', order_number: 'text', picker: 'text', quantity: 'number', key: 'text' }),
    examples: {
      ask: { summary: 'What is this?', value: { code: 'A-4-1' } },
      act: {
        summary: 'Picked, confirmed by a scan of the article',
        value: { code: '4006381333931', act: true, key: 'tablet-3/82' },
      },
    },
    answer: api.scanResultSchema,
    refusals: { 409: 'The key was used for something other than a scan.' },
    handle: ({ body, caller }) => {
      const person = people.nameOf(body.picker ?? caller.name);
      return picking.scan(body, { by: caller.name, picker: person ?? caller.name, isPerson: person !== undefined });
    },
  }),
];
