import express, { type Request, type RequestHandler, type Response } from 'express';
import { readFlag } from '#shared/api/fields.ts';
import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { StationError } from '../../errors.ts';
import type { SentFile } from '../endpoint.ts';
import { bodyFormat } from './formats.ts';
import { readJson } from './jsonReader.ts';
import type { FileTurns } from './fileTurns.ts';
import { recordOf } from '../recording.ts';

const FORM = 'multipart/form-data';
const HEAD_END = '\r\n\r\n';
/** Parts of a form up to this size in bytes are cheap to parse. */
const LONG_CONTENT = 65_536;
/** Content types of file bodies. */
const FILE_TYPES = new Set([
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/csv',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
]);

/** Parsers for query options that are not texts. */
const READERS = new Map(
  Object.entries<(text: string) => unknown>({
    columns: jsonOf,
    states: jsonOf,
    dry_run: flagOf,
    include_left_out: flagOf,
    place_paths: jsonOf,
    remembered: flagOf,
    stock: flagOf,
    units: jsonOf,
  }),
);

/** Returns middleware that reads a file into `res.locals.file` and its options into `req.body`. JSON and XML bodies are skipped. */
export function fileBody(limit: number, turns: FileTurns): RequestHandler[] {
  const read = express.raw({ limit, type: () => true });
  return [
    (req, res, next) => (isFile(req) ? turns.take(req, res, next) : next()),
    (req, res, next) => (isFile(req) ? read(req, res, next) : next()),
    async (req, res, next) => {
      if (!isFile(req)) return next();
      const bytes: unknown = req.body;
      const body = Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
      const { file, options } =
        typeOf(req) === FORM ? await readForm(req, body) : { file: fileOf(req, body), options: optionsOf(req) };
      recordOf(res)?.sent(JSON.stringify(options));
      keepFile(res, file);
      req.body = options;
      next();
    },
  ];
}

/** Returns middleware that reads a body of any type into `res.locals.file`. */
export function wholeFile(limit: number, turns: FileTurns): RequestHandler[] {
  return [
    turns.take,
    express.raw({ limit, type: () => true }),
    (req, res, next) => {
      const bytes: unknown = req.body;
      keepFile(res, { bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0), name: '' });
      req.body = undefined;
      next();
    },
  ];
}

/** Wraps middleware so that it is skipped if the body is a file. */
export function unlessFile(step: RequestHandler): RequestHandler {
  return (req, res, next) => (fileIn(res) === undefined ? step(req, res, next) : next());
}

export function fileIn(res: Response): SentFile | undefined {
  // Safe cast: only `keepFile` writes it.
  return res.locals['file'] as SentFile | undefined;
}

function keepFile(res: Response, file: SentFile): void {
  res.locals['file'] = file;
}

function typeOf(req: Request): string {
  return req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function isFile(req: Request): boolean {
  const type = typeOf(req);
  return bodyFormat(type) === undefined && (type === FORM || FILE_TYPES.has(type));
}

function fileOf(req: Request, bytes: Buffer): SentFile {
  const { name } = req.query;
  return { bytes, name: typeof name === 'string' ? name.slice(0, 200) : '' };
}

/** Reads the options of a file from the query, and the encoding from the content type. */
function optionsOf(req: Request): Record<string, unknown> {
  const options = new Map<string, unknown>();
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined) options.set('encoding', charset);
  for (const [key, value] of Object.entries(req.query)) {
    if (typeof value !== 'string') throw twice(key);
    if (key === 'name' || key === 'strict') continue;
    options.set(key, READERS.get(key)?.(value) ?? value);
  }
  return Object.fromEntries(options);
}

/**
 * Removes long files from a form before it is parsed, because parsing 16 MiB would block the event loop for 100 ms. `contents` has the
 * removed content of each part, or undefined if the content is still in the form.
 */
function withoutContents(bytes: Buffer, type: string): { small: Buffer; contents: (Buffer | undefined)[] } {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  const isPlain = boundary === undefined || bytes.indexOf(`--${boundary}`) !== 0;
  if (isPlain || bytes.length <= LONG_CONTENT) return { small: bytes, contents: [] };
  const kept: Buffer[] = [];
  const contents: (Buffer | undefined)[] = [];
  let from = 0;
  for (let head = bytes.indexOf(HEAD_END); head >= 0; head = bytes.indexOf(HEAD_END, from)) {
    const begin = head + HEAD_END.length;
    const end = bytes.indexOf(`\r\n--${boundary}`, begin);
    if (end < 0) break;
    const isLong = end - begin > LONG_CONTENT && bytes.subarray(from, head).includes('filename');
    kept.push(bytes.subarray(from, isLong ? begin : end));
    contents.push(isLong ? bytes.subarray(begin, end) : undefined);
    from = end;
  }
  return { small: Buffer.concat([...kept, bytes.subarray(from)]), contents };
}

/** Reads a form with a file and options. Throws `malformed` if there is no file. */
async function readForm(req: Request, bytes: Buffer): Promise<{ file: SentFile; options: Record<string, unknown> }> {
  const type = req.headers['content-type'] ?? '';
  const { small, contents } = withoutContents(bytes, type);
  const form = await new globalThis.Response(new Uint8Array(small), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new StationError('malformed', 'The form cannot be read. Send multipart/form-data with the field file.');
    });
  refuseFields([...form.keys()]);
  const content = contents[[...form.keys()].indexOf('file')];
  const file = form.get('file');
  if (file === null || typeof file === 'string') {
    throw new StationError('malformed', 'The form has no file. Send the file in the field file, with its name.');
  }
  const options = form.get('options');
  const read = typeof options === 'string' ? jsonOf(options) : {};
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new StationError('malformed', 'The field options is not a JSON object.');
  }
  return {
    file: { bytes: content ?? new Uint8Array(await file.arrayBuffer()), name: file.name.slice(0, 200) },
    options: { ...read },
  };
}

/** Throws `malformed` if the form has a field that would be ignored. */
function refuseFields(names: readonly string[]): void {
  const other = names.find((name) => name !== 'file' && name !== 'options');
  if (other !== undefined) {
    throw new StationError(
      'malformed',
      `The form has the field "${other.slice(0, 100)}", which is not read. Send the file in the field file, and all options as one JSON object in the field options.`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new StationError('malformed', `The form has the field ${repeated} twice. Send one file in each request.`);
  }
}

function twice(name: string): StationError {
  const message = 'This query parameter is given twice. Send it once.';
  return new StationError('invalid', `${name}: ${message}`, [{ path: pointerOf([name]), message }]);
}

/** Parses JSON. Returns a text that is not JSON unchanged, so that the schema refuses it. Throws `invalid` for a repeated name. */
function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof StationError && error.code === 'invalid') throw error;
    return text;
  }
}

function flagOf(text: string): unknown {
  return readFlag(text) ?? text;
}
