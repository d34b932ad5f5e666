import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { Exchange, type Outgoing, type Ticket } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Message, Reply, RequestMessage, Side } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

type Setup = { side?: Side; firstSeq?: number; write?: (bytes: Uint8Array) => Promise<void> | undefined };

function createSide(clock = createFakeClock(0), { side = 'station', firstSeq = 0, write }: Setup = {}) {
  const written: Buffer[] = [];
  const requested: { request: RequestMessage; ticket: Ticket }[] = [];
  const exchange = new Exchange({
    clock,
    side,
    firstSeq,
    write(bytes) {
      written.push(Buffer.from(bytes));
      return write?.(bytes);
    },
    requested: (request, ticket) => void requested.push({ request, ticket }),
    tap: undefined,
  });
  return { clock, exchange, written, requested };
}

function outgoing(request: RequestMessage = { name: 'sync', body: {} }) {
  const replies: Reply[] = [];
  const attempts: number[] = [];
  const made: Outgoing & { replies: Reply[]; attempts: number[] } = {
    replies,
    attempts,
    request(attempt) {
      attempts.push(attempt);
      return request;
    },
    replied: (reply) => void replies.push(reply),
  };
  return made;
}

const scratch = createFrameWriter();
const frame = (message: Message, seq: number, reply: boolean): Buffer => encodeFrame(scratch, message, seq, reply);
const seqOf = (bytes: Buffer | undefined): number | undefined => bytes?.readUInt16LE(4);
const synced = (seq: number): Buffer => frame({ name: 'synced', body: { devices: 1 } }, seq, true);
const button = (seq: number): Buffer => frame({ name: 'button', body: EXAMPLES.button }, seq, false);
const hello = (seq: number, bootId: number): Buffer =>
  frame({ name: 'hello', body: { ...EXAMPLES.hello, bootId } }, seq, false);

