import { afterEach, beforeEach, expect, test } from 'vitest';
import { ephemeraSchema, factSchema, type Ephemera, type Station } from '#shared/api/station.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;
const streams: EventStream[] = [];

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await station.stop();
});

async function open(options: Parameters<typeof openStream>[1] = {}): Promise<EventStream> {
  const stream = await openStream(station.url, options);
  streams.push(stream);
  return stream;
}

/** Returns the stored commits in the form in which a reader receives them. */
function kept(after = 0) {
  const rows = station.rows<{ revision: number; facts: string }>(
    'SELECT revision, facts FROM commits WHERE revision > ? ORDER BY revision',
    after,
  );
  return rows.map(({ revision, facts }) => ({ id: revision, facts: JSON.parse(facts) as unknown }));
}

const revision = async () => (await station.get<Station>('/api/station/')).revision;

async function work(): Promise<void> {
  await station.post(`/api/device/${ONE}/`, { line1: 'M8', quantity: 2, nonce: 'n' });
  await station.clock.advance(1_000);
  await station.post('/api/devices/', [
    { deviceid: TWO, statica: 'x' },
    { deviceid: TWO, line1: 'y' },
  ]);
  await station.press(ONE);
  await station.clock.advance(1_000);
}

test('each commit is one message, with the revision as its id and the facts as its data', async () => {
  const before = await revision();
  const stream = await open();
  expect(stream.status).toBe(200);
  expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers['cache-control']).toBe('no-store');
  await work();
  const after = await revision();
  await stream.until(() => stream.commits().at(-1)?.id === after);
  const told = stream.commits();
  expect(told.map(({ id }) => id)).toEqual(Array.from({ length: after - before }, (_, index) => before + index + 1));
  expect(told).toEqual(kept(before));
  for (const { facts } of told) {
    expect(facts.length).toBeGreaterThan(0);
    for (const fact of facts) expect(factSchema.safeParse(fact).error).toBeUndefined();
  }
  const types = told.flatMap(({ facts }) => facts.map(({ type }) => type));
  expect(types).toEqual(
    expect.arrayContaining(['command.queued', 'command.shown', 'command.acknowledged', 'device.changed']),
  );
});

test('a bulk request is one message', async () => {
  const stream = await open();
  const before = await revision();
  await station.request('POST', '/api/devices/', [
    { deviceid: ONE, line1: 'a' },
    { deviceid: TWO, line1: 'b' },
    { deviceid: ONE, statica: 'c' },
  ]);
  await station.clock.advance(50);
  await stream.until(() => stream.commits().length > 0);
  const [first] = stream.commits();
  expect(first?.id).toBe(before + 1);
  expect(first?.facts.map(({ type }) => type)).toEqual(['command.queued', 'command.queued', 'device.changed']);
});

test('a new reader immediately gets all current conditions, but no past commits', async () => {
  const stream = await open();
  await stream.until(() => stream.messages().length > 0);
  const [first] = stream.messages();
  expect(first).toMatchObject({ id: undefined, event: 'ephemera' });
  const ephemera = ephemeraSchema.parse(first?.data);
  expect(ephemera.devices.map(({ deviceid }) => deviceid)).toEqual([ONE, TWO]);
  expect(ephemera.devices[0]).toMatchObject({ online: true, voltage: 3 });
  expect(ephemera.turbos).toMatchObject([{ serial_number: 'SIM-1', status: 'online' }]);
  expect(stream.text()).toContain('retry: ');
  await station.clock.advance(100);
  expect(stream.commits()).toEqual([]);
});

test('a changed condition is sent without a revision', async () => {
  const stream = await open();
  const before = await revision();
  await station.patch(`/api/simulator/devices/${ONE}/`, { battery_mv: 2_500 });
  await station.clock.advance(120_000);
  const voltages = () =>
    stream
      .messages()
      .filter(({ event }) => event === 'ephemera')
      .flatMap(({ data }) => (data as Ephemera).devices)
      .filter(({ deviceid }) => deviceid === ONE)
      .map(({ voltage }) => voltage);
  await stream.until(() => voltages().at(-1) === 2.5);
  expect(stream.messages().every(({ event, id }) => event === 'facts' || id === undefined)).toBe(true);
  expect(await revision()).toBe(before);
});

test('a stream without events sends heartbeats', async () => {
  const stream = await open();
  await station.clock.advance(15_100);
  await stream.until(() => /^:$/m.test(stream.text()));
  await station.clock.advance(15_000);
  await stream.until(() => (stream.text().match(/^:$/gm) ?? []).length === 2);
});

test('two readers get the same commits', async () => {
  const [first, second] = [await open(), await open()];
  await work();
  const after = await revision();
  for (const stream of [first, second]) await stream.until(() => stream.commits().at(-1)?.id === after);
  expect(first.commits()).toEqual(second.commits());
});

test('a reader that disconnects does not affect other readers', async () => {
  const [first, second] = [await open(), await open()];
  first.close();
  await first.ended();
  await work();
  const after = await revision();
  await second.until(() => second.commits().at(-1)?.id === after);
  expect(station.logged).toEqual([]);
});

test('a session can read the stream with only its cookie', async () => {
  const { cookies } = await openSession(station);
  const response = await fetch(new URL('/api/events/', station.url), { headers: cookies });
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

test('stopping the station ends every stream, after the last commits are sent', async () => {
  const stream = await open();
  await station.request('POST', `/api/device/${ONE}/`, { line1: 'the last' });
  await station.stop();
  await stream.ended();
  expect(stream.text()).toContain('the last');
  expect(stream.text().endsWith('\n\n')).toBe(true);
  expect(stream.isWhole()).toBe(true);
});

test('revisions continue to increase after a restart', async () => {
  await work();
  const before = await revision();
  await station.restart();
  expect(await revision()).toBeGreaterThanOrEqual(before);
  const restarted = await revision();
  const stream = await open();
  await station.post(`/api/device/${ONE}/`, { statica: 'after' });
  await station.clock.advance(50);
  await stream.until(() => stream.commits().length > 0);
  expect(stream.commits()[0]?.id).toBeGreaterThan(restarted);
  expect(stream.commits()[0]?.id).toBe(await revision());
});

test('signing out ends the streams of that session, but no others', async () => {
  const session = await openSession(station);
  const other = await open();
  const own = await open({ headers: session.cookies });
  expect(own.status).toBe(200);
  expect((await station.request('POST', '/api/user/logout/', undefined, session.write)).status).toBe(204);
  await own.ended();
  expect(own.isWhole()).toBe(true);
  await work();
  await other.until(() => other.commits().length > 0);
});

test('a stream ends when its session expires after 14 days', async () => {
  const session = await openSession(station);
  const own = await open({ headers: session.cookies });
  expect(own.status).toBe(200);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  station.clock.jump(14 * 24 * 3_600_000);
  await station.clock.advance(20_000);
  await own.ended();
  expect(own.isWhole()).toBe(true);
});
