import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { WebSocket } from 'ws';
import { HEADER_BYTES, MAX_PAYLOAD_BYTES } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { startBroker } from '../../helpers/servers/broker.ts';
import type { Load } from '../measuredStation.ts';

const SENT_BYTES = 1_024 * 1_024;
const ENDED_PRESSES = 4_000;
const HELD_PRESSES = 1_600;
const DEVICES = 1_000;
const BROKER_MESSAGES = 5_000;
const WAIT_MS = 3_000;

/** Headers of the longest frames, one after the other, on a connection that has not signed in. */
export async function nestedHeadersOverTcp({ turboPort }: Load): Promise<void> {
  const socket = connect(turboPort, '127.0.0.1', () => socket.write(headers()));
  socket.on('error', () => undefined);
  await pause(WAIT_MS);
  socket.destroy();
}

export async function nestedHeadersOverWebsocket({ url }: Load): Promise<void> {
  const socket = new WebSocket(new URL('/turbo/?sign_in=challenge', url.href.replace('http', 'ws')));
  socket.once('open', () => socket.send(headers())).on('error', () => undefined);
  await pause(WAIT_MS);
  socket.terminate();
}

/** A button that jams after its command has ended. */
export async function pressesForEndedToken({ turbo, request }: Load): Promise<void> {
  const device = '51D0FF:000003';
  const peer = await turbo(device);
  const lit = peer.lit(device);
  await request('POST', `/api/device/${device}/`, { line1: 'Cable tie', nonce: 'ended' });
  const token = await lit;
  await peer.press(device, token);
  await Promise.all(Array.from({ length: ENDED_PRESSES }, () => peer.press(device, token)));
  peer.close();
}

/** Presses of a turbo that were held while its link was away. */
export async function manyHeldPresses({ turbo }: Load): Promise<void> {
  const device = '51D0FF:000004';
  const peer = await turbo(device);
  await Promise.all(Array.from({ length: HELD_PRESSES }, () => peer.press(device, 0)));
  peer.close();
}

/** A turbo with many devices, each of which reports its status when the turbo connects. */
export async function statusesOfManyDevices({ turbo }: Load): Promise<void> {
  const devices = Array.from({ length: DEVICES }, (_, at) => `51D0EE:${String(at).padStart(6, '0')}`);
  const peer = await turbo(...devices);
  peer.close();
}

/** Programs that publish commands faster than the station carries them out. */
export async function manyBrokerMessages({ request }: Load): Promise<void> {
  const broker = await startBroker();
  try {
    await request('PATCH', '/api/settings/', { mqtt_url: broker.url, mqtt_prefix: 'shop', mqtt_station: 'counter' });
    while (broker.at('shop/counter/info').length === 0) await pause(100);
    const body = '{"line1":"Cable tie"}';
    await Promise.all(
      Array.from({ length: BROKER_MESSAGES }, () => broker.publish('shop/counter/devices/51D0FF:000002/set', body)),
    );
    await pause(WAIT_MS);
  } finally {
    await broker.stop();
  }
}

function headers(): Buffer {
  const header = Buffer.from([0xa5, 0x5a, 1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16LE(MAX_PAYLOAD_BYTES, 6);
  header.writeUInt16LE(crc32(header.subarray(2, 8)) & 0xffff, 8);
  return Buffer.concat(Array.from({ length: SENT_BYTES / HEADER_BYTES }, () => header));
}
