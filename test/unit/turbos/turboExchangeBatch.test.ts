import { expect, test } from 'vitest';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { Exchange, type Outgoing } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import { createFrameWriter, encodeFrame, FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const PIXELS = new Uint8Array(1_500);
const show: Outgoing = { request: () => ({ name: 'show', body: EXAMPLES.show }), replied: () => undefined };
const bitmap: Outgoing = {
  request: () => ({
    name: 'show',
    body: { ...EXAMPLES.show, screen: { form: 'bitmap', packing: 'raw', pixels: PIXELS } },
  }),
  replied: () => undefined,
};

/** Creates an exchange that collects its frames until `leave` is called. */
function startCollecting() {
  const clock = createFakeClock(0);
  const written: Uint8Array[] = [];
  let leave = (): void => undefined;
  const exchange = new Exchange({
    clock,
    side: 'station',
    firstSeq: 0,
    write: (bytes) => void written.push(bytes),
    collect: (run) => (leave = run),
    requested: (_request, ticket) => exchange.ack(ticket, 'ok'),
    tap: undefined,
  });
  exchange.window = 64;
  return { clock, exchange, writes: () => written.map(namesIn), leave: () => leave() };
}

function namesIn(bytes: Uint8Array): string[] {
  const names: string[] = [];
  const parser = new FrameParser({
    frame(type, _flags, _seq, payload) {
      const message = decodePayload(type, payload);
      names.push(typeof message === 'string' ? message : message.name);
    },
    junk: (count) => names.push(`${count} bytes of junk`),
  });
  parser.push(bytes, 0);
  return names;
}

test('waiting frames are sent in one write, in order', () => {
  const { exchange, writes, leave } = startCollecting();
  exchange.request(show);
  exchange.receive(encodeFrame(createFrameWriter(), { name: 'button', body: EXAMPLES.button }, 9, false));
  exchange.request(show);
  expect(writes()).toEqual([]);
  leave();
  expect(writes()).toEqual([['show', 'ack', 'show']]);
});

test('does not hold back more bytes than a slow line can send in a moment', () => {
  const { exchange, writes, leave } = startCollecting();
  for (let count = 0; count < 4; count += 1) exchange.request(bitmap);
  expect(writes()).toEqual([['show', 'show', 'show']]);
  leave();
  expect(writes()).toEqual([['show', 'show', 'show'], ['show']]);
});

test('the answer timeout starts when the frames are sent', async () => {
  const { clock, exchange, writes, leave } = startCollecting();
  exchange.request(show);
  await clock.advance(10_000);
  leave();
  await clock.advance(1_499);
  expect(writes()).toHaveLength(1);
  await clock.advance(1);
  leave();
  expect(writes()).toEqual([['show'], ['show']]);
});

test('waiting frames are sent before the exchange stops', () => {
  const { exchange, writes, leave } = startCollecting();
  exchange.request(show);
  exchange.stop();
  leave();
  expect(writes()).toEqual([['show']]);
});
