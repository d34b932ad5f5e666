import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StationError } from '../errors.ts';
import { problemOf } from './problem.ts';

/** Answers what never becomes a request, because it is no HTTP, too long or too slow, as a problem like any other. */
export function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
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
