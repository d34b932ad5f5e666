/** Hardware that can be bought: how soon a board, places on strips and tags are lit or known. */
import { setTimeout as pause } from 'node:timers/promises';
import { systemPorts } from '../electron/server/systemPorts.ts';
import { startFakeAccessPoint } from '../test/helpers/fakeAccessPoint.ts';
import { startWled, type WledController } from '../test/helpers/wledController.ts';
import { median, type Goal } from './goals.ts';
import { BODY } from './loads.ts';
import { connectFrameTurbo } from './peerTurbo.ts';
import { API_KEY, freePort, startStation, startStationForTurbos, type Workplace } from './processes.ts';
import { openConnection } from './wire.ts';

const TURNS = 100;
const REST_MS = 10;
const CONTROLLERS = 3;
const PLACES = 100;
const TAGS = 250;
const LOOK_EVERY_MS = 5;
const PATIENCE_MS = 60_000;

export async function measureHardware(place: Workplace, rounds: number): Promise<Goal[]> {
  return [
    ...(await measureBoard(place, rounds)),
    ...(await measureStrips(place, rounds)),
    ...(await measureTags(place, rounds)),
  ];
}

/** From a command to the frame that lights the LED, at a board and at a device that draws by itself, in turns. */
async function measureBoard(place: Workplace, rounds: number): Promise<Goal[]> {
  const goal: Goal = {
    name: 'POST → LED frame at a board, longer than at a simulated device, p50',
    unit: 'ms',
    values: [],
    atMost: 5,
  };
  const whole: Goal = { name: 'POST → LED frame at a board p50', unit: 'ms', values: [] };
  const port = await freePort();
  const server = await startStationForTurbos(place.folder(), port);
  const connection = await openConnection(server.url);
  let litAt = Promise.withResolvers<number>();
  const lit = (): void => litAt.resolve(performance.now());
  const [board, drawing] = ['51D0B0:000001', '51D0B0:000002'] as const;
  const turbos = [
    await connectFrameTurbo({ port, devices: [board], pressed: undefined, areBoards: true, lit }),
    await connectFrameTurbo({ port, devices: [drawing], pressed: undefined, lit }),
  ];
  async function light(device: string, nonce: string): Promise<number> {
    litAt = Promise.withResolvers();
    const startedAt = performance.now();
    // Each time another picture: none was drawn before.
    await connection.request('POST', `/api/device/${device}/`, JSON.stringify({ ...BODY, line1: nonce, nonce }));
    const tookMs = (await litAt.promise) - startedAt;
    await connection.request('POST', `/api/device/${device}/`, '{"command":"kill"}');
    await pause(REST_MS);
    return tookMs;
  }
  for (let round = 0; round <= rounds; round += 1) {
    const times: Record<string, number[]> = { [board]: [], [drawing]: [] };
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const device of [board, drawing]) times[device]?.push(await light(device, `led-${round}-${turn}`));
    const [atBoard = Number.NaN, atDrawing = Number.NaN] = [board, drawing].map((id) => median(times[id] ?? []));
    if (round === 0) continue;
    goal.values.push(atBoard - atDrawing);
    whole.values.push(atBoard);
  }
  connection.close();
  for (const turbo of turbos) turbo.close();
  await server.stop();
  return [goal, whole];
}

/** One request lights a place each of all controllers. */
async function measureStrips(place: Workplace, rounds: number): Promise<Goal[]> {
  const all = CONTROLLERS * PLACES;
  const lights: Goal = { name: `POST → ${all} places on strips lit`, unit: 'ms', values: [], atMost: 100 };
  // With a unit, since commands reach their places in more bursts on a busy machine.
  const requests: Goal = { name: `a controller is asked for ${PLACES} places`, unit: 'times', values: [], atMost: 1 };
  const server = await startStation(place.folder(), 0);
  const strips: WledController[] = [];
  const devices: string[] = [];
  for (let at = 1; at <= CONTROLLERS; at += 1) {
    const mac = `a0b1c2000${String(at).padStart(3, '0')}`;
    const strip = await startWled({ mac, leds: PLACES });
    strips.push(strip);
    const places = Array.from({ length: PLACES }, (_, start) => ({ label: `P${at}-${start}`, start, count: 1 }));
    await ask(server.url, 'POST', '/api/turbo/links/', { kind: 'wled', url: strip.url, places });
    for (let number = 1; number <= PLACES; number += 1)
      devices.push(`${mac.slice(-6).toUpperCase()}:${String(number).padStart(6, '0')}`);
  }
  await known(server.url, all);
  const areAll = (isLit: boolean) => () =>
    strips.every((strip) => strip.colors().every((c) => (c !== '000000') === isLit));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { changes } of strips) changes.length = 0;
    const startedAt = performance.now();
    const sent = ask(
      server.url,
      'POST',
      '/api/devices/',
      devices.map((deviceid) => ({ ...BODY, deviceid })),
    );
    await until(areAll(true));
    const tookMs = performance.now() - startedAt;
    await sent;
    if (round > 0) {
      lights.values.push(tookMs);
      requests.values.push(Math.max(...strips.map(({ changes }) => changes.length)));
    }
    await ask(
      server.url,
      'POST',
      '/api/devices/',
      devices.map((deviceid) => ({ deviceid, command: 'kill' })),
    );
    await until(areAll(false));
  }
  await server.stop();
  for (const strip of strips) await strip.stop();
  return [lights, requests];
}

/** From the link to an access point until all of its tags are devices. */
async function measureTags(place: Workplace, rounds: number): Promise<Goal[]> {
  const goal: Goal = { name: `${TAGS} tags of an access point are known`, unit: 's', values: [], atMost: 2 };
  for (let round = 0; round < rounds; round += 1) {
    const tags = Array.from({ length: TAGS }, (_, at) => ({
      mac: `0000A0B1C2${String(at).padStart(6, '0')}`,
      type: '33',
    }));
    const accessPoint = await startFakeAccessPoint(systemPorts('silent', process.env).clock, tags);
    const server = await startStation(place.folder(), 0);
    const startedAt = performance.now();
    await ask(server.url, 'POST', '/api/turbo/links/', { kind: 'openepaperlink', url: accessPoint.url });
    await known(server.url, TAGS);
    goal.values.push((performance.now() - startedAt) / 1_000);
    await server.stop();
    await accessPoint.stop();
  }
  return [goal];
}

async function known(url: URL, count: number): Promise<void> {
  await until(async () => (await ask<string[]>(url, 'GET', '/api/device/')).length >= count);
}

async function ask<T>(url: URL, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('The hardware was not ready in time');
    await pause(LOOK_EVERY_MS);
  }
}