describe('repetition', () => {
  test('resends an unanswered request with the same sequence number indefinitely, at intervals that grow to 10 s', async () => {
    const { clock, exchange, written } = createSide();
    const sync = outgoing();
    exchange.request(sync);
    const times: number[] = [];
    for (let ms = 0; ms < 50_000; ms += 500) {
      const before = written.length;
      await clock.advance(500);
      if (written.length > before) times.push(clock.monotonic());
    }
    expect(times).toEqual([1_500, 4_500, 10_500, 20_500, 30_500, 40_500]);
    expect(new Set(written.map(seqOf))).toEqual(new Set([0]));
    expect(sync.attempts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    exchange.receive(synced(0));
    await clock.advance(100_000);
    expect(written).toHaveLength(7);
    expect(sync.replies).toEqual([{ name: 'synced', body: { devices: 1 } }]);
    expect(clock.timerCount()).toBe(0);
  });

  test('the answer timeout starts when the bytes are written', async () => {
    const left = Promise.withResolvers<void>();
    const { clock, exchange, written } = createSide(createFakeClock(0), { write: () => left.promise });
    exchange.request(outgoing());
    await clock.advance(60_000);
    expect(written).toHaveLength(1);
    left.resolve();
    await clock.advance(1_499);
    expect(written).toHaveLength(1);
    await clock.advance(1);
    expect(written).toHaveLength(2);
  });

  test('many requests in flight share one timer', async () => {
    const { clock, exchange, written } = createSide();
    exchange.window = 50;
    for (let at = 0; at < 50; at++) exchange.request(outgoing(), 'urgent');
    expect(clock.timerCount()).toBe(1);
    await clock.advance(1_500);
    expect(written).toHaveLength(100);
    expect(clock.timerCount()).toBe(1);
  });
});

describe('the window', () => {
  test('limits the unanswered requests, while the others wait in order and are built when they are sent', () => {
    const { exchange, written } = createSide();
    exchange.window = 2;
    const all = [outgoing(), outgoing(), outgoing(), outgoing()];
    for (const one of all) exchange.request(one);
    expect(written.map(seqOf)).toEqual([0, 1]);
    expect(all[2]?.attempts).toEqual([]);
    exchange.receive(synced(1));
    expect(written.map(seqOf)).toEqual([0, 1, 2]);
    expect(all[2]?.attempts).toEqual([1]);
    expect(all[3]?.attempts).toEqual([]);
  });

  test('keeps room for urgent requests, which overtake waiting ones', () => {
    const { exchange, written } = createSide();
    exchange.window = 16;
    const usual = Array.from({ length: 16 }, () => outgoing());
    for (const one of usual) exchange.request(one);
    expect(written).toHaveLength(14);
    const urgent = [outgoing(), outgoing(), outgoing(), outgoing()];
    for (const one of urgent) exchange.request(one, 'urgent');
    expect(urgent.map(({ attempts }) => attempts.length)).toEqual([1, 1, 0, 0]);
    exchange.receive(synced(0));
    expect(urgent.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 0]);
    for (const seq of [1, 2, 3]) exchange.receive(synced(seq));
    expect(urgent.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
    expect(usual.slice(14).map(({ attempts }) => attempts.length)).toEqual([0, 0]);
    exchange.receive(synced(4));
    expect(usual.slice(14).map(({ attempts }) => attempts.length)).toEqual([1, 0]);
    exchange.reset();
    exchange.request(outgoing());
    expect(urgent[3]?.attempts).toEqual([1]);
  });

  test('skips a request that is no longer needed when its turn comes', () => {
    const { exchange, written } = createSide();
    exchange.request(outgoing());
    exchange.request({ request: () => undefined, replied: () => {} });
    const third = outgoing();
    exchange.request(third);
    exchange.receive(synced(0));
    expect(written.map(seqOf)).toEqual([0, 1]);
    expect(third.attempts).toEqual([1]);
  });
});

describe('sequence numbers', () => {
  test('wrap around after 65,535 and skip numbers in flight', () => {
    const { exchange, written } = createSide(createFakeClock(0), { firstSeq: 0xffff });
    exchange.window = 3;
    exchange.request(outgoing());
    exchange.request(outgoing());
    expect(written.map(seqOf)).toEqual([0xffff, 0]);
    for (let seq = 1; seq <= 0xffff; seq++) {
      exchange.receive(synced(seq === 1 ? 0 : seq - 1));
      exchange.request(outgoing());
    }
    expect(seqOf(written.at(-1))).toBe(0);
    expect(written.filter((bytes) => seqOf(bytes) === 0xffff)).toHaveLength(1);
  });

  test('an answer to a different kind of request, or to no request, changes nothing', () => {
    const { exchange } = createSide();
    const sync = outgoing();
    exchange.request(sync);
    exchange.receive(synced(7));
    exchange.receive(frame({ name: 'ack', body: { status: 'ok' } }, 0, true));
    exchange.receive(frame({ name: 'welcome', body: EXAMPLES.welcome }, 0, true));
    exchange.receive(frame({ name: 'button', body: EXAMPLES.button }, 0, true));
    expect(sync.replies).toEqual([]);
    exchange.receive(frame({ name: 'ack', body: { status: 'busy' } }, 0, true));
    expect(sync.replies).toEqual([{ name: 'ack', body: { status: 'busy' } }]);
  });
});

describe('a repeated request', () => {
  test('is not handled again, and gets the same answer again once there is one', () => {
    const { exchange, written, requested } = createSide();
    exchange.receive(button(5));
    exchange.receive(button(5));
    expect(requested).toHaveLength(1);
    expect(written).toHaveLength(0);
    exchange.ack(requested[0]?.ticket ?? -1, 'ok');
    exchange.receive(button(5));
    expect(requested).toHaveLength(1);
    expect(written).toHaveLength(2);
    expect(written[1]).toEqual(written[0]);
  });

  test('is handled again if it was abandoned without an answer', () => {
    const { exchange, requested } = createSide();
    exchange.receive(button(5));
    exchange.abandon(requested[0]?.ticket ?? -1);
    exchange.receive(button(5));
    expect(requested).toHaveLength(2);
  });

  test('is remembered while it is handled, no matter how many others come and go', () => {
    const { exchange, requested } = createSide();
    exchange.receive(button(5));
    for (let seq = 6; seq < 1_000; seq++) {
      exchange.receive(button(seq));
      exchange.ack(requested.at(-1)?.ticket ?? -1, 'ok');
    }
    const handled = requested.length;
    exchange.receive(button(5));
    exchange.receive(button(999));
    expect(requested).toHaveLength(handled);
  });

  test.each([
    ['the number of a press', button(5), 'ok'],
    ['the number of a press that is not answered yet', button(5), undefined],
    ['the number of its last hello', hello(5, 1), 'refused'],
  ] as const)('is not assumed if a restarted turbo sends its hello with %s', (_what, before, status) => {
    const { exchange, written, requested } = createSide();
    exchange.receive(before);
    if (status !== undefined) exchange.ack(requested[0]?.ticket ?? -1, status);
    exchange.receive(hello(5, 2));
    expect(requested.at(-1)?.request).toMatchObject({ name: 'hello', body: { bootId: 2 } });
    const ticket = exchange.resetFor(requested.at(-1)?.ticket ?? -1);
    exchange.reply(ticket, { name: 'welcome', body: EXAMPLES.welcome });
    exchange.receive(hello(5, 2));
    expect(requested).toHaveLength(2);
    expect(written.at(-1)).toEqual(written.at(-2));
  });

  test('is taken as new when its number has wrapped around', () => {
    const { exchange, requested } = createSide();
    for (let count = 0; count <= 0x10000; count++) {
      exchange.receive(button(count % 0x10000));
      exchange.ack(requested.at(-1)?.ticket ?? -1, 'ok');
    }
    expect(requested).toHaveLength(0x10001);
  });

  test('is taken as new in a new session, and an answer to the old one is not sent', () => {
    const { exchange, written, requested } = createSide();
    exchange.receive(button(5));
    exchange.reset();
    exchange.ack(requested[0]?.ticket ?? -1, 'ok');
    expect(written).toHaveLength(0);
    exchange.receive(button(5));
    expect(requested).toHaveLength(2);
  });
});

describe('the answer to a request that cannot be served', () => {
  const statusOf = (bytes: Buffer | undefined): number | undefined => bytes?.[10];

  test('is unsupported for an unknown message', () => {
    const { exchange, written, requested } = createSide();
    const unknown = button(5);
    unknown[2] = 0xee;
    // Recompute the checksums, so that only the type is unknown.
    const body = Buffer.from(unknown.subarray(2, 8));
    unknown.writeUInt16LE(crc32(body) & 0xffff, 8);
    unknown.writeUInt32LE(crc32(unknown.subarray(2, -4)), unknown.length - 4);
    exchange.receive(unknown);
    expect(requested).toHaveLength(0);
    expect(statusOf(written[0])).toBe(4);
  });

  test('is unsupported for a message that only our own side sends', () => {
    const { exchange, written, requested } = createSide();
    exchange.receive(frame({ name: 'show', body: EXAMPLES.show }, 5, false));
    expect(requested).toHaveLength(0);
    expect(statusOf(written[0])).toBe(4);
  });

  test('is malformed for a payload that does not fit its row', () => {
    const { exchange, written, requested } = createSide();
    const short = Buffer.from(button(5).subarray(0, 20));
    short.writeUInt16LE(6, 6);
    short.writeUInt16LE(crc32(short.subarray(2, 8)) & 0xffff, 8);
    short.writeUInt32LE(crc32(short.subarray(2, 16)), 16);
    exchange.receive(short);
    expect(requested).toHaveLength(0);
    expect(statusOf(written[0])).toBe(5);
  });
});

test('drops half a frame after a second, and handles the frame that it swallowed', async () => {
  const { clock, exchange, requested } = createSide();
  exchange.receive(Buffer.concat([button(5).subarray(0, 20), button(6).subarray(0, 15)]));
  await clock.advance(500);
  exchange.receive(button(6).subarray(15));
  const swallowed = requested.length;
  await clock.advance(500);
  expect(swallowed).toBe(1); // the length was right, so the next frame was found as soon as the checksum had failed
  expect(exchange.junkBytes).toBe(20);

  exchange.receive(button(7).subarray(0, 20));
  await clock.advance(1_000);
  expect(exchange.junkBytes).toBe(40);
  expect(clock.timerCount()).toBe(0);
});

test('a stopped exchange sends nothing, handles nothing and leaves no timer', async () => {
  const { clock, exchange, written, requested } = createSide();
  exchange.request(outgoing());
  exchange.stop();
  exchange.receive(button(1));
  exchange.request(outgoing());
  await clock.advance(100_000);
  expect(written).toHaveLength(1);
  expect(requested).toHaveLength(0);
  expect(clock.timerCount()).toBe(0);
});

test.each([
  [64, 8],
  [15, 1],
  [8, 1],
  [7, 0],
])('a window of %i keeps %i places for urgent requests', (window, kept) => {
  const { exchange, written } = createSide(undefined, { side: 'turbo' });
  exchange.window = window;
  for (let count = 0; count < window + 5; count += 1) exchange.request(outgoing());
  expect(written).toHaveLength(window - kept);
  for (let count = 0; count < window + 5; count += 1) exchange.request(outgoing(), 'urgent');
  expect(written).toHaveLength(window);
});
