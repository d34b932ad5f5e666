import type { Request, RequestHandler, Response } from 'express';
import { isStrict, strictQuerySchema } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { Clock } from '../ports.ts';
import type { Rights } from '../services/access/index.ts';
import { jsonWithoutSecrets, type KeyedRequests, type KnownNames } from '../services/base/index.ts';
import { inWords, refuseFaults } from '../services/commands/index.ts';
import { isFinal, isRaw, nextLink, statusOf, type Endpoint, type ListPage } from './endpoint.ts';
import { entityTag, ignoredConditions, isNamed, refuseCondition } from './entityTags.ts';
import { fileIn } from './bodies/fileBody.ts';
import type { FileTurns } from './bodies/fileTurns.ts';
import { keepOutOfCaches, sendValue, sendWritten, writeAnswer } from './bodies/formats.ts';
import { callerIn, HandledCall } from './handledCall.ts';
import {
  checkNames,
  futureRevision,
  futureTimes,
  refuseLateEnd,
  queryNamesOf,
  refuseReversedSpan,
  unknownNames,
  unknownPicker,
} from './queryNames.ts';
import { recordOf } from './recording.ts';
import { digestOf, hasOwnKey, ignoredKeys, isWrite, takeKey, takesKeys, unreadKeys } from './requestKey.ts';
import { bodyValidator, ignoredBody } from './bodies/requestBody.ts';
import { validate } from './validation.ts';
import { createPauses, isLong } from './bodies/valueParts.ts';
import { WARNINGS_HEADER, warningsHeader, withWarnings } from './warnings.ts';

/** Warning for a bulk call without elements. */
const EMPTY_LIST = 'The list is empty: nothing was done.';

/** Dependencies of a handler, provided by the router. */
export type HandlerParts = {
  clock: Pick<Clock, 'monotonic' | 'now'>;
  rights: Rights;
  keyedRequests: KeyedRequests;
  knownNames: KnownNames;
  /** Returns the revision of the last commit. */
  revision: () => number;
  turns: FileTurns;
};

/** An endpoint, with values that are computed once for all requests to it. */
type HandlerContext = {
  parts: HandlerParts;
  endpoint: Endpoint;
  validator: ReturnType<typeof bodyValidator>;
  queryNames: ReturnType<typeof queryNamesOf>;
  /** Whether requests with the same idempotency key take effect only once. */
  mayRepeat: boolean;
  /**
   * Whether requests to the endpoint can contain secrets. If so, the digests stored for idempotency keys are protected with a secret key.
   */
  holdsSecrets: boolean;
};

/**
 * Creates the handler of an endpoint, which runs when the caller is known and the body has been read. `holdsSecrets` tells whether requests
 * can contain secrets.
 */
export function createHandler(endpoint: Endpoint, holdsSecrets: boolean, parts: HandlerParts): RequestHandler {
  const context: HandlerContext = {
    parts,
    endpoint,
    validator: bodyValidator(endpoint),
    queryNames: queryNamesOf(endpoint),
    mayRepeat: takesKeys(endpoint),
    holdsSecrets,
  };
  const isOwnKey = hasOwnKey(endpoint.body);

  async function respond(req: Request, res: Response): Promise<void> {
    const key = context.mayRepeat ? takeKey(req, isOwnKey) : undefined;
    if (key === undefined) await send(context, req, res, await carryOut(context, req, res, undefined));
    else await answerOnce(context, req, res, key);
  }

  return (req, res) => parts.turns.during(res, () => respond(req, res));
}

/** Validates the request, calls the endpoint, and returns the response with warnings. */
async function carryOut(
  context: HandlerContext,
  req: Request,
  res: Response,
  key: string | undefined,
): Promise<unknown> {
  const { endpoint, validator } = context;
  const { clock, rights, knownNames, revision } = context.parts;
  const { page, tagged, tagView = (answer) => answer } = endpoint;
  const ignored = doubtsOf(context, req);
  if (isFinal(endpoint)) refuseFaults(ignoredConditions(req.headers).map((message) => ({ path: '', message })));
  if (isWrite(endpoint) && tagged === undefined) refuseCondition(req.headers['if-match']);
  const params = endpoint.params === undefined ? undefined : validate(endpoint.params, req.params, 'path');
  const query = endpoint.query === undefined ? undefined : validate(endpoint.query, req.query, 'query');
  refuseReversedSpan(query);
  refuseLateEnd(query, clock.now());
  const doubts = [...ignored, ...futureTimes(query, clock.now()), ...futureRevision(query, revision())];
  const strict = endpoint.body !== undefined && isStrict(validate(strictQuerySchema, req.query, 'query'));
  const sent = validator.convert(req.body);
  const body = validator.check(sent, strict);
  if (Array.isArray(body) && body.length === 0) doubts.push(EMPTY_LIST);
  const findUnknown = (): readonly FieldError[] => validator.unknownIn(sent);
  if (strict) refuseFaults(doubts.map((message) => ({ path: '', message })));
  doubts.push(...unknownPicker(body, knownNames));
  const unnamed = unknownNames(query, knownNames);
  const warnings = warnOf(context, res, sent, [...doubts, ...unnamed]);
  const asked = { params, body, strict, findUnknown, key };
  const handleWith = (wanted: unknown): unknown =>
    endpoint.handle(new HandledCall({ ...asked, query: wanted }, { rights, tagged, tagView }, req, res));
  // Read the revision before the list: the list may then already contain later changes, but lacks none.
  if (endpoint.namesRevision === true) res.setHeader('pickstation-revision', String(revision()));
  const handled = await handleWith(query);
  // If rows were found, do not warn about the unknown name, because it may belong to something that was deleted.
  if (unnamed.length > 0 && Array.isArray(handled) && handled.length > 0) warnOf(context, res, sent, doubts);
  const answer = withWarnings(handled, warnings);
  if (page !== undefined) await linkNext(req, res, { page, query, answer, read: handleWith });
  if (!isRaw(answer) && res.statusCode === 200) res.statusCode = statusOf(endpoint);
  return answer;
}

