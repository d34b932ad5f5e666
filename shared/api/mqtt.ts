import { z } from 'zod';
import { named, oneOf, textOrNull, textUpTo, timestamp } from './fields.ts';

/** A topic character that needs no encoding, and a topic level of such characters. */
const CHARACTER = '[A-Za-z0-9._~:@-]';
const LEVEL = `${CHARACTER}+`;

/** Whether a station can have this id. */
export const isStationId = (id: string): boolean => STATION_ID.test(id);
const STATION_ID = new RegExp(`^${CHARACTER}{1,64}$`);

const pem = (what: string) =>
  textUpTo(100_000).refine(
    (text) => text.trim() === '' || text.includes(`-----BEGIN ${what}`),
    `Paste the whole PEM file, from -----BEGIN ${what} on.`,
  );

/** Settings of the MQTT bridge. `shared/api/settings.ts` includes them. */
export const mqttSettings = {
  mqtt_url: textUpTo(2_000)
    .refine(
      (text) => text === '' || (/^mqtts?:\/\/[^/\\?#@\s]+\/?$/i.test(text) && URL.canParse(text)),
      'Write mqtt:// or mqtts:// with the name of the broker, such as mqtts://broker.shop.example:8883. User and password have their own settings.',
    )
    .describe(
      'MQTT broker: mqtt:// (port 1883) or mqtts:// (encrypted, port 8883). Callbacks are sent to the broker as well as to `callback_url`. Empty for no MQTT.',
    ),
  mqtt_username: textUpTo(1_000).describe('User name for the broker, used with mqtt_password. Empty for no sign-in.'),
  mqtt_ca: pem('CERTIFICATE').describe(
    'PEM certificates to trust for the broker, in addition to the standard root certificates.',
  ),
  mqtt_cert: pem('CERTIFICATE').describe(
    'PEM certificate of this station, for brokers that require one. Used with mqtt_key.',
  ),
  mqtt_prefix: textUpTo(200)
    .regex(
      new RegExp(`^${LEVEL}(?:/${LEVEL})*$`),
      'Levels of letters and digits, with / between them, such as acme/berlin.',
    )
    .describe('First levels of all topics.'),
  mqtt_station: textUpTo(64)
    .regex(new RegExp(`^(?:${LEVEL})?$`), 'Use letters, digits, ".", "_" and "-" only.')
    .describe(
      'The topic level after mqtt_prefix, different for each station. Empty for the id that the station generated at its first start.',
    ),
  mqtt_discovery: z
    .boolean()
    .describe('Lets Home Assistant discover the devices, at its usual prefix `homeassistant`.'),
  fleet: z.boolean().describe('Shows every station below mqtt_prefix, at GET /api/fleet/. Needs mqtt_url.'),
};

export const DEFAULT_MQTT_SETTINGS = {
  mqtt_url: '',
  mqtt_username: '',
  mqtt_ca: '',
  mqtt_cert: '',
  mqtt_prefix: 'pickstation',
  mqtt_station: '',
  mqtt_discovery: false,
  fleet: false,
};

export const secretMqttSettings = {
  mqtt_password: textUpTo(1_000).nullable().describe('Write-only; null clears it.'),
  mqtt_key: pem('').nullable().describe('PEM key of mqtt_cert, without a passphrase. Write-only; null clears it.'),
};

export const MQTT_STATES = ['off', 'connecting', 'connected', 'refused', 'error'] as const;

/** A message between station and broker. */
export const mqttLogEntrySchema = named('MqttMessage', {
  at: timestamp,
  direction: oneOf(['in', 'out']).describe('in: received by the station. out: sent by the station.'),
  topic: z.string(),
  payload: z.string().describe('Beginning of the payload, at most 500 characters.'),
  bytes: z.int().describe('Length of the whole payload in bytes.'),
  retained: z.boolean(),
  problem: textOrNull.describe(
    'Why the broker refused the message, or why the station ignored it; null if there was no problem.',
  ),
});
export type MqttLogEntry = z.infer<typeof mqttLogEntrySchema>;

export const mqttStatusSchema = named('MqttStatus', {
  state: oneOf(MQTT_STATES).describe(
    'off: mqtt_url is not set. refused: the broker refuses this station, or another station uses its id; retried every minute. error: the broker cannot be reached; retried at least every 30 seconds.',
  ),
  problem: textOrNull.describe('What is wrong and how to fix it, as a sentence; null if nothing.'),
  since: timestamp.describe('Start of this state.'),
  station: z.string().describe('Id of this station, which is the level of its topics after mqtt_prefix.'),
  protocol: oneOf(['5', '3.1.1']).nullable().describe('MQTT version; null without a connection.'),
  waiting: z.int().describe('Number of callbacks waiting for the broker.'),
  log: z.array(mqttLogEntrySchema).describe('The last 200 messages, newest first. Kept only in memory.'),
});
export type MqttStatus = z.infer<typeof mqttStatusSchema>;

/** Result of a broker test, in the answer to the request. */
export const testMqttSchema = named('TestMqtt', {
  state: oneOf(['passed', 'failed']),
  protocol: oneOf(['5', '3.1.1']).nullable().describe('MQTT version; null without a connection.'),
  problem: textOrNull.describe('What is wrong and how to fix it, as a sentence; null if nothing.'),
  milliseconds: z.int().describe('Time until the test message was returned or the test failed.'),
});
export type TestMqtt = z.infer<typeof testMqttSchema>;
