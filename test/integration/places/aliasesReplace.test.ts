import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Rack, StationMap } from '#shared/api/map.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const OLD = '51D000:000001';
const NEW = '51D000:000003';
const THREE_BUTTONS = '51D000:000002';
const PATH = '/api/location-aliases/';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

function replace(deviceid: unknown = NEW, old = OLD) {
  return station.request('POST', `/api/device/${old}/replace/`, { deviceid });
}

async function replaced(deviceid = NEW, old = OLD): Promise<Device> {
  const answer = await replace(deviceid, old);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await station.clock.advance(0);
  return answer.body as Device;
}

const alias = (name: string, deviceid = OLD) =>
  station.post<LocationAlias>(PATH, { name, deviceid, deviceIs: 'Below' });

/** Returns the configurable fields of a device, even if they have not been set. */
function settings({ statica, staticb, staticc, staticd, statice, ...device }: Device) {
  const { arrow, barcode, qrcode, icon, quantity, locationoverride, unsolicitedNonce, brightness } = device;
  const statics = [statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon, quantity];
  return [...statics, locationoverride, unsolicitedNonce, brightness];
}

const texts = async (deviceid: string) => (await station.device(deviceid)).commands.map(({ line1 }) => line1);

test('the new device takes over the settings of the old device, which becomes blank', async () => {
  await station.post(`/api/device/${OLD}/`, {
    locationoverride: 'A-1',
    statica: 'a',
    staticc: 'c',
    barcode: '4006381333931',
    quantity: 5,
    arrow: 'left',
    unsolicitedNonce: 'bell',
    brightness: 40,
  });
  const fresh = await station.device(NEW);
  await station.post(`/api/device/${NEW}/`, {
    locationoverride: 'spare',
    statice: 'spare',
    icon: 'hazardd',
    brightness: 7,
  });
  await station.clock.advance(10_000);
  const before = await station.device(OLD);
  const answer = await replaced(NEW.toLowerCase(), OLD.toLowerCase());
  expect(answer.deviceid).toBe(NEW);
  expect(settings(answer)).toEqual(settings(before));
  await station.clock.advance(10_000);
  expect(settings(await station.device(NEW))).toEqual(settings(before));
  expect((await station.device(NEW)).displayed).toMatchObject({ screen: { label: 'A-1', quantity: 5, arrow: 'left' } });
  const old = await station.device(OLD);
  expect(settings(old)).toEqual(settings(fresh));
  expect(old.displayed).toMatchObject({ command_id: null, screen: { label: '', lines: [] }, led: { mode: 'off' } });
  expect(await station.post('/api/devices/', { location: 'a-1', line1: 'x' })).toMatchObject({
    deviceid: NEW,
    warnings: [],
  });
});

test('aliases and open commands move in order; the lit command is shown again, and its time restarts', async () => {
  await station.post(`/api/device/${OLD}/`, { locationoverride: 'A-1' });
  const place = await alias('Place');
  const spare = await alias('Spare', NEW);
  await station.post('/api/devices/', { location: 'Place', line1: 'lit', nonce: 'a', seconds: 30 });
  await station.post('/api/devices/', { location: 'A-1', line1: 'second', nonce: 'a', seconds: 30 });
  await station.post('/api/devices/', { location: 'Place', line1: 'third', nonce: 'b', seconds: 0 });
  await station.clock.advance(20_000);
  const before = (await station.device(OLD)).commands;
  await replaced();
  await station.clock.advance(5_000);
  const { commands, displayed } = await station.device(NEW);
  const kept = ({
    line1,
    nonce,
    location,
    alias_id,
    arrow,
    sender,
    created_at,
    seconds,
  }: (typeof commands)[number]) => ({ line1, nonce, location, alias_id, arrow, sender, created_at, seconds });
  expect(commands.map(kept)).toEqual(before.map(kept));
  expect(displayed).toMatchObject({ screen: { label: 'Place', lines: ['lit'], arrow: 'top' }, led: { mode: 'blink' } });
  const [lit] = commands;
  expect(Date.parse(lit?.expires_at ?? '') - Date.parse(lit?.shown_at ?? '')).toBe(30_000);
  expect(Date.parse(lit?.shown_at ?? '')).toBeGreaterThanOrEqual(station.clock.now() - 5_000);
  expect((await station.device(OLD)).commands).toEqual([]);
  expect(await station.get(PATH)).toEqual([{ ...place, deviceid: NEW }, spare]);

  await station.restart();
  await station.clock.advance(15_000);
  for (let count = 1; count <= 3; count += 1) {
    await station.press(NEW);
    await station.clock.advance(5_000);
    await receiver.received(count);
  }
  expect(receiver.payloads()).toMatchObject([
    { acknack: 'ack', deviceid: NEW, location: 'Place', nonce: 'a' },
    { acknack: 'ack', deviceid: NEW, location: 'A-1', nonce: 'a' },
    { acknack: 'ack', deviceid: NEW, location: 'Place', nonce: 'b' },
  ]);
});

test('a command that is not acknowledged times out on the new device', async () => {
  await station.post(`/api/device/${OLD}/`, { line1: 'lit', nonce: 'n', seconds: 30 });
  await station.clock.advance(25_000);
  await replaced();
  await station.clock.advance(25_000);
  expect(await texts(NEW)).toEqual(['lit']);
  await station.clock.advance(25_000);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'nack', deviceid: NEW, location: '', nonce: 'n', qty: 0 }]);
});

