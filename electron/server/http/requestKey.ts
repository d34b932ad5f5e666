import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { z } from 'zod';
import { confirmationKey, readFlag } from '#shared/api/fields.ts';
import { editDistance } from '#shared/lib/text/editDistance.ts';
import {
  checkedKey,
  contentText,
  fieldsInOrder,
  invalidKey,
  isEmptyContent,
  keyInBody,
} from '../services/base/index.ts';
import type { Endpoint, SentFile } from './endpoint.ts';
import { JSON_FORMAT, type Pauses, piecesOf, type ValueFormat } from './bodies/valueParts.ts';

const HEADER = 'idempotency-key';
/** Number of bytes of a file that are hashed without a pause. */
const HASHED_AT_ONCE = 1024 * 1024;

/** Whether this endpoint supports idempotency keys. */
export function takesKeys(endpoint: Pick<Endpoint, 'method' | 'right' | 'isKeyless' | 'hasEffect'>): boolean {
  return isWrite(endpoint) && endpoint.right !== 'public' && endpoint.isKeyless !== true;
}

/**
 * Whether requests to this endpoint change something. This includes two kinds of GET: the query-string interface, and launching a sequence.
 */
export function isWrite({ method, hasEffect }: Pick<Endpoint, 'method' | 'hasEffect'>): boolean {
  return method !== 'GET' || hasEffect === true;
}

/** Whether `key` in this body has a different meaning, such as the key of a display. */
export function hasOwnKey(body: z.ZodType | undefined): boolean {
  const own: unknown = body instanceof z.ZodObject ? body.shape['key'] : undefined;
  return own !== undefined && own !== confirmationKey;
}

/**
 * Returns the idempotency key from the header or from `key` in the body. Removes `key` from the body. Returns undefined if there is no key.
 * Throws `invalid` for an invalid key or two different ones.
 */
export function takeKey(req: Request, isOwnKey: boolean): string | undefined {
  const header = req.headers[HEADER];
  const inHeader = typeof header === 'string' ? checkedKey(header.trim(), 'The header Idempotency-Key') : undefined;
  const inBody = isOwnKey ? undefined : takeFromBody(req);
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    throw invalidKey('The header Idempotency-Key and key in the body differ. Send only one of them.');
  }
  return inHeader ?? inBody;
}

/** Returns a warning if there is a key, but the endpoint does not support keys, such as a sign-in. */
export function ignoredKeys(headers: IncomingHttpHeaders): string[] {
  return headers[HEADER] === undefined
    ? []
    : ['This call does not take an Idempotency-Key, so a repetition would act again.'];
}

/** Returns warnings about headers that resemble `Idempotency-Key` but have no effect. */
export function unreadKeys(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers)
    .filter((name) => MAYBE_KEY.test(name) && name !== HEADER && isLikeHeader(name))
    .map(
      (name) =>
        `The header ${name.slice(0, MAX_SHOWN)} is not read, so a repetition would act again. Send the key in the header Idempotency-Key.`,
    );
}

/** Matches names of headers that may resemble `Idempotency-Key`, to exclude most headers quickly. */
const MAYBE_KEY = /^(?:x[-_]?)?i/;
const MAX_SHOWN = 60;
const MAX_EDITS = 3;

function isLikeHeader(name: string): boolean {
  const letters = name.replace(/[^a-z]/g, '').replace(/^x/, '');
  return letters.includes('idempot') || editDistance(letters, 'idempotencykey') <= MAX_EDITS;
}

function takeFromBody(req: Request): string | undefined {
  const { key, rest } = keyInBody(req.body);
  req.body = rest;
  return key;
}

/**
 * Returns a digest of method, address, body and file, which does not depend on how the content is written. `body` is in its canonical form, or
 * `contentOf` converts it or each element of a list. Excludes `confirmed_at`, because browsers compute it from their clock for each attempt.
 */
export async function digestOf(
  { method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>,
  { body, contentOf, file }: { body: unknown; contentOf: Endpoint['contentOf']; file: SentFile | undefined },
  pauses: Pauses,
): Promise<string> {
  const hash = createHash('sha256').update(`${method} ${addressOf(originalUrl)}\n`);
  const counted =
    typeof body === 'object' && body !== null && 'confirmed_at' in body ? { ...body, confirmed_at: undefined } : body;
  for (const piece of contentPieces(counted, contentOf)) {
    hash.update(piece);
    const pause = pauses();
    if (pause !== undefined) await pause;
  }
  const bytes = file?.bytes ?? new Uint8Array();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    const pause = pauses();
    if (pause !== undefined) await pause;
  }
  return hash.digest('base64url');
}

/** Query parameters that are on or off. Off is the default. */
const FLAGS = ['strict', 'force'];

/** Returns the address with its query parameters sorted and in one spelling, without the cache buster `_`. */
function addressOf(url: string): string {
  const at = url.indexOf('?');
  if (at === -1) return url;
  const path = url.slice(0, at);
  const parameters = new URLSearchParams(url.slice(at));
  parameters.delete('_');
  for (const flag of FLAGS) {
    const [value, ...others] = parameters.getAll(flag);
    if (value === undefined || others.length > 0) continue;
    const isOn = readFlag(value);
    if (isOn === true) parameters.set(flag, '1');
    if (isOn === false) parameters.delete(flag);
  }
  parameters.sort();
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

function* contentPieces(
  body: unknown,
  contentOf: NonNullable<Endpoint['contentOf']> = (request) => request,
): Generator<string, void, void> {
  const content = Array.isArray(body) ? body : contentOf(body);
  if (isEmptyContent(content)) yield 'null';
  else yield* piecesOf(isFields(content) ? fieldsInOrder(content) : content, contentFormat(contentOf));
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a format that writes values with the fields of each object in alphabetical order. */
function contentFormat(contentOf: NonNullable<Endpoint['contentOf']>): ValueFormat {
  return {
    ...JSON_FORMAT,
    whole: (value) => contentText(Array.isArray(value) ? value.map(contentOf) : value),
    element: (value, isFirst) => `${isFirst ? '' : ','}${contentText(contentOf(value))}`,
    field: (name, value, { isFirst }) => `${isFirst ? '' : ','}${JSON.stringify(name)}:${contentText(value)}`,
  };
}
