import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { heapInUse } from '../../helpers/heap.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startRudeReceiver, type RudeReceiver } from '../../helpers/servers/rudeReceiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const MIB = 1024 * 1024;
/** Maximum CPU time in milliseconds for a press while hostile receivers are connected, even on a busy machine. */
const PRESS_MS = 1_000;

let station: TestStation;
let well: Receiver;
let rude: RudeReceiver | undefined;

beforeEach(async () => {
  well = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0, receiverHangs: true });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await well.stop();
  await rude?.stop();
  rude = undefined;
});

async function meet(connected: (socket: Socket) => void): Promise<RudeReceiver> {
  rude = await startRudeReceiver(connected);
  await station.patch('/api/settings/', { callback_url: rude.url });
  return rude;
}

/** Presses the idle device `count` times. Each press queues a callback, and none may wait for a receiver. */
async function press(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const begun = process.threadCpuUsage();
    await station.press(DEVICE, 'front', 'long');
    // Count only the CPU time of this thread, so that other programs do not affect the result.
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(PRESS_MS);
  }
}

async function untilAll(holds: (delivery: Delivery) => boolean, count = 1): Promise<Delivery[]> {
  for (;;) {
    const all = await station.request('GET', '/api/callbacks/?limit=1000');
    const deliveries = all.body as Delivery[];
    if (deliveries.length === count && deliveries.every(holds)) return deliveries;
  }
}

/** Writes for as long as the other side reads. `sent` returns the number of bytes sent so far. */
function flood(socket: Socket, head: string, part: Buffer): { sent: () => number } {
  let sent = 0;
  const more = (): void => {
    while (!socket.destroyed) {
      sent += part.length;
      if (!socket.write(part)) return;
    }
  };
  socket.on('drain', more);
  socket.once('data', () => {
    socket.write(head);
    more();
  });
  return { sent: () => sent };
}

/** Writes one part per turn of the event loop until the other side disconnects. */
function drip(socket: Socket, parts: () => string): void {
  const next = (): void => {
    if (socket.destroyed) return;
    socket.write(parts());
    setTimeout(next, 1);
  };
  socket.once('data', next);
}

const ANSWERED = 'HTTP/1.1 200 OK\r\n';

const floods: [what: string, head: string, part: Buffer][] = [
  ['a gigabyte', `${ANSWERED}Content-Length: 1000000000\r\n\r\n`, Buffer.alloc(65_536, 'x')],
  [
    'a gigabyte that is compressed',
    `${ANSWERED}Content-Encoding: gzip\r\nContent-Length: 1000000000\r\n\r\n`,
    gzipSync(Buffer.alloc(64 * MIB)),
  ],
  [
    'endless chunks',
    `${ANSWERED}Transfer-Encoding: chunked\r\n\r\n`,
    Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`),
  ],
];

for (const [what, head, part] of floods) {
  test(`an answer with ${what} counts by its status, and its receiver is disconnected before it uses much memory`, async () => {
    const counts: { sent: () => number }[] = [];
    await meet((socket) => counts.push(flood(socket, head, part)));
    const before = heapInUse();
    await press(20);
    await untilAll(({ state }) => state === 'delivered', 20);
    while ((rude?.open() ?? 0) > 0) await station.request('GET', '/healthz');
    expect(heapInUse() - before).toBeLessThan(16 * MIB);
    // The sender can write until the buffers of the socket and the system are full.
    expect(Math.max(...counts.map(({ sent }) => sent()))).toBeLessThan(32 * MIB);
    await press(1);
  });
}

test('an answer that would decompress to a huge size is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(256 * MIB));
  await meet((socket) =>
    socket.once('data', () =>
      socket.end(
        Buffer.concat([
          Buffer.from(`${ANSWERED}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
          bomb,
        ]),
      ),
    ),
  );
  const before = process.memoryUsage().rss;
  await press(10);
  await untilAll(({ state }) => state === 'delivered', 10);
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * MIB);
});

test('a receiver that sends its headers byte by byte times out, and presses stay fast', async () => {
  const slow = `${ANSWERED}X-Slow: ${'x'.repeat(10_000)}`;
  await meet((socket) => {
    let at = 0;
    drip(socket, () => slow[at++ % slow.length] ?? 'x');
  });
  await press(10);
  await station.clock.advance(11_000);
  const failed = await untilAll(({ attempts }) => attempts === 1, 10);
  for (const { state, last_error } of failed) {
    expect(state).toBe('pending');
    expect(last_error).toBe('The receiver did not answer within 10 s.');
  }
  await station.patch('/api/settings/', { callback_url: well.url });
  await station.clock.advance(10_000);
  await well.received(10);
});

test('endless informational responses do not count as an answer', async () => {
  await meet((socket) => drip(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(8)));
  await press(5);
  const failed = await untilAll(({ attempts }) => attempts === 1, 5);
  for (const { last_error } of failed) expect(last_error).toMatch(/informational responses/);
  while ((rude?.open() ?? 0) > 0) await station.request('GET', '/healthz');
});

