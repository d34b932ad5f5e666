import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { discoveryOf } from '../../electron/server/mqtt/discovery.ts';
import { topicsOf } from '../../electron/server/mqtt/topics.ts';
import { startTestStation } from '../helpers/startTestStation.ts';

const ONE = '51D000:000001';
/** Python program that renders a template with Jinja, Home Assistant's template language. */
const JINJA = `import json, sys, jinja2
template, value = json.load(sys.stdin)
print(jinja2.Environment().from_string(template).render(value_json=value), end='')`;

function render(template: string, value: unknown): string {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', JINJA], {
    input: JSON.stringify([template, value]),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Install python3-jinja2: ${stderr}`);
  return stdout;
}

test('the templates for Home Assistant read the state and the presses of a device', async () => {
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5_000);
  const topics = topicsOf({ prefix: 'shop', station: 'counter' });
  const about = { topics, station: 'counter', version: '1', url: station.url };
  const { components } = JSON.parse(discoveryOf({ deviceid: ONE, label: '' }, about)) as {
    components: Record<string, { value_template: string }>;
  };
  const read = (name: string, value: unknown): string => render(components[name]?.value_template ?? '', value);
  const dark = await station.device(ONE);
  expect(read('lit', dark)).toBe('OFF');
  expect(read('reachable', dark)).toBe('ON');
  expect(read('reachable', { ...dark, online: false } satisfies Device)).toBe('OFF');
  expect(read('battery', dark)).toBe(String(dark.battery));
  expect(read('signal', dark)).toBe(String(dark.rssi));
  await station.post(`/api/device/${ONE}/`, { line1: 'Screws' });
  await station.clock.advance(500);
  expect(read('lit', await station.device(ONE))).toBe('ON');
  const press = { acknack: 'ack', deviceid: ONE, location: '', nonce: 'n"1', qty: 3 };
  expect(JSON.parse(read('press', press))).toEqual({ event_type: 'ack', qty: 3, nonce: 'n"1' });
  const ofItem = {
    order_event: 'device_ack',
    order: 'SO-1',
    SKU: 'CT',
    deviceid: ONE,
    quantity_fulfilled: 2,
    nonce: 'i1',
  };
  expect(JSON.parse(read('press', ofItem))).toEqual({
    event_type: 'ack',
    qty: 2,
    nonce: 'i1',
    order: 'SO-1',
    SKU: 'CT',
  });
  expect(read('press', { ...ofItem, order_event: 'item_added' })).toBe('');
  expect(read('press', { ...ofItem, deviceid: '51D000:000002' })).toBe('');
  expect(read('press', { order_state: 'launched', order: 'SO-1' })).toBe('');
  // Home Assistant ignores an empty text.
  expect(read('press', { ...press, acknack: 'nack' })).toBe('');
  expect(read('press', { ...press, deviceid: '51D000:000002' })).toBe('');
});
