import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

/** Opens a transport over a stream that completes a write only when the test calls `take`. */
function slowLine() {
  const clock = createFakeClock(0);
  const taking: (() => void)[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, written) => void taking.push(() => written()),
  });
  const transport = streamTransport(stream, { clock, kind: 'usb', port: 'COM3' });
  const closings: string[] = [];
  const chunks: Uint8Array[] = [];
  transport.open({ bytes: (chunk) => void chunks.push(chunk), closed: (reason) => void closings.push(reason) });
  return { clock, stream, transport, closings, chunks, take: () => taking.shift()?.() };
}

test('a write resolves when the stream has accepted its bytes', async () => {
  const { clock, transport, take } = slowLine();
  let left = 0;
  void transport.write(Buffer.from('a'))?.then(() => (left += 1));
  void transport.write(Buffer.from('b'))?.then(() => (left += 1));
  await clock.advance(5_000);
  expect(left).toBe(0);
  take();
  await clock.advance(0);
  expect(left).toBe(1);
  take();
  await clock.advance(0);
  expect(left).toBe(2);
  expect(clock.timerCount()).toBe(0);
});

test('a stream that accepts nothing for ten seconds is closed as jammed', async () => {
  const { clock, transport, closings, take } = slowLine();
  void transport.write(Buffer.from('a'));
  void transport.write(Buffer.from('b'));
  await clock.advance(9_000);
  take();
  await clock.advance(9_000);
  expect(closings).toEqual([]);
  await clock.advance(1_000);
  expect(closings).toEqual(['jammed: nothing could be sent for 10 s']);
  expect(transport.write(Buffer.from('c'))).toBeUndefined();
});

test('a stream that accepts nothing from the start is closed', async () => {
  const { clock, transport, closings } = slowLine();
  void transport.write(Buffer.from('a'));
  await clock.advance(10_000);
  expect(closings).toEqual(['jammed: nothing could be sent for 10 s']);
});

test('stops reading while too much data waits to be sent, so that answers do not fill memory', async () => {
  const { clock, stream, transport, take } = slowLine();
  for (let at = 0; at < 70; at += 1) void transport.write(Buffer.alloc(1_024));
  expect(stream.isPaused()).toBe(true);
  for (let at = 0; at < 10; at += 1) {
    take();
    await clock.advance(0);
  }
  expect(stream.isPaused()).toBe(false);
});

test('reports a failure once, with its reason', async () => {
  const { clock, stream, closings } = slowLine();
  stream.destroy(new Error('unplugged'));
  await clock.advance(0);
  expect(closings).toEqual(['unplugged']);
});

test('reports the end of a stream even if it ended before the transport was opened', async () => {
  const clock = createFakeClock(0);
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, written) => written() });
  const transport = streamTransport(stream, { clock, kind: 'network', port: 'x' });
  stream.destroy();
  await clock.advance(0);
  const closings: string[] = [];
  transport.open({ bytes: () => undefined, closed: (reason) => void closings.push(reason) });
  expect(closings).toEqual([]);
  await clock.advance(0);
  expect(closings).toHaveLength(1);
});

test('closing ends the stream after the last write is sent, and after ten seconds at the latest', async () => {
  const { clock, stream, transport, closings, take } = slowLine();
  void transport.write(Buffer.from('bye'));
  transport.close();
  await clock.advance(0);
  expect(stream.destroyed).toBe(false);
  take();
  await clock.advance(0);
  expect(stream.destroyed).toBe(true);
  expect(closings).toEqual([]);
  const hung = slowLine();
  void hung.transport.write(Buffer.from('bye'));
  hung.transport.close();
  await hung.clock.advance(10_000);
  expect(hung.stream.destroyed).toBe(true);
});
