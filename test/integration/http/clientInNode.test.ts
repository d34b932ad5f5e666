import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallError, createClient } from '../../../packages/client/client.ts';
import type { Client } from '../../../packages/client/operations.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DeviceID = '51D000:000001';
const OTHER = '51D000:000002';
const UNKNOWN = '51D0FF:000009';

let station: TestStation;
let client: Client;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  client = withKey(API_KEY);
});

afterEach(() => station.stop());

function withKey(key: string): Client {
  return createClient({ baseUrl: station.url, headers: { 'api-key': key } });
}

async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error(`the call did not fail as it should: ${String(error)}`);
  return error;
}

/** Sends the request and returns the id of the new command. Throws if the request created none. */
async function light(request: Parameters<Client['sendToDevice']>[1]): Promise<string> {
  const answer = await client.sendToDevice({ DeviceID }, request);
  if (!('command_id' in answer)) throw new Error('no command');
  await station.clock.advance(3_000);
  return answer.command_id;
}

test('a script lights a device, and the press is in the history and the timeline', async () => {
  expect(await client.listDevices()).toEqual([DeviceID, OTHER]);
  const first = await light({ command: 'pick', line1: 'Cable tie 200', quantity: 2 });
  const device = await client.getDevice({ DeviceID });
  expect(device.commands.map(({ state, line1 }) => ({ state, line1 }))).toEqual([
    { state: 'shown', line1: 'Cable tie 200' },
  ]);
  const { command_id } = await client.adjustCommand({ DeviceID }, { command_id: first, quantity: 5 });
  await station.clock.advance(3_000);
  await client.pressSimulatedDevice({ DeviceID }, { button: 'front' });
  await station.clock.advance(1_000);
  const [entry] = await client.listHistory({ deviceid: DeviceID, limit: 1 });
  expect(entry).toMatchObject({ kind: 'acknowledged', command_id, qty: 5 });
  expect(await client.getTimeline({ command_id })).toMatchObject({ state: 'acknowledged', qty: 5 });

  const second = await light({ line1: 'M8' });
  expect(await client.acknowledgeCommand({ DeviceID }, { command_id: second, reason: 'short' })).toMatchObject({
    command_id: second,
  });
  const third = await light({ line1: 'M10' });
  expect(await client.removeCommand({ DeviceID, command_id: third })).toBe(undefined);
  expect((await client.identifyDevice({ DeviceID })).state).toBe('queued');
  expect(await client.sendToDeviceByPut({ DeviceID }, { command: 'kill' })).toMatchObject({ killed: 1 });
  expect(await client.sendByAddressTexts({ DeviceID, command: 'message', texts: 'M8/20 50%~Box' })).toMatchObject({
    state: 'queued',
  });
  expect((await client.getDevice({ DeviceID })).commands[0]).toMatchObject({ line1: 'M8/20 50%', line2: 'Box' });
});

test('one call accepts many requests and returns an answer for each', async () => {
  const statuses: number[] = [];
  const results = await client.sendToDevices(
    {},
    [
      { deviceid: DeviceID, statica: 'on hand 75' },
      { deviceid: UNKNOWN, line1: 'M8' },
    ],
    { onAnswer: ({ status }) => statuses.push(status) },
  );
  if (!Array.isArray(results)) throw new Error('one answer to many');
  expect(results.map(({ status, code }) => ({ status, code }))).toEqual([
    { status: 200, code: undefined },
    { status: 404, code: 'not_found' },
  ]);
  expect(statuses).toEqual([207]);
  expect(await client.sendToDevices({}, { deviceid: OTHER, line1: 'M8' })).toMatchObject({ deviceid: OTHER });
});

