import type { ErrorRequestHandler } from 'express';
import { StationError, TooManyRequests } from '../errors.ts';
import type { Log } from '../ports.ts';
import type { Access } from '../services/access/index.ts';
import { drainRequest } from './bodies/drainRequest.ts';
import { keepOutOfCaches, sendValue } from './bodies/formats.ts';
import { internalProblem, problemOf } from './problem.ts';
import { recordOf } from './recording.ts';
import { tooLarge } from './bodies/requestBody.ts';
import { challengeOf } from './signIn.ts';

/** Returns a handler that responds to every failure with problem details (RFC 9457). */
export function problemHandler(log: Log, access: Access): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const expected = error instanceof StationError ? error : fromBodyParser(error);
    if (expected === undefined)
      log.error({ err: error, method: req.method, path: req.path }, 'a request failed because of a defect');
    const problem = expected === undefined ? internalProblem() : problemOf(expected);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    recordOf(res)?.failed(problem.code);
    res.statusCode = problem.status;
    keepOutOfCaches(res);
    if (problem.status === 401) res.setHeader('www-authenticate', challengeOf(req, access));
    if (expected instanceof TooManyRequests) res.setHeader('retry-after', expected.retryAfterS);
    const send = (): void => sendValue(res, problem, { kind: 'problem', accept: req.headers.accept });
    if (problem.status !== 413) return send();
    // Close the connection instead of waiting for the whole body. Drain the body briefly before that, so that the caller gets the answer.
    res.setHeader('connection', 'close');
    void sendOnceRead();

    async function sendOnceRead(): Promise<void> {
      try {
        await drainRequest(req);
        if (!res.destroyed) send();
      } catch (failure) {
        log.error({ err: failure, path: req.path }, 'a request could not be answered');
        res.destroy();
      }
    }
  };
}

/** Converts errors from express about a body or path that cannot be parsed. */
function fromBodyParser(error: unknown): StationError | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const type = 'type' in error ? error.type : undefined;
  const limit = 'limit' in error ? Number(error.limit) : 0;
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new StationError('unsupported_media_type', `${error.message}. Send plain UTF-8.`);
  if (error.status === 400) return new StationError('malformed', `The request cannot be read: ${error.message}.`);
  return undefined;
}
