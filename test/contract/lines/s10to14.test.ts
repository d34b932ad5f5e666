import { expect, test } from 'vitest';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { fetchDocument } from '../documents.ts';
import { ONE, TWO, useStation } from './rig.ts';

// Contract, sections 10 to 14: turbos, simulator, live events, OpenAPI, and what the window needs.
const shop = useStation();

test('lists a turbo with serial number, name, status, transport, port, firmware, uptime, last_seen and device_count', async () => {
  await shop.station.clock.advance(3_000);
  const [turbo] = await shop.station.get<object[]>('/api/turbo/');
  expect(Object.keys(turbo ?? {}).toSorted()).toEqual([
    'device_count',
    'firmware',
    'last_seen',
    'name',
    'port',
    'problem',
    'serial_number',
    'status',
    'transport',
    'uptime',
  ]);
  expect(turbo).toMatchObject({ status: 'online', transport: 'simulated', device_count: 2 });
});

test('simulated devices take 2,000 ms for a full refresh, unless refresh_ms changes it', async () => {
  const { json } = await shop.ask('POST', '/api/simulator/devices/', { body: { count: 1, buttons: 1, firmware: 70 } });
  expect(json).toMatchObject([{ deviceid: '51D000:000003', buttons: 1, firmware: 70, refresh_ms: 2_000 }]);
  const changed = await shop.ask('PATCH', '/api/simulator/devices/51D000:000003/', {
    body: { reachable: false, battery_mv: 2_400, refresh_ms: 0 },
  });
  expect(changed).toMatchObject({ status: 200, json: { reachable: false, battery_mv: 2_400, refresh_ms: 0 } });
});

test('answers 202 to a press; an empty body means a short press of the front button', async () => {
  await shop.station.post(`/api/device/${TWO}/`, { line1: 'x', quantity: 3 });
  await shop.station.clock.advance(3_000);
  for (const body of [{ button: 'plus', hold: 'short' }, { button: 'minus' }, { button: 'plus', hold: 'long' }]) {
    expect((await shop.ask('POST', `/api/simulator/devices/${TWO}/press/`, { body })).status).toBe(202);
  }
  expect((await shop.station.device(TWO)).commands).toMatchObject([{ quantity: 4 }]);
  expect((await shop.ask('POST', `/api/simulator/devices/${TWO}/press/`)).status).toBe(202);
  expect((await shop.station.device(TWO)).commands).toEqual([]);
});

test('the event stream continues from the revision of the snapshot, which survives a restart', async () => {
  const { revision } = await shop.station.get<{ revision: number }>('/api/station/');
  expect(Number.isInteger(revision)).toBe(true);
  const stream = await openStream(shop.station.url);
  await shop.station.post(`/api/device/${ONE}/`, { statica: 'told' });
  await shop.station.clock.advance(100);
  await stream.until(() => stream.commits().length > 0);
  const [commit] = stream.commits();
  expect(commit).toMatchObject({ facts: [{ type: 'device.changed', deviceid: ONE, changed: { statica: 'told' } }] });
  expect(commit?.id).toBeGreaterThan(revision);
  stream.close();
  await shop.station.restart();
  expect((await shop.station.get<{ revision: number }>('/api/station/')).revision).toBeGreaterThanOrEqual(
    commit?.id ?? 0,
  );
});

test('serves OpenAPI 3.0 documents for devices, places, sequences, orders and the whole API, also under /api/', async () => {
  for (const part of ['/devices', '/location-aliases', '/sequence', '/orders', '']) {
    const below = await fetchDocument(shop.station, `/api${part}/openapi.json`);
    expect(below.openapi).toMatch(/^3\.0\.\d$/);
    if (part !== '') expect(await fetchDocument(shop.station, `${part}/openapi.json`)).toEqual(below);
  }
});

test('serves the reference at /docs/, and redirects /docs there', async () => {
  const headers = { 'api-key': undefined, accept: 'text/html' };
  expect(await shop.ask('GET', '/docs/', { headers })).toMatchObject({ status: 200 });
  expect((await shop.ask('GET', '/docs', { headers })).headers.location).toBe('/docs/');
});

test('scripts can adjust and acknowledge a command, and the timeline names the script that acknowledged it', async () => {
  const { command_id } = await shop.station.post<{ command_id: string }>(`/api/device/${ONE}/`, {
    line1: 'x',
    quantity: 3,
    nonce: 'n',
  });
  await shop.station.clock.advance(3_000);
  const adjusted = await shop.station.post<{ command_id: string }>(`/api/device/${ONE}/adjust/`, {
    command_id,
    quantity: '2',
  });
  const done = { command_id: adjusted.command_id, qty: '1', reason: 'damaged' };
  expect(await shop.station.post(`/api/device/${ONE}/acknowledge/`, done)).toMatchObject({ deviceid: ONE, qty: 1 });
  const timeline = await shop.station.get<{ reason: string; steps: { kind: string; by?: string }[] }>(
    `/api/history/commands/${adjusted.command_id}/`,
  );
  expect(timeline).toMatchObject({ reason: 'damaged' });
  expect(timeline.steps).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'acknowledged', by: 'API key' })]),
  );
});
