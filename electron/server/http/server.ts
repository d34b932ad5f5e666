import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { StationError } from '../errors.ts';
import type { Log } from '../ports.ts';
import { problemOf } from './problem.ts';

/** Requests that are still answered when the station stops get this long. */
const STOP_LIMIT_MS = 2_000;
const STOP_SWEEP_MS = 20;

export type Listening = { server: Server; port: number };

/** Opens the port, 0 for a free one. Throws a StationError that says why it cannot. */
export async function listen(
  app: RequestListener,
  where: { host: string; port: number },
  log: Log,
): Promise<Listening> {
  // A request without a Host is refused by the guard, with its reason.
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000, requireHostHeader: false }, app);
  answerUnreadable(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refused(error, where)));
    server.listen(where.port, where.host, resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be taken'));
  return { server, port: (server.address() as AddressInfo).port };
}

function refused(error: NodeJS.ErrnoException, where: { host: string; port: number }): StationError {
  const message = refusal(error, where);
  return new StationError('conflict', message, [{ path: '/port', message }]);
}

function refusal(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that, or choose another with --port (0 takes a free one).`;
  if (error.code === 'EACCES') return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
  return `The station cannot listen on ${host}:${port} (${error.message}). Check --host and --port.`;
}

export async function closeServer({ server }: Listening): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept connection is idle again once its last request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

/** Answers what never becomes a request, because it is no HTTP, too long or too slow, as a problem like any other. */
function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    // What cannot be read came behind a whole request: that one takes effect, so its own answer comes first.
    if (answer !== undefined && answer.req.complete && !answer.writableFinished && socket.writable) {
      answer.once('close', () => socket.destroy());
      return;
    }
    // A second head inside an answer that has begun would be read as part of it.
    const begun = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (!socket.writable || begun || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const problem = problemOf(reason(error.code));
    const body = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      'connection: close',
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function reason(code: string | undefined): StationError {
  if (code === 'HPE_HEADER_OVERFLOW') return new StationError('too_large', 'The address and headers are over 16 KiB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StationError('malformed', 'The request did not arrive whole in time. Send it again.');
  return new StationError('malformed', 'This is not a request of HTTP/1.1.');
}
