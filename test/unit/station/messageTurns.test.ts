import { Duplex, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createMessageTurns, readInTurns } from '../../../electron/server/scheduling/messageTurns.ts';
import { clientInTurns } from '../../../electron/server/mqtt/clientInTurns.ts';
import type { BrokerClient, BrokerEvents, BrokerMessage } from '../../../electron/server/ports/broker.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs turns of the event loop until everything was handled. Returns the most pieces that one turn handled. */
async function mostPerTurn(handled: () => number, all: number): Promise<number> {
  let [most, before] = [handled(), handled()];
  while (handled() < all) {
    await nextTurn();
    most = Math.max(most, handled() - before);
    before = handled();
  }
  return most;
}

test('a transport that receives 64 KiB at once handles little of it in each turn, all of it in order', async () => {
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, written) => written() });
  const transport = streamTransport(stream, { clock: createFakeClock(0), kind: 'network', port: 'x' });
  const sent = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7) % 251));
  const pieces: Uint8Array[] = [];
  let received = 0;
  transport.open({
    bytes(piece) {
      pieces.push(piece);
      received += piece.length;
    },
    closed: () => undefined,
  });
  stream.push(sent);
  await nextTurn();
  expect(await mostPerTurn(() => received, sent.length)).toBeLessThanOrEqual(2_048);
  expect(Buffer.concat(pieces).equals(sent)).toBe(true);
});

test('streams with much to say take turns, and one with little to say does not wait for all of it', async () => {
  const turns = createMessageTurns();
  const order: string[] = [];
  const [first, second] = ['a', 'b'].map((name) => {
    const stream = new PassThrough();
    readInTurns(stream, turns, () => order.push(name));
    return stream;
  });
  first?.write(Buffer.alloc(16_384));
  await nextTurn();
  second?.write('x');
  while (order.filter((name) => name === 'a').length < 64) await nextTurn();
  expect(order.indexOf('b')).toBeGreaterThan(0);
  expect(order.indexOf('b')).toBeLessThan(20);
});

test('a stream reads on after its pieces, pauses while told to, and then says that it ended', async () => {
  const stream = new PassThrough();
  let received = 0;
  let ended = false;
  const reading = readInTurns(stream, createMessageTurns(), (piece) => (received += piece.length));
  stream.once('end', () => (ended = true));
  stream.write(Buffer.alloc(5_000));
  await nextTurn();
  reading.pause();
  const before = received;
  stream.end(Buffer.alloc(5_000));
  for (let turn = 0; turn < 30; turn += 1) await nextTurn();
  expect([received, ended]).toEqual([before, false]);
  reading.resume();
  for (let turn = 0; turn < 60; turn += 1) await nextTurn();
  expect([received, ended]).toEqual([10_000, true]);
});

test('a stream whose rest is discarded still ends', async () => {
  const stream = new PassThrough();
  let received = 0;
  let ended = false;
  const reading = readInTurns(stream, createMessageTurns(), (piece) => (received += piece.length));
  stream.once('end', () => (ended = true));
  stream.write(Buffer.alloc(50_000));
  await nextTurn();
  const before = received;
  reading.discard();
  stream.end(Buffer.alloc(5_000));
  for (let turn = 0; turn < 30; turn += 1) await nextTurn();
  expect([received, ended]).toEqual([before, true]);
});

test('messages of the broker are handled a few per turn, in order, each after the previous one', async () => {
  const inner: BrokerEvents[] = [];
  const client: BrokerClient = {
    connect(_signIn, _protocol, events) {
      inner.push(events);
      return { ready: new Promise(() => undefined), giveUp: () => undefined };
    },
  };
  const taken: string[] = [];
  const signIn = {} as Parameters<BrokerClient['connect']>[0];
  clientInTurns(client).connect(signIn, '5', {
    message: ({ topic }) => void taken.push(topic),
    closed: () => undefined,
  });
  const wanted = Array.from({ length: 1_000 }, (_, at) => String(at));
  // Like mqtt.js, which gives the next message once the previous one was handled.
  const sending = (async () => {
    for (const topic of wanted) await inner[0]?.message({ topic } as BrokerMessage);
  })();
  expect(await mostPerTurn(() => taken.length, wanted.length)).toBeLessThanOrEqual(64);
  await sending;
  expect(taken).toEqual(wanted);
});
