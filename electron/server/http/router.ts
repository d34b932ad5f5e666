import { Router, type Request, type RequestHandler, type Response } from 'express';
import { isStrict, strictQuerySchema } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';
import { StationError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { Access, Caller, Rights } from '../services/access/index.ts';
import { type By, jsonWithoutSecrets, type KeyedRequests, type KnownNames } from '../services/base/index.ts';
import { inWords, refuseFaults } from '../services/commands/index.ts';
import {
  isRaw,
  neededRights,
  nextLink,
  statusOf,
  type Call,
  type Endpoint,
  type ListPage,
  type SentFile,
} from './endpoint.ts';
import { entityTag, ignoredConditions, isNamed, refuseChanged, refuseCondition } from './entityTags.ts';
import { fileIn } from './fileBody.ts';
import { createFileTurns, type FileTurns } from './fileTurns.ts';
import { keepOutOfCaches, sendValue, sendWritten, writeAnswer } from './formats.ts';
import type { Addresses } from './guard.ts';
import { recordOf } from './recording.ts';
import {
  checkNames,
  futureTimes,
  queryNamesOf,
  refuseReversedSpan,
  unknownNames,
  unknownPicker,
} from './queryNames.ts';
import { digestOf, hasOwnKey, ignoredKeys, isWrite, takeKey, takesKeys, unreadKeys } from './requestKey.ts';
import { bodyValidator, ignoredBody, readBody, withBody } from './requestBody.ts';
import { authorize, byOf, checkAskedFor, demandRight } from './signIn.ts';
import { validate } from './validation.ts';
import { createPauses, isLong } from './valueParts.ts';
import { WARNINGS_HEADER, warningsHeader, withWarnings } from './warnings.ts';

/** Tags whose requests and answers may contain secrets, which the request log hides. */
const SECRET_TAGS: ReadonlySet<Endpoint['tag']> = new Set([
  'access',
  'backups',
  'callbacks',
  'settings',
  'turbos',
] as const);

/** Characters of an unknown path to show in its refusal. */
const MAX_SHOWN = 300;

const NOBODY: Caller = { name: '', scope: 'read', credential: { kind: 'none' } };

/** For a bulk call without elements. */
const EMPTY_LIST = 'The list is empty: nothing was done.';

const STRICTLY = { strict: true, caseSensitive: true };

type Parts = {
  clock: Pick<Clock, 'monotonic' | 'now'>;
  access: Access;
  rights: Rights;
  keyedRequests: KeyedRequests;
  knownNames: KnownNames;
  addresses: Addresses;
  isStopping: () => boolean;
  /** Revision of the last commit. */
  revision: () => number;
  /** Suggests what the caller of an unknown path meant. */
  hintFor: (path: string) => string;
};

/** Routes of all endpoints, and refusals of unknown paths and methods. */
export function createRouter({ endpoints, ...given }: Parts & { endpoints: readonly Endpoint[] }): Router {
  const router = Router(STRICTLY);
  const parts = { ...given, turns: createFileTurns() };
  const nouns = Map.groupBy(endpoints, ({ path }) => nounOf(path));
  const made = new Map<string, Router>();
  const routesFor = (noun: string, ofNoun: readonly Endpoint[]): Router => {
    const routes = made.get(noun) ?? routesOf(ofNoun, parts);
    made.set(noun, routes);
    return routes;
  };
  // Express tries routes one by one, and there are hundreds. Create a router per noun when it is first requested.
  router.use((req, res, next) => {
    const noun = nounOf(req.path);
    const ofNoun = nouns.get(noun);
    if (ofNoun === undefined) next();
    else routesFor(noun, ofNoun)(req, res, next);
  });
  for (const [noun, ofNoun] of nouns) if (noun.includes('{')) router.use(routesFor(noun, ofNoun));
  router.all(['/api', '/api/{*rest}'], (req) => {
    throw nothingAt(req.path, parts.hintFor);
  });
  return router;
}

/** The refusal of an unknown path. */
export function nothingAt(path: string, hintFor: Parts['hintFor']): StationError {
  const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
  return new StationError(
    'not_found',
    `There is nothing at ${shown}.${hintFor(path)} /api/openapi.json lists every path.`,
  );
}

function routesOf(endpoints: readonly Endpoint[], parts: Parts & { turns: FileTurns }): Router {
  const router = Router(STRICTLY);
  for (const endpoint of endpoints) {
    const verb = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    // Identify the caller before reading the body.
    const read = withBody(endpoint);
    router[verb](routeOf(endpoint), identify(endpoint, parts), ...readBody(read, parts.turns), handle(read, parts));
  }
  for (const defined of Map.groupBy(endpoints, ({ path }) => path).values()) refuseOtherMethods(router, defined);
  return router;
}

/** The path prefix that only endpoints of one noun have, such as `/api/orders`. */
function nounOf(path: string): string {
  return path.split('/', 3).join('/');
}

/** Identifies the caller and checks the right. */
function identify(endpoint: Endpoint, parts: Parts): RequestHandler {
  const { addresses, isStopping } = parts;
  const holdsSecrets = SECRET_TAGS.has(endpoint.tag);
  const rights = neededRights(endpoint);

  function callerOf(req: Request): Caller | Promise<Caller> {
    if (endpoint.right !== 'public') return authorize(req, rights, parts);
    return endpoint.knowsCallers === true ? callerOrNobody(() => authorize(req, ['read'], parts)) : NOBODY;
  }

  return (req, res, next) => {
    recordOf(res)?.found(holdsSecrets);
    if (endpoint.hasEffect === true && req.method === 'HEAD') return next('route');
    if (isStopping())
      throw new StationError('stopping', 'The station is stopping. Send the request again when it is back.');
    const proceed = (caller: Caller): void => {
      res.locals['caller'] = caller;
      if (endpoint.hasEffect === true) checkAskedFor(req, caller, addresses);
      next();
    };
    const caller = callerOf(req);
    if (caller instanceof Promise) return caller.then(proceed);
    proceed(caller);
  };
}

/** Handles a request whose caller is known and whose body was read. */
function handle(endpoint: Endpoint, parts: Parts & { turns: FileTurns }): RequestHandler {
  const { clock, rights, keyedRequests, knownNames, revision, turns } = parts;
  const validator = bodyValidator(endpoint);
  const status = statusOf(endpoint);
  const mayRepeat = takesKeys(endpoint);
  const isOwnKey = hasOwnKey(endpoint.body);
  const actsOutside = endpoint.actsOutside === true;
  const holdsSecrets = SECRET_TAGS.has(endpoint.tag);
  const { replayed = (answer) => answer, page, tagged, tagView = (answer) => answer, method } = endpoint;
  const namesUnknown = endpoint.body === undefined || endpoint.namesUnknown === true;
  const queryNames = queryNamesOf(endpoint);

  async function carryOut(req: Request, res: Response, key: string | undefined): Promise<unknown> {
    const ignored = doubtsOf(req);
    if (isWrite(endpoint) && tagged === undefined) refuseCondition(req.headers['if-match']);
    const params = endpoint.params === undefined ? undefined : validate(endpoint.params, req.params, 'path');
    const query = endpoint.query === undefined ? undefined : validate(endpoint.query, req.query, 'query');
    refuseReversedSpan(query);
    const doubts = [...ignored, ...futureTimes(query, clock.now())];
    const strict = endpoint.body !== undefined && isStrict(validate(strictQuerySchema, req.query, 'query'));
    const sent = validator.convert(req.body);
    const body = validator.check(sent, strict);
    if (Array.isArray(body) && body.length === 0) doubts.push(EMPTY_LIST);
    const findUnknown = (): readonly FieldError[] => validator.unknownIn(sent);
    if (strict) refuseFaults(doubts.map((message) => ({ path: '', message })));
    doubts.push(...unknownPicker(body, knownNames));
    const unnamed = unknownNames(query, knownNames);
    const warnings = warnOf(res, sent, [...doubts, ...unnamed]);
    const asked = { params, body, strict, findUnknown, key };
    const handleWith = (wanted: unknown): unknown =>
      endpoint.handle(new HandledCall({ ...asked, query: wanted }, { rights, tagged, tagView }, req, res));
    // Read the revision before the list: the list can then have later changes, but misses none.
    if (endpoint.namesRevision === true) res.setHeader('pickstation-revision', String(revision()));
    const handled = await handleWith(query);
    // If rows were found, the named thing may have existed before, so do not warn.
    if (unnamed.length > 0 && Array.isArray(handled) && handled.length > 0) warnOf(res, sent, doubts);
    const answer = withWarnings(handled, warnings);
    if (page !== undefined) await linkNext(req, res, { page, query, answer, read: handleWith });
    if (!isRaw(answer) && res.statusCode === 200) res.statusCode = status;
    return answer;
  }

  /** Warnings about ignored parts outside the body. Throws `unknown_parameter`. */
  function doubtsOf(req: Request): string[] {
    return [
      ...checkNames(req, endpoint, queryNames),
      ...ignoredBody(req),
      ...(isWrite(endpoint) ? ignoredConditions(req.headers) : []),
      ...(mayRepeat ? unreadKeys(req.headers) : isWrite(endpoint) ? ignoredKeys(req.headers) : []),
    ];
  }

  /** Also warns in a header, since some answers have no place for warnings. */
  function warnOf(res: Response, sent: unknown, doubts: readonly string[]): string[] {
    const unknown = namesUnknown ? [] : validator.unknownIn(sent);
    const warnings = [...doubts, ...unknown.map(inWords)];
    if (warnings.length > 0) res.setHeader(WARNINGS_HEADER, warningsHeader(warnings));
    else res.removeHeader(WARNINGS_HEADER);
    return warnings;
  }

  async function send(req: Request, res: Response, answer: unknown): Promise<void> {
    if (res.headersSent) return;
    keepOutOfCaches(res);
    if (isRaw(answer)) {
      recordOf(res)?.answeredFile(answer);
      if (endpoint.alternative !== undefined) res.vary('accept');
      res.setHeader('content-type', answer.contentType);
      res.end(answer.bytes);
      return;
    }
    if (answer === undefined) {
      res.end();
      return;
    }
    // A form has its own protocol, whose answers are always JSON: RFC 6749, section 5.1.
    const accept = endpoint.isForm === true ? undefined : req.headers.accept;
    if (tagged !== undefined && method !== 'POST' && typeof answer === 'object' && answer !== null)
      return sendTagged(req, res, answer, tagged);
    if (isLong(answer)) sendWritten(res, await writeAnswer(answer, accept, createPauses(clock)));
    else sendValue(res, answer, { kind: 'answer', accept });
  }

  /** Sends an answer with its entity tag, or 304 if the caller already has it. */
  async function sendTagged(req: Request, res: Response, answer: object, fields: readonly string[]): Promise<void> {
    const { accept } = req.headers;
    const pauses = createPauses(clock);
    const written = await writeAnswer(answer, accept, pauses);
    // Exclude warnings, which only the answer to a change has.
    const read = 'warnings' in answer ? await writeAnswer(withoutWarnings(answer), accept, pauses) : written;
    const tag = entityTag(read, tagView(answer), fields);
    res.setHeader('etag', tag);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || !isNamed(req.headers['if-none-match'], tag)) return sendWritten(res, written);
    res.vary('accept');
    res.status(304).end();
  }

  async function answerOnce(req: Request, res: Response, key: string): Promise<void> {
    const { name: caller } = callerIn(res);
    const digest = await digestOf(req, req.body, fileIn(res), createPauses(clock));
    let first: unknown;
    const request = { caller, key, digest, holdsSecrets };
    const { answer, isReplayed } = await keyedRequests.answer(request, { actsOutside }, async () => {
      first = await carryOut(req, res, key);
      return { status: res.statusCode, text: keptText(first) };
    });
    if (!isReplayed) return send(req, res, first);
    warnOf(res, validator.convert(req.body), doubtsOf(req));
    res.setHeader('idempotency-replayed', 'true');
    res.statusCode = answer.status;
    // Safe: the station stored it, and validated it when reading.
    await send(req, res, answer.text === null ? undefined : replayed(JSON.parse(answer.text) as object));
  }

  async function respond(req: Request, res: Response): Promise<void> {
    const key = mayRepeat ? takeKey(req, isOwnKey) : undefined;
    if (key === undefined) await send(req, res, await carryOut(req, res, undefined));
    else await answerOnce(req, res, key);
  }

  return (req, res) => turns.during(res, () => respond(req, res));
}

