import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets, AuditEntry } from '#shared/api/access.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { LocationImport } from '#shared/api/locationImport.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const ALIASES = '/api/location-aliases/';
const BY = { by: 'Slotting', address: '127.0.0.1' };

let station: TestStation;
let headers: Record<string, string>;
let before: number;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2 });
  await callAs(BY.by, 'control');
});

afterEach(() => station.stop());

/** Creates an API key that later requests use, and ignores the audit entries so far. */
async function callAs(name: string, scope: string): Promise<void> {
  const made = await station.post<ApiUserSecrets>('/api/api-users/', { name, scope });
  headers = { 'api-key': made.api_key, 'content-type': 'application/json' };
  before = Number((await station.get<AuditEntry[]>('/api/audit/?limit=1'))[0]?.id);
}

const send = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
  (await station.request(method, path, body, headers)).body as T;

/** Returns the audit entries recorded since `callAs`, oldest first. */
async function recorded() {
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  return entries
    .filter(({ id }) => Number(id) > before)
    .toReversed()
    .map(({ action, by, subject, address, detail }) => ({ action, by, subject, address, detail }));
}

test('records who added, moved, renamed or removed an alias, and for which device', async () => {
  const { id } = await send<LocationAlias>('POST', ALIASES, { name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  await send('PUT', `${ALIASES}${id}/`, { name: 'A-1', deviceid: TWO, deviceIs: 'Below' });
  await send('PUT', `${ALIASES}${id}/`, { name: 'A-2', deviceid: TWO, deviceIs: 'Above' });
  await send('DELETE', `${ALIASES}${id}/`);
  expect(await recorded()).toEqual([
    { action: 'alias.added', ...BY, subject: 'A-1', detail: { deviceid: ONE } },
    { action: 'alias.changed', ...BY, subject: 'A-1', detail: { deviceid: TWO } },
    { action: 'alias.changed', ...BY, subject: 'A-2', detail: { deviceid: TWO, before: 'A-1' } },
    { action: 'alias.removed', ...BY, subject: 'A-2', detail: { deviceid: TWO } },
  ]);
});

test('records each label change with its author on every route, but not an unchanged label', async () => {
  await send('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1', statica: 'M8' });
  await send('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await send('POST', `/api/device/${ONE}/`, { statica: 'M9' });
  await send('POST', '/api/devices/', [
    { deviceid: ONE, locationoverride: 'A-2' },
    { deviceid: TWO, command: 'location', line1: 'B-1' },
    { deviceid: 'nowhere', locationoverride: 'C-1' },
  ]);
  await send('GET', `/api/${TWO}/location/B-2/`);
  await send('POST', `/api/devices/`, { deviceid: TWO, locationoverride: '' });
  expect(await recorded()).toEqual([
    { action: 'label.changed', ...BY, subject: ONE, detail: { name: 'A-1', before: '' } },
    { action: 'label.changed', ...BY, subject: ONE, detail: { name: 'A-2', before: 'A-1' } },
    { action: 'label.changed', ...BY, subject: TWO, detail: { name: 'B-1', before: '' } },
    { action: 'label.changed', ...BY, subject: TWO, detail: { name: 'B-2', before: 'B-1' } },
    { action: 'label.changed', ...BY, subject: TWO, detail: { name: '', before: 'B-2' } },
  ]);
});

test('records one entry per import and per undo, regardless of the number of rows, but none for a dry run', async () => {
  await callAs('Planning', 'admin');
  const by = { by: 'Planning', address: '127.0.0.1' };
  await send('POST', ALIASES, { name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  const csv = ['name;device;deviceIs', `A-1;${TWO};Below`, `A-2;${ONE};Above`, `A-3;${ONE};Below`, 'A-4;nowhere;Below'];
  await send('POST', `${ALIASES}import/`, { csv: csv.join('\n'), dry_run: true });
  const { id } = await send<LocationImport>('POST', `${ALIASES}import/`, { csv: csv.join('\n') });
  await send('POST', `${ALIASES}import/`, { csv: csv.slice(0, 4).join('\n') });
  await send('POST', `${ALIASES}import/undo/`, { id });
  await send('POST', `${ALIASES}import/undo/`, { id });
  expect((await recorded()).slice(1)).toEqual([
    { action: 'aliases.imported', ...by, subject: '', detail: { rows: { new: 2, changed: 1 } } },
    { action: 'aliases.importUndone', ...by, subject: '', detail: { rows: { undone: 3 } } },
  ]);
});

test('records the replacement of a device with both devices', async () => {
  await station.post(`/api/device/${ONE.toLowerCase()}/replace/`, { deviceid: TWO });
  const by = { by: 'API key', address: '127.0.0.1' };
  expect(await recorded()).toEqual([{ action: 'device.replaced', ...by, subject: ONE, detail: { deviceid: TWO } }]);
});

test('does not record refused changes', async () => {
  await send('POST', ALIASES, { name: 'A-1', deviceid: '51D0FF:000009', deviceIs: 'Below' });
  await send('PUT', `${ALIASES}9/`, { name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  await send('DELETE', `${ALIASES}9/`);
  await send('POST', `/api/device/${ONE}/replace/`, { deviceid: TWO });
  await station.request('POST', `/api/device/${ONE}/replace/`, { deviceid: '51D0FF:000009' });
  expect(await recorded()).toEqual([
    {
      action: 'right.refused',
      ...BY,
      subject: 'manage_devices',
      detail: { request: `POST /api/device/${ONE}/replace/`, tries: 1 },
    },
  ]);
});

test('records each map change with its author, but not an unchanged map', async () => {
  const { id, shelves } = await station.post<{ id: string; shelves: { id: string }[] }>('/api/map/racks/', {
    name: 'Rack A',
    columns: 2,
    shelves: ['A-1'],
  });
  await station.patch(`/api/map/racks/${id}/`, { name: 'Rack A' });
  await station.patch(`/api/map/racks/${id}/`, { name: 'Rack B' });
  const zone = await station.post<{ id: string }>('/api/map/zones/', { name: 'Cold', racks: [id] });
  await station.request('PUT', `/api/map/places/${ONE}/`, { shelf: shelves[0]?.id, column: 0 });
  await station.request('DELETE', `/api/map/places/${ONE}/`);
  await station.request('DELETE', `/api/map/zones/${zone.id}/`);
  await station.request('DELETE', `/api/map/racks/${id}/`);
  const by = { by: 'API key', address: '127.0.0.1', detail: {} };
  expect(await recorded()).toEqual(
    ['Rack A', 'Rack B', 'Cold', ONE, ONE, 'Cold', 'Rack B'].map((subject) => ({
      action: 'map.changed',
      ...by,
      subject,
    })),
  );
});
