import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { createHardware, type Hardware } from '../../property/model/hardware.ts';

const DEVICE = '51D000:000001';
const MINUTE_MS = 60_000;

let receiver: Receiver;
let clock: FakeClock;
let hardware: Hardware;
let dataFolder: string;
let station: TestStation;

beforeEach(async () => {
  receiver = await startReceiver();
  clock = createFakeClock(START_MS);
  dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-overdue-'));
  cpSync(inject('template'), dataFolder, { recursive: true });
  // The hardware keeps running while the station is stopped.
  hardware = createHardware({ clock, seed: 1, tap: { station: (end) => end, turbo: (end) => end } });
  clock.whenIdle(() => hardware.idle(), 'the hardware');
  hardware.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
  hardware.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
  await start();
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(12_000);
});

afterEach(async () => {
  await station.stop();
  hardware.sim.stop();
  await receiver.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  station = await startTestStation({ clock, dataFolder, watchTransport: (own) => hardware.plug(own) });
}

const sight = () => hardware.sim.look(DEVICE);

async function send(nonce: string, seconds: number): Promise<number> {
  const sent = await station.post(`/api/device/${DEVICE}/`, { line1: nonce, nonce, seconds });
  return Number(sent['command_id']);
}

/** Returns the tokens lit within this many seconds, sampled ten times a second. */
async function litWithin(seconds: number): Promise<number[]> {
  const lit = new Set<number>();
  for (let look = 0; look <= seconds * 10; look += 1) {
    const { token = 0, lit: isLit = false } = sight() ?? {};
    if (isLit) lit.add(token);
    await clock.advance(100);
  }
  return [...lit];
}

test('does not relight an overdue command if its device forgot it while the station was stopped', async () => {
  const overdue = await send('a', 60);
  const next = await send('b', 20);
  await clock.advance(1_000);
  expect(sight()).toMatchObject({ token: overdue, lit: true });
  await station.halt();
  hardware.sim.restartDevice(DEVICE);
  await clock.advance(5 * MINUTE_MS);
  await start();
  expect(await litWithin(9)).toEqual([]);
  expect(await litWithin(6)).toEqual([next]);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'a' }]);
});

test('ends an overdue command that its device never showed, without lighting it', async () => {
  hardware.sim.setDevice(DEVICE, { reachable: false });
  await clock.advance(1_000);
  await send('a', 60);
  await station.halt();
  await clock.advance(5 * MINUTE_MS);
  hardware.sim.setDevice(DEVICE, { reachable: true });
  await start();
  expect(await litWithin(20)).toEqual([]);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'a' }]);
  expect((await station.device(DEVICE)).displayed).toMatchObject({ command_id: null });
});

test('continues an overdue command that its device still shows, without sending it again, and a press counts', async () => {
  const id = await send('a', 60);
  await clock.advance(1_000);
  const { refreshes } = sight() ?? {};
  await station.halt();
  // By the wall clock the command ended long ago, but the device still has most of the minute left.
  clock.jump(60 * MINUTE_MS);
  await start();
  expect(await litWithin(15)).toEqual([id]);
  expect(sight()).toMatchObject({ token: id, refreshes });
  expect((await station.device(DEVICE)).displayed).toMatchObject({ command_id: String(id), led: { mode: 'blink' } });
  hardware.sim.press(DEVICE, 'front', 'short');
  await clock.advance(0);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', nonce: 'a' }]);
});

test('resends a continued overdue command if its device forgets it later', async () => {
  const id = await send('a', 60);
  await clock.advance(1_000);
  await station.halt();
  clock.jump(60 * MINUTE_MS);
  await start();
  await clock.advance(15_000);
  hardware.sim.restartDevice(DEVICE);
  expect(await litWithin(2)).toEqual([id]);
});

test('counts a press held by the turbo even if its command is overdue', async () => {
  const id = await send('a', 60);
  await clock.advance(1_000);
  await station.halt();
  hardware.sim.press(DEVICE, 'front', 'short');
  await clock.advance(5 * MINUTE_MS);
  await start();
  expect(await litWithin(15)).toEqual([]);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', nonce: 'a' }]);
  expect(station.rows('SELECT kind, command_id FROM history')).toEqual([{ kind: 'acknowledged', command_id: id }]);
});

test('lights a new command immediately, even while devices are asked about overdue commands', async () => {
  await send('a', 60);
  await clock.advance(1_000);
  await station.halt();
  hardware.sim.restartDevice(DEVICE);
  await clock.advance(5 * MINUTE_MS);
  await start();
  const again = await send('a', 60);
  expect(await litWithin(2)).toEqual([again]);
});
