import { expect, test } from 'vitest';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { transportContract, type TransportPair } from '../turbos/turboTransportContract.ts';

function connectWith(faults = { loss: 0, latencyMs: 0 }) {
  const clock = createFakeClock(0);
  const wires = createLoopbacks({ clock, fraction: seededFraction(1) });
  clock.whenIdle(() => wires.pending() === 0, 'the wires');
  const { station, turbo } = wires.connect(faults);
  const chunks: string[] = [];
  turbo.open({ bytes: (chunk) => void chunks.push(Buffer.from(chunk).toString()), closed: () => {} });
  return { clock, wires, faults, station, turbo, chunks };
}

transportContract('the loopback', async (): Promise<TransportPair> => {
  const clock = createFakeClock(0);
  const wires = createLoopbacks({ clock, fraction: seededFraction(1) });
  clock.whenIdle(() => wires.pending() === 0, 'the wires');
  return { ...wires.connect({ loss: 0, latencyMs: 0 }), settle: () => clock.advance(0), stop: () => {} };
});

const write = (text: string) => Buffer.from(text);

test('writes in one turn of the event loop arrive as one chunk', async () => {
  const { clock, station, chunks } = connectWith();
  void station.write(write('a'));
  void station.write(write('b'));
  await clock.advance(0);
  void station.write(write('c'));
  await clock.advance(0);
  expect(chunks).toEqual(['ab', 'c']);
});

test('pending counts writes in transit, but not those that wait for the clock', async () => {
  const { clock, wires, faults, station } = connectWith();
  void station.write(write('a'));
  expect(wires.pending()).toBe(1);
  await clock.advance(0);
  expect(wires.pending()).toBe(0);
  faults.latencyMs = 50;
  void station.write(write('b'));
  await clock.advance(0);
  expect(wires.pending()).toBe(0);
});

test('delays writes by the latency, and keeps their order when the latency changes', async () => {
  const { clock, faults, station, chunks } = connectWith({ loss: 0, latencyMs: 100 });
  void station.write(write('a'));
  await clock.advance(99);
  expect(chunks).toEqual([]);
  faults.latencyMs = 0;
  void station.write(write('b'));
  await clock.advance(1_000);
  expect(chunks).toEqual(['a', 'b']);
});

test('loses about the configured fraction of writes, and the same ones in each run', async () => {
  const run = async (): Promise<string> => {
    const { clock, station, chunks } = connectWith({ loss: 0.3, latencyMs: 0 });
    for (let at = 0; at < 1_000; at++) void station.write(write('x'));
    await clock.advance(0);
    return chunks.join('');
  };
  const first = await run();
  expect(first.length).toBeGreaterThan(650);
  expect(first.length).toBeLessThan(750);
  expect(await run()).toBe(first);
});

test('closing drops delayed writes and leaves no timer', async () => {
  const { clock, wires, station, chunks } = connectWith({ loss: 0, latencyMs: 100 });
  void station.write(write('a'));
  await clock.advance(10);
  expect(clock.timerCount()).toBe(1);
  station.close();
  expect(clock.timerCount()).toBe(0);
  void station.write(write('b'));
  expect(wires.pending()).toBe(1); // only the notice about the closing
  await clock.advance(1_000);
  expect(chunks).toEqual([]);
});
