import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';
import { StationError, TooManyRequests } from '../errors.ts';
import type { Log } from '../ports.ts';
import type { Access, Caller, Rights } from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';
import { shapeOf, type Shape } from './compat/bodyShape.ts';
import { textUnlessEmpty } from './compat/emptyBody.ts';
import { lenientBody } from './compat/lenientBody.ts';
import { readXmlBody } from './compat/xmlBody.ts';
import { pointerOf } from './bodyLimits.ts';
import { isRaw, neededRights, statusOf, type Call, type Endpoint } from './endpoint.ts';
import { bodyFormat, sendValue } from './formats.ts';
import { createTurns, type Turns } from './bodyTurns.ts';
import type { Addresses } from './guard.ts';
import { readJson } from './jsonReader.ts';
import { internalProblem, problemOf } from './problem.ts';
import { drainRequest } from './drainRequest.ts';
import { recordOf } from './recording.ts';
import { authorise, byOf, challengeOf, checkAskedFor, demandRight } from './signIn.ts';

/** Largest body, where an endpoint does not say otherwise. Contract, section 2. */
export const DEFAULT_LIMIT = 1024 * 1024;
/** Of who is not known yet: each of many connections may hold as much. */
export const STRANGER_LIMIT = 16 * 1024;

/** What goes in and out of these is a secret or may be one: it is hidden before it is kept, not when it is looked at. */
const SECRET_TAGS: ReadonlySet<Endpoint['tag']> = new Set(['access', 'callbacks', 'settings'] as const);

const NOBODY: Caller = { name: '', scope: 'read', credential: { kind: 'none' } };

/** Routes of all endpoints, and clear answers for paths and methods that there are not. */
export function createRouter(parts: {
  endpoints: readonly Endpoint[];
  access: Access;
  rights: Rights;
  addresses: Addresses;
  isStopping: () => boolean;
}): Router {
  const { endpoints, rights, addresses, isStopping } = parts;
  const router = Router({ strict: true, caseSensitive: true });
  const turns = createTurns();
  const methods = Map.groupBy(endpoints, (endpoint) => endpoint.path);

  function callerOf(endpoint: Endpoint, req: Request): Caller | Promise<Caller> {
    if (endpoint.right !== 'public') return authorise(req, neededRights(endpoint), parts);
    return endpoint.knowsCallers === true ? callerOrNobody(() => authorise(req, ['read'], parts)) : NOBODY;
  }

  for (const endpoint of endpoints) {
    const steps: RequestHandler[] = [];
    const holdsSecrets = SECRET_TAGS.has(endpoint.tag);
    steps.push((req, res, next) => {
      recordOf(res)?.found(holdsSecrets);
      if (endpoint.hasEffect === true && req.method === 'HEAD') return next('route');
      if (isStopping())
        throw new StationError('stopping', 'The station is stopping. Send the request again when it is back.');
      const goOn = (caller: Caller): void => {
        res.locals['caller'] = caller;
        if (endpoint.hasEffect === true) checkAskedFor(req, caller, addresses);
        next();
      };
      const caller = callerOf(endpoint, req);
      if (caller instanceof Promise) return caller.then(goOn);
      goOn(caller);
    });
    // The caller is known before his body is read.
    if (endpoint.body !== undefined) {
      const limit = endpoint.limit ?? DEFAULT_LIMIT;
      steps.push(checkBody(limit, endpoint.isForm === true), express.text({ limit, type: () => true }));
      steps.push(endpoint.isForm === true ? keepForm : parseBody(endpoint.documentedBody ?? endpoint.body, turns));
    }
    if (endpoint.upload !== undefined) steps.push(checkUpload(endpoint.upload));
    const read = dialectOf(endpoint);
    const status = statusOf(endpoint);
    steps.push(async (req, res) => {
      const caller = res.locals['caller'] as Caller;
      const body = read === undefined ? (req.body as unknown) : read(req.body);
      const params = endpoint.params === undefined ? undefined : validate(endpoint.params, req.params, 'path');
      const query = endpoint.query === undefined ? undefined : validate(endpoint.query, req.query, 'query');
      const canonical = endpoint.body === undefined ? undefined : validateBody(endpoint, body);
      const answer = await endpoint.handle(
        new HandledCall({ params, query, body: canonical }, caller, rights, req, res),
      );
      if (res.headersSent) return;
      res.setHeader('cache-control', 'no-store');
      res.setHeader('x-content-type-options', 'nosniff');
      if (isRaw(answer)) {
        recordOf(res)?.answeredFile(answer);
        if (endpoint.alternative !== undefined) res.vary('accept');
        res.setHeader('content-type', answer.contentType);
        res.end(answer.bytes);
        return;
      }
      if (res.statusCode === 200) res.statusCode = status;
      if (answer === undefined) {
        res.end();
        return;
      }
      // What answers a form is JSON by its own protocol: RFC 6749, section 5.1.
      sendValue(res, answer, { kind: 'answer', accept: endpoint.isForm === true ? undefined : req.headers.accept });
    });
    const verb = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[verb](routeOf(endpoint), ...steps);
  }

  for (const defined of methods.values()) {
    const [first] = defined;
    if (first === undefined) continue;
    const route = routeOf(first);
    const allowed: string[] = defined.map((endpoint) => endpoint.method);
    if (defined.some((endpoint) => endpoint.method === 'GET' && endpoint.hasEffect !== true)) allowed.push('HEAD');
    router.all(route, (req, res) => {
      res.setHeader('allow', allowed.join(', '));
      throw new StationError(
        'method_not_allowed',
        `${req.method} is not possible here. Possible: ${allowed.join(', ')}.`,
      );
    });
    if (typeof route !== 'string' || !route.endsWith('/')) continue;
    router.all(route.slice(0, -1), (req) => {
      throw new StationError('missing_trailing_slash', `Every path ends with a slash. Use ${req.path}/.`);
    });
  }
  router.all(['/api', '/api/{*rest}'], (req) => {
    throw new StationError('not_found', `There is nothing at ${req.path}. /api/openapi.json lists every path.`);
  });
  return router;
}

