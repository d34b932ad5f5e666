import { OPERATIONS, type Client, type Problem, type TokenError } from './operations.ts';

/** How to send a request for an operation of the REST API and how to read the response. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path of the operation, with parameters in braces. */
  path: string;
  /** Names of the query parameters. */
  query?: readonly string[];
  body?: 'json' | 'form' | 'bytes';
  /** Content type of a body of bytes. */
  contentType?: string;
  /** How to read the response, by default as JSON. */
  answer?: 'text' | 'bytes' | 'stream' | 'nothing';
};
export type OperationName = keyof typeof OPERATIONS;

export type ClientOptions = {
  /** Address of the station, such as `http://127.0.0.1:4680`. Empty on the page that the station serves. */
  baseUrl: string;
  /** Replacement for the platform's own `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers for every request, such as `{ 'api-key': key }`. If this is a function, it is called for each request. */
  headers?: Record<string, string> | ((operation: Operation) => Record<string, string>);
  /** Time limit in milliseconds for a complete response, unless a call sets its own. By default 30 seconds. */
  timeoutMs?: number;
  /** Returns the error to throw instead of `failure`. */
  onFailure?: (failure: CallError, operation: OperationName) => Error;
};

export type CallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit in milliseconds for a complete response. Does not apply to streams. */
  timeoutMs?: number;
  /**
   * Text to send as `Idempotency-Key`: one for each intended action, such as `launch SO-1001`, which stays the same if the program is started
   * again. If a call got no response, repeat it with the same key: for 24 hours, the station does not apply the request again and returns the
   * first response.
   */
  key?: string;
  /** Additional headers. They override the client's headers with the same names. */
  headers?: Record<string, string>;
  /** Called with the status and the headers when a response arrives, even if the station refuses the request. */
  onAnswer?: (answer: { status: number; headers: Headers }) => void;
};

/**
 * Error of a failed call. `code` comes from the problem that the station returned. It is `unreachable` if there was no response, in which
 * case the request may have taken effect, and `unreadable` if the response did not come from a station. The message is `detail`.
 */
export class CallError extends Error {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly code: Problem['code'] | 'unreachable' | 'unreadable';
  /** What happened and what to do, as a sentence. */
  readonly detail: string;
  /** All errors in the request, with JSON Pointers. */
  readonly errors: NonNullable<Problem['errors']>;
  /** The whole problem document with all its fields, such as `same` of an order that exists. Null if there is none. */
  readonly problem: Partial<Problem> | null;

  constructor(
    failure: Pick<CallError, 'status' | 'code' | 'detail'> & Partial<Pick<CallError, 'errors' | 'problem' | 'cause'>>,
  ) {
    super(failure.detail, { cause: failure.cause });
    this.name = 'CallError';
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.errors = failure.errors ?? [];
    this.problem = failure.problem ?? null;
  }
}

type Given = Readonly<Record<string, string | number | undefined>>;

const TIMEOUT_MS = 30_000;

/**
 * Creates a client with a function for each operation of the OpenAPI document, named by its operationId. Each function rejects with a
 * `CallError` on failure.
 */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(OPERATIONS).map(([name, operation]: [string, Operation]) => {
    const call = async (...given: unknown[]): Promise<unknown> => {
      const address = pathOf(
        name as OperationName,
        takesParameters(operation) ? (given.shift() as Given | undefined) : {},
      );
      const body = operation.body === undefined ? undefined : given.shift();
      try {
        return await send(options, operation, { address, body, options: given.shift() ?? {} });
      } catch (error) {
        if (!(error instanceof CallError) || options.onFailure === undefined) throw error;
        throw options.onFailure(error, name as OperationName);
      }
    };
    return [name, call] as const;
  });
  // Safe cast: table and type come from the same document.
  return Object.fromEntries(calls) as Client;
}

/**
 * Returns the address of an operation relative to the station's address, with its query. Throws if a parameter is missing or would lead to
 * another path.
 */
export function pathOf(name: OperationName, parameters: Given = {}): string {
  const { path, query = [] }: Operation = OPERATIONS[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new TypeError(`${name} needs ${parameter}.`);
    // Refuse these values, which URL parsers resolve as path steps even if they are encoded.
    if (value === '.' || value === '..') throw new TypeError(`${parameter} of ${name} cannot be "${value}".`);
    return encodeURIComponent(value).replaceAll('%3A', ':');
  });
  const asked = formOf(Object.fromEntries(query.map((key) => [key, parameters[key]]))).toString();
  return asked === '' ? filled : `${filled}?${asked}`;
}