const heads: [what: string, head: string][] = [
  ['a header of one megabyte', `${ANSWERED}X-A: ${'a'.repeat(MIB)}\r\n\r\n`],
  ['a hundred thousand headers', `${ANSWERED}${'X-A: b\r\n'.repeat(100_000)}\r\n`],
  ['both a content length and chunks', `${ANSWERED}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a negative content length', `${ANSWERED}Content-Length: -1\r\n\r\n`],
  ['a content length that is too large for a number', `${ANSWERED}Content-Length: 99999999999999999999999\r\n\r\n`],
  ['two content lengths', `${ANSWERED}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
  ['an invalid status', 'HTTP/1.1 99999 What\r\n\r\n'],
];

for (const [what, head] of heads) {
  test(`a delivery fails if the answer has ${what}`, async () => {
    await meet((socket) => socket.once('data', () => socket.write(head)));
    await press(3);
    const failed = await untilAll(({ attempts }) => attempts === 1, 3);
    for (const { state, last_status, last_error } of failed) {
      expect({ state, last_status }).toEqual({ state: 'pending', last_status: null });
      expect(last_error).toMatch(/./);
    }
    await station.patch('/api/settings/', { callback_url: well.url });
    await station.clock.advance(10_000);
    await well.received(3);
  });
}

const lies: [what: string, answer: string][] = [
  ['sends more than its content length', `${ANSWERED}Content-Length: 2\r\n\r\nok and much more than that`],
  ['sends less than its content length and disconnects', `${ANSWERED}Content-Length: 2000\r\n\r\nok`],
  ['sends invalid chunks', `${ANSWERED}Transfer-Encoding: chunked\r\n\r\nzz\r\nno\r\n`],
  ['sends a second answer without a request', `${ANSWERED}Content-Length: 0\r\n\r\nHTTP/1.1 500 Never\r\n\r\n`],
];

for (const [what, answer] of lies) {
  test(`if a receiver ${what}, the delivery counts by the status of the answer, and so do later deliveries`, async () => {
    await meet((socket) => socket.once('data', () => socket.end(answer)));
    await press(3);
    await untilAll(({ state, last_status }) => state === 'delivered' && last_status === 200, 3);
  });
}

test('redirects are never followed', async () => {
  const asked = well.requests.length;
  const redirect = `HTTP/1.1 307 Elsewhere\r\nLocation: ${well.url}\r\nContent-Length: 0\r\n\r\n`;
  await meet((socket) => socket.on('data', () => socket.write(redirect)));
  await press(3);
  const failed = await untilAll(({ attempts }) => attempts === 1, 3);
  for (const { last_status, last_error } of failed) {
    expect(last_status).toBe(307);
    expect(last_error).toContain('not followed');
  }
  expect(well.requests).toHaveLength(asked);
});

test('after a receiver resets the connection, the next callback uses a new connection', async () => {
  await meet((socket) =>
    socket.once('data', () => {
      socket.write(`${ANSWERED}Content-Length: 0\r\n\r\n`, () => socket.resetAndDestroy());
    }),
  );
  for (let count = 1; count <= 10; count += 1) {
    await press(1);
    await station.clock.advance(6_000);
    await untilAll(({ state }) => state === 'delivered', count);
  }
});

const STRAY = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

const strays: [when: string, answer: (response: ServerResponse, socket: Socket) => void][] = [
  [
    'together with the first answer',
    (response, socket) => {
      socket.cork();
      response.end();
      socket.write(STRAY);
      socket.uncork();
    },
  ],
  ['after the first answer', (response, socket) => response.end(() => setImmediate(() => socket.write(STRAY)))],
];

for (const [when, answerTwice] of strays) {
  test(`if a receiver sends a second answer ${when} on an open connection, only the first answer counts`, async () => {
    const asked: string[] = [];
    const answers = [
      answerTwice,
      ...[500, 204].map((status) => (response: ServerResponse) => response.writeHead(status).end()),
    ];
    const server = createServer((request, response) => {
      asked.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => answers[asked.length - 1]?.(response, request.socket));
    });
    await meet((socket) => server.emit('connection', socket));
    for (let count = 1; count <= 3; count += 1) {
      await press(1);
      await untilAll(({ attempts }) => attempts === 1, count);
    }
    const told = (await untilAll(({ attempts }) => attempts === 1, 3)).toReversed();
    // The third answer is a success, so the second callback is resent immediately; the server does not answer that attempt.
    expect(told.map(({ id }) => id)).toEqual(asked.slice(0, 3));
    expect(told.map(({ state, last_status }) => `${state} ${last_status}`)).toEqual([
      'delivered 200',
      'pending 500',
      'delivered 204',
    ]);
  });
}
