import type { Problem } from '#shared/api/problem.ts';
import { ROUTES, type AnswerOf, type InputOf, type RouteName } from '#shared/api/routes.ts';
import type { Route } from '#shared/api/routes/route.ts';
import * as texts from '../../words/texts.ts';
import { ApiError } from '../../words/apiError.ts';

export type CallOptions = {
  /** Aborts the call, which then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Entity tag of the state that is to be changed. If the tag is outdated, the station refuses the change with `changed`. */
  ifMatch?: string | undefined;
  /** Called when the headers of an answer arrive. */
  onHeaders?: (headers: Headers) => void;
};

/**
 * Arguments of an operation. An operation without input accepts no argument, so that it cannot be used as a callback
 * that receives something else.
 */
type Given<Name extends RouteName> = [keyof InputOf<Name>] extends [never]
  ? [input?: undefined, options?: CallOptions]
  : object extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: CallOptions]
    : [input: InputOf<Name>, options?: CallOptions];

/** Calls an operation of the REST API by its operationId. Rejects with an `ApiError` if it fails. */
export type ApiCall = <Name extends RouteName>(name: Name, ...given: Given<Name>) => Promise<AnswerOf<Name>>;

/** Every operation of the REST API as a function, by operationId. */
export type Operations = { [Name in RouteName]: (...given: Given<Name>) => Promise<AnswerOf<Name>> };

export type CallPorts = {
  fetch: typeof fetch;
  /** Returns the token that is sent with every request that changes something. */
  csrfToken(): string;
  /** Called when the station answers that nobody is signed in, except if the request was a sign-in. */
  onSignedOut(): void;
  /** Called when the station refuses a write because its token does not belong to the session of the browser's cookie. */
  onOtherSession(): void;
};

/**
 * Reads the entity tag of the state to change. `change` contains the changed fields, `seen` the state that the person saw. Rejects with
 * `changed` if one of these fields now has a different value.
 */
export type TagOf = <T extends object>(
  change: { [Field in keyof T]?: unknown },
  seen: T,
  read: (options: CallOptions) => Promise<T>,
) => Promise<string | undefined>;

/** An answer with its entity tag. */
type Kept = { tag: string; answer: unknown };

type Input = { path?: object; query?: object; body?: unknown };

/** Maximum number of cached answers. An answer is cached so that the station can reply that it is unchanged. */
const MAX_KEPT = 8;
/** Maximum length of a cached answer. Longer answers are not cached, to save memory. */
const MAX_KEPT_CHARACTERS = 4_000_000;
/** Default time limit for an answer in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Time limits in seconds of operations for which `TIMEOUT_MS` is not suitable. */
const TIMEOUTS_S: { readonly [Name in RouteName]?: number } = {
  // The person waits in front of the page.
  signOut: 3,
  // These calls hash a password or a PIN, which the station does with low priority.
  signIn: 60,
  signInWithPin: 60,
  changePassword: 60,
  finishSetup: 60,
  addUser: 60,
  changeUser: 60,
  setOwnColor: 60,
  // These calls may change the lights of many devices.
  addBatch: 60,
  launchBatch: 60,
  pauseBatch: 60,
  joinBatch: 60,
  leaveBatch: 60,
  handOverBatch: 60,
  abortBatch: 60,
  addToBatch: 60,
  removeFromBatch: 60,
  closeBatchItemsShort: 60,
  settleHand: 60,
  addOrder: 60,
  changeOrder: 60,
  launchOrder: 60,
  joinOrder: 60,
  leaveOrder: 60,
  pauseOrder: 60,
  handOverOrder: 60,
  abortOrder: 60,
  removeOrder: 60,
  sendFleetOrder: 60,
  addSequence: 60,
  replaceSequence: 60,
  launchSequence: 60,
  removeSequence: 60,
  // These calls may handle long lists.
  getOrder: 60,
  listOrderProgress: 60,
  removeEndedOrders: 60,
  getSequence: 60,
  listSequenceProgress: 60,
  summarizeHistory: 120,
  getHistoryReport: 120,
  // These calls handle large files.
  createImport: 60,
  correctImportRow: 60,
  runImport: 60,
  undoImport: 60,
  redoImport: 60,
  createOrderFromDraft: 60,
  // A small computer needs a long time for a large picture, and converts only one at a time.
  setArticlePicture: 300,
  // These calls wait for a receiver, or replay many deliveries.
  replayDeadCallbacks: 130,
  testCallback: 130,
  testMail: 130,
  testMqtt: 130,
  // A large backup on a slow disk takes a long time, during which the page shows its progress.
  makeBackup: 1_800,
  uploadBackup: 1_800,
  getBackupContents: 1_800,
  restoreBackup: 1_800,
};

/**
 * Operations that the page also calls before a sign-in. A 401 to one of them does not end the session, because a
 * proxy can send it as well.
 */
const ASKED_SIGNED_OUT: ReadonlySet<RouteName> = new Set([
  'getKioskScreen',
  'signIn',
  'signInWithPin',
  'reportPageError',
]);