test('images and sounds arrive as bytes, files as text', async () => {
  const [small, large] = [
    await client.getDeviceScreen({ DeviceID }),
    await client.getDeviceScreen({ DeviceID, scale: 4 }),
  ];
  for (const png of [small, large]) expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  expect(large.length).toBeGreaterThan(small.length);
  const [tune] = await client.listSounds();
  const wav = await client.getSound({ name: tune?.name ?? '' });
  expect(Buffer.from(wav.subarray(0, 4)).toString()).toBe('RIFF');
  const preview = await client.preview({ line1: 'M8', color: 'g', scale: 2 });
  expect(preview).toMatchObject({ width: 592, led: { letter: 'G' } });
  await client.addLocationAlias({ name: 'Kälte-1', deviceid: DeviceID, deviceIs: 'Below' });
  expect(await client.exportLocationAliases()).toContain(`Kälte-1,${DeviceID},Below`);
});

test('places, aliases and simulated hardware can be created, changed and removed', async () => {
  const { id } = await client.addLocationAlias({ name: 'A-1-1', deviceid: DeviceID, deviceIs: 'above' });
  const change = { name: 'A-1-2', deviceid: OTHER, deviceIs: 'Below' };
  expect(await client.changeLocationAlias({ id }, change)).toEqual({ id, ...change });
  expect(await client.getLocationAlias({ id })).toEqual({ id, ...change });
  expect(await client.listLocationAliases({ limit: 10, after: '0' })).toEqual([{ id, ...change }]);
  const csv = `name;device;where\nB-1;${DeviceID};Above\nB-2;nowhere;Above`;
  const imported = await client.importLocationAliases({ csv, dry_run: true });
  expect(imported.counts).toEqual({ new: 1, changed: 0, unchanged: 0, refused: 1 });
  await client.removeLocationAlias({ id });
  expect(await client.listLocationAliases()).toEqual([]);

  const rack = await client.addRack({ name: 'A', shelves: ['A-1'] });
  const shelf = rack.shelves[0]?.id ?? '';
  expect(await client.placeDevice({ DeviceID }, { shelf, column: 0 })).toMatchObject({
    places: [{ place: { shelf } }],
  });
  expect((await client.changeRack({ id: rack.id }, { note: 'Beside the door' })).note).toBe('Beside the door');
  const map = await client.getMap();
  expect(map.places).toEqual([{ deviceid: DeviceID, shelf, column: 0 }]);
  await client.unplaceDevice({ DeviceID });
  expect(await client.replaceMap(map)).toEqual(map);
  await client.removeRack({ id: rack.id });
  expect(await client.arrangeDevices()).toMatchObject({
    racks: [],
    places: [],
    zones: [],
    not_arranged: [{ deviceid: DeviceID }, { label: '' }],
  });

  const [added] = await client.addSimulatedDevices({ buttons: 3 });
  expect(added).toMatchObject({ deviceid: '51D000:000003', buttons: 3 });
  expect(await client.changeSimulatedDevice({ DeviceID }, { battery_mv: 2_400 })).toMatchObject({ battery_mv: 2_400 });
  const [turbo] = await client.listTurbos();
  expect(await client.getTurbo({ SerialNo: turbo?.serial_number ?? '' })).toMatchObject({ transport: 'simulated' });
  expect(await client.registerDevice({ deviceid: '51D0AB:00000F', label: 'B-1-1' })).toMatchObject({ buttons: 1 });
  await client.replaceDevice({ DeviceID: '51D0AB:00000F' }, { deviceid: OTHER });
  expect((await client.getDevice({ DeviceID: OTHER })).location).toBe('B-1-1');
  await client.removeDevice({ DeviceID: '51D0AB:00000F' });
  expect(await client.listDevices()).toHaveLength(3);
});

