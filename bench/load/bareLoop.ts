/**
 * The limit for the main loop: node:http, one commit per turn, and the frames of a turbo, but no engine. A POST stores a row and lights a
 * device. The press on that device stores another row and calls the receiver. `bareLoop.ts FOLDER TURBO_PORT RECEIVER` prints its address
 * when it is ready.
 */
import { Agent, createServer, request as send, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { decodePayload } from '../../electron/server/turbo/frames/protocol/codec.ts';
import {
  createFrameWriter,
  encodeFrame,
  FLAG_REPLY,
  FrameParser,
} from '../../electron/server/turbo/frames/protocol/frame.ts';
import { PROTOCOL_VERSION, type Message } from '../../electron/server/turbo/frames/protocol/messages.ts';

const [folder, turboPort, receiver] = process.argv.slice(2);
if (folder === undefined || receiver === undefined) throw new Error('Usage: bareLoop.ts FOLDER TURBO_PORT RECEIVER');

type Order = { line1: string; line2: string; quantity: number; nonce: string };

const db = new Database(join(folder, 'bare.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE commands (id INTEGER PRIMARY KEY, device TEXT NOT NULL, body TEXT NOT NULL, pressed_at INTEGER)');
const insert = db.prepare('INSERT INTO commands (device, body) VALUES (?, ?)');
const update = db.prepare('UPDATE commands SET pressed_at = ? WHERE id = ?');
const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];

/** Functions that store rows in the next commit. Each returns a function to call once the rows are on disk. */
let waiting: (() => () => void)[] = [];
function write(store: () => () => void): void {
  if (waiting.push(store) > 1) return;
  setImmediate(() => {
    const turn = waiting;
    waiting = [];
    begin.run();
    const after = turn.map((each) => each());
    commit.run();
    turbo?.cork();
    for (const run of after) run();
    turbo?.uncork();
  });
}

const scratch = createFrameWriter();
const open = new Map<number, { device: string; nonce: string }>();
let turbo: Socket | undefined;
let seq = 0;
function say(message: Message, to?: number): void {
  seq = (seq + 1) % 0x10000;
  turbo?.write(encodeFrame(scratch, message, to ?? seq, to !== undefined));
}

function light(device: string, body: string, res: ServerResponse): void {
  const order = JSON.parse(body) as Order;
  write(() => {
    const id = Number(insert.run(device, body).lastInsertRowid);
    return () => {
      open.set(id, { device, nonce: order.nonce });
      const answer = JSON.stringify({ id, deviceid: device });
      res.setHeader('content-type', 'application/json');
      res.setHeader('content-length', answer.length);
      res.end(answer);
      say({ name: 'show', body: showOf(id, device, order) });
    };
  });
}

function showOf(token: number, device: string, { line1, line2, quantity }: Order) {
  const fields = {
    label: device,
    lines: [line1, line2],
    quantity,
    arrow: undefined,
    barcode: '',
    qrcode: '',
    icon: '',
  };
  const led = { led: 'blink', color: 0xff, brightness: 100, fixedBrightness: false, sound: '' } as const;
  return {
    device,
    token,
    checksum: token,
    seconds: 0,
    quantity,
    ...led,
    screen: { form: 'fields', ...fields } as const,
  };
}

const agent = new Agent({ keepAlive: true });
function call(receiverUrl: string, token: number): void {
  const { device, nonce } = open.get(token) ?? { device: '', nonce: '' };
  open.delete(token);
  const body = JSON.stringify({ id: token, deviceid: device, nonce, button: 'front' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  send(receiverUrl, { method: 'POST', agent, headers }, (answer) => answer.resume()).end(body);
}

const turbos = createTcpServer((socket) => {
  turbo = socket;
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  const parser = new FrameParser({
    frame(type, flags, number, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string' || (flags & FLAG_REPLY) !== 0) return;
      if (message.name === 'hello') {
        const session = { status: 'accepted', sessionId: 1, heartbeatMs: 5_000, window: 64 } as const;
        say({ name: 'welcome', body: { protocol: PROTOCOL_VERSION, ...session } }, number);
        return say({ name: 'sync', body: {} });
      }
      if (message.name !== 'button') return say({ name: 'ack', body: { status: 'ok' } }, number);
      const { token } = message.body;
      write(() => {
        update.run(Date.now(), token);
        return () => {
          say({ name: 'ack', body: { status: 'ok' } }, number);
          call(receiver, token);
        };
      });
    },
    junk: () => undefined,
  });
  socket.on('data', (chunk) => parser.push(chunk, performance.now()));
});

const server = createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8').on('data', (part: string) => (body += part));
  req.on('end', () => light((req.url ?? '').split('/')[3] ?? '', body, res));
});
turbos.listen(Number(turboPort), '127.0.0.1', () => {
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
  });
});
