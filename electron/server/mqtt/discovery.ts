import type { Topics } from './topics.ts';

/** Kinds of presses, named as in device callbacks. The callback of a press for an item of an order counts as `ack`. */
const PRESSES = ['ack', 'call', 'call_up', 'call_down'];

/**
 * Returns the message for Home Assistant's MQTT device discovery (2024.11 or later). Home Assistant reads all states from the station's
 * topics.
 */
export function discoveryOf(
  { deviceid, label }: { deviceid: string; label: string },
  { topics, station, version, url }: { topics: Topics; station: string; version: string; url: string },
): string {
  const id = `${station}_${deviceid.replace(/[^A-Za-z0-9]/g, '')}`;
  const state = topics.device(deviceid);
  const set = `${state}/set`;
  const quoted = JSON.stringify(deviceid);
  return JSON.stringify({
    device: {
      identifiers: [id],
      name: label === '' ? deviceid : label,
      manufacturer: 'Pickstation',
      model: 'Shelf device',
      serial_number: deviceid,
      configuration_url: url,
    },
    origin: { name: 'Pickstation', sw_version: version, support_url: url },
    availability_topic: topics.availability,
    qos: 1,
    components: {
      lit: {
        platform: 'binary_sensor',
        unique_id: `${id}_lit`,
        name: 'Lit',
        device_class: 'light',
        state_topic: state,
        value_template: "{{ 'ON' if value_json.commands | selectattr('state', 'eq', 'shown') | list else 'OFF' }}",
      },
      reachable: {
        platform: 'binary_sensor',
        unique_id: `${id}_reachable`,
        name: 'Reachable',
        device_class: 'connectivity',
        entity_category: 'diagnostic',
        state_topic: state,
        value_template: "{{ 'ON' if value_json.online else 'OFF' }}",
      },
      battery: {
        platform: 'sensor',
        unique_id: `${id}_battery`,
        name: 'Battery',
        device_class: 'battery',
        unit_of_measurement: '%',
        state_class: 'measurement',
        entity_category: 'diagnostic',
        state_topic: state,
        value_template: '{{ value_json.battery }}',
      },
      signal: {
        platform: 'sensor',
        unique_id: `${id}_signal`,
        name: 'Signal',
        device_class: 'signal_strength',
        unit_of_measurement: 'dBm',
        state_class: 'measurement',
        entity_category: 'diagnostic',
        state_topic: state,
        value_template: '{{ value_json.rssi }}',
      },
      press: {
        platform: 'event',
        unique_id: `${id}_press`,
        name: 'Press',
        device_class: 'button',
        event_types: PRESSES,
        state_topic: topics.callbacks('+'),
        // For other presses and devices, the text is empty, which Home Assistant ignores.
        value_template: pressTemplate(quoted),
      },
      find: {
        platform: 'button',
        unique_id: `${id}_find`,
        name: 'Flash',
        device_class: 'identify',
        command_topic: set,
        payload_press: JSON.stringify({ command: 'flash', line1: 'Home Assistant', seconds: 10 }),
      },
      off: {
        platform: 'button',
        unique_id: `${id}_off`,
        name: 'Turn off',
        command_topic: set,
        payload_press: JSON.stringify({ command: 'kill' }),
      },
    },
  });
}

/** Returns the template that turns callbacks into events of the device with this quoted DeviceID. */
function pressTemplate(quoted: string): string {
  const simple = "{'event_type': value_json.acknack, 'qty': value_json.qty, 'nonce': value_json.nonce}";
  const ofItem =
    "{'event_type': 'ack', 'qty': value_json.quantity_fulfilled, 'nonce': value_json.nonce, 'order': value_json.order, 'SKU': value_json.SKU}";
  return [
    `{% if value_json.deviceid == ${quoted} and value_json.acknack in ${JSON.stringify(PRESSES)} %}{{ ${simple} | tojson }}`,
    `{% elif value_json.deviceid == ${quoted} and value_json.order_event == 'device_ack' %}{{ ${ofItem} | tojson }}{% endif %}`,
  ].join('');
}
