import type { Button, Hold } from '../../../electron/server/ports.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { RETRY_AFTER_S, templateOf } from './deliveries.ts';
import type { DeviceAsk, Event } from './journal.ts';
import { askLikeThat, commandAsk, randomAsk } from './requests.ts';
import { sameStation } from './snapshot.ts';
import type { World } from './world.ts';

export type Operation = { name: string; weight: number; run: (world: World) => Promise<string> };

const HOUR = 3_600_000;

/** Everything that may happen to a station, each told in a few words. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'ask', weight: 30, run: (world) => ask(world, [randomAsk(world)], false) },
  {
    name: 'ask for many',
    weight: 4,
    run: (world) =>
      ask(
        world,
        Array.from({ length: 2 + world.random.below(5) }, () => randomAsk(world)),
        true,
      ),
  },
  { name: 'repeat a command', weight: 3, run: repeat },
  { name: 'change what is lit and press', weight: 6, run: changeAndPress },
  { name: 'press', weight: 22, run: press },
  { name: 'press in the last moment', weight: 4, run: pressInTheLastMoment },
  { name: 'press until nothing more is taken', weight: 0.3, run: mash },
  { name: 'press and pull the plug', weight: 3, run: (world) => pressAndUnplug(world) },
  { name: 'wait', weight: 28, run: wait },
  { name: 'pull the plug', weight: 3, run: unplug },
  { name: 'disturb the link', weight: 4, run: disturb },
  { name: 'carry away', weight: 3, run: carryAway },
  { name: 'mend', weight: 12, run: mend },
  { name: 'restart a device', weight: 2, run: restartDevice },
  { name: 'restart a device again and again', weight: 0.8, run: wearOut },
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
  const asked = command === undefined ? commandAsk(world) : askLikeThat(world, device, command);
  return ask(world, [asked], false);
}

function pressNow(world: World, wanted?: string): string {
  const { random, hardware, clock } = world;
  const [lit, ...otherLit] = world.deviceIds.filter((id) => hardware.sim.look(id)?.lit === true);
  const any = lit !== undefined && random.chance(0.8) ? random.one([lit, ...otherLit]) : random.one(world.deviceIds);
  const deviceId = wanted ?? any;
  const before = hardware.sim.look(deviceId);
  const button: Button =
    before?.count === undefined
      ? random.one(['front', 'front', 'front', 'plus', 'minus'] as const)
      : random.one(['front', 'plus', 'plus', 'minus'] as const);
  const hold: Hold = random.one(['short', 'long'] as const);
  const isButton = hardware.sim.press(deviceId, button, hold);
  const isTaken = isButton && hardware.sim.look(deviceId)?.refusedPresses === before?.refusedPresses;
  const token = before?.token ?? 0;
  if (isTaken) world.presses.accepted(deviceId, { button, hold, token, madeMono: clock.monotonic() });
  return `${deviceId} ${button} ${hold} on ${token}${isTaken ? '' : ', refused'}`;
}

async function press(world: World): Promise<string> {
  const presses = [pressNow(world)];
  while (world.random.chance(0.25)) presses.push(pressNow(world));
  return presses.join('; ');
}

/** The worker's finger is on the button when what he sees is repeated, replaced, killed or drawn anew. */
async function changeAndPress(world: World): Promise<string> {
  const { random, oracle } = world;
  const lit = world.deviceIds.filter((id) => (oracle.device(id).queue[0]?.shownMono ?? null) !== null);
  const deviceId = lit[random.below(lit.length)];
  const command = deviceId === undefined ? undefined : oracle.device(deviceId).queue[0];
  if (deviceId === undefined || command === undefined) return wait(world);
  const told = [await ask(world, [askLikeThat(world, oracle.device(deviceId), command)], false)];
  for (let presses = 1 + random.below(3); presses > 0; presses -= 1) told.push(pressNow(world, deviceId));
  return told.join('; ');
}

/** When the device gives up, when the station does, and one millisecond to either side. */
async function pressInTheLastMoment(world: World): Promise<string> {
  const { random, oracle, clock } = world;
  const due = [...oracle.devices.values()].flatMap((device) => {
    const [command] = device.queue;
    if (command === undefined || command.firstMono === null || command.seconds === 0) return [];
    const since = command.shownMono ?? command.firstMono;
    const moments = [device.truth.endsMono, since + command.seconds * 1_000 + 2_000];
    return moments.map((moment) => ({ deviceId: device.id, inMs: moment - clock.monotonic() }));
  });
  const soon = due.filter(({ inMs }) => inMs > 0 && inMs < 30_000);
  const chosen = soon[random.below(soon.length)];
  if (chosen === undefined) return wait(world);
  const inMs = chosen.inMs + random.one([-1, 0, 1] as const);
  await clock.advance(Math.max(0, inMs - random.one([0, world.link.latencyMs])));
  return `after ${inMs} ms ${pressNow(world, chosen.deviceId)}`;
}

