import express, { type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import { StationError } from '../../errors.ts';
import { checkEncoded } from '../port/addressText.ts';
import { bodyText, charsetOf, declaredCharset } from './bodyText.ts';
import { shapeOf } from '../compat/bodyShape.ts';
import { bytesUnlessEmpty } from '../compat/emptyBody.ts';
import { lenientBody } from '../compat/lenientBody.ts';
import { isObject } from '../compat/looseValues.ts';
import { unknownFieldsOf } from '../compat/unknownFields.ts';
import { readXmlBody } from '../compat/xmlBody.ts';
import { type Endpoint, isFinal } from '../endpoint.ts';
import { fileBody, unlessFile, wholeFile } from './fileBody.ts';
import type { FileTurns } from './fileTurns.ts';
import { bodyFormat } from './formats.ts';
import { readJson } from './jsonReader.ts';
import { recordOf } from '../recording.ts';
import { validate } from '../validation.ts';

/** Maximum size of a body in bytes, unless the endpoint has its own limit (section 2 of the contract). */
export const DEFAULT_LIMIT = 1024 * 1024;
/** Maximum size of a JSON or XML body in bytes. Such a body is parsed in one turn of the event loop. */
export const BULK_LIMIT = 4 * 1024 * 1024;
/** Maximum size of a body in bytes before the caller is known. Each of many connections can take that much memory. */
export const STRANGER_LIMIT = 16 * 1024;
/** Maximum number of fields to suggest when a change without any field is refused. */
const MAX_SHOWN = 10;

/** Returns the middleware that reads the body of an endpoint into `req.body`. A form becomes a text, JSON and XML become a value. */
export function readBody(endpoint: Endpoint, turns: FileTurns): RequestHandler[] {
  const { body, documentedBody, limit = DEFAULT_LIMIT, isForm = false, upload, files = false } = endpoint;
  const steps: RequestHandler[] = [];
  if (body !== undefined && files) steps.push(...fileBody(limit, turns));
  if (body !== undefined) {
    const most = Math.min(limit, BULK_LIMIT);
    const read = [checkBody(most, isForm), express.raw({ limit: most, type: () => true })];
    read.push(isForm ? readForm() : parseBody(documentedBody ?? body));
    steps.push(...(files ? read.map(unlessFile) : read));
  }
  if (upload?.isWhole === true) steps.push(...wholeUpload(upload.limit, turns));
  else if (upload !== undefined) steps.push(checkUpload(upload));
  return steps;
}

/** Body of calls without documented fields. Some clients send `null` instead of an empty body. */
const NO_BODY = z.object({});

/** Adds an empty body to a changing endpoint without one, so that `key` works and unknown fields cause warnings. */
export function withBody(endpoint: Endpoint): Endpoint {
  const { method, body, upload } = endpoint;
  return method === 'GET' || body !== undefined || upload !== undefined
    ? endpoint
    : { ...endpoint, body: NO_BODY, bodyOptional: true };
}

/** Returns a warning that the body of a GET is ignored, if there is one. Some programs send filters there. */
export function ignoredBody({ method, headers }: Pick<Request, 'method' | 'headers'>): string[] {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > EMPTY_OBJECT;
  return method === 'GET' && hasBody ? [IGNORED_BODY] : [];
}

const EMPTY_OBJECT = '{}'.length;
const IGNORED_BODY = 'The body is ignored: a GET reads only its address, such as ?limit=10.';

/**
 * Converts and validates a body. `convert`, which returns the canonical form, and `check` are separate steps, because each takes
 * milliseconds for a large body.
 */
export type BodyValidator = {
  convert(sent: unknown): unknown;
  /**
   * Returns the validated body. Throws `malformed` or `invalid`. A PATCH that changes nothing is also `invalid`. If `isStrict`, unknown
   * fields are refused.
   */
  check(body: unknown, isStrict: boolean): unknown;
  /** Returns the unknown fields of a converted body. */
  unknownIn(body: unknown): readonly FieldError[];
};

export function bodyValidator(endpoint: Endpoint): BodyValidator {
  const { body: schema, bodyOptional, documentedBody, namesUnknown } = endpoint;
  if (schema === undefined) return { convert: () => undefined, check: () => undefined, unknownIn: () => [] };
  const find = unknownFieldsOf(documentedBody ?? schema);
  const unknownIn = endpoint.isForm === true ? (form: unknown) => find(fieldsOfForm(form)) : find;
  return {
    convert: dialectOf(endpoint) ?? ((sent) => sent),
    unknownIn,
    check(body, isStrict) {
      const isEmpty = body === undefined || (body === null && schema === NO_BODY);
      const sent = isEmpty && bodyOptional === true ? {} : body;
      if (sent === undefined) {
        throw new StationError(
          'malformed',
          'The request has no body. Send a JSON object with content-type: application/json.',
        );
      }
      const isRefused = namesUnknown !== true && (isStrict || refusesUnknown(endpoint));
      const refused = isRefused ? unknownIn(sent) : [];
      const checked = validate(
        schema,
        sent,
        'body',
        isStrict ? refused : refused.filter(({ path }) => path !== VERSION),
      );
      if (endpoint.method === 'PATCH') refuseNothing(checked, sent);
      return checked;
    },
  };

  /** Throws `invalid` if a change sets no field, because the caller would assume an effect. */
  function refuseNothing(checked: unknown, sent: unknown): void {
    if (!isObject(checked) || Object.keys(checked).length > 0) return;
    const { names } = shapeOf(documentedBody ?? (schema as z.ZodType));
    const all = names.slice(0, MAX_SHOWN).join(', ');
    const message = `The request changes nothing. Send ${names.length > MAX_SHOWN ? `a field such as ${all}` : all}.`;
    const unknown = unknownIn(sent);
    throw new StationError(
      'invalid',
      unknown[0] === undefined ? message : `${unknown[0].path}: ${unknown[0].message}`,
      [...unknown, { path: '', message }],
    );
  }
}

/** The field in which old programs send the version of the interface with every request. It never changes what a request does. */
const VERSION = '/api';

/** Whether an endpoint always refuses unknown fields, at any depth, because of its schema or because its effect cannot be undone. */
export function refusesUnknown(endpoint: Pick<Endpoint, 'body' | 'method' | 'isFinal'>): boolean {
  const { body } = endpoint;
  return isFinal(endpoint) || (body instanceof z.ZodObject && body.def.catchall instanceof z.ZodNever);
}

function fieldsOfForm(form: unknown): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(typeof form === 'string' ? form : ''));
}

