import type { Request, Response } from 'express';
import { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';
import { ROUTES, type AnswerOf, type RouteName } from '#shared/api/routes.ts';
import type { Caller } from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';

/** The validated request that a handler receives. */
export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  by: By;
  /**
   * Throws `changed` if a field that the request changes has changed since the caller read it. `current` is the current response to GET,
   * read within the use case. `kept` means that the change also sets the fields that are missing in the body, except those in `kept`.
   */
  refuseChanged(current: object, kept?: readonly string[]): void;
  /** Throws `MissingRight` if the caller lacks this right. Call if the content of the body requires the right. */
  demand(right: Right): void;
  /** Whether the caller has this right now. */
  may(right: Right): boolean;
  /** Fields of the body that are not in the schema. Every response already warns about them, unless the endpoint has `namesUnknown`. */
  readonly unknown: readonly FieldError[];
  /** Whether the request has `?strict=1`, which refuses content that would otherwise be dropped with a warning. */
  strict: boolean;
  /** The request's idempotency key. */
  key: string | undefined;
  req: Request;
  res: Response;
  /** The uploaded file. The options for it are in `body`. */
  file?: SentFile | undefined;
};

/** An uploaded file. `name` is the file name that the caller sent, or an empty string if there was none. */
export type SentFile = { bytes: Uint8Array; name: string };

/** Schema for any object, which stays unchanged. `handle` validates the fields one by one. A zod record would silently drop `__proto__`. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  'This has to be an object.',
);

/** A response that is not JSON. */
export type Raw = { contentType: string; bytes: Uint8Array };

type Tag =
  | 'devices'
  | 'sounds'
  | 'turbos'
  | 'alerts'
  | 'station'
  | 'access'
  | 'settings'
  | 'callbacks'
  | 'simulator'
  | 'map'
  | 'history'
  | 'requests'
  | 'location-aliases'
  | 'sequences'
  | 'orders'
  | 'articles'
  | 'batches'
  | 'backups'
  | 'documents';

export type Examples = Readonly<Record<string, { summary: string; value: unknown }>>;

/**
 * The right that the caller needs, or `public` if no sign-in is needed. If it is a list, one of the rights is enough to call `handle`,
 * which then demands the right that the body requires.
 */
type NeededRight = Right | 'public' | readonly Right[];

/** Defines how `limit` and `after` in the query split a list into pages. */
export type ListPage = {
  /** Returns the value of `after` for the next page, from the last element of this page. */
  after: (last: unknown) => string;
  /** Default page size. If undefined, the page contains all elements. */
  limit?: number;
  /** Whether another page can follow a page with fewer than `limit` elements. */
  mayEndEarly?: (elements: readonly unknown[]) => boolean;
};

/** Returns the value of the header `Link` that leads to the next page. */
export function nextLink({ url, path }: Pick<Request, 'url' | 'path'>, after: string): string {
  const names = new URLSearchParams(url.split('?', 2)[1]);
  names.set('after', after);
  return `<${path}?${names.toString()}>; rel="next"`;
}

/** Returns the paging for a list in which `after` is this field of the last element. */
export function pageBy(field: string, limit?: number): ListPage {
  // Safe cast: the schema of the same endpoint validates the list.
  return {
    after: (last) => String((last as Record<string, unknown>)[field]),
    ...(limit === undefined ? {} : { limit }),
  };
}

