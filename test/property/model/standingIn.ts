import { ask } from './asking.ts';
import { lookOfIdentify } from './asks.ts';
import type { DeviceAsk, Event, StandInAsk } from './journal.ts';
import { turnsOfTheLoop, wait } from './moments.ts';
import { pressNow } from './pressing.ts';
import type { World } from './world.ts';

type What = StandInAsk['what'];

/** An id that no station has assigned. */
const NO_COMMAND = 999_999_999;

/** Acts at the station on one command: usually an open one, otherwise any earlier one. */
export async function standIn(world: World, what: What): Promise<string> {
  return send(world, randomStandIn(world, what), false);
}

/** Acts at the station and presses at the device on the same command at the same moment. */
export async function standInAndPress(world: World): Promise<string> {
  const { random, oracle } = world;
  const lit = world.deviceIds.filter((id) => world.hardware.sim.look(id)?.active === true);
  const device = oracle.device(lit[random.below(lit.length)] ?? random.one(world.deviceIds));
  const [command] = device.queue;
  if (command === undefined) return wait(world);
  const what = random.one(['acknowledge', 'acknowledge', 'takeAway', 'adjust'] as const);
  const counted = command.adjusted ?? command.quantity;
  const stood: StandInAsk =
    what === 'adjust' && counted !== null
      ? // Use a different quantity, because only that leaves a row with its time.
        { what, deviceid: device.id, commandId: command.id, quantity: counted + 1 + random.below(2) }
      : about(world, what === 'adjust' ? 'acknowledge' : what, { deviceid: device.id, id: command.id });
  const turns = random.below(7);
  if (random.chance(0.5)) {
    const told = pressNow(world, device.id, 'front');
    await turnsOfTheLoop(turns);
    return `${told}; ${turns} turns later ${await send(world, stood, true)}`;
  }
  const sending = send(world, stood, true);
  await turnsOfTheLoop(turns);
  const told = pressNow(world, device.id, 'front');
  return `${await sending}; ${turns} turns later ${told}`;
}

/** Identifies a device, sometimes together with a script's command that looks the same but is separate work. */
export async function lookFor(world: World): Promise<string> {
  const { random, oracle } = world;
  const deviceid = random.one(world.deviceIds);
  const { lines, word, color, seconds } = lookOfIdentify(oracle.device(deviceid));
  const [line1 = '', line2 = ''] = lines;
  const alike: DeviceAsk = { deviceid, request: { command: word, line1, line2, color, seconds } };
  const calls = [() => send(world, { what: 'identify', deviceid }, false)];
  if (random.chance(0.3)) calls.splice(random.below(2), 0, () => ask(world, [alike], false));
  const told: string[] = [];
  for (const call of calls) told.push(await call());
  return told.join('; ');
}

function randomStandIn(world: World, what: What): StandInAsk {
  const { random, oracle } = world;
  const open = world.deviceIds.flatMap((deviceid) => oracle.device(deviceid).queue.map(({ id }) => ({ deviceid, id })));
  const all = [...oracle.owners].map(([id, device]) => ({ deviceid: device.id, id }));
  const replaced = all.filter(({ id }) => oracle.successors.has(id));
  const way = random.fraction();
  // Recently ended commands are better tests than old ones.
  const among = way < 0.7 && open.length > 0 ? open : (way < 0.85 ? replaced : all).slice(-8);
  const none = { deviceid: random.one(world.deviceIds), id: NO_COMMAND };
  const meant = way > 0.98 ? none : (among[random.below(among.length)] ?? none);
  const deviceid = random.chance(0.05) ? random.one([...world.deviceIds, '51D000:999999']) : meant.deviceid;
  return about(world, what, { deviceid, id: meant.id });
}

function about({ random }: World, what: What, { deviceid, id }: { deviceid: string; id: number }): StandInAsk {
  switch (what) {
    case 'acknowledge':
      return { what, deviceid, commandId: id, qty: random.chance(0.5) ? random.below(4) : undefined };
    case 'adjust':
      return { what, deviceid, commandId: id, quantity: random.below(5) };
    case 'takeAway':
      return { what, deviceid, commandId: id };
    case 'identify':
      return { what, deviceid };
  }
}

async function send(world: World, done: StandInAsk, isRacing: boolean): Promise<string> {
  const event: Extract<Event, { kind: 'stoodIn' }> = { kind: 'stoodIn', ask: done, isRacing, answer: undefined };
  world.journal.note(event);
  const path = `/api/device/${done.deviceid.toLowerCase()}`;
  if (done.what === 'takeAway') {
    event.answer = await world.station.request('DELETE', `${path}/commands/${done.commandId}/`);
  } else event.answer = await world.station.request('POST', `${path}/${done.what}/`, bodyOf(done));
  return JSON.stringify(done);
}

function bodyOf(ask: StandInAsk): object {
  switch (ask.what) {
    case 'acknowledge':
      return { command_id: String(ask.commandId), qty: ask.qty };
    case 'adjust':
      return { command_id: String(ask.commandId), quantity: ask.quantity };
    default:
      return {};
  }
}
