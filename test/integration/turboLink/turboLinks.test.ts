import { expect, test } from 'vitest';
import type { SerialPortEntry, Turbo, TurboLink } from '#shared/api/turbo.ts';
import type { Board } from '#shared/api/board.ts';
import type { AuditEntry } from '#shared/api/access.ts';
import type { SerialPorts } from '../../../electron/server/ports.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';

const DEVICE = '7C0001:000001';

test('a board with a CH340 is added manually with 115,200 baud, and is listed as a board that can be set up', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  machine.plugIn('/dev/ttyUSB0', { vendorId: '1a86', productId: '7523' }, undefined);
  expect(await station.get<Board[]>('/api/boards/')).toMatchObject([{ profiles: ['esp32s3', 'generic'] }]);
  const added = await station.post<TurboLink>('/api/turbo/links/', { path: '/dev/ttyUSB0' });
  expect(added).toMatchObject({ baud_rate: 115_200 });
  await station.clock.advance(100);
  expect(machine.settings()).toMatchObject({ path: '/dev/ttyUSB0', baudRate: 115_200 });
});

test('a link to a port adds its turbo and devices, survives a restart, and ends when it is removed', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  machine.plugIn('/dev/ttyACM0', { serialNumber: 'X1' }, { serialNumber: 'USB-1', devices: [DEVICE] });
  machine.plugIn('/dev/ttyS0', { vendorId: '', productId: '', serialNumber: '' }, undefined);

  const ports = await station.get<SerialPortEntry[]>('/api/turbo/ports/');
  expect(ports).toEqual([
    {
      path: '/dev/ttyACM0',
      name: 'ESP32 with native USB',
      vendor_id: '303a',
      product_id: '1001',
      serial_number: 'X1',
      is_usb: true,
      link: null,
    },
    expect.objectContaining({ path: '/dev/ttyS0', is_usb: false, link: null }),
  ]);

  const added = await station.post<TurboLink>('/api/turbo/links/', { path: '/dev/ttyACM0' });
  expect(added).toMatchObject({ id: '1', path: '/dev/ttyACM0', baud_rate: 921_600, flow_control: false });
  await station.clock.advance(1_000);
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toEqual([
    { ...added, step: 'online', problem: null, attempts: 0, turbo: 'USB-1' },
  ]);
  expect(await station.get<Turbo>('/api/turbo/USB-1/')).toMatchObject({
    status: 'online',
    transport: 'usb',
    port: '/dev/ttyACM0',
    device_count: 1,
    problem: null,
  });
  expect(await station.device(DEVICE)).toMatchObject({ online: true, turbo: 'USB-1', can_press: false });

  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n' });
  await station.clock.advance(3_000);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ state: 'shown' }]);

  await station.restart();
  await station.clock.advance(3_000);
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toMatchObject([{ step: 'online', turbo: 'USB-1' }]);

  const refused = await station.request('POST', '/api/turbo/links/', { path: '/dev/ttyACM0' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });

  expect((await station.request('DELETE', '/api/turbo/links/1/')).status).toBe(204);
  await station.clock.advance(100);
  expect(await station.get<Turbo>('/api/turbo/USB-1/')).toMatchObject({ status: 'offline' });
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toEqual([]);
  expect((await station.request('DELETE', '/api/turbo/links/1/')).status).toBe(404);
  const audit = await station.get<AuditEntry[]>('/api/audit/');
  expect(audit.slice(0, 2)).toMatchObject([
    { action: 'turboLink.removed', subject: '/dev/ttyACM0' },
    { action: 'turboLink.added', subject: '/dev/ttyACM0', by: expect.any(String) as string },
  ]);
});

test('a link follows its turbo to another USB socket', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  machine.plugIn('/dev/ttyACM0', { serialNumber: 'X1' }, { serialNumber: 'USB-1', devices: [] });
  await station.post('/api/turbo/links/', { path: '/dev/ttyACM0' });
  await station.clock.advance(1_000);
  machine.unplug('/dev/ttyACM0');
  await station.clock.advance(1_000);
  machine.plugIn('/dev/ttyACM3', { serialNumber: 'X1' }, { serialNumber: 'USB-1', devices: [] });
  await station.clock.advance(60_000);
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toMatchObject([
    { path: '/dev/ttyACM3', step: 'online', turbo: 'USB-1' },
  ]);
});