/** Creates the function that calls the station that serves this page. */
export function createCall(ports: CallPorts): ApiCall {
  const answers = new Map<string, Kept>();
  const keep = (address: string, tag: string | null, { text, answer }: { text: string; answer: unknown }): void => {
    answers.delete(address);
    if (tag === null || text.length > MAX_KEPT_CHARACTERS) return;
    answers.set(address, { tag, answer });
    const [oldest] = answers.keys();
    if (answers.size > MAX_KEPT && oldest !== undefined) answers.delete(oldest);
  };
  const call = async (name: RouteName, input: Input = {}, options: CallOptions = {}): Promise<unknown> => {
    const { signal } = options;
    /** Converts a missing or interrupted answer to an `ApiError`. */
    const answered = async <T>(step: Promise<T>): Promise<T> => {
      try {
        return await step;
      } catch {
        signal?.throwIfAborted();
        throw new ApiError('unreachable', texts.failure.unreachable);
      }
    };
    const address = addressOf(name, input);
    const isRead = methodOf(name) === 'GET';
    const kept = isRead ? answers.get(address) : undefined;
    const init = initOf(ports, name, input, { ...options, ifNoneMatch: kept?.tag });
    const response = await answered(ports.fetch(address, init));
    options.onHeaders?.(response.headers);
    if (response.status === 304 && kept !== undefined) return kept.answer;
    const text = await answered(response.text());
    if (response.ok) {
      const answer = answerOf(response, text);
      if (isRead) keep(address, response.headers.get('etag'), { text, answer });
      return answer;
    }
    if (response.status === 401 && !ASKED_SIGNED_OUT.has(name)) ports.onSignedOut();
    const refusal = refusalOf(response.status, text);
    if (refusal.code !== 'csrf') throw refusal;
    ports.onOtherSession();
    throw new ApiError('csrf', texts.failure.otherSession);
  };
  // Safe cast: input and answer have the types of the route with this name.
  return call as ApiCall;
}

/** Returns an object with a function for each operation of the station, by name. */
export function operationsOf(call: ApiCall): Operations {
  // Safe cast: each name has the function that calls it.
  return Object.fromEntries(Object.keys(ROUTES).map((name) => [name, call.bind(null, name as never)])) as never;
}

/** Resolves to the answer, or to null if the station answered `not_found`. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Returns the address of an operation with its query. Throws if a parameter is missing or would change the path. */
export function pathOf<Name extends RouteName>(name: Name, input: Omit<InputOf<Name>, 'body'>): string {
  return addressOf(name, input);
}

function addressOf(name: RouteName, { path = {}, query = {} }: Input): string {
  const parameters: Record<string, string | number> = { ...path };
  const { path: template }: Route = ROUTES[name];
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[parameter];
    // URL parsers resolve `.` and `..` even if they are encoded, so removing the command `..` would remove the device.
    if (value === undefined || value === '.' || value === '..') {
      throw new TypeError(`${name} cannot take ${value} as ${parameter}.`);
    }
    return encodeURIComponent(value).replaceAll('%3A', ':');
  });
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) asked.append(key, String(value));
  return asked.size === 0 ? filled : `${filled}?${asked.toString()}`;
}

function methodOf(name: RouteName): Route['method'] {
  const { method }: Route = ROUTES[name];
  return method;
}

function initOf(
  ports: CallPorts,
  name: RouteName,
  { body }: Input,
  options: CallOptions & { ifNoneMatch: string | undefined },
): RequestInit {
  const method = methodOf(name);
  const isFile = body instanceof Blob || body instanceof FormData;
  const headers = new Headers({ accept: 'application/json' });
  if (method !== 'GET') headers.set('x-csrf-token', ports.csrfToken());
  if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch);
  if (options.ifNoneMatch !== undefined) headers.set('if-none-match', options.ifNoneMatch);
  // If the body is a form, the browser sets the content type with its boundary.
  if (body instanceof Blob) headers.set('content-type', body.type);
  else if (body !== undefined && !isFile) headers.set('content-type', 'application/json');
  const seconds = TIMEOUTS_S[name];
  const limit = AbortSignal.timeout(seconds === undefined ? TIMEOUT_MS : seconds * 1_000);
  return {
    method,
    headers,
    body: isFile ? body : (JSON.stringify(body) ?? null),
    cache: 'no-store',
    // `fetch` would repeat a redirected write as a GET.
    redirect: 'error',
    // Keep the report alive, because a reload after the error would otherwise abort it.
    keepalive: name === 'reportPageError',
    // Browsers before 2024 lack `AbortSignal.any`, so use it only for calls with a signal.
    signal: options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]),
  };
}

function answerOf(response: Response, text: string): unknown {
  if (response.status === 204) return undefined;
  const answer = jsonOf(text);
  if (answer === undefined) throw new ApiError('unreachable', texts.failure.unreadable);
  return answer;
}

/**
 * Converts a refusal to an error with the station's message, or with a general message if the answer is not a problem
 * document.
 */
function refusalOf(status: number, text: string): ApiError {
  const { code, detail, title, errors = [] } = (jsonOf(text) ?? {}) as Partial<Problem>;
  const sentence = detail ?? title;
  if (sentence === undefined) {
    // This is probably the response of a proxy that cannot reach the station.
    return new ApiError(status >= 500 ? 'unreachable' : 'internal', texts.failure.refused);
  }
  return new ApiError(code ?? 'invalid', sentence, errors);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
