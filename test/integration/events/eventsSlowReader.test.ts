import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { createEventStreams } from '../../../electron/server/http/events.ts';
import { createBus } from '../../../electron/server/services/base/bus.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const MIB = 1024 * 1024;

test('a reader that stops reading is disconnected, without affecting other readers', async () => {
  const station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const [stuck, reader] = [await openStream(station.url), await openStream(station.url)];
  stuck.pause();
  // Each fact has about 2 KB; all of them together exceed the buffers of both sockets.
  const long = { unsolicitedNonce: 'n'.repeat(1_000), locationoverride: 'l'.repeat(1_000) };
  const many = Array.from({ length: 1_000 }, () => ({ deviceid: DEVICE, ...long }));
  const cutOff = () => station.logged.some(({ message }) => message.includes('does not keep up'));
  for (let rounds = 0; rounds < 20 && !cutOff(); rounds += 1) {
    const before = reader.text().length;
    await station.post('/api/devices/', many);
    await station.clock.advance(20);
    await reader.until(() => reader.text().length > before + many.length * 2_000);
  }
  expect(cutOff()).toBe(true);
  stuck.resume();
  await stuck.ended();
  expect(stuck.text().length).toBeLessThan(reader.text().length);

  await station.post(`/api/device/${DEVICE}/`, { statica: 'the next' });
  await station.clock.advance(20);
  await reader.until(() => reader.text().includes('the next'));
  await station.stop();
  await reader.ended();
});

test('a reader that starts reading late is not disconnected because of a large first message', async () => {
  const clock = createFakeClock(0);
  const bus = createBus();
  const warned: string[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_: object, text: string) => void warned.push(text),
    error: () => undefined,
  };
  const large = 'x'.repeat(12 * MIB);
  const ephemera = { devices: [{ deviceid: large }], turbos: [] };
  const overview = {
    ephemera: () => ephemera,
    revision: () => 0,
    since: () => [],
    station: () => {
      throw new Error('Nobody asks for it.');
    },
  };
  const streams = createEventStreams({ bus, overview, access: { isLive: () => true }, clock, log });
  const app = express();
  app.get('/api/events/', (_req, res) =>
    streams.open(res, { name: 'somebody', scope: 'read', credential: { kind: 'none' } }, undefined),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const reader = await openStream(url);
  reader.pause();
  const facts: Fact[] = [{ type: 'settings.changed' }];
  for (let revision = 1; revision <= 3; revision += 1) {
    bus.publish({ revision, at: 0, facts, text: JSON.stringify(facts) });
    await clock.advance(20);
  }
  expect(warned).toEqual([]);
  expect(streams.count()).toBe(1);
  reader.resume();
  await reader.until(
    () =>
      reader.text().length > large.length &&
      reader.text().endsWith('id: 3\nevent: facts\ndata: [{"type":"settings.changed"}]\n\n'),
  );

  streams.stop();
  await reader.ended();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