test('a late press at the old device is recorded as late and acknowledges nothing', async () => {
  await station.post(`/api/device/${OLD}/`, { line1: 'lit', nonce: 'n', seconds: 60 });
  const again = await station.post(`/api/device/${OLD}/`, { line1: 'lit', nonce: 'n', seconds: 60 });
  await station.clock.advance(5_000);
  // The device is unreachable, but still lit when it is pressed.
  await station.patch(`/api/simulator/devices/${OLD}/`, { reachable: false });
  await replaced();
  await station.clock.advance(5_000);
  await station.press(OLD);
  await station.patch(`/api/simulator/devices/${OLD}/`, { reachable: true });
  await station.clock.advance(20_000);
  expect(await texts(NEW)).toEqual(['lit']);
  expect(receiver.requests).toEqual([]);
  const history = await station.get<HistoryEntry[]>(`/api/history/?deviceid=${OLD}&kind=late`);
  expect(history).toMatchObject([{ command_id: again['command_id'], deviceid: OLD }]);
  expect((await station.device(OLD)).displayed).toMatchObject({ command_id: null, led: { mode: 'off' } });
  await station.press(NEW);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', deviceid: NEW, nonce: 'n' }]);
});

test('keeps the quantity that the worker set on the old device', async () => {
  await station.post(`/api/device/${THREE_BUTTONS}/`, { line1: 'M8', quantity: 3, nonce: 'n' });
  await station.clock.advance(5_000);
  await station.press(THREE_BUTTONS, 'plus');
  await replaced(NEW, THREE_BUTTONS);
  await station.clock.advance(5_000);
  expect((await station.device(NEW)).displayed?.screen.quantity).toBe(4);
  await station.press(NEW);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ deviceid: NEW, qty: 4 }]);
});

test("the new device takes the old device's place on the map", async () => {
  const rack = await station.post<Rack>('/api/map/racks/', { name: 'A' });
  const shelf = rack.shelves[0]?.id;
  const put = (deviceid: string, column: number) =>
    station.request('PUT', `/api/map/places/${deviceid}/`, { shelf, column });
  await put(OLD, 0);
  await put(NEW, 1);
  await replaced();
  expect((await station.get<StationMap>('/api/map/')).places).toEqual([{ deviceid: NEW, shelf, column: 0 }]);
  // Replacing a device that is not on the map leaves the other device in its place.
  await replaced(NEW, THREE_BUTTONS);
  expect((await station.get<StationMap>('/api/map/')).places).toEqual([{ deviceid: NEW, shelf, column: 0 }]);
});

test('the history of both devices shows the replacement and its author', async () => {
  await station.post(`/api/device/${OLD}/`, { locationoverride: 'A-1' });
  const { command_id } = await station.post(`/api/device/${OLD}/`, { line1: 'lit', nonce: 'n' });
  const by = (await station.device(OLD)).commands[0]?.sender;
  await replaced();
  const told = async (deviceid: string) =>
    (await station.get<HistoryEntry[]>(`/api/history/?deviceid=${deviceid}`)).map(
      ({ kind, by, location, other_deviceid }) => ({ kind, by, location, other_deviceid }),
    );
  const common = { by, location: 'A-1' };
  expect(await told(OLD)).toEqual([
    { ...common, kind: 'device_replaced', other_deviceid: NEW },
    { ...common, kind: 'replaced', other_deviceid: null },
  ]);
  expect(await told(NEW)).toEqual([{ ...common, kind: 'device_took_over', other_deviceid: OLD }]);
  // The id that the sender received refers to the command that replaced it.
  expect(await station.get(`/api/history/commands/${String(command_id)}/`)).toMatchObject({
    state: 'replaced',
    replaced_by: (await station.device(NEW)).commands[0]?.command_id,
  });
});

test('the light that identifies a device is not moved as open work', async () => {
  await station.post(`/api/device/${OLD}/`, { line1: 'work' });
  for (const deviceid of [OLD, NEW]) await station.post(`/api/device/${deviceid}/identify/`);
  await station.clock.advance(1_000);
  await replaced();
  expect(await texts(NEW)).toEqual(['work']);
  expect(await texts(OLD)).toEqual([]);
});

test('an impossible replacement is refused and changes nothing', async () => {
  await station.post(`/api/device/${OLD}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${OLD}/`, { line1: 'old work' });
  await alias('Place');
  await station.post(`/api/device/${NEW}/`, { line1: 'new work' });
  await station.clock.advance(5_000);
  const before = await station.get<{ revision: number }>('/api/station/');
  const cases: [answer: Awaited<ReturnType<typeof replace>>, status: number, path: string | undefined][] = [
    [await replace(NEW, 'FFFFFF:FFFFFF'), 404, undefined],
    [await replace(NEW, 'nothing'), 404, undefined],
    [await replace('FFFFFF:FFFFFF'), 400, '/deviceid'],
    [await replace('51D000'), 400, '/deviceid'],
    [await replace(''), 400, '/deviceid'],
    [await replace(OLD.toLowerCase()), 400, '/deviceid'],
    [await replace(NEW), 409, undefined],
  ];
  for (const [answer, status, path] of cases) {
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
    const { errors = [] } = answer.body as { errors?: { path: string }[] };
    expect(errors.map((error) => error.path)).toEqual(path === undefined ? [] : [path]);
  }
  expect((await station.get<{ revision: number }>('/api/station/')).revision).toBe(before.revision);
  await station.post(`/api/device/${NEW}/`, { command: 'kill' });
  await replaced();
  expect(await texts(NEW)).toEqual(['old work']);
});
