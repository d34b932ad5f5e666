import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { WebSocket } from 'ws';
import { HEADER_BYTES, MAX_PAYLOAD_BYTES } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Load } from '../measuredStation.ts';

const SENT_BYTES = 1_024 * 1_024;
const ENDED_PRESSES = 4_000;
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

function headers(): Buffer {
  const header = Buffer.from([0xa5, 0x5a, 1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16LE(MAX_PAYLOAD_BYTES, 6);
  header.writeUInt16LE(crc32(header.subarray(2, 8)) & 0xffff, 8);
  return Buffer.concat(Array.from({ length: SENT_BYTES / HEADER_BYTES }, () => header));
}
