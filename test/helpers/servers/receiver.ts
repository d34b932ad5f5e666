import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** The answer to a request: a status, no answer (`hang`), or a status with headers. */
export type ReceiverReply = number | 'hang' | { status: number; headers: Record<string, string> };

export type Receiver = {
  url: string;
  requests: Received[];
  /** Returns the number of connections so far. */
  connections(): number;
  /** Returns the parsed bodies of all requests. */
  payloads(): Record<string, unknown>[];
  /** Sets the reply to all further requests. */
  reply(next: ReceiverReply | ((request: Received) => ReceiverReply)): void;
  /** Waits until this many requests have been received in total. */
  received(count: number): Promise<void>;
  stop(): Promise<void>;
};

const KEPT_MS = 60_000;

/** Starts a receiver: a real HTTP server that records what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  let reply: ReceiverReply | ((request: Received) => ReceiverReply) = 200;
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const request = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(request);
      const answer = typeof reply === 'function' ? reply(request) : reply;
      if (typeof answer === 'number') res.writeHead(answer).end();
      else if (answer !== 'hang') res.writeHead(answer.status, answer.headers).end();
      waiting = waiting.filter(({ count, resolve }) => {
        if (requests.length < count) return true;
        resolve();
        return false;
      });
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  // Longer than any pause of the machine, so that idle connections stay open.
  server.keepAliveTimeout = KEPT_MS;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    connections: () => connections,
    payloads: () => requests.map((request) => JSON.parse(request.body) as Record<string, unknown>),
    reply(next) {
      reply = next;
    },
    received(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push({ count, resolve });
      });
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
