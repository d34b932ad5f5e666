import type { Button, Hold } from '../../../electron/server/ports.ts';
import { ask } from './asking.ts';
import { connect, takeBatteryOut } from './faults.ts';
import { turnClock, turnsOfTheLoop, wait } from './moments.ts';
import { askLikeThat } from './requests.ts';
import type { World } from './world.ts';

export function pressNow(world: World, wanted?: string, finger?: Button): string {
  const { random, hardware, clock } = world;
  const [lit, ...otherLit] = world.deviceIds.filter((id) => hardware.sim.look(id)?.active === true);
  const isLit = lit !== undefined && wanted === undefined && random.chance(0.8);
  const deviceId = wanted ?? random.one(isLit ? [lit, ...otherLit] : world.deviceIds);
  const before = hardware.sim.look(deviceId);
  const button: Button =
    finger ??
    (before?.count === undefined
      ? random.one(['front', 'front', 'front', 'plus', 'minus'] as const)
      : random.one(['front', 'plus', 'plus', 'minus'] as const));
  const hold: Hold = random.one(['short', 'long'] as const);
  const isButton = hardware.sim.press(deviceId, button, hold);
  const isTaken = isButton && hardware.sim.look(deviceId)?.refusedPresses === before?.refusedPresses;
  const token = before?.token ?? 0;
  if (isTaken) world.presses.accepted(deviceId, { button, hold, token, madeMono: clock.monotonic() });
  return `${deviceId} ${button} ${hold} on ${token}${isTaken ? '' : ', refused'}`;
}

export async function press(world: World): Promise<string> {
  const presses = [pressNow(world)];
  while (world.random.chance(0.25)) presses.push(pressNow(world));
  return presses.join('; ');
}

/** Presses while the command is repeated, replaced, killed or redrawn. */
export async function changeAndPress(world: World): Promise<string> {
  const { random, oracle } = world;
  const lit = world.deviceIds.filter((id) => (oracle.device(id).queue[0]?.shownMono ?? null) !== null);
  const deviceId = lit[random.below(lit.length)];
  const command = deviceId === undefined ? undefined : oracle.device(deviceId).queue[0];
  if (deviceId === undefined || command === undefined) return wait(world);
  const told = [await ask(world, [askLikeThat(world, oracle.device(deviceId), command)], false)];
  for (let presses = 1 + random.below(3); presses > 0; presses -= 1) told.push(pressNow(world, deviceId));
  return told.join('; ');
}

/** Presses at the moment when the device or the station ends the command, or a millisecond before or after. */
export async function pressInTheLastMoment(world: World): Promise<string> {
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

/** Presses more often than the device can store presses while no turbo accepts them. */
export async function mash(world: World): Promise<string> {
  const deviceId = world.random.one(world.deviceIds);
  const presses = Array.from({ length: 70 }, () => pressNow(world, deviceId));
  return presses.at(-1) ?? '';
}

/** Cuts the wire while the report of a press or its acknowledgement is in transit. */
export async function pressAndUnplug(world: World, deviceId?: string): Promise<string> {
  const told = pressNow(world, deviceId);
  const turns = world.random.below(4);
  await turnsOfTheLoop(turns);
  connect(world, false);
  return `${told}; unplugged ${turns} turns later`;
}

/** Restarts one device many times, with a press after each restart. The last press may be reported twice. */
export async function wearOut(world: World): Promise<string> {
  const { random, clock } = world;
  const device = random.one(world.deviceIds);
  const told: string[] = [];
  for (let lives = 3 + random.below(4); lives > 0; lives -= 1) {
    if (lives === 1 && world.jump === undefined && random.chance(0.3)) await turnClock(world, -7_000);
    await takeBatteryOut(world, device);
    told.push(pressNow(world, device));
    await clock.advance(random.one([0, 100, 2_500] as const));
  }
  if (random.chance(0.7)) told.push(await pressAndUnplug(world, device));
  return told.join('; ');
}