test('opens a port with the configured settings, even after a restart', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  machine.plugIn('/dev/ttyUSB0', {}, { serialNumber: 'USB-1', devices: [] });
  const chosen = { path: '/dev/ttyUSB0', baud_rate: 115_200, flow_control: true };
  expect(await station.post('/api/turbo/links/', chosen)).toMatchObject(chosen);
  await station.clock.advance(100);
  const settings = { path: '/dev/ttyUSB0', baudRate: 115_200, flowControl: true };
  expect(machine.settings()).toEqual(settings);
  await station.post('/api/turbo/links/', { path: '/dev/ttyUSB9' });
  await station.clock.advance(100);
  expect(machine.settings()).toEqual({ path: '/dev/ttyUSB9', baudRate: 921_600, flowControl: false });
  await station.request('DELETE', '/api/turbo/links/2/');
  await station.restart();
  await station.clock.advance(1_000);
  expect(machine.settings()).toEqual(settings);
});

test('names a port by its USB ids or else by its manufacturer, and lists USB ports first', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  const NOT_USB = { vendorId: '', productId: '', serialNumber: '', manufacturer: 'On board' };
  machine.plugIn('/dev/ttyS0', NOT_USB, undefined);
  machine.plugIn('/dev/ttyUSB10', { vendorId: '10c4', productId: 'ea60', manufacturer: 'Cygnal' }, undefined);
  machine.plugIn('/dev/ttyUSB9', { vendorId: '10c4', productId: '0001', manufacturer: 'Cygnal' }, undefined);
  const listed = await station.get<SerialPortEntry[]>('/api/turbo/ports/');
  expect(listed.map(({ path, name, is_usb }) => [path, name, is_usb])).toEqual([
    ['/dev/ttyUSB9', 'Cygnal', true],
    ['/dev/ttyUSB10', 'Silicon Labs CP210x', true],
    ['/dev/ttyS0', 'On board', false],
  ]);
  machine.unplug('/dev/ttyUSB9');
  expect(await station.get<SerialPortEntry[]>('/api/turbo/ports/')).toHaveLength(2);
});

test('last_seen of a device is when the station stopped, if its turbo does not return', async () => {
  const machine = startSerialMachine();
  let isBroken = false;
  const open: SerialPorts['open'] = (wanted) =>
    isBroken ? Promise.reject(new Error('it hangs')) : machine.ports.open(wanted);
  await using station = await startTestStation({ serial: { ...machine.ports, open }, clock: machine.clock });
  machine.plugIn('/dev/ttyACM0', {}, { serialNumber: 'USB-1', devices: [DEVICE] });
  await station.post('/api/turbo/links/', { path: '/dev/ttyACM0' });
  await station.clock.advance(2 * 3_600_000);
  const before = station.clock.now();
  isBroken = true;
  await station.restart();
  const device = await station.device(DEVICE);
  expect(device.online).toBe(false);
  expect(Date.parse(device.last_seen ?? '')).toBeGreaterThanOrEqual(before);
});

test('refuses invalid input with the reason, and changes nothing', async () => {
  await using station = await startTestStation();
  for (const [body, path] of [
    [{}, '/path'],
    [{ path: '' }, '/path'],
    [{ path: '/etc/passwd' }, '/path'],
    [{ path: '/dev/../etc/passwd' }, '/path'],
    [{ path: 'COM3', baud_rate: 12 }, '/baud_rate'],
    [{ path: 'COM3', baud_rate: 'fast' }, '/baud_rate'],
    [{ path: 'COM3', flow_control: 'perhaps' }, '/flow_control'],
  ] as const) {
    const answer = await station.request('POST', '/api/turbo/links/', body);
    expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path }] } });
  }
  for (const [method, path] of [
    ['DELETE', '/api/turbo/links/7/'],
    ['DELETE', '/api/turbo/links/x/'],
    ['POST', '/api/turbo/links/7/retry/'],
  ] as const) {
    expect((await station.request(method, path)).status).toBe(404);
  }
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toEqual([]);
});

test('reports why a port cannot be opened, and retries immediately on request', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  await station.post('/api/turbo/links/', { path: '/dev/ttyUSB7', baud_rate: '115200' });
  await station.clock.advance(60_000);
  const [link] = await station.get<TurboLink[]>('/api/turbo/links/');
  expect(link).toMatchObject({
    step: 'waiting',
    turbo: null,
    baud_rate: 115_200,
    problem: '/dev/ttyUSB7 cannot be opened: No such file or directory, cannot open /dev/ttyUSB7',
  });
  expect(link?.attempts).toBeGreaterThan(3);
  machine.plugIn('/dev/ttyUSB7', {}, { serialNumber: 'USB-7', devices: [] });
  await station.post('/api/turbo/links/1/retry/', {});
  await station.clock.advance(100);
  expect(await station.get<TurboLink[]>('/api/turbo/links/')).toMatchObject([{ step: 'online', turbo: 'USB-7' }]);
});
