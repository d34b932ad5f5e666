import { expect, test } from 'vitest';
import type { ApiUserSecrets, AuditEntry } from '#shared/api/access.ts';
import type { Ephemera, Fact, Station } from '#shared/api/station.ts';
import type { Turbo, TurboLink, TurboNetwork, TurboTrafficEntry } from '#shared/api/turbo.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { createTrafficRegistry } from '../../../electron/server/turbo/traffic/trafficRegistry.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { attachPeer, command, DEVICE, startRig } from '../turboLink/turboLinkRig.ts';

async function trafficOf(station: TestStation, serial = 'SIM-1'): Promise<TurboTrafficEntry> {
  const all = await station.get<TurboTrafficEntry[]>('/api/turbo/traffic/');
  const traffic = all.find(({ serial_number }) => serial_number === serial);
  if (traffic === undefined) throw new Error('No turbo');
  return traffic;
}

test('counts frames and bytes in each direction, and measures the round trip', async () => {
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const before = await trafficOf(station);
  expect(before).toMatchObject({
    serial_number: 'SIM-1',
    repeated_in: 0,
    repeated_out: 0,
    broken_frames: 0,
    errors: [],
  });
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: 40 });
  await station.post(`/api/device/${DEVICE}/`, { command: 'flash', line1: 'x' });
  await station.clock.advance(1_000);
  const after = await trafficOf(station);
  expect(after.frames_out).toBeGreaterThan(before.frames_out);
  expect(after.bytes_out).toBeGreaterThan(before.bytes_out + 20);
  expect(after.frames_in).toBeGreaterThan(before.frames_in);
  expect(after.bytes_in).toBeGreaterThan(before.bytes_in);
  // The measured round trip of 80 ms has a weight of one eighth, and the earlier answers took 0 ms.
  expect(after.round_trip_ms).toBe(10);
});

test('counts repeated frames separately, in both directions', async () => {
  const rig = await startRig();
  rig.sim.setTurbo('SIM-1', { loss: 0.5 });
  for (let token = 1; token < 6; token++) {
    rig.turbos.want(DEVICE, command(token, `text ${token}`));
    await rig.clock.advance(20_000);
  }
  const counts = rig.traffics.countsOf('SIM-1');
  expect(counts?.repeatedOut).toBeGreaterThan(0);
  expect(counts?.repeatedIn).toBeGreaterThan(0);
  expect(counts?.repeatedOut).toBeLessThan(counts?.framesOut ?? 0);
  rig.stop();
});

test('counts a damaged and a truncated frame as broken', async () => {
  const rig = await startRig({ devices: false });
  const wire = rig.wires.connect({ loss: 0, latencyMs: 0 });
  rig.turbos.attach(wire.station);
  wire.turbo.open({ bytes: () => undefined, closed: () => undefined });
  const hello = encodeFrame(
    createFrameWriter(),
    { name: 'hello', body: { ...EXAMPLES.hello, serialNumber: 'T-9' } },
    1,
    false,
  );
  const damaged = Buffer.from(hello);
  damaged[20] = (damaged[20] ?? 0) ^ 0x40;
  void wire.turbo.write(damaged);
  void wire.turbo.write(hello.subarray(0, 15));
  await rig.clock.advance(3_000);
  void wire.turbo.write(hello);
  await rig.clock.advance(10);
  expect(rig.traffics.countsOf('T-9')).toMatchObject({ brokenFrames: 2 });
  rig.stop();
});

test("keeps the last twenty reasons why a turbo's links ended, across reconnects", async () => {
  await using station = await startTestStation({ simulate: 1 });
  for (let round = 0; round < 22; round++) {
    await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
    await station.clock.advance(1_000);
    await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
    await station.clock.advance(1_000);
  }
  const { errors, since } = await trafficOf(station);
  expect(errors).toHaveLength(20);
  expect(errors[0]?.problem).toBe('closed by the other side');
  expect(Date.parse(errors[0]?.at ?? '')).toBeGreaterThan(Date.parse(errors[1]?.at ?? ''));
  expect(Date.parse(since)).toBeLessThan(Date.parse(errors.at(-1)?.at ?? ''));
});

