import { z } from 'zod';
import * as api from '#shared/api/fleet.ts';
import { newOrderSchema } from '#shared/api/order.ts';
import type { MqttSwitch } from '../../mqtt/switch.ts';
import { lenientOrder } from '../compat/lenientOrder.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export const fleetEndpoints = ({ mqtt: { fleet } }: { mqtt: Pick<MqttSwitch, 'fleet'> }): Endpoint[] => [
  define('getFleet', 'read', 'Get all stations below the same prefix of the MQTT broker', {
    description:
      'What the other stations tell the broker, with the settings `fleet` and `mqtt_url`. A station that is away keeps its last state. Without them `state` is off, the lists are empty, and `problem` says what to set.',
    answer: api.fleetSchema,
    handle: () => fleet.answer(),
  }),
  define('findInFleet', 'read', 'Find an order or an article at all stations', {
    description:
      'Searches order numbers, DeviceIDs, labels, static lines and the lines that are lit, of all stations below the prefix. Case does not matter; `q` has at least two characters. At most 50: the whole text, then its beginning, then any part.',
    query: api.fleetQuerySchema,
    parameterExamples: { q: 'SO-1042' },
    answer: api.fleetFoundSchema.array(),
    refusals: { 409: '`fleet` or `mqtt_url` is not set.' },
    handle: ({ query }) => fleet.find(query.q),
  }),
  define('sendFleetOrder', 'create_orders', 'Send an order to a station of the fleet', {
    description:
      'The body is that of POST /api/orders/. The order goes over the broker to the topic `orders/set` of the station, which answers within ten seconds. It checks the order as if it had come over HTTP, and says the same against it. An order for a station that is away is refused. If no answer comes, the order can be sent again: a station creates a number only once.',
    params: z.object({ station: z.string().describe('From GET /api/fleet/.') }),
    query: api.fleetOrderQuerySchema,
    parameterExamples: { station: 'berlin' },
    body: newOrderSchema,
    dialect: lenientOrder,
    examples: {
      launched: {
        summary: 'Two items; with ?launch=1 they are lit at once',
        value: { order_number: 'SO-1042', items: [{ SKU: 'CT-200', ordered_quantity: 2 }] },
      },
    },
    status: 201,
    answer: api.fleetOrderSchema,
    refusals: {
      404: 'There is no such station below the prefix.',
      409: '`fleet` or `mqtt_url` is not set; there is no connection; the station is away, or does not answer; or it has an order with this number.',
      429: 'Many orders wait for answers.',
    },
    handle: ({ params, query, body }) => fleet.send(params.station, body, query.launch === '1'),
  }),
];
