import type { Request, RequestHandler, Response } from 'express';
import type { LoggedCredential } from '#shared/api/requestLog.ts';
import type { Clock } from '../ports.ts';
import {
  BODY_LIMIT,
  type KeptBody,
  type KeptRequest,
  type RequestLog,
  hiddenFor,
  isForm,
} from '../services/base/index.ts';
import { fittingText } from './bodies/fittingParts.ts';
import type { Shape } from './compat/bodyShape.ts';
import type { Raw } from './endpoint.ts';
import { addressOf, plainAddress } from './port/forwarded.ts';

/** Paths that are not logged: the log itself, and streams, which do not end. */
const LEFT_OUT = /^\/api\/(?:requests|events)(?:\/|$)/;
const MAX_PATH = 2_000;
/**
 * Maximum number of characters of a body that are searched for secrets, in one turn of the event loop. Longer bodies of endpoints with
 * secrets are not logged.
 */
const MAX_SECRET = 64 * 1024;

/** Returns middleware that logs each API request with the response, including refusals. */
export function recordRequests(log: Pick<RequestLog, 'isOn' | 'add'>, clock: Clock): RequestHandler {
  return (req, res, next) => {
    if (!req.path.startsWith('/api/') || LEFT_OUT.test(req.path) || !log.isOn()) return next();
    const startedAt = clock.monotonic();
    const record = new RequestRecord(req, clock.now());
    res.locals[RECORD] = record;
    res.on('close', () => {
      record.end(res, clock.monotonic() - startedAt);
      log.add(record);
    });
    next();
  };
}

const RECORD = 'record';

/** Returns the log record of the request to which `res` responds, or undefined if the request is not logged. */
export function recordOf(res: Response): RequestRecord | undefined {
  return res.locals[RECORD] as RequestRecord | undefined;
}

/**
 * The log record of a request, filled in while the request is handled. References texts without copying them, except for the beginnings of
 * long texts.
 */
class RequestRecord implements KeptRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  readonly userAgent: string;
  readonly accept: string;
  readonly request: KeptBody;
  readonly answer: KeptBody = { contentType: '', bytes: 0, kept: 'none', text: '' };
  by = '';
  credential: LoggedCredential = 'none';
  status: number | null = null;
  code = '';
  ms = 0;
  #holdsSecrets = false;
  #shape: (() => Shape) | undefined;

  constructor(req: Request, at: number) {
    const { headers } = req;
    this.at = at;
    this.method = req.method;
    this.path = beginningOf(req.originalUrl, MAX_PATH);
    this.address = senderOf(req);
    this.userAgent = headers['user-agent'] ?? '';
    this.accept = headers.accept ?? '';
    const length = headers['content-length'];
    const hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    this.request = {
      contentType: headers['content-type'] ?? '',
      bytes: length === undefined ? (hasBody ? null : 0) : Number(length),
      kept: hasBody ? 'unread' : 'none',
      text: '',
    };
  }

  /** Records whether the endpoint's requests can contain secrets, and the shape of its bodies. Call when the endpoint is known. */
  found(holdsSecrets: boolean, shape: (() => Shape) | undefined): void {
    this.#holdsSecrets = holdsSecrets;
    this.#shape = shape;
  }

  askedBy(name: string, credential: LoggedCredential): void {
    this.by = name;
    this.credential = credential;
  }

  sent(text: string): void {
    this.request.bytes ??= Buffer.byteLength(text);
    this.#keep(this.request, text, this.#shape);
  }

  /** Records a body that could not be parsed, but not its text if it may contain secrets. */
  sentUnreadable(text: string): void {
    this.request.bytes ??= Buffer.byteLength(text);
    if (this.#holdsSecrets) this.request.kept = 'secret';
    else this.#keep(this.request, text);
  }

  answered(text: string): void {
    this.#keep(this.answer, text);
  }

  answeredFile({ bytes }: Raw): void {
    this.answer.bytes = bytes.length;
    this.answer.kept = 'file';
  }

  failed(code: string): void {
    this.code = code;
  }

  end(res: Response, ms: number): void {
    this.ms = ms;
    if (!res.writableFinished) return;
    this.status = res.statusCode;
    this.answer.contentType = headerOf(res, 'content-type');
    const length = headerOf(res, 'content-length');
    if (length !== '') this.answer.bytes = Number(length);
    if (this.method !== 'HEAD') return;
    this.answer.kept = 'none';
    this.answer.text = '';
  }

  #keep(body: KeptBody, text: string, shape?: () => Shape): void {
    const shown = this.#holdsSecrets ? withoutSecrets(text, body.contentType, shape) : text;
    body.kept = shown === undefined ? 'secret' : shown.length > BODY_LIMIT ? 'cut' : 'whole';
    body.text = beginningOf(shown ?? '', BODY_LIMIT);
  }
}

function withoutSecrets(text: string, contentType: string, shape: (() => Shape) | undefined): string | undefined {
  if (text.length > MAX_SECRET) return undefined;
  const expected = shape === undefined ? text : fittingText(text, shape(), isForm(contentType));
  return expected === undefined ? undefined : hiddenFor(expected, contentType);
}

/** Copies the beginning of a long text, because a substring would keep the whole text in memory. */
function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString();
}

function headerOf(res: Response, name: string): string {
  return String(res.getHeader(name) ?? '');
}

/** Returns the sender's address. Uses express only for forwarded requests, because express is slow and most requests are direct. */
function senderOf(req: Request): string {
  if (req.headers['x-forwarded-for'] !== undefined) return addressOf(req);
  return plainAddress(req.socket.remoteAddress ?? '');
}