type Described<P, Q, B> = {
  description?: string;
  /** Whether a public endpoint identifies callers who are signed in, because callers with the right `read` get more data. */
  knowsCallers?: true;
  /** Pattern for requests that `path` cannot match. The named groups are the parameters. The OpenAPI document shows `path`. */
  route?: RegExp;
  /** Whether idempotency keys are ignored, because a stored response cannot set or clear the cookie. */
  isKeyless?: true;
  /**
   * Whether the endpoint can act without changing rows, for example on a simulated button. Its response is stored for repetitions even
   * then.
   */
  actsOutside?: true;
  /** Converts the stored response for a repetition. By default, the response stays unchanged. */
  replayed?: (answer: object) => object;
  /**
   * Whether a GET changes something. If so, HEAD is refused, and so are browsers unless this station's page sends the request. Contract,
   * section 3.
   */
  hasEffect?: true;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  /**
   * Whether nothing can undo its effect. If so, a request that may be a mistake, such as one with an unknown field, is refused instead of
   * answered with a warning. Every DELETE is final without this. Contract, section 2.
   */
  isFinal?: true;
  /** Paging of a response that is a list read in pages. */
  page?: ListPage;
  /** Whether the response has the header `pickstation-revision`, from which the event stream continues. */
  namesRevision?: true;
  /** Whether the response is a stream that resumes after the event named in the header `Last-Event-ID`. */
  resumes?: true;
  /** Schema of the data in the events of a stream. */
  eventData?: z.ZodType;
  /** Examples of parameters whose schemas have none. */
  parameterExamples?: Readonly<Record<string, string | number>>;
  body?: z.ZodType<B>;
  /** Schema of the body in the OpenAPI document, if `handle` validates the fields one by one. */
  documentedBody?: z.ZodType;
  /** Whether the body is a form, which `dialect` receives as text. */
  isForm?: true;
  /**
   * Whether the body can also be a file with the options in the query, or a form with `file` and `options` (JSON). `handle` receives the
   * file, and the options as `body`.
   */
  files?: true;
  /**
   * Set if the body is a file of this type with at most `limit` bytes, which `handle` reads from `req`. If `isWhole`, the file can have any
   * type, which is recognized by its content, and `handle` receives it as `file`.
   */
  upload?: { contentType: string; limit: number; isWhole?: true };
  bodyOptional?: boolean;
  /**
   * Whether `handle` itself warns about unknown fields, or refuses them for strict callers, together with other warnings or separately for
   * each element.
   */
  namesUnknown?: true;
  /** Converts bodies of old clients to the canonical form before validation. By default, only types are converted. */
  dialect?: (body: unknown) => unknown;
  /** Converts a body, or each element of a list, before it is compared with a repeated request. For bodies that `handle` converts itself. */
  contentOf?: (request: unknown) => unknown;
  /**
   * Fields that have a digest in the entity tag. If the endpoint changes them, `handle` calls `refuseChanged`. All responses have the tag
   * except those to a POST, which returns something else.
   */
  tagged?: readonly string[];
  /** Returns the part of the response from which these digests are computed. By default, this is the whole response. */
  tagView?: (answer: object) => object;
  /** Maximum size of the body in bytes. */
  limit?: number;
  /** Examples of the body by name, each with a summary. */
  examples?: Examples;
  /** Status of a successful response. The default is 200, or 204 for an endpoint without a response body. */
  status?: number;
  /** Other success statuses that `handle` may set. */
  otherStatuses?: readonly number[];
  /** Schemas of responses that are sent instead of a problem document, by status. */
  otherAnswers?: Readonly<Record<number, z.ZodType>>;
  /** Content type of the response if the caller requests it by `Accept` or in the query. */
  alternative?: { contentType: string };
  /** Reasons for 404, 409 or other statuses that are specific to this endpoint, by status. */
  refusals?: Readonly<Record<number, string>>;
  /** Whether the OpenAPI document describes the callbacks of this endpoint. */
  sendsCallbacks?: true;
};

type Answered<A, C> = {
  /** Schema of the response, or its content type if the response is not JSON. */
  answer: z.ZodType<A> | { contentType: string };
  handle: (call: C) => A | Raw | Promise<A | Raw | undefined> | undefined;
};

type Unanswered<C> = { answer?: undefined; handle: (call: C) => void | Promise<void> };

/** What an endpoint adds to its route: validation, the response, and descriptions for the OpenAPI document. */
type Definition<P, Q, B, A> = Described<P, Q, B> & (Answered<A, Call<P, Q, B>> | Unanswered<Call<P, Q, B>>);

/** An endpoint without its type parameters, for the table of all endpoints. */
export type Endpoint = Described<unknown, unknown, unknown> & {
  operationId: RouteName;
  method: string;
  path: string;
  tag: Tag;
  right: NeededRight;
  summary: string;
  answer?: z.ZodType | { contentType: string } | undefined;
  handle: (call: Call<unknown, unknown, unknown>) => unknown;
};

/** Returns a function that defines endpoints with this tag. Method, path and response type come from the table of routes. */
export function endpointsOf(tag: Tag) {
  return <Name extends RouteName, P = undefined, Q = undefined, B = undefined>(
    operationId: Name,
    right: NeededRight,
    summary: string,
    definition: Definition<P, Q, B, AnswerOf<Name>>,
  ): Endpoint => {
    const { method, path } = ROUTES[operationId];
    // Safe cast: params, query and body reach `handle` only through the schemas of the same definition.
    return { ...definition, operationId, right, summary, method, path, tag } as Endpoint;
  };
}

/** Returns the schema of the parameter `{id}` in a path. */
export const idParams = (thing: string, example: string) =>
  z.object({ id: z.string().describe(`The id of the ${thing}.`).meta({ example }) });

/** Definition of the body for a POST that needs no fields. */
export const noFields = { body: z.object({}), bodyOptional: true } as const;

export function isRaw(answer: unknown): answer is Raw {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && answer.bytes instanceof Uint8Array;
}

/** Whether nothing can undo the effect of a request to this endpoint. */
export function isFinal({ method, isFinal: given }: Pick<Endpoint, 'method' | 'isFinal'>): boolean {
  return method === 'DELETE' || given === true;
}

/** Returns the success status of an endpoint. */
export function statusOf({ status, answer }: Pick<Endpoint, 'status' | 'answer'>): number {
  return status ?? (answer === undefined ? 204 : 200);
}

/** Sets the status to 207 if any element of a bulk call was refused. */
export function setMixedStatus(res: Response, results: readonly { status: number }[]): void {
  if (results.some(({ status }) => status >= 400)) res.status(207);
}

/** Returns the rights, one of which a caller needs. Returns an empty list for a public endpoint. */
export function neededRights({ right }: Pick<Endpoint, 'right'>): readonly Right[] {
  if (right === 'public') return [];
  return typeof right === 'string' ? [right] : right;
}