test('keeps the last twenty errors of a link, newest first', () => {
  let now = 0;
  const traffics = createTrafficRegistry({ now: () => now });
  const failing = traffics.begin();
  failing.named('T-1');
  for (now = 1; now <= 30; now++) failing.failed(`number ${now}`);
  const errors = traffics.countsOf('T-1')?.errors ?? [];
  expect([errors.length, errors[0]?.problem, errors.at(-1)?.problem]).toEqual([20, 'number 30', 'number 11']);
});

test("adds the traffic before a link's hello to the earlier traffic of its turbo", () => {
  const traffics = createTrafficRegistry({ now: () => 1 });
  for (let round = 1; round <= 2; round++) {
    const link = traffics.begin();
    link.arrived(10);
    link.broken();
    link.named('T-1');
    link.arrived(1);
    link.closed();
    expect(traffics.countsOf('T-1')).toMatchObject({ bytesIn: 11 * round, brokenFrames: round });
  }
});

test('lists a refused hello among the errors of the turbo', async () => {
  const rig = await startRig({ devices: false });
  const turbo = attachPeer(rig);
  turbo.hello({ serialNumber: 'T-9', protocol: 2 });
  await rig.clock.advance(100);
  expect(rig.traffics.countsOf('T-9')?.errors).toMatchObject([
    { problem: 'The turbo speaks protocol 2, the station speaks 1' },
  ]);
  turbo.stop();
  rig.stop();
});

test('an offline turbo reports why it is offline', async () => {
  await using station = await startTestStation({ simulate: 1 });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(100);
  expect(await station.get<Turbo>('/api/turbo/SIM-1/')).toMatchObject({
    status: 'offline',
    problem: 'closed by the other side',
  });
});

test('keeps the traffic of the last fifty offline turbos and of all connected turbos', () => {
  const traffics = createTrafficRegistry({ now: () => 1 });
  const first = traffics.begin();
  first.named('stays');
  for (let number = 0; number < 60; number++) {
    const link = traffics.begin();
    link.named(`T-${number}`);
    link.closed();
  }
  expect(traffics.countsOf('stays')).toBeDefined();
  expect(traffics.countsOf('T-0')).toBeUndefined();
  expect(traffics.countsOf('T-59')).toBeDefined();
});

test("a turbo's name survives restarts and is sent to the event stream, and an empty name restores the original", async () => {
  await using station = await startTestStation({ simulate: 1 });
  const stream = await openStream(station.url);
  const { name } = await station.get<Turbo>('/api/turbo/SIM-1/');
  expect(await station.patch<Turbo>('/api/turbo/SIM-1/', { name: ' Hall 2 ' })).toMatchObject({ name: 'Hall 2' });
  expect(await station.get<Station>('/api/station/')).toMatchObject({ turbos: [{ name: 'Hall 2' }] });
  await station.clock.advance(100);
  await stream.until(() => factsOf(stream).length > 0);
  expect(factsOf(stream)).toEqual([{ type: 'turbo.named', serial_number: 'SIM-1', name: 'Hall 2' }]);
  stream.close();
  await station.restart();
  expect(await station.get<Turbo[]>('/api/turbo/')).toMatchObject([{ name: 'Hall 2' }]);
  expect(await station.patch<Turbo>('/api/turbo/SIM-1/', { name: '' })).toMatchObject({ name });

  for (const [serial, body, status] of [
    ['SIM-1', { name: 'x'.repeat(61) }, 400],
    ['SIM-1', {}, 400],
    ['T-404', { name: 'x' }, 404],
  ] as const) {
    expect((await station.request('PATCH', `/api/turbo/${serial}/`, body)).status).toBe(status);
  }
  const audit = await station.get<AuditEntry[]>('/api/audit/');
  expect(audit.filter(({ action }) => action === 'turbo.renamed')).toMatchObject([
    { subject: 'SIM-1', detail: { name: '' } },
    { subject: 'SIM-1', detail: { name: 'Hall 2' } },
  ]);
});

