import type { DeviceRequest } from '#shared/api/device.ts';
import type { DeviceAsk } from './journal.ts';
import type { Random } from './random.ts';
import type { ModelCommand, ModelDevice } from './state.ts';
import type { World } from './world.ts';

const TEXTS = ['M8', 'nut', 'washer', 'a text that is longer than a line'] as const;
const NONCES = ['', '', 'a', 'b', 'c'] as const;
const LABELS = ['', 'A-1', 'A-1', 'B-2'] as const;
const SECONDS = [0, 1, 2, 3, 5, 8, 20, 45] as const;

/** Creates a request to one device. Some of these requests are refused according to the contract. */
export function randomAsk(world: World): DeviceAsk {
  const { random } = world;
  if (random.chance(0.02)) return refused(world);
  const kind = random.fraction();
  const request = kind < 0.72 ? command(random) : kind < 0.86 ? statics(random) : kill(random);
  return addressed(world, request);
}

export function commandAsk(world: World): DeviceAsk {
  return addressed(world, command(world.random));
}

/** Creates a request that gives a device another label, or none, at any time. Work for the names follows them. */
export function labelAsk({ random, deviceIds }: World): DeviceAsk {
  return { deviceid: random.one(deviceIds), request: { locationoverride: random.one(LABELS) } };
}

/** Creates the requests that label devices, in the order of their DeviceIDs, before any work is lit. */
export function labelAsks({ random, deviceIds }: World): DeviceAsk[] {
  return deviceIds.map((deviceid) => ({
    deviceid,
    request: { locationoverride: random.one(LABELS), brightness: 100 },
  }));
}

/** Creates a request about one open command: a repetition, a replacement, a kill, or a change to what its device shows. */
export function askLikeThat(world: World, device: ModelDevice, like: ModelCommand): DeviceAsk {
  const { random } = world;
  const { word, lines, quantity, color, nonce } = like;
  const [line1 = '', line2 = '', line3 = ''] = lines;
  const again: DeviceRequest = { command: word, line1, line2, line3, quantity, color, nonce };
  const request: DeviceRequest = random.one([
    { ...again, seconds: like.seconds },
    { ...again, seconds: 10 },
    { ...again, seconds: 10, quantity: 1 + random.below(3) },
    { ...again, seconds: 5, line1: random.one(TEXTS) },
    { command: 'kill', nonce },
    { brightness: random.one([100, 40] as const) },
  ]);
  if (device.label === '' || random.chance(0.7)) return { deviceid: device.id, request };
  return { deviceid: undefined, request: { ...request, location: device.label } };
}

function addressed(world: World, request: DeviceRequest): DeviceAsk {
  const { random } = world;
  const deviceid = random.one(world.deviceIds);
  const way = random.fraction();
  if (way < 0.6) return { deviceid, request };
  if (way < 0.8) return { deviceid: undefined, request: { ...request, deviceid: deviceid.toLowerCase() } };
  const location = random.chance(0.5) ? world.oracle.device(deviceid).label.toLowerCase() : deviceid;
  return { deviceid: undefined, request: { ...request, location: location === '' ? deviceid : location } };
}

function command(random: Random): DeviceRequest {
  const word = random.one([undefined, undefined, 'flash', 'message', 'pick', 'display'] as const);
  const request: DeviceRequest = word === undefined ? {} : { command: word };
  if (word === undefined || random.chance(0.8)) request.line1 = random.one(TEXTS);
  if (random.chance(0.2)) request.line3 = random.one(TEXTS);
  if (random.chance(0.6)) request.quantity = random.below(4);
  if (random.chance(0.3)) request.color = random.one(['r', 'blue', '#00ff80'] as const);
  if (random.chance(0.9)) request.seconds = random.one(SECONDS);
  const nonce = random.one(NONCES);
  if (nonce !== '' || random.chance(0.5)) request.nonce = nonce;
  if (random.chance(0.05)) request.statica = 'not for a command';
  return request;
}

function statics(random: Random): DeviceRequest {
  const request: DeviceRequest = {};
  if (random.chance(0.5)) request.statica = random.one(['', '\\bc51D000', 'M8 nuts'] as const);
  if (random.chance(0.3)) request.staticc = random.one(['', '\\icright'] as const);
  if (random.chance(0.3)) request.quantity = random.one([null, 0, 240] as const);
  if (random.chance(0.2)) request.arrow = random.one(['', 'left', 'topright'] as const);
  if (random.chance(0.3)) request.unsolicitedNonce = random.one(['', 'bell'] as const);
  if (random.chance(0.2)) request.brightness = random.one([100, 40, 0] as const);
  return request;
}

function kill(random: Random): DeviceRequest {
  const nonce = random.one(['', 'a', 'b', 'c'] as const);
  return nonce === '' ? { command: 'kill' } : { command: 'kill', nonce };
}

function refused(world: World): DeviceAsk {
  const { random } = world;
  const request = command(random);
  if (random.chance(0.5)) return { deviceid: '51D000:999999', request };
  return { deviceid: random.one(world.deviceIds), request: { ...request, command: 'explode' } };
}