/** The answer to store. Null: no body, or a file, which only requests without changes return. */
function keptText(answer: unknown): string | null {
  return answer === undefined || isRaw(answer) ? null : jsonWithoutSecrets(answer);
}

function withoutWarnings(answer: object): object {
  const { warnings: _, ...shown } = answer as { warnings?: unknown };
  return shown;
}

function callerIn(res: Response): Caller {
  // Only `identify` writes it.
  return res.locals['caller'] as Caller;
}

/** Sets `Link` to the next page of a list. Checks for a next element only if the page can have a successor. */
async function linkNext(
  req: Request,
  res: Response,
  asked: { page: ListPage; query: unknown; answer: unknown; read: (query: unknown) => unknown },
): Promise<void> {
  const { page, query, answer, read } = asked;
  if (!Array.isArray(answer)) return;
  const { limit = page.limit } = query as { limit?: number };
  const last: unknown = answer.at(-1);
  const isFull = limit !== undefined && answer.length >= limit;
  if (last === undefined || !(isFull || page.mayEndEarly?.(answer) === true)) return;
  const after = page.after(last);
  const next = await read({ ...(query as object), limit: 1, after });
  if (!Array.isArray(next) || next.length === 0) return;
  res.setHeader('link', nextLink(req, after));
}

/** Refuses other methods at the path of these endpoints, and the path without its slash. */
function refuseOtherMethods(router: Router, defined: readonly Endpoint[]): void {
  const [first] = defined;
  if (first === undefined) return;
  const route = routeOf(first);
  const allowed = defined.map(({ method }) => method);
  if (defined.some(({ method, hasEffect }) => method === 'GET' && hasEffect !== true)) allowed.push('HEAD');
  router.all(route, (req, res) => {
    res.setHeader('allow', allowed.join(', '));
    throw new StationError(
      'method_not_allowed',
      `${req.method} is not possible here. Possible: ${allowed.join(', ')}.`,
    );
  });
  if (typeof route !== 'string' || !route.endsWith('/')) return;
  router.all(route.slice(0, -1), (req) => {
    throw new StationError('missing_trailing_slash', `Every path ends with a slash. Use ${req.path}/.`);
  });
}