/** More than the device can hold where nobody takes it. */
async function mash(world: World): Promise<string> {
  const deviceId = world.random.one(world.deviceIds);
  const presses = Array.from({ length: 70 }, () => pressNow(world, deviceId));
  return presses.at(-1) ?? '';
}

/** The wire is cut while the report, or the word that it is taken, is on its way. */
async function pressAndUnplug(world: World, deviceId?: string): Promise<string> {
  const told = pressNow(world, deviceId);
  const turns = world.random.below(4);
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

async function unplug(world: World): Promise<string> {
  connect(world, false);
  return '';
}

/** Puts one thing right that is wrong. */
async function mend(world: World): Promise<string> {
  const { random, hardware, link, unreachable } = world;
  const [gone, ...others] = unreachable;
  if (!link.connected && random.chance(0.7)) connect(world, true);
  else if (gone !== undefined && random.chance(0.7)) reach(world, random.one([gone, ...others]), true);
  else if (link.loss > 0 || link.latencyMs > 0) {
    Object.assign(link, { loss: 0, latencyMs: 0 });
    hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: 0, latencyMs: 0 });
    world.noteRadio();
  } else return wait(world);
  return JSON.stringify({ ...link, unreachable: [...unreachable] });
}

async function disturb(world: World): Promise<string> {
  const { random, hardware, link } = world;
  link.loss = random.one([0, 0, 0.2, 0.5, 1] as const);
  link.latencyMs = random.one([0, 0, 30, 400, 3_000] as const);
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: link.loss, latencyMs: link.latencyMs });
  world.noteRadio();
  return `loss ${link.loss}, latency ${link.latencyMs} ms`;
}

function reach(world: World, deviceId: string, reachable: boolean): void {
  if (reachable) world.unreachable.delete(deviceId);
  else world.unreachable.add(deviceId);
  world.hardware.sim.setDevice(deviceId, { reachable });
  world.noteRadio();
}

async function carryAway(world: World): Promise<string> {
  const deviceId = world.random.one(world.deviceIds);
  reach(world, deviceId, false);
  return deviceId;
}

async function restartDevice(world: World): Promise<string> {
  const device = world.random.one(world.deviceIds);
  await takeBatteryOut(world, device);
  return device;
}

async function takeBatteryOut(world: World, device: string): Promise<void> {
  // A press before and one after it are told apart by their moment.
  await world.clock.advance(1);
  world.presses.restarted(device);
  world.hardware.sim.restartDevice(device);
  world.journal.note({ kind: 'restarted', device });
  world.noteRadio();
}

/** Many short lives of one device, each with a press, the last of which may be told twice. */
async function wearOut(world: World): Promise<string> {
  const { random, clock } = world;
  const device = random.one(world.deviceIds);
  const told: string[] = [];
  for (let lives = 3 + random.below(4); lives > 0; lives -= 1) {
    if (lives === 1 && world.jump === undefined && random.chance(0.3)) turnClock(world, -7_000);
    await takeBatteryOut(world, device);
    told.push(pressNow(world, device));
    await clock.advance(random.one([0, 100, 2_500] as const));
  }
  if (random.chance(0.7)) told.push(await pressAndUnplug(world, device));
  return told.join('; ');
}

async function restartTurbo(world: World): Promise<string> {
  world.hardware.sim.restartTurbo(SIMULATED_SERIAL);
  return '';
}

async function setClock(world: World): Promise<string> {
  const { random } = world;
  if (world.jump !== undefined) return wait(world);
  const ms = random.one([-1, 1] as const) * random.one([2_000, 7_000, 60_000, HOUR, 5 * HOUR] as const);
  turnClock(world, ms);
  return `${ms} ms`;
}

function turnClock(world: World, ms: number): void {
  world.clock.jump(ms);
  world.jump = { ms, commits: world.station.started.commits() };
  world.journal.note({ kind: 'jumped', ms });
  if (ms > 0) world.deliveries.disturb();
}

async function changeSettings(world: World): Promise<string> {
  const { random, deliveries } = world;
  const change: SettingsChange = random.one([
    { callback_url: '' },
    { callback_url: deliveries.url },
    { callback_url: deliveries.url },
    { callback_url: templateOf(deliveries.url) },
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
  if (change.callback_url !== undefined) world.deliveries.disturb();
  const answer = await world.station.request('PATCH', '/api/settings/', change);
  if (answer.status !== 200) throw new Error(`The settings were answered with ${answer.status}`);
}

async function changeReceiver(world: World): Promise<string> {
  const { random, deliveries } = world;
  const busy = { status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } };
  const reply = random.one([200, 200, 204, 302, 410, 500, busy] as const);
  deliveries.answer(reply);
  return `answers ${JSON.stringify(reply)}`;
}

async function restartStation(world: World): Promise<string> {
  const { random, clock } = world;
  if (world.jump !== undefined) return look(world);
  await world.settle();
  const before = await world.checkSnapshot();
  const told = random.chance(0.5) ? [pressNow(world)] : [];
  await turnsOfTheLoop(random.below(4));
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
