import { z } from 'zod';
import * as api from '#shared/api/fleet.ts';
import { newOrderSchema } from '#shared/api/order.ts';
import type { MqttSwitch } from '../../mqtt/switch.ts';
import { lenientOrder } from '../compat/lenientOrder.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

export const fleetEndpoints = ({ mqtt: { fleet } }: { mqtt: Pick<MqttSwitch, 'fleet'> }): Endpoint[] => [
  define('getFleet', 'read', 'Get all stations with the same prefix at the MQTT broker', {
    description:
      'Returns what the stations with this `mqtt_prefix` publish. An offline station keeps its last state. Without the settings `mqtt_url` and `fleet`, `state` is `off`, the lists are empty, and `problem` says what to set.',
    answer: api.fleetSchema,
    handle: () => fleet.answer(),
  }),
  define('findInFleet', 'read', 'Find an order or an article at all stations', {
    description:
      'Searches the order numbers, DeviceIDs, labels, static lines and lit lines of all stations with the prefix. Ignores case; `q` has at least two characters. Returns at most 50 matches: the whole text, then its beginning, then any part.',
    query: api.fleetQuerySchema,
    parameterExamples: { q: 'SO-1042' },
    answer: api.fleetFoundSchema.array(),
    refusals: { 409: '`fleet` or `mqtt_url` is not set.' },
    handle: ({ query }) => fleet.find(query.q),
  }),
  define('sendFleetOrder', 'create_orders', 'Send an order to a station of the fleet', {
    actsOutside: true,
    description:
      'The body is the same as for `POST /api/orders/`. The order is published to the topic `orders/set` of the station, which validates it as over HTTP and responds within ten seconds. An order for an offline station is refused. If you get no response, you can send the order again: a station creates each order number only once.',
    params: z.object({ station: z.string().describe('The id from `GET /api/fleet/`.') }),
    query: api.fleetOrderQuerySchema,
    parameterExamples: { station: 'berlin' },
    body: newOrderSchema,
    dialect: lenientOrder,
    examples: {
      launched: {
        summary: 'Two items, which are lit immediately with `?launch=1`',
        value: { order_number: 'SO-1042', items: [{ SKU: 'CT-200', ordered_quantity: 2 }] },
      },
    },
    status: 201,
    answer: api.fleetOrderSchema,
    refusals: {
      404: 'No station with the prefix has this id.',
      409: '`fleet` or `mqtt_url` is not set; there is no connection to the broker; or the other station is offline, does not respond, or has an order with this number.',
      429: '100 orders already wait for responses.',
    },
    handle: ({ params, query, body }) => fleet.send(params.station, body, query.launch === '1'),
  }),
];
