import type {
  LoggedBody,
  LoggedCredential,
  LoggedExchange,
  LoggedRequest,
  RequestLogQuery,
  StatusClass,
} from '#shared/api/requestLog.ts';
import { HIDDEN, hideInBody, hideInForm, hideInJson, hideInUrl } from '../../domain/station/hiddenSecrets.ts';
import { StationError } from '../../errors.ts';
import type { Clock } from '../../ports.ts';

export { HIDDEN };

/** Number of characters to keep of each body. */
export const BODY_LIMIT = 16 * 1024;
/** Number of requests to keep. */
export const MAX_REQUESTS = 1_000;
/** Memory limit for the stored texts, at two bytes per character. Above it, the oldest requests are dropped. */
export const MAX_BYTES = 8 * 1024 * 1024;

export type KeptBody = Pick<LoggedBody, 'kept' | 'bytes'> & { contentType: string; text: string };

/** A request as received. Its entry is computed only when somebody reads it. */
export type KeptRequest = {
  /** Time of the request in epoch milliseconds. */
  at: number;
  method: string;
  path: string;
  by: string;
  credential: LoggedCredential;
  address: string;
  status: number | null;
  code: string;
  ms: number;
  userAgent: string;
  accept: string;
  request: KeptBody;
  answer: KeptBody;
};

/** Keeps the last API requests in memory for client developers. */
export function createRequestLog(parts: { clock: Clock; isOn: () => boolean }) {
  const { clock, isOn } = parts;
  const slots: (KeptRequest | undefined)[] = Array.from({ length: MAX_REQUESTS });
  // Start ids at the current time, so that an old link does not show a different request after a restart.
  const firstId = clock.now();
  let oldest = 0;
  let next = 0;
  let bytes = 0;

  function forgetOldest(): void {
    const slot = oldest % MAX_REQUESTS;
    const gone = slots[slot];
    slots[slot] = undefined;
    oldest += 1;
    if (gone !== undefined) bytes -= bytesOf(gone);
  }

  function forgetAll(): void {
    while (oldest < next) forgetOldest();
  }

  function at(number: number): KeptRequest | undefined {
    return number >= oldest && number < next ? slots[number % MAX_REQUESTS] : undefined;
  }

  return {
    /** Whether the setting is on. If it is off, drops all stored requests. */
    isOn(): boolean {
      if (isOn()) return true;
      forgetAll();
      return false;
    },
    add(request: KeptRequest): void {
      if (!isOn()) return forgetAll();
      if (next - oldest === MAX_REQUESTS) forgetOldest();
      slots[next % MAX_REQUESTS] = request;
      next += 1;
      bytes += bytesOf(request);
      while (bytes > MAX_BYTES) forgetOldest();
    },
    /** Lists requests, newest first. */
    list({ status, by, path, from, after, limit }: RequestLogQuery): LoggedRequest[] {
      const found: LoggedRequest[] = [];
      const start = after === undefined ? next : Math.min(next, Number(after) - firstId);
      for (let number = start - 1; number >= oldest && found.length < limit; number -= 1) {
        const kept = at(number);
        if (kept === undefined || !isOfClass(kept.status, status)) continue;
        if (from !== undefined && (kept.credential === 'session') !== (from === 'window')) continue;
        if (by !== undefined && kept.by.toLowerCase() !== by.toLowerCase()) continue;
        const shown = requestOf(kept, firstId + number);
        if (path === undefined || shown.path.toLowerCase().includes(path.toLowerCase())) found.push(shown);
      }
      return found;
    },
    /** Throws `not_found`. */
    get(id: string): LoggedExchange {
      const kept = at(Number(id) - firstId);
      if (kept === undefined) {
        throw new StationError(
          'not_found',
          `Request ${id} is not kept, or no longer. GET /api/requests/ lists those that are.`,
        );
      }
      return {
        ...requestOf(kept, Number(id)),
        user_agent: hideInUrl(kept.userAgent),
        accept: kept.accept,
        request: bodyOf(kept.request),
        answer: bodyOf(kept.answer),
      };
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;

function shownText(text: string, contentType: string): string {
  return isForm(contentType) ? hideInForm(text) : hideInBody(text);
}

export function isForm(contentType: string): boolean {
  return contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
}

/** Returns the body without its secrets, or undefined if the body cannot be parsed well enough to find them. */
export function hiddenFor(text: string, contentType: string): string | undefined {
  return isForm(contentType) ? hideInForm(text) : hideInJson(text);
}

function bytesOf({ path, userAgent, accept, request, answer }: KeptRequest): number {
  return 2 * (path.length + userAgent.length + accept.length + request.text.length + answer.text.length);
}

function isOfClass(status: number | null, wanted: StatusClass | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === 'failed') return status !== null && status >= 400;
  return status !== null && `${Math.floor(status / 100)}xx` === wanted;
}

function requestOf(kept: KeptRequest, id: number): LoggedRequest {
  const { at, method, path, by, credential, address, status, code, ms, request, answer } = kept;
  return {
    id: String(id),
    at: new Date(at).toISOString(),
    method,
    path: hideInUrl(path),
    by,
    credential,
    address,
    status,
    code,
    ms: Math.round(ms * 10) / 10,
    request_bytes: request.bytes,
    answer_bytes: answer.bytes,
  };
}

function bodyOf({ contentType, bytes, kept, text }: KeptBody): LoggedBody {
  const isText = kept === 'whole' || kept === 'cut';
  return { content_type: contentType, bytes, kept, text: isText ? shownText(text, contentType) : null };
}