/** A refused sign-in makes a stranger: what anybody gets is not refused. */
async function callerOrNobody(find: () => Caller | Promise<Caller>): Promise<Caller> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof StationError) return NOBODY;
    throw error;
  }
}

/** A class, so that who asked is worked out only where it is written down: a getter of each object would cost more. */
class HandledCall implements Call<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly req: Request;
  readonly res: Response;

  readonly #rights: Rights;

  constructor(
    asked: { params: unknown; query: unknown; body: unknown },
    caller: Caller,
    rights: Rights,
    req: Request,
    res: Response,
  ) {
    this.params = asked.params;
    this.query = asked.query;
    this.body = asked.body;
    this.caller = caller;
    this.#rights = rights;
    this.req = req;
    this.res = res;
  }

  get by(): By {
    return byOf(this.req, this.caller);
  }

  demand(right: Right): void {
    demandRight(this.req, this.caller, [right], this.#rights);
  }
}

/** How a body is brought into canonical form. Where the parts are judged one by one, they are read one by one. */
function dialectOf({ body, documentedBody, dialect }: Endpoint): Endpoint['dialect'] {
  if (dialect !== undefined || body === undefined || documentedBody !== undefined) return dialect;
  return lenientBody(body);
}

function routeOf({ path, route }: Endpoint): string | RegExp {
  return route ?? path.replace(/\{(\w+)\}/g, ':$1');
}

/** Refuses what is neither JSON nor XML, unless any type will do, or announces itself as too large, before it is read. */
function checkBody(limit: number, isAnyType: boolean): RequestHandler {
  return (req, _res, next) => {
    const type = req.headers['content-type'];
    const length = Number(req.headers['content-length'] ?? 0);
    const hasBody = req.headers['transfer-encoding'] !== undefined || length > 0;
    if (hasBody && !isAnyType && bodyFormat(type) === undefined) {
      throw new StationError(
        'unsupported_media_type',
        `The body is ${type === undefined ? 'of no stated type' : `"${type}"`}; send it as application/json or application/xml in the header content-type.`,
      );
    }
    if (length > limit) throw tooLarge(limit);
    next();
  };
}

/** The same of a file, which nobody reads but the endpoint. */
function checkUpload({ contentType, limit }: NonNullable<Endpoint['upload']>): RequestHandler {
  return (req, _res, next) => {
    const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== contentType && type !== 'application/octet-stream') {
      throw new StationError(
        'unsupported_media_type',
        `The body is ${type === undefined ? 'of no stated type' : `"${type}"`}; send the file as it is, as ${contentType}.`,
      );
    }
    if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
    next();
  };
}

function parseBody(schema: z.ZodType, turns: Turns): RequestHandler {
  let shape: Shape | undefined;
  return (req, res, next) => {
    const text = textUnlessEmpty(req.body);
    req.body = undefined;
    if (text === undefined) return next();
    const isXml = bodyFormat(req.headers['content-type']) === 'xml';
    turns(isXml ? readXmlBody(text, (shape ??= shapeOf(schema))) : readJson(text), {
      done(value) {
        recordOf(res)?.sent(text);
        req.body = value;
        next();
      },
      failed(error) {
        recordOf(res)?.sentUnreadable(text);
        next(error);
      },
    });
  };
}

