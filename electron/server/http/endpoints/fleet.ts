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
      'What the stations below `mqtt_prefix` publish. A station that is away keeps its last state. Without the settings `mqtt_url` and `fleet` the `state` is off, the lists are empty, and `problem` says what to set.',
    answer: api.fleetSchema,
    handle: () => fleet.answer(),
  }),
  define('findInFleet', 'read', 'Find an order or an article at all stations', {
    description:
      'Searches the order numbers, DeviceIDs, labels, static lines and lit lines of all stations below the prefix. Case does not matter; `q` has at least two characters. At most 50: the whole text, then its beginning, then any part.',
    query: api.fleetQuerySchema,
    parameterExamples: { q: 'SO-1042' },
    answer: api.fleetFoundSchema.array(),
    refusals: { 409: '`fleet` or `mqtt_url` is not set.' },
    handle: ({ query }) => fleet.find(query.q),
  }),
  define('sendFleetOrder', 'create_orders', 'Send an order to a station of the fleet', {
    actsOutside: true,
    description:
      'The body is that of POST /api/orders/. The broker takes the order to the topic `orders/set` of the station, which checks it as over HTTP and answers within ten seconds. An order for a station that is away is refused. Without an answer you can send the order again: a station creates each number only once.',
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
      404: 'No station below the prefix has this id.',
      409: '`fleet` or `mqtt_url` is not set; there is no connection to the broker; the station is away, does not answer, or has an order with this number.',
      429: '100 orders wait for answers.',
    },
    handle: ({ params, query, body }) => fleet.send(params.station, body, query.launch === '1'),
  }),
];
