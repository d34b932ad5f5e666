import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CapturedFrame } from '../../../tools/protocolPage/session.ts';
import { CRC_BYTES, HEADER_BYTES } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { HEARTBEAT_MS } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

const FILE = new URL('../../../tools/protocolPage/session.json', import.meta.url);
const DEVICE = '51D000:000001';

test('the session on the protocol page matches the frames exchanged by station and turbo (to update: UPDATE_SESSION=1, then node tools/protocolPage.ts)', async () => {
  const captured: CapturedFrame[] = [];
  let now = () => 0;
  const take = (from: CapturedFrame['from'], bytes: Uint8Array) => {
    const ms = now();
    for (const frame of framesOf(Buffer.from(bytes))) captured.push({ ms, from, frame: frame.toString('hex') });
  };
  await using station = await startTestStation({
    heartbeatMs: HEARTBEAT_MS,
    watchTransport: (transport) => watched(transport, take),
  });
  await station.post('/api/simulator/devices/', { count: 1, buttons: 3, firmware: 70 });
  await station.clock.advance(3_000);
  // Unplug the turbo and plug it in again.
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.clock.advance(1_000);
  captured.length = 0;
  const pluggedInAt = station.clock.now();
  now = () => station.clock.now() - pluggedInAt;
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(1_500);
  await station.post(`/api/device/${DEVICE}/`, { statica: 'M8 nut', quantity: 40 });
  await station.clock.advance(2_500);
  await station.post(`/api/device/${DEVICE}/`, { command: 'pick', line1: 'M8 nut', quantity: 3, color: 'b' });
  await station.clock.advance(2_500);
  await station.press(DEVICE, 'minus');
  await station.clock.advance(700);
  await station.press(DEVICE);
  await station.clock.advance(2_500);

  const text = `${JSON.stringify(captured, null, 2)}\n`;
  if (process.env['UPDATE_SESSION'] !== undefined) writeFileSync(FILE, text);
  expect(text).toBe(readFileSync(FILE, 'utf8'));
});

/** Splits a write into frames. All of them are complete, because the loopback loses nothing. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += frames.at(-1)?.length ?? bytes.length)
    frames.push(bytes.subarray(at, at + HEADER_BYTES + bytes.readUInt16LE(at + 6) + CRC_BYTES));
  return frames;
}

function watched(transport: Transport, take: (from: CapturedFrame['from'], bytes: Uint8Array) => void): Transport {
  return {
    ...transport,
    open: (events) =>
      transport.open({
        ...events,
        bytes(chunk) {
          take('turbo', chunk);
          events.bytes(chunk);
        },
      }),
    write(bytes) {
      take('station', bytes);
      return transport.write(bytes);
    },
  };
}
