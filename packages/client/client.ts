import { OPERATIONS, type Client, type Problem, type TokenError } from './operations.ts';

/** How one operation of the REST API is sent and read. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  path: string;
  /** Names of what goes behind the path. */
  query?: readonly string[];
  body?: 'json' | 'form' | 'bytes';
  /** Of a body that is bytes. */
  contentType?: string;
  /** Left out: JSON. */
  answer?: 'text' | 'bytes' | 'stream' | 'nothing';
};
export type OperationName = keyof typeof OPERATIONS;

export type ClientOptions = {
  /** Where the station is, such as `http://127.0.0.1:4680`; empty in the page that it serves. */
  baseUrl: string;
  /** Left out: the one of this platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Sent with every request, such as `{ 'api-key': key }`; a function is asked for each. */
  headers?: Record<string, string> | ((operation: Operation) => Record<string, string>);
  /** Longest wait for the whole of an answer, where a call does not say otherwise. Left out: 30 seconds. */
  timeoutMs?: number;
  /** Answers what a call throws in the place of this failure. */
  onFailure?: (failure: CallError, operation: OperationName) => Error;
};

export type CallOptions = {
  /** Ends the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Longest wait for the whole of an answer. A stream has no such limit. */
  timeoutMs?: number;
  /**
   * Sent as `Idempotency-Key`: any text, new for each request. Repeating a call that got no answer with the same key changes nothing
   * more, and returns the first answer.
   */
  key?: string;
  /** Beside, or instead of, those of the client. */
  headers?: Record<string, string>;
  /** Told status and headers of an answer when they arrive, of a refusal too. */
  onAnswer?: (answer: { status: number; headers: Headers }) => void;
};

/**
 * Why a call failed. `code` is the one of the problem that the station answered, `unreachable` where there was no answer, which
 * leaves open whether the request took effect, or `unreadable` where it was none of a station. The message is `detail`.
 */
export class CallError extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly code: Problem['code'] | 'unreachable' | 'unreadable';
  /** A sentence: what happened and what to do. */
  readonly detail: string;
  /** Each thing wrong with the request, by JSON Pointer. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(failure: Pick<CallError, 'status' | 'code' | 'detail'> & Partial<Pick<CallError, 'errors' | 'cause'>>) {
    super(failure.detail, { cause: failure.cause });
    this.name = 'CallError';
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.errors = failure.errors ?? [];
  }
}

type Given = Readonly<Record<string, string | number | undefined>>;

const TIMEOUT_MS = 30_000;

/** A call for each operation of the OpenAPI document, by its operationId. Each rejects with a `CallError`. */
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
  // Sound: table and type come from one document.
  return Object.fromEntries(calls) as Client;
}

/** The address of an operation below the station's, with its query. Throws where a parameter is missing or would be another path. */
export function pathOf(name: OperationName, parameters: Given = {}): string {
  const { path, query = [] }: Operation = OPERATIONS[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new TypeError(`${name} needs ${parameter}.`);
    // Whatever is done to them, they are steps of the path.
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
    // A redirected write would arrive as a read, and be answered as if it had been one.
    redirect: 'error',
    // Browsers before 2024 know no `AbortSignal.any`: it is for those calls alone that need it.
    signal: (signals.length > 1 ? AbortSignal.any(signals) : signals[0]) ?? null,
  };
}

function bodyOf(
  { body: kind }: Operation,
  body: unknown,
): string | URLSearchParams | Blob | Uint8Array<ArrayBuffer> | null {
  if (kind === 'json' && body !== undefined) return JSON.stringify(body);
  if (kind === 'form') return formOf(body ?? {});
  // Sound: the type of the call is made from the same row.
  return kind === 'bytes' ? (body as Blob | Uint8Array<ArrayBuffer>) : null;
}

/** As browsers send a form; a request with it as its body gets the content type by itself. */
function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  return form;
}

/** The problem that the station answered, or what OAuth2 has in its place. */
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

/** Node says why in the cause of what it throws. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
