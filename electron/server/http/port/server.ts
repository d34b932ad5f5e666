import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { StationError } from '../../errors.ts';
import type { Log } from '../../ports.ts';
import { TransientMap } from '../../transientMap.ts';
import { ENCODE_ADDRESS } from './addressText.ts';
import { oneAtATime } from './oneAtATime.ts';
import { problemOf } from '../problem.ts';

// An import would also load Node's own WebSocket and fetch, which costs 35 ms and 14 MB at each start.
const { createServer } = process.getBuiltinModule('node:http');

/** Time limit for requests in progress when the station stops, in milliseconds. */
const STOP_LIMIT_MS = 2_000;
const STOP_SWEEP_MS = 20;

/** All addresses of IPv6 and IPv4, and of IPv4 only. */
export const ANYWHERE = '::';
export const ANYWHERE_IPV4 = '0.0.0.0';
export const THIS_MACHINE = '127.0.0.1';

/** Timeouts in milliseconds, and the maximum number of simultaneous connections. Additional connections are closed immediately. */
const LIMITS = {
  keepAliveTimeout: 65_000,
  headersTimeout: 30_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  maxConnections: 4_000,
};

/** Certificate and key in PEM format. */
export type ServerKey = { cert: string; key: string };

export type Listening = {
  server: Server | TlsServer;
  port: number;
  /** Uses a different certificate for new connections. */
  renew(key: ServerKey): void;
};

/** Opens the port, with HTTPS if there is a key. Port 0 selects any free port. If that fails, throws a StationError with the reason. */
export async function listen(
  app: RequestListener,
  where: { host: string; port: number; key: ServerKey | undefined },
  log: Log,
  { maxConnections, ...timeouts }: typeof LIMITS = LIMITS,
): Promise<Listening> {
  // The guard refuses requests without a Host header and says why. Requests to upgrade to HTTP/2, which some programs always send, get an
  // HTTP/1.1 answer.
  const options = { ...timeouts, requireHostHeader: false, shouldUpgradeCallback: asksForWebSocket };
  const answers = createAnswers();
  const handle = oneAtATime((req, res) => {
    answers.add(res);
    app(req, res);
  });
  const secure =
    where.key === undefined ? undefined : createTlsServer({ ...options, ...where.key, minVersion: 'TLSv1.2' }, handle);
  const server = secure ?? createServer(options, handle);
  server.maxConnections = maxConnections;
  answerUnreadable(server);
  sendAnswersWhole(server, answers);
  // Ignore unknown expectations. Node would answer them before the sign-in, and not with a problem document.
  server.on('checkExpectation', handle);
  await open(server, where).catch((error: unknown) => {
    const message = refusal(error as NodeJS.ErrnoException, where, ' with --port (0 takes a free one)');
    throw new StationError('conflict', message, [{ path: '/port', message }]);
  });
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
  return {
    server,
    port: (server.address() as AddressInfo).port,
    renew: (key) => secure?.setSecureContext({ ...key, minVersion: 'TLSv1.2' }),
  };
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Listens on a port. Rejects with Node's error. */
async function open(server: Server | TlsServer, where: { host: string; port: number }): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(where.port, where.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // This machine has no IPv6.
    const isWithoutIpv6 = code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL';
    if (where.host !== ANYWHERE || !isWithoutIpv6) throw error;
    await open(server, { ...where, host: ANYWHERE_IPV4 });
  }
}

/** Returns a sentence about why the station cannot listen on this port, or an empty text if it can. Briefly opens the port. */
export async function portRefusal(where: { host: string; port: number }): Promise<string> {
  const server = createServer();
  try {
    await open(server, where);
  } catch (error) {
    return refusal(error as NodeJS.ErrnoException, where, '');
  }
  server.close();
  await once(server, 'close');
  return '';
}

/**
 * Describes why a port cannot be opened. `option` is the command line option for another port, or an empty string for messages on the page.
 */
