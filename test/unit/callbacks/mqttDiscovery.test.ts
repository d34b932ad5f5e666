import { expect, test } from 'vitest';
import { z } from 'zod';
import { discoveryOf } from '../../../electron/server/mqtt/discovery.ts';
import { topicsOf } from '../../../electron/server/mqtt/topics.ts';

const topics = topicsOf({ prefix: 'shop', station: 'counter' });
const text = z.string().min(1);
const topic = text.regex(/^[^+#\0]+$/);
/** A topic to subscribe to, which can have wildcards. */
const filter = text.regex(/^(?:(?:\+|[^+#\0/]+)\/)*(?:\+|#|[^+#\0/]+)$/);

/** The fields of each kind of entity, as Home Assistant documents them. Home Assistant silently ignores other fields. */
const COMMON = { unique_id: text, name: text, entity_category: z.enum(['config', 'diagnostic']).optional() };
const ENTITY = z.discriminatedUnion('platform', [
  z.strictObject({
    platform: z.literal('binary_sensor'),
    ...COMMON,
    state_topic: topic,
    value_template: text,
    device_class: z.enum(['light', 'connectivity']),
  }),
  z.strictObject({
    platform: z.literal('sensor'),
    ...COMMON,
    state_topic: topic,
    value_template: text,
    device_class: z.enum(['battery', 'signal_strength']),
    // Without it, Home Assistant keeps no long-term statistics.
    state_class: z.enum(['measurement', 'total', 'total_increasing']),
    unit_of_measurement: z.enum(['%', 'dBm']),
  }),
  z.strictObject({
    platform: z.literal('event'),
    ...COMMON,
    state_topic: filter,
    value_template: text,
    device_class: z.enum(['button', 'doorbell', 'motion']),
    event_types: z.array(text).min(1),
  }),
  z.strictObject({
    platform: z.literal('button'),
    ...COMMON,
    command_topic: topic,
    payload_press: text,
    device_class: z.enum(['identify', 'restart', 'update']).optional(),
  }),
]);

/** The discovery message. Home Assistant rejects the whole device if the message, `device` or `origin` has an unknown field. */
const DISCOVERY = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(text).min(1),
    name: text,
    manufacturer: text,
    model: text,
    serial_number: text,
    configuration_url: z.url({ protocol: /^https?$/ }),
  }),
  origin: z.strictObject({ name: text, sw_version: text, support_url: z.url({ protocol: /^https?$/ }) }),
  availability_topic: topic,
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  components: z.record(z.string(), ENTITY),
});

test('describes a device as Home Assistant expects', () => {
  const about = { topics, station: 'counter', version: '1.0.0', url: 'http://127.0.0.1:4680/' };
  const { device, components } = DISCOVERY.parse(
    JSON.parse(discoveryOf({ deviceid: '51D000:000001', label: '' }, about)) as unknown,
  );
  expect(device.name).toBe('51D000:000001');
  const ids = Object.values(components).map(({ unique_id: id }) => id);
  expect(new Set(ids).size).toBe(7);
  for (const entity of Object.values(components)) {
    if (entity.platform !== 'button') continue;
    expect(topics.commandOf(entity.command_topic)).toMatchObject({ kind: 'device', id: '51D000:000001' });
    expect(JSON.parse(entity.payload_press)).toHaveProperty('command');
  }
  expect(topics.discovery('51D000:000001')).toBe('homeassistant/device/counter_51D000000001/config');
});
