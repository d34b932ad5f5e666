import type { Button, Hold } from '../../../electron/server/ports.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import type { DeviceAsk, Event } from './journal.ts';
import { commandAsk, randomAsk } from './requests.ts';
import { sameStation } from './snapshot.ts';
import type { World } from './world.ts';

export type Operation = { name: string; weight: number; run: (world: World) => Promise<string> };

const HOUR = 3_600_000;

/** Everything that may happen to a station, each told in a few words. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'ask', weight: 30, run: (world) => ask(world, [randomAsk(world)], false) },
  { name: 'ask for many', weight: 4, run: (world) => ask(world, Array.from({ length: 2 + world.random.below(5) }, () => randomAsk(world)), true) },
  { name: 'repeat a command', weight: 3, run: repeat },
  { name: 'press', weight: 25, run: press },
  { name: 'press and pull the plug', weight: 3, run: pressAndUnplug },
  { name: 'wait', weight: 26, run: wait },
  { name: 'plug', weight: 5, run: plug },
  { name: 'disturb the link', weight: 4, run: disturb },
  { name: 'reach', weight: 5, run: reach },
  { name: 'restart a device', weight: 3, run: restartDevice },
  { name: 'restart the turbo', weight: 1, run: restartTurbo },
  { name: 'set the clock', weight: 3, run: setClock },
  { name: 'change settings', weight: 3, run: changeSettings },
  { name: 'change the receiver', weight: 3, run: changeReceiver },
  { name: 'restart the station', weight: 1.5, run: restartStation },
  { name: 'look', weight: 6, run: look },
];

/** One HTTP request, as the asks need it. */
export async function ask(world: World, asks: DeviceAsk[], bulk: boolean): Promise<string> {
  const { random, journal, station } = world;
  const event: Extract<Event, { kind: 'asked' }> = { kind: 'asked', asks, bulk, answer: undefined };
  journal.note(event);
  const [first] = asks;
  const method = random.chance(0.2) ? 'PUT' : 'POST';
  if (bulk) {
    const body = asks.map(({ deviceid, request }) => (deviceid === undefined ? request : { ...request, deviceid }));
    event.answer = await station.request(method, '/api/devices/', body);
  } else if (first?.deviceid === undefined) {
    event.answer = await station.request(method, '/api/devices/', first?.request);
  } else {
    event.answer = await station.request(method, `/api/device/${first.deviceid}/`, first.request);
  }
  return JSON.stringify(asks);
}

/** What a script does that does not know whether its last call came through. */
async function repeat(world: World): Promise<string> {
  const { random, oracle } = world;
  const device = oracle.device(random.one(world.deviceIds));
  const command = device.queue[random.below(device.queue.length)];
  if (command === undefined) return ask(world, [commandAsk(world)], false);
  const { word, lines, quantity, color, nonce, target } = command;
  const seconds = random.one([command.seconds, 10]);
  const [line1 = '', line2 = '', line3 = ''] = lines;
  const request = { command: word, line1, line2, line3, quantity, color, seconds, nonce };
  const isByLabel = target !== 'device';
  const asked = isByLabel ? { deviceid: undefined, request: { ...request, location: command.location } } : { deviceid: device.id, request };
  return ask(world, [asked], false);
}

function pressNow(world: World): string {
  const { random, hardware, clock } = world;
  const lit = world.deviceIds.filter((id) => hardware.sim.look(id)?.lit === true);
  const [firstLit, ...otherLit] = lit;
  const deviceId = firstLit !== undefined && random.chance(0.7) ? random.one([firstLit, ...otherLit]) : random.one(world.deviceIds);
  const button: Button = random.one(['front', 'front', 'front', 'plus', 'minus'] as const);
  const hold: Hold = random.one(['short', 'long'] as const);
  const before = hardware.sim.look(deviceId);
  const isTaken = hardware.sim.press(deviceId, button, hold);
  const refused = hardware.sim.look(deviceId)?.refusedPresses !== before?.refusedPresses;
  if (isTaken && !refused) {
    world.presses.accepted(deviceId, { button, hold, token: before?.token ?? 0, madeMono: clock.monotonic() });
  }
  return `${deviceId} ${button} ${hold} on ${before?.token}${isTaken && !refused ? '' : ', refused'}`;
}

async function press(world: World): Promise<string> {
  const presses = [pressNow(world)];
  while (world.random.chance(0.25)) presses.push(pressNow(world));
  return presses.join('; ');
}

/** The wire is cut while the report, or the word that it is taken, is on its way. */
async function pressAndUnplug(world: World): Promise<string> {
  const told = pressNow(world);
  const turns = world.random.below(6);
  await turnsOfTheLoop(turns);
  connect(world, false);
  return `${told}; unplugged ${turns} turns later`;
}