function takesParameters({ path, query }: Operation): boolean {
  return query !== undefined || path.includes('{');
}

type Request = { address: string; body: unknown; options: CallOptions };

async function send(client: ClientOptions, operation: Operation, request: Request): Promise<unknown> {
  const { signal, onAnswer } = request.options;
  const url = client.baseUrl.replace(/(?<!\/)\/+$/, '') + request.address;
  const answered = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new CallError({
        status: 0,
        code: 'unreachable',
        detail: `${url} gave no answer: ${wordsOf(cause)}`,
        cause,
      });
    }
  };
  const init = initOf(client, operation, request);
  const response = await answered(() => (client.fetch ?? fetch)(url, init));
  onAnswer?.(response);
  if (response.ok && operation.answer === 'stream') return response.body;
  const bytes = await answered(() => response.arrayBuffer());
  if (!response.ok) throw refusalOf(url, response.status, bytes);
  if (operation.answer === 'nothing' || response.status === 204) return undefined;
  if (operation.answer === 'bytes') return new Uint8Array(bytes);
  if (operation.answer === 'text') return textOf(bytes);
  const answer = jsonOf(bytes);
  if (answer === undefined) throw unreadable(url, response.status);
  return answer;
}

function initOf(client: ClientOptions, operation: Operation, { body, options }: Request): RequestInit {
  const { headers: always = {}, timeoutMs = TIMEOUT_MS } = client;
  const headers = new Headers({ accept: 'application/json' });
  const isJson = operation.body === 'json' && body !== undefined;
  if (isJson) headers.set('content-type', 'application/json');
  if (operation.contentType !== undefined) headers.set('content-type', operation.contentType);
  if (options.key !== undefined) headers.set('idempotency-key', options.key);
  for (const given of [typeof always === 'function' ? always(operation) : always, options.headers ?? {}]) {
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
  }
  const limit = operation.answer === 'stream' ? undefined : AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
  const signals = [limit, options.signal].filter((signal) => signal !== undefined);
  return {
    method: operation.method,
    headers,
    body: bodyOf(operation, body),
    cache: 'no-store',
    // Do not follow redirects: a redirected write would arrive as a read and look successful.
    redirect: 'error',
    // Browsers before 2024 lack `AbortSignal.any`, so use it only if there are several signals.
    signal: (signals.length > 1 ? AbortSignal.any(signals) : signals[0]) ?? null,
  };
}

function bodyOf(
  { body: kind }: Operation,
  body: unknown,
): string | URLSearchParams | Blob | Uint8Array<ArrayBuffer> | null {
  if (kind === 'json' && body !== undefined) return JSON.stringify(body);
  if (kind === 'form') return formOf(body ?? {});
  // Safe cast: the type of the call is generated from the same row.
  return kind === 'bytes' ? (body as Blob | Uint8Array<ArrayBuffer>) : null;
}

/** Encodes fields like an HTML form. `fetch` sets the content type for such a body. */
function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  return form;
}

/** Returns the error for a problem document from the station, or for an OAuth2 error response. */
function refusalOf(url: string, status: number, bytes: ArrayBuffer): CallError {
  const answer = jsonOf(bytes);
  if (typeof answer !== 'object' || answer === null) return unreadable(url, status);
  const { code, detail, title, errors } = answer as Partial<Problem>;
  const { error_description: tokenDetail } = answer as Partial<TokenError>;
  const sentence = detail ?? tokenDetail ?? title;
  if (sentence === undefined) return unreadable(url, status);
  const codeOfToken = status === 401 ? 'unauthenticated' : 'invalid';
  return new CallError({
    status,
    code: code ?? codeOfToken,
    detail: sentence,
    problem: detail === undefined ? null : answer,
    ...(errors === undefined ? {} : { errors }),
  });
}

function unreadable(url: string, status: number): CallError {
  const detail = `${url} answered ${status}, but not as a station does. Check the address.`;
  return new CallError({ status, code: 'unreadable', detail });
}

function textOf(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}

function jsonOf(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(textOf(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the reason for a network error, which Node puts into the error's `cause`. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
