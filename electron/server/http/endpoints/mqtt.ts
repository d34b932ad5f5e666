import * as api from '#shared/api/mqtt.ts';
import type { MqttSwitch } from '../../mqtt/switch.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('settings');

export const mqttEndpoints = ({ mqtt }: { mqtt: Pick<MqttSwitch, 'status' | 'test'> }): Endpoint[] => [
  define('getMqtt', 'change_settings', 'Get the status of the connection to the MQTT broker', {
    answer: api.mqttStatusSchema,
    handle: () => mqtt.status(),
  }),
  define('testMqtt', 'change_settings', 'Test the MQTT broker', {
    actsOutside: true,
    description:
      'Opens a separate connection with the saved settings, publishes a message below `mqtt_prefix` and `mqtt_station`, and waits until the broker delivers it back.',
    answer: api.testMqttSchema,
    refusals: { 409: 'No `mqtt_url` is set.' },
    handle: () => mqtt.test(),
  }),
];