const keepForm: RequestHandler = (req, res, next) => {
  if (typeof req.body === 'string') recordOf(res)?.sent(req.body);
  next();
};

/** A limit of a body, for people. */
export function sizeOf(limit: number): string {
  return limit < DEFAULT_LIMIT ? `${limit / 1024} KiB` : `${limit / DEFAULT_LIMIT} MiB`;
}

function tooLarge(limit: number): StationError {
  return new StationError(
    'too_large',
    `The body is over ${sizeOf(limit)}.${limit < DEFAULT_LIMIT ? '' : ' Send it in parts.'}`,
  );
}

function validateBody(endpoint: Endpoint, body: unknown): unknown {
  if (endpoint.body === undefined) return undefined;
  if (body === undefined && endpoint.bodyOptional === true) return validate(endpoint.body, {}, 'body');
  if (body === undefined)
    throw new StationError(
      'malformed',
      'The request has no body. Send a JSON object with content-type: application/json.',
    );
  return validate(endpoint.body, body, 'body');
}

/** Throws `invalid` with every error found. Pointers are into the body, or name the part of the address. */
export function validate<T>(schema: z.ZodType<T>, value: unknown, part: 'path' | 'query' | 'body'): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error);
  const [first] = errors;
  const where =
    part === 'body'
      ? first?.path === ''
        ? 'The body'
        : (first?.path ?? 'The body')
      : `The ${part} parameter ${first?.path.slice(1) ?? ''}`;
  throw new StationError('invalid', `${where}: ${first?.message ?? 'not valid'}`, errors);
}

/**
 * Reads as much of an object as its schema takes, and says what is wrong with the rest, for requests whose fields are judged further:
 * all faults stand in one answer. Throws `invalid` where nothing of it can be read.
 */
export function readValid<T>(schema: z.ZodType<T>, value: unknown): { read: T; faults: FieldError[] } {
  const result = schema.safeParse(value);
  if (result.success) return { read: result.data, faults: [] };
  const wrong = new Set(result.error.issues.map(({ path }) => path[0]));
  if (typeof value !== 'object' || value === null || wrong.has(undefined)) {
    return { read: validate(schema, value, 'body'), faults: [] };
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([field]) => !wrong.has(field)));
  return { read: validate(schema, rest, 'body'), faults: fieldErrors(result.error) };
}

/** The faults of a value by its schema, none where it is right. */
export function faultsOf(schema: z.ZodType, value: unknown): FieldError[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : fieldErrors(error);
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const path = pointerOf(issue.path);
    if (issue.code !== 'unrecognized_keys') return [{ path, message: sentenceOf(issue) }];
    return issue.keys.map((key) => ({ path: path + pointerOf([key]), message: 'There is no such field.' }));
  });
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** What is wrong and what would be right, for people. Messages of our own schemas are sentences already. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // Else it is a sentence of the schema.
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      return `${issue.message.endsWith('received undefined') ? 'This is missing: it has' : 'This has'} to be ${NOUNS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `This is too short: at least ${issue.minimum}.`
        : `The smallest value is ${issue.minimum}.`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `This is too long: at most ${issue.maximum}.`
        : `The largest value is ${issue.maximum}.`;
    case 'invalid_value':
      return `Use one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_key':
      return issue.issues.map(sentenceOf).join(' ');
    default:
      return issue.message;
  }
}

/** Every failure as a problem of RFC 9457, in one place. */
export function problemHandler(log: Log, access: Access): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const expected = error instanceof StationError ? error : fromBodyParser(error);
    if (expected === undefined) log.error({ err: error, method: req.method, path: req.path }, 'a request met a defect');
    const problem = expected === undefined ? internalProblem() : problemOf(expected);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    recordOf(res)?.failed(problem.code);
    res.statusCode = problem.status;
    res.setHeader('cache-control', 'no-store');
    res.setHeader('x-content-type-options', 'nosniff');
    if (problem.status === 401) res.setHeader('www-authenticate', challengeOf(req, access));
    if (expected instanceof TooManyRequests) res.setHeader('retry-after', expected.retryAfterS);
    const send = (): void => sendValue(res, problem, { kind: 'problem', accept: req.headers.accept });
    if (problem.status !== 413) return send();
    // What was not read of a body that is too large is not waited for.
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

/** What express says of a body or a path that it cannot read. */
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