test('an offline turbo can be forgotten, but not a connected one', async () => {
  await using station = await startTestStation({ simulate: 1 });
  await station.patch('/api/turbo/SIM-1/', { name: 'Hall 2' });
  const stream = await openStream(station.url);
  expect(await station.request('DELETE', '/api/turbo/SIM-1/')).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: 'SIM-1 is connected. Disconnect it first, then forget it.' },
  });
  expect(await station.get<Turbo[]>('/api/turbo/')).toMatchObject([{ name: 'Hall 2', status: 'online' }]);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(100);
  expect((await trafficOf(station)).errors).toHaveLength(1);
  expect((await station.request('DELETE', '/api/turbo/SIM-1/')).status).toBe(204);
  await station.clock.advance(100);
  await stream.until(() => factsOf(stream).length > 0);
  expect(factsOf(stream)).toEqual([{ type: 'turbo.forgotten', serial_number: 'SIM-1' }]);
  stream.close();
  expect(await station.get<Turbo[]>('/api/turbo/')).toEqual([]);
  expect(await station.get<TurboTrafficEntry[]>('/api/turbo/traffic/')).toEqual([]);
  expect((await station.request('DELETE', '/api/turbo/SIM-1/')).status).toBe(404);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(1_000);
  expect(await station.get<Turbo[]>('/api/turbo/')).toMatchObject([{ serial_number: 'SIM-1', status: 'online' }]);
  expect((await station.get<Turbo>('/api/turbo/SIM-1/')).name).not.toBe('Hall 2');
  expect((await trafficOf(station)).errors).toEqual([]);
});

test('the snapshot and the event stream contain the state of links, including the next attempt', async () => {
  const machine = startSerialMachine();
  await using station = await startTestStation({ serial: machine.ports, clock: machine.clock });
  const stream = await openStream(station.url);
  const isTold = (step: string) => stream.until(() => linksTold(stream).some((link) => link.step === step));
  await station.post<TurboLink>('/api/turbo/links/', { path: '/dev/ttyUSB7' });
  await station.clock.advance(100);
  await isTold('waiting');
  expect(linksTold(stream)).toMatchObject([{ path: '/dev/ttyUSB7', attempts: 1 }]);
  const { links } = await station.get<Station>('/api/station/');
  expect(links).toMatchObject([{ step: 'waiting', problem: expect.stringContaining('cannot be opened') as string }]);
  expect(Date.parse(links[0]?.next_try ?? '')).toBeGreaterThan(station.clock.now());
  machine.plugIn('/dev/ttyUSB7', {}, { serialNumber: 'USB-7', devices: [] });
  await station.clock.advance(5_000);
  await isTold('online');
  expect(linksTold(stream)).toMatchObject([{ turbo: 'USB-7', next_try: null, problem: null }]);
  await station.request('DELETE', '/api/turbo/links/1/');
  await station.clock.advance(100);
  await stream.until(() => linksTold(stream).length === 0);
  // Disconnecting a turbo on purpose is not an error.
  expect(await trafficOf(station, 'USB-7')).toMatchObject({ errors: [] });
  stream.close();
});

test('lists the addresses where a network turbo can connect', async () => {
  await using station = await startTestStation({ turboPort: 0 });
  const { port } = new URL(station.url);
  expect(await station.get<TurboNetwork>('/api/turbo/network/')).toEqual({
    websocket: [`ws://127.0.0.1:${port}/turbo/`],
    tcp: [`127.0.0.1:${station.started.turboPort()}`],
    listens: 'this_machine',
    encrypted: false,
    plain_passwords: false,
  });
  const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Hall 2', scope: 'turbo' });
  expect((await station.request('GET', '/api/turbo/network/', undefined, { 'api-key': api_key })).status).toBe(403);
});

/** Returns the facts about turbos. */
function factsOf(stream: EventStream): Fact[] {
  return stream
    .commits()
    .flatMap(({ facts }) => facts)
    .filter(({ type }) => type.startsWith('turbo.'));
}

/** Returns the links in the newest message about links. */
function linksTold(stream: EventStream): TurboLink[] {
  const told = stream.messages().flatMap(({ event, data }) => (event === 'ephemera' ? [data as Ephemera] : []));
  return told.findLast(({ links }) => links !== undefined)?.links ?? [];
}
