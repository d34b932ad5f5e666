import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Turbo } from '#shared/api/turbo.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { heapInUse } from '../../helpers/heap.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { ADMIN_PASSWORD } from '../../helpers/screens/template.ts';

const DEVICE = '51D000:000001';
const MAD = 'AAAAAA:000001';
const EVENTS = 10_000;
/**
 * Maximum growth of the heap in bytes. It is less than the events would need if each left an entry, because a map entry with a few fields
 * takes 300 bytes.
 */
const MAX_BYTES = 3_000_000;

let station: TestStation;
let socket: Socket;

/** Starts a station with a simulated turbo and a network turbo that ignores the flow control window. */
beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0, turboPort: 0 });
  await station.clock.advance(12_000);
  socket = connect(station.started.turboPort() ?? 0, '127.0.0.1');
  const welcomed = once(socket, 'data');
  const { hello } = EXAMPLES;
  say({ name: 'hello', body: { ...hello, serialNumber: 'MAD', username: 'admin', secret: ADMIN_PASSWORD } }, 1);
  await welcomed;
  // Discard the answers.
  socket.resume();
});

afterEach(async () => {
  socket.destroy();
  await station.stop();
});

const say = (request: RequestMessage, seq: number) =>
  socket.write(encodeFrame(createFrameWriter(), request, seq, false));

/** Polls on each turn of the event loop, because sockets do not use the fake clock. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

const pressed = (counter: number): RequestMessage => ({
  name: 'button',
  body: { ...EXAMPLES.button, device: MAD, counter, token: 0, button: 'plus', hold: 'short', quantity: undefined },
});
const countOf = (device: string) =>
  station.rows<{ n: number }>(`SELECT count(*) AS n FROM history WHERE device_id = '${device}'`)[0]?.n ?? 0;
const counted = () => countOf(MAD);
const acknowledged = () => countOf(DEVICE);

test("each of over 10,000 presses of a device counts once, another turbo's press gets through, and memory stays limited", async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'n', seconds: 0 });
  await station.clock.advance(1_000);
  let counter = 0;
  const flood = (events: number): void => {
    for (let event = 0; event < events; event++) say(pressed((counter += 1)), counter + 1);
  };
  const before = heapInUse();
  flood(EVENTS);
  await until(() => counted() > 0);
  const shownFor = station.post(`/api/simulator/devices/${DEVICE}/press/`, { button: 'front', hold: 'short' });
  // Continue the flood until the other turbo's press is acknowledged.
  await until(() => {
    flood(50);
    return acknowledged() > 0;
  });
  const during = heapInUse() - before;
  await shownFor;
  await until(() => counted() >= counter);
  // A repeated report must not count again.
  for (let again = 1; again <= counter; again += 100) say(pressed(again), (counter + again) % 0x10000);
  say({ name: 'heartbeat', body: { uptimeS: 7 } }, 0xffff);
  await until(async () => (await station.get<Turbo>('/api/turbo/MAD/')).uptime === 7);
  expect(counted()).toBe(counter);
  expect(Math.max(during, heapInUse() - before)).toBeLessThan(MAX_BYTES);
});