/**
 * Returns the conversion of a body to its canonical form. Returns undefined if there is none, or if `handle` converts the fields one by
 * one.
 */
function dialectOf({ body, documentedBody, dialect }: Endpoint): Endpoint['dialect'] {
  if (dialect !== undefined || body === undefined || documentedBody !== undefined) return dialect;
  return lenientBody(body);
}

/**
 * Refuses a body before reading it. The content type must be JSON or XML unless any type is accepted, the charset must be supported, and
 * the declared length must not exceed the limit.
 */
function checkBody(limit: number, isAnyType: boolean): RequestHandler {
  return (req, _res, next) => {
    const type = req.headers['content-type'];
    const length = Number(req.headers['content-length'] ?? 0);
    if (length > 0) checkType(type, isAnyType);
    if (length > limit) throw tooLarge(limit);
    next();
  };
}

/** Throws `unsupported_media_type` if a body cannot have this content type. Call only for bodies with at least one byte. */
function checkType(type: string | undefined, isAnyType: boolean): void {
  if (!isAnyType && bodyFormat(type) === undefined) {
    throw new StationError(
      'unsupported_media_type',
      `The body has ${type === undefined ? 'no content type' : `the content type "${type}"`}. Send application/json or application/xml in the header content-type.${/csv|excel|sheet/i.test(type ?? '') ? ' Files of orders go to POST /api/imports/.' : ''}`,
    );
  }
  declaredCharset(type);
}

/** Like `checkBody`, but for a file that the endpoint reads itself. */
function checkUpload({ contentType, limit }: NonNullable<Endpoint['upload']>): RequestHandler {
  return (req, _res, next) => {
    const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== contentType && type !== 'application/octet-stream') {
      throw new StationError(
        'unsupported_media_type',
        `The body has ${type === undefined ? 'no content type' : `the content type "${type}"`}. Send the file itself as ${contentType}.`,
      );
    }
    if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
    next();
  };
}

/** Returns middleware that reads a file of any type. */
function wholeUpload(limit: number, turns: FileTurns): RequestHandler[] {
  return [
    (req, _res, next) => {
      if (Number(req.headers['content-length'] ?? 0) > limit)
        throw new StationError('too_large', `The file is larger than ${sizeOf(limit)}. Send a smaller one.`);
      next();
    },
    ...wholeFile(limit, turns),
  ];
}

function parseBody(schema: z.ZodType): RequestHandler {
  return bodyStep((bytes, contentType, onText) => {
    // For a chunked body, the length was not known before, so check the type now.
    checkType(contentType, false);
    const format = bodyFormat(contentType) ?? 'json';
    const charset = charsetOf(bytes, contentType, format);
    const text = bodyText(bytes, charset);
    onText(text);
    return format === 'xml' ? readXmlBody(text, shapeOf(schema), charset) : readJson(text);
  });
}

function readForm(): RequestHandler {
  return bodyStep((bytes, contentType, onText) => {
    // The endpoint refuses other types. Do not parse their text: it may contain a secret that an answer must not show.
    if (!/^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')) return '';
    const text = bodyText(bytes, charsetOf(bytes, contentType, 'form'));
    onText(text);
    checkEncoded(text, 'The form');
    return text;
  });
}

/** Parses a body. Calls `onText` with the decoded text for the request log. */
type ReadBytes = (bytes: Buffer, contentType: string | undefined, onText: (text: string) => void) => unknown;

function bodyStep(read: ReadBytes): RequestHandler {
  return (req, res, next) => {
    const bytes = bytesUnlessEmpty(req.body);
    req.body = undefined;
    if (bytes === undefined) return next();
    let text: string | undefined;
    try {
      req.body = read(bytes, req.headers['content-type'], (decoded) => {
        text = decoded;
      });
    } catch (error) {
      recordOf(res)?.sentUnreadable(text ?? bytes.toString('latin1'));
      throw error;
    }
    recordOf(res)?.sent(text ?? '');
    next();
  };
}

/** Formats a size in bytes as KiB or MiB. */
export function sizeOf(limit: number): string {
  return limit < DEFAULT_LIMIT ? `${limit / 1024} KiB` : `${limit / DEFAULT_LIMIT} MiB`;
}

export function tooLarge(limit: number): StationError {
  return new StationError(
    'too_large',
    `The body is larger than ${sizeOf(limit)}.${limit < DEFAULT_LIMIT ? '' : ' Send it in parts.'}`,
  );
}