/** Treats callers whose sign-in is refused as anonymous, for public endpoints. */
async function callerOrNobody(find: () => Caller | Promise<Caller>): Promise<Caller> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof StationError) return NOBODY;
    throw error;
  }
}

/** What the router knows about a request. */
type Asked = Pick<Call<unknown, unknown, unknown>, 'params' | 'query' | 'body' | 'strict' | 'key'> & {
  findUnknown: () => readonly FieldError[];
};

/** A class whose `by` and `unknown` are computed only when read; getters on each object would cost more. */
class HandledCall implements Call<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly strict: boolean;
  readonly key: string | undefined;
  readonly caller: Caller;
  readonly req: Request;
  readonly res: Response;
  readonly file: SentFile | undefined;

  readonly #rights: Rights;
  readonly #tagged: readonly string[];
  readonly #tagView: (answer: object) => object;
  readonly #findUnknown: Asked['findUnknown'];

  constructor(
    asked: Asked,
    {
      rights,
      tagged = [],
      tagView,
    }: { rights: Rights } & Pick<Endpoint, 'tagged'> & Required<Pick<Endpoint, 'tagView'>>,
    req: Request,
    res: Response,
  ) {
    this.params = asked.params;
    this.query = asked.query;
    this.body = asked.body;
    this.strict = asked.strict;
    this.#findUnknown = asked.findUnknown;
    this.key = asked.key;
    this.caller = callerIn(res);
    this.#rights = rights;
    this.#tagged = tagged;
    this.#tagView = tagView;
    this.req = req;
    this.res = res;
    this.file = fileIn(res);
  }

  refuseChanged(current: object): void {
    // PATCH and PUT conflict with changes of the fields that they set, DELETE and POST with any change.
    const isPart = this.req.method === 'PATCH' || this.req.method === 'PUT';
    const isBody = typeof this.body === 'object' && this.body !== null;
    const set = !isPart ? this.#tagged : isBody ? Object.keys(this.body) : [];
    refuseChanged(this.req.headers['if-match'], this.#tagView(current), { fields: this.#tagged, set });
  }

  get unknown(): readonly FieldError[] {
    return this.#findUnknown();
  }

  get by(): By {
    return byOf(this.req, this.caller);
  }

  demand(right: Right): void {
    demandRight(this.req, this.caller, [right], this.#rights);
  }

  may(right: Right): boolean {
    return this.#rights.of(this.caller).includes(right);
  }
}

function routeOf({ path, route }: Endpoint): string | RegExp {
  return route ?? path.replace(/\{(\w+)\}/g, ':$1');
}