function refusal(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }, option: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that program, or choose another port${option}.`;
  if (error.code === 'EACCES') return `This user may not open port ${port}. Choose one above 1023${option}.`;
  return `The station cannot listen on ${host}:${port} (${error.message}). Check --host and --port.`;
}

/** Stops accepting connections. Resolves once the existing ones have ended or were closed. */
export async function closeServer({ server }: Listening): Promise<void> {
  const closed = once(server, 'close');
  // Ignore the error if the server is already closing.
  server.close(() => undefined);
  // A kept-alive connection becomes idle once its last request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** A streamed answer has a dozen listeners for its end. Node warns on stderr about more than ten. */
const MAX_ANSWER_LISTENERS = 20;

/** Keeps the answers of requests that have started, until they are sent. */
function createAnswers() {
  const answers = new TransientMap<ServerResponse>();
  let last = 0;
  return {
    add(res: ServerResponse): void {
      const number = (last += 1);
      answers.set(number, res);
      res.setMaxListeners(MAX_ANSWER_LISTENERS);
      res.once('close', () => answers.delete(number));
    },
    values: () => answers.values(),
  };
}

/** Keeps connections open until responses are sent completely. Node counts a connection as idle as soon as its last response is written. */
function sendAnswersWhole(server: Server | TlsServer, answers: ReturnType<typeof createAnswers>): void {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  // `server.close` calls this, too.
  server.closeIdleConnections = () => {
    for (const answer of answers.values()) if (answer.writableEnded && !answer.writableFinished) return;
    closeIdleConnections();
  };
}

/** Sends a problem document over connections that never become a request, because they do not use HTTP or are too long or too slow. */
function answerUnreadable(server: Server | TlsServer): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const plain = plainSockets(server);
  server.on('request', (req: { socket: Socket }, res: ServerResponse) => answers.set(req.socket, res));
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (socket instanceof TLSSocket && /^ERR_(?:SSL|TLS)_/.test(error.code ?? '')) {
      const below = error.code === 'ERR_SSL_HTTP_REQUEST' ? plain(socket) : undefined;
      if (below === undefined) socket.destroy();
      else below.write(messageOf(PLAIN_HTTP), () => socket.destroy());
      return;
    }
    const answer = answers.get(socket);
    // The invalid data follows a complete request, which must be answered first.
    if (answer !== undefined && answer.req.complete && !answer.writableFinished && socket.writable) {
      answer.once('close', () => socket.destroy());
      return;
    }
    // If headers were already sent, a second answer would be read as part of the first one's body, so close the connection.
    const begun = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (!socket.writable || begun || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(messageOf(reason(error)));
  });
}

/** Error of a connection. `rawPacket` contains the bytes that Node failed to parse. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: Uint8Array };

const PLAIN_HTTP = new StationError('malformed', 'This station uses HTTPS. Write https:// instead of http://.');

/**
 * Returns a function that finds the plain socket of a TLS connection. Only over that socket can the station respond to a client that does
 * not use TLS.
 */
function plainSockets(server: Server | TlsServer): (socket: TLSSocket) => Socket | undefined {
  const byPort = new Map<string, Socket>();
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  if (server instanceof TlsServer) {
    server.on('connection', (socket: Socket) => {
      const name = nameOf(socket);
      byPort.set(name, socket);
      socket.once('close', () => byPort.delete(name));
    });
  }
  return (socket) => byPort.get(nameOf(socket));
}

/** Returns a complete HTTP/1.1 response with a problem document, for connections without a request. */
export function messageOf(error: StationError, headers: readonly string[] = []): string {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'connection: close',
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function reason({ code, rawPacket }: ClientError): StationError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new StationError('too_large', 'The address and headers are larger than 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StationError('malformed', 'The request did not arrive whole in time. Send it again.');
  if (code === 'HPE_INVALID_URL' || code === 'HPE_INVALID_CONSTANT') {
    const isRaw = rawPacket?.some((byte) => byte >= 0x80) === true;
    return new StationError(isRaw ? 'encoding' : 'malformed', `The address cannot be read. ${ENCODE_ADDRESS}`);
  }
  return new StationError('malformed', 'This is not an HTTP/1.1 request.');
}