async function wait(world: World): Promise<string> {
  const ms = world.random.one([5, 40, 150, 350, 900, 2_100, 2_500, 4_000, 7_000, 12_000, 33_000] as const);
  await world.clock.advance(ms);
  return `${ms} ms`;
}

function connect(world: World, connected: boolean): void {
  world.link.connected = connected;
  if (connected) world.hardware.connect();
  else world.hardware.disconnect();
  world.noteRadio();
}

async function plug(world: World): Promise<string> {
  connect(world, !world.link.connected);
  return world.link.connected ? 'in' : 'out';
}

async function disturb(world: World): Promise<string> {
  const { random, hardware, link } = world;
  link.loss = random.one([0, 0, 0.2, 0.5, 1] as const);
  link.latencyMs = random.one([0, 0, 30, 400, 3_000] as const);
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: link.loss, latencyMs: link.latencyMs });
  world.noteRadio();
  return `loss ${link.loss}, latency ${link.latencyMs} ms`;
}

async function reach(world: World): Promise<string> {
  const { random, hardware, unreachable } = world;
  const [gone, ...others] = unreachable;
  const deviceId = gone !== undefined && random.chance(0.7) ? random.one([gone, ...others]) : random.one(world.deviceIds);
  const reachable = unreachable.delete(deviceId);
  if (!reachable) unreachable.add(deviceId);
  hardware.sim.setDevice(deviceId, { reachable });
  world.noteRadio();
  return `${deviceId} ${reachable ? 'comes' : 'goes'}`;
}

async function restartDevice(world: World): Promise<string> {
  const device = world.random.one(world.deviceIds);
  // A press before and one after it are told apart by their moment.
  await world.clock.advance(1);
  world.presses.restarted(device);
  world.hardware.sim.restartDevice(device);
  world.journal.note({ kind: 'restarted', device });
  world.noteRadio();
  return device;
}

async function restartTurbo(world: World): Promise<string> {
  world.hardware.sim.restartTurbo(SIMULATED_SERIAL);
  return '';
}

async function setClock(world: World): Promise<string> {
  const { random, clock, station } = world;
  if (world.jump !== undefined) return wait(world);
  const ms = random.one([-1, 1] as const) * random.one([2_000, 7_000, 60_000, HOUR, 5 * HOUR] as const);
  clock.jump(ms);
  world.jump = { ms, commits: station.started.commits() };
  world.journal.note({ kind: 'jumped', ms });
  return `${ms} ms`;
}

async function changeSettings(world: World): Promise<string> {
  const { random, receiver } = world;
  const change: SettingsChange = random.one([
    { callback_url: '' },
    { callback_url: receiver.url },
    { callback_url: receiver.url },
    { callback_url: `${receiver.url}{acknack}/{nonce}/?at={location}&d={deviceid}&n={qty}&x={other}` },
    { callback_families: { device: false } },
    { callback_families: { device: true } },
    { callback_families: { device: true } },
    { unreachable_callback: 'none' },
    { unreachable_callback: 'nack' },
    { default_seconds: 4, default_color: 'blue' },
    { default_seconds: 30, default_color: 'red' },
  ]);
  await set(world, change);
  return JSON.stringify(change);
}

export async function set(world: World, change: SettingsChange): Promise<void> {
  world.journal.note({ kind: 'settings', change });
  const answer = await world.station.request('PATCH', '/api/settings/', change);
  if (answer.status !== 200) throw new Error(`The settings were answered with ${answer.status}`);
}

async function changeReceiver(world: World): Promise<string> {
  const { random, receiver } = world;
  const status = random.one([200, 200, 204, 302, 410, 500] as const);
  receiver.reply(random.chance(0.1) ? { status: 503, headers: { 'retry-after': '40' } } : status);
  return `answers ${status}`;
}

async function restartStation(world: World): Promise<string> {
  const { random, clock } = world;
  if (world.jump !== undefined) return look(world);
  await world.settle();
  const before = await world.checkSnapshot();
  const told = random.chance(0.5) ? [pressNow(world)] : [];
  await turnsOfTheLoop(random.below(6));
  await world.stop();
  await world.settle();
  const isQuiet = told.length === 0;
  const downMs = random.one([0, 0, 1_000, 6_000, 30_000, 90_000] as const);
  await clock.advance(downMs);
  await world.start();
  if (isQuiet) sameStation(before, await world.checkSnapshot());
  return `${told.join()} down for ${downMs} ms`;
}

async function look(world: World): Promise<string> {
  await world.checkSnapshot();
  return '';
}

async function turnsOfTheLoop(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
