import { pipeline, Readable } from 'node:stream';
import type { Response } from 'express';
import { aroundContent, hasNil, PROBLEM_NAMESPACE, writeXml, XML_FORMAT } from '../compat/xmlWriter.ts';
import { recordOf } from '../recording.ts';
import { isLong, JSON_FORMAT, type Pauses, piecesOf } from './valueParts.ts';

const XML_ANSWERS = ['application/xml', 'text/xml', 'application/problem+xml'];
const JSON_ANSWERS = ['application/json', 'application/problem+json'];
/** Number of characters that are encoded together. */
const ENCODED_AT_ONCE = 32 * 1024;
const PAGES = ['text/html', 'application/xhtml+xml'];

/** Returns the format of a body with this content type, or undefined if it is neither JSON nor XML. */
export function bodyFormat(contentType: string | undefined): 'json' | 'xml' | undefined {
  if (contentType === 'application/json') return 'json';
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  return /^(?:text\/xml|application\/(?:[\w.+-]+\+)?xml)$/.test(type) ? 'xml' : undefined;
}

/** Whether the caller accepts XML and prefers it to JSON. Returns false for browsers, which accept both pages and XML. */
export function prefersXml(accept: string | undefined): boolean {
  if (accept === undefined || !/xml/i.test(accept)) return false;
  const ranges = accept.split(',').map(readRange);
  const weight = (...types: string[]): number | undefined => {
    const found = ranges.flatMap(({ type, q }) => (types.includes(type) ? [q] : []));
    return found.length === 0 ? undefined : Math.max(...found);
  };
  const xml = weight(...XML_ANSWERS) ?? 0;
  if (xml === 0 || (weight(...PAGES) ?? 0) > 0) return false;
  const json = weight(...JSON_ANSWERS);
  return json === undefined ? xml >= (weight('application/*') ?? weight('*/*') ?? 0) : xml > json;
}

function readRange(range: string): { type: string; q: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const q = given === undefined ? 1 : Number(given.replace(/^q\s*=\s*/, ''));
  return { type, q: q >= 0 && q <= 1 ? q : 0 };
}

/**
 * Sets headers for all responses except the page's files. Caches must not store these responses, and clients must not guess a different
 * type.
 */
export function keepOutOfCaches(res: Response): void {
  if (!res.hasHeader('cache-control')) res.setHeader('cache-control', 'no-store');
  res.setHeader('x-content-type-options', 'nosniff');
}

/** Sends a value in the format that the header `accept` requests. */
export function sendValue(
  res: Response,
  value: unknown,
  { kind, accept }: { kind: 'answer' | 'problem'; accept: string | undefined },
): void {
  const isXml = prefersXml(accept);
  const type = kind === 'answer' ? 'application/' : 'application/problem+';
  const text = textOf(value, kind, isXml);
  recordOf(res)?.answered(text);
  res.vary('accept');
  res.setHeader('content-type', typeOf(type, isXml));
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}

/** An encoded response. `beginning` is the beginning of its text, for the request log. */
export type WrittenAnswer = { type: string; chunks: Buffer[]; beginning: string };

/** Encodes a value like `sendValue`, but encodes long lists element by element. */
export async function writeAnswer(value: unknown, accept: string | undefined, pauses: Pauses): Promise<WrittenAnswer> {
  const isXml = prefersXml(accept);
  const type = typeOf('application/', isXml);
  if (!isLong(value)) {
    const beginning = textOf(value, 'answer', isXml);
    return { type, chunks: [Buffer.from(beginning)], beginning };
  }
  const chunks: Buffer[] = [];
  let text = '';
  let beginning = '';
  let withNil = false;
  const add = (piece: string): void => {
    text += piece;
    if (text.length < ENCODED_AT_ONCE) return;
    beginning ||= text;
    chunks.push(Buffer.from(text));
    text = '';
  };
  for (const piece of piecesOf(value, isXml ? XML_FORMAT : JSON_FORMAT)) {
    withNil ||= isXml && hasNil(piece);
    add(piece);
    const pause = pauses();
    if (pause !== undefined) await pause;
  }
  const [open, close] = isXml ? aroundContent('response', withNil) : ['', ''];
  chunks.unshift(Buffer.from(open));
  chunks.push(Buffer.from(text + close));
  return { type, chunks, beginning: open + (beginning || text + close) };
}

/**
 * Sends a response that was encoded by `writeAnswer`, as fast as the caller reads it. Does not wait for the caller, who may never read it: a
 * request must not keep its turn for a file meanwhile.
 */
export function sendWritten(res: Response, { type, chunks, beginning }: WrittenAnswer): void {
  recordOf(res)?.answered(beginning);
  res.vary('accept');
  res.setHeader('content-type', type);
  res.setHeader(
    'content-length',
    chunks.reduce((sum, chunk) => sum + chunk.length, 0),
  );
  const [first, ...more] = chunks.filter(({ length }) => length > 0);
  if (more.length === 0) res.end(first);
  // Ignore the error: callers may disconnect at any time.
  else pipeline(Readable.from([first, ...more]), res, () => undefined);
}

function textOf(value: unknown, kind: 'answer' | 'problem', isXml: boolean): string {
  if (!isXml) return JSON.stringify(value);
  const root =
    kind === 'answer' ? { name: 'response', namespace: undefined } : { name: 'problem', namespace: PROBLEM_NAMESPACE };
  return writeXml(value, root);
}

function typeOf(prefix: string, isXml: boolean): string {
  return `${prefix}${isXml ? 'xml' : 'json'}; charset=utf-8`;
}