/** Returns warnings about ignored parts of the request outside the body. Throws `unknown_parameter` for an unknown query parameter. */
function doubtsOf({ endpoint, queryNames, mayRepeat }: HandlerContext, req: Request): string[] {
  return [
    ...checkNames(req, endpoint, queryNames),
    ...ignoredBody(req),
    ...(isWrite(endpoint) ? ignoredConditions(req.headers) : []),
    ...(mayRepeat ? unreadKeys(req.headers) : isWrite(endpoint) ? ignoredKeys(req.headers) : []),
  ];
}

/** Returns the warnings, and also sets them as a header, because some responses have no field for them. */
function warnOf(
  { endpoint, validator }: HandlerContext,
  res: Response,
  sent: unknown,
  doubts: readonly string[],
): string[] {
  const namesUnknown = endpoint.body === undefined || endpoint.namesUnknown === true;
  const unknown = namesUnknown ? [] : validator.unknownIn(sent);
  const warnings = [...doubts, ...unknown.map(inWords)];
  if (warnings.length > 0) res.setHeader(WARNINGS_HEADER, warningsHeader(warnings));
  else res.removeHeader(WARNINGS_HEADER);
  return warnings;
}

/** Sends a response, unless the endpoint has already sent one. */
async function send(context: HandlerContext, req: Request, res: Response, answer: unknown): Promise<void> {
  const { endpoint, parts } = context;
  const { tagged, method } = endpoint;
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
    return sendTagged(context, req, res, { answer, fields: tagged });
  if (isLong(answer)) sendWritten(res, await writeAnswer(answer, accept, createPauses(parts.clock)));
  else sendValue(res, answer, { kind: 'answer', accept });
}

/** Sends a response with its entity tag, or 304 if the caller already has this version. */
async function sendTagged(
  { parts, endpoint: { tagView = (shown) => shown } }: HandlerContext,
  req: Request,
  res: Response,
  { answer, fields }: { answer: object; fields: readonly string[] },
): Promise<void> {
  const { accept } = req.headers;
  const pauses = createPauses(parts.clock);
  const written = await writeAnswer(answer, accept, pauses);
  // Compute the tag without warnings, because only responses to changes have them.
  const read = 'warnings' in answer ? await writeAnswer(withoutWarnings(answer), accept, pauses) : written;
  const tag = entityTag(read, tagView(answer), fields);
  res.setHeader('etag', tag);
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (!isRead || !isNamed(req.headers['if-none-match'], tag)) return sendWritten(res, written);
  res.vary('accept');
  res.status(304).end();
}

/** Executes the first request with an idempotency key, and repeats the response for later requests with the same key. */
async function answerOnce(context: HandlerContext, req: Request, res: Response, key: string): Promise<void> {
  const { parts, endpoint, validator, holdsSecrets } = context;
  const { clock, keyedRequests } = parts;
  const { replayed = (answer) => answer } = endpoint;
  const actsOutside = endpoint.actsOutside === true;
  const { name: caller } = callerIn(res);
  const content = { body: validator.convert(req.body), contentOf: endpoint.contentOf, file: fileIn(res) };
  const digest = await digestOf(req, content, createPauses(clock));
  let first: unknown;
  const request = { caller, key, digest, holdsSecrets };
  const { answer, isReplayed } = await keyedRequests.answer(request, { actsOutside }, async () => {
    first = await carryOut(context, req, res, key);
    return { status: res.statusCode, text: keptText(first) };
  });
  if (!isReplayed) return send(context, req, res, first);
  warnOf(context, res, validator.convert(req.body), doubtsOf(context, req));
  res.setHeader('idempotency-replayed', 'true');
  res.statusCode = answer.status;
  // Safe cast: the station stored this object, and validated it on reading.
  await send(context, req, res, answer.text === null ? undefined : replayed(JSON.parse(answer.text) as object));
}

/**
 * Returns the text of the response to store. Returns null for a response without a body, or for a file, because only requests without
 * changes return files.
 */
function keptText(answer: unknown): string | null {
  return answer === undefined || isRaw(answer) ? null : jsonWithoutSecrets(answer);
}

function withoutWarnings(answer: object): object {
  const { warnings: _, ...shown } = answer as { warnings?: unknown };
  return shown;
}

/** Sets the header `Link` to the next page of a list. Reads the next element only if another page is possible. */
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