test('a program can use a key, a token or a sign-in, each with its own rights', async () => {
  const secrets = await client.addApiUser({ name: 'ERP', scope: 'read' });
  const reader = withKey(secrets.api_key);
  expect((await reader.getStation()).user).toEqual({ name: 'ERP', scope: 'read', rights: ['read'] });
  expect(await failureOf(reader.sendToDevice({ DeviceID }, { line1: 'M8' }))).toMatchObject({
    status: 403,
    code: 'forbidden',
  });
  const nobody = createClient({ baseUrl: station.url });
  expect(await nobody.getHealth()).toMatchObject({ status: 'ok' });
  expect(await failureOf(nobody.getStation())).toMatchObject({ status: 401, code: 'unauthenticated' });
  const { client_id, client_secret } = secrets;
  const { access_token } = await nobody.issueToken({ grant_type: 'client_credentials', client_id, client_secret });
  const bearer = createClient({ baseUrl: station.url, headers: { authorization: `Bearer ${access_token}` } });
  expect((await bearer.getStation()).user.name).toBe('ERP');
  const wrong = nobody.issueToken({ grant_type: 'client_credentials', client_id, client_secret: 'wrong' });
  expect(await failureOf(wrong)).toMatchObject({ status: 401, code: 'unauthenticated' });

  const rotated = await client.rotateApiUser({ id: secrets.id }, { grace_seconds: 0 });
  expect(await failureOf(reader.getMap())).toMatchObject({ status: 401 });
  expect(await withKey(rotated.api_key).getMap()).toEqual({ racks: [], places: [], zones: [] });
  await client.removeApiUser({ id: secrets.id });

  await client.addUser({ username: 'Åsa / 2', password: 'harbour street', role: 'picker' });
  expect(await client.changeUser({ username: 'Åsa / 2' }, { role: 'admin' })).toMatchObject({ role: 'admin' });
  await client.removeUser({ username: 'Åsa / 2' });
  expect((await client.listUsers()).map(({ username }) => username)).toEqual(['admin']);
  const { apikey } = await nobody.signIn({ username: 'admin', password: ADMIN_PASSWORD });
  expect((await withKey(apikey).getSettings()).default_seconds).toBe(60);
  expect((await client.changeSettings({ default_seconds: 30 })).default_seconds).toBe(30);
  expect((await client.listAudit({ limit: 1 }))[0]).toMatchObject({ action: 'settings.changed' });
});

test('an error has a code and names each invalid field', async () => {
  expect(await failureOf(client.sendToDevice({ DeviceID: UNKNOWN }, { line1: 'M8' }))).toMatchObject({
    status: 404,
    code: 'not_found',
  });
  const invalid = await failureOf(client.sendToDevice({ DeviceID }, { line1: 'M8', seconds: -1 }));
  expect(invalid).toMatchObject({ status: 400, code: 'invalid', errors: [{ path: '/seconds' }] });
  expect(invalid.message).toBe(invalid.detail);
  const stopped = withKey(API_KEY);
  await station.halt();
  expect(await failureOf(stopped.getStation())).toMatchObject({ status: 0, code: 'unreachable' });
});

test('the event stream is read as it arrives, until the reader stops', async () => {
  const enough = new AbortController();
  const { revision } = await client.getStation();
  const stream = await client.streamEvents({ signal: enough.signal, headers: { 'last-event-id': String(revision) } });
  await client.sendToDevice({ DeviceID }, { statica: 'on hand 74' });
  await station.clock.advance(1_000);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('on hand 74')) break;
  }
  enough.abort();
  expect(text).toContain('device.changed');
});

test('a redirected write fails instead of returning the answer to a GET', async () => {
  const receiver = await startReceiver();
  const moved = createClient({ baseUrl: receiver.url, headers: { 'api-key': API_KEY } });
  try {
    receiver.reply({ status: 301, headers: { location: new URL(`/api/device/${DeviceID}/`, station.url).href } });
    const failure = await failureOf(moved.sendToDevice({ DeviceID }, { line1: 'M8' }));
    expect(failure).toMatchObject({ code: 'unreachable', detail: expect.stringContaining('redirect') });
  } finally {
    await receiver.stop();
  }
});

test('the program in the documentation works with only the built package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-program-'));
  try {
    const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
    writeFileSync(join(folder, 'program.ts'), /```ts\n(.*?)```/s.exec(page)?.[1] ?? '');
    const installed = join(folder, 'node_modules', 'pickstation-client');
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    await promisify(execFile)(compiler, ['-p', join(ROOT, 'packages/client'), '--outDir', join(installed, 'dist')]);
    cpSync(join(ROOT, 'packages/client/package.json'), join(installed, 'package.json'));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'program.ts')], {
      env: { API_KEY, STATION_URL: station.url },
    });
    expect({ stdout, stderr }).toEqual({ stdout: `${DeviceID}: Cable tie 200, 2\n`, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
