import { z } from 'zod';
import * as api from '#shared/api/carrier.ts';
import type { RouteName } from '#shared/api/routes.ts';
import type { Carriers } from '../../services/batches/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('batches');

/** Names of all fields that a change can set. */
const TAGGED = { tagged: ['name', 'code', 'rows', 'columns', 'slots'] };

const example = (name: string) => ({
  name,
  code: name.toUpperCase().replace(' ', '-'),
  rows: 2,
  columns: 3,
  slots: [
    { slot: 'A1', code: `${name.toUpperCase().replace(' ', '-')}-A1` },
    { slot: 'B2', deviceid: null },
  ],
});

const TAKEN =
  'Another cart or wall has the name; another cart, wall, slot or tote has a code; or a device has a location alias, a place on the map or open work, or serves another slot.';

type Named = 'list' | 'add' | 'get' | 'replace' | 'remove';
const NAMES = {
  cart: { list: 'listCarts', add: 'addCart', get: 'getCart', replace: 'replaceCart', remove: 'removeCart' },
  wall: { list: 'listWalls', add: 'addWall', get: 'getWall', replace: 'replaceWall', remove: 'removeWall' },
} as const satisfies Record<string, Record<Named, RouteName>>;

/** Returns the endpoints for carts or for walls (section 21 of the contract). */
function endpointsOfKind(carriers: Carriers, kind: keyof typeof NAMES): Endpoint[] {
  const names = NAMES[kind];
  const params = z.object({
    id: z.coerce
      .number()
      .int()
      .min(1)
      .describe(`The id of the ${kind}.`)
      .meta({ example: kind === 'cart' ? 1 : 2 }),
  });
  const none = `There is no such ${kind}.`;
  const EXAMPLES = {
    small: { summary: 'Two rows of three slots', value: example(kind === 'cart' ? 'Cart 1' : 'Wall 1') },
  };
  return [
    define(names.list, 'read', `List the ${kind}s`, {
      tagged: [],
      answer: z.array(api.carrierSchema),
      handle: () => carriers.list(kind),
    }),
    define(names.add, 'edit_map', `Create a ${kind}`, {
      description:
        'The station names the slots with a letter for each of the `rows` from the top and a digit for each of the `columns` from the left. `slots` sets their codes and devices. A device that serves a slot is not a place: it is not found by its label, and orders and articles do not light it. Therefore, it cannot have a location alias, a place on the map or open work. It keeps its label, which `warnings` names.',
      body: api.newCarrierSchema,
      examples: EXAMPLES,
      status: 201,
      answer: api.carrierResultSchema,
      refusals: { 409: TAKEN },
      handle: ({ body }) => carriers.add(kind, body),
    }),
    define(names.get, 'read', `Get a ${kind}`, {
      params,
      ...TAGGED,
      answer: api.carrierSchema,
      refusals: { 404: none },
      handle: ({ params: { id } }) => carriers.get(kind, id),
    }),
    define(names.replace, 'edit_map', `Replace a ${kind}`, {
      description: 'Clears fields that are left out. Devices that leave their slots become places again.',
      params,
      body: api.newCarrierSchema,
      ...TAGGED,
      examples: EXAMPLES,
      answer: api.carrierResultSchema,
      refusals: { 404: none, 409: `${TAKEN} Or the ${kind} is in a batch that has not ended.` },
      handle: (call) => carriers.replace(kind, call.params.id, call.body, (current) => call.refuseChanged(current, [])),
    }),
    define(names.remove, 'edit_map', `Delete a ${kind}`, {
      description: 'Its devices become places again.',
      params,
      ...TAGGED,
      refusals: { 404: none, 409: `The ${kind} is in a batch that has not ended.` },
      handle: (call) => carriers.remove(kind, call.params.id, (current) => call.refuseChanged(current)),
    }),
  ];
}

/** Endpoints for carts and walls. */
export const carrierEndpoints = ({ carriers }: { carriers: Carriers }): Endpoint[] => [
  ...endpointsOfKind(carriers, 'cart'),
  ...endpointsOfKind(carriers, 'wall'),
];
