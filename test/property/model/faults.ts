import { SIMULATED_SERIAL } from '../../../electron/server/simulator/simulator.ts';
import { wait } from './moments.ts';
import { MAX_LATENCY_MS } from './timeRules.ts';
import type { World } from './world.ts';

export function connect(world: World, connected: boolean): void {
  world.link.connected = connected;
  if (connected) world.hardware.connect();
  else world.hardware.disconnect();
  world.noteRadio();
}

export async function unplug(world: World): Promise<string> {
  connect(world, false);
  return '';
}

export async function disturb(world: World): Promise<string> {
  const { random, hardware, link } = world;
  link.loss = random.one([0, 0, 0.2, 0.5, 1] as const);
  link.latencyMs = random.one([0, 0, 30, 400, MAX_LATENCY_MS] as const);
  hardware.sim.setTurbo(SIMULATED_SERIAL, { loss: link.loss, latencyMs: link.latencyMs });
  world.noteRadio();
  return `loss ${link.loss}, latency ${link.latencyMs} ms`;
}

export function reach(world: World, deviceId: string, reachable: boolean): void {
  if (reachable) world.unreachable.delete(deviceId);
  else world.unreachable.add(deviceId);
  world.hardware.sim.setDevice(deviceId, { reachable });
  world.noteRadio();
}

export async function carryAway(world: World): Promise<string> {
  const deviceId = world.random.one(world.deviceIds);
  reach(world, deviceId, false);
  return deviceId;
}

/** Repairs one of the current faults. */
export async function mend(world: World): Promise<string> {
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

export async function restartDevice(world: World): Promise<string> {
  const device = world.random.one(world.deviceIds);
  await takeBatteryOut(world, device);
  return device;
}

export async function takeBatteryOut(world: World, device: string): Promise<void> {
  // Separate the times of presses before and after the restart.
  await world.clock.advance(1);
  world.presses.restarted(device);
  world.hardware.sim.restartDevice(device);
  world.journal.note({ kind: 'restarted', device });
  world.noteRadio();
}

export async function restartTurbo(world: World): Promise<string> {
  world.hardware.sim.restartTurbo(SIMULATED_SERIAL);
  return '';
}
