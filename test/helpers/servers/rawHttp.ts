import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

export type RawRequest = {
  method?: string;
  /** Path, sent unchanged: nothing is encoded or resolved. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Local address to connect from. On Linux, any address in 127.0.0.0/8 works. */
  from?: string;
};

/** Sends one request with exactly these headers and this path, over a new connection or one from `agent`. */
export function rawRequest(
  url: string,
  { method = 'GET', path, headers = {}, body, from }: RawRequest,
  agent: Agent | false = false,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const own = from === undefined ? {} : { localAddress: from };
    const call = request({ hostname, port, method, path, headers, agent, ...own }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

export type RawConnection = {
  write(text: string): void;
  writeBytes(bytes: Buffer): void;
  /** Returns everything received so far. */
  received(): string;
  /** Waits until this text has been received. */
  until(text: string): Promise<void>;
  /** Waits until the other side has closed the connection. Resolves to everything received. */
  closed(): Promise<string>;
  /** Cuts the connection. */
  destroy(): void;
};

/** Opens a connection for bytes that no HTTP client would send. */
export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  let waiting: (() => void)[] = [];
  const look = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    received += text;
    look();
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      look();
      resolve(received);
    });
  });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return {
    write: (text) => void socket.write(text),
    writeBytes: (bytes) => void socket.write(bytes),
    received: () => received,
    async until(text) {
      while (!received.includes(text)) {
        if (socket.closed) throw new Error(`The connection was closed after: ${received}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
    closed: () => closed,
    destroy: () => void socket.destroy(),
  };
}

/** Sends requests in one packet over one connection, so that the station reads them in one turn of its event loop. Returns all answers. */
export async function inOnePacket(
  url: string,
  headers: Record<string, string>,
  requests: readonly { method: string; path: string; body: unknown }[],
): Promise<string> {
  const connection = await rawConnection(url);
  const always = Object.entries({ host: new URL(url).host, 'content-type': 'application/json', ...headers });
  const head = always.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const messages = requests.map(({ method, path, body }, index) => {
    const text = JSON.stringify(body);
    const last = index === requests.length - 1 ? 'connection: close\r\n' : '';
    return `${method} ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}\r\n${last}\r\n${text}`;
  });
  connection.write(messages.join(''));
  return connection.closed();
}
