import type { Response } from 'express';
import { expect, test } from 'vitest';
import { createEventStreams } from '../../../electron/server/http/events.ts';
import { createBus } from '../../../electron/server/services/base/bus.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

type Parts = Parameters<typeof createEventStreams>[0];
type Caller = Parameters<ReturnType<typeof createEventStreams>['open']>[1];

/** Creates event streams whose ephemeral state contains the number of times that it was read. */
function streamsOf() {
  const bus = createBus();
  const clock = createFakeClock(0);
  let reads = 0;
  const ephemera = () => ({ devices: [], turbos: [], read: (reads += 1) });
  const streams = createEventStreams({ bus, clock, overview: { ephemera, revision: () => 7 } } as unknown as Parts);
  /** Opens a stream and returns its first message. */
  function open(): string {
    const sent: Buffer[] = [];
    const response = { writeHead() {}, write: (part: string | Buffer) => sent.push(Buffer.from(part)), on() {} };
    streams.open(response as unknown as Response, {} as Caller, undefined);
    return Buffer.concat(sent).toString();
  }
  return { bus, clock, open };
}

const starting = (read: number) =>
  `retry: 1000\nid: 7\n\nevent: ephemera\ndata: {"devices":[],"turbos":[],"read":${read}}\n\n`;

test('streams that open at the same time get the same first message until something changes', async () => {
  const { bus, clock, open } = streamsOf();
  expect([open(), open(), open()]).toEqual([starting(1), starting(1), starting(1)]);
  bus.publishEphemera({ devices: [], turbos: [] });
  expect([open(), open()]).toEqual([starting(2), starting(2)]);
  bus.publish({ revision: 1, at: 0, facts: [], text: '[]' });
  expect([open(), open()]).toEqual([starting(3), starting(3)]);
  // Data that changes without an event, such as a device's last report time, is at most a second old.
  await clock.advance(1_000);
  expect(open()).toBe(starting(4));
});
