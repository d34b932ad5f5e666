import * as api from '#shared/api/fleet.ts';
import type { MqttSwitch } from '../../mqtt/switch.ts';
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
];
