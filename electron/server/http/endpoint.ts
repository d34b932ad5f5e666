import type { Request, Response } from 'express';
import { z } from 'zod';
import type { FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';
import { ROUTES, type AnswerOf, type RouteName } from '#shared/api/routes.ts';
import type { Caller } from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';

/** The validated request that a handler gets. */
export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  by: By;
  /**
   * Throws `changed` if a field in the body has changed since the caller read it. `current`: the current answer of GET, read within the
   * use-case. `isWhole`: the change also sets the fields that are missing in its body.
   */
  refuseChanged(current: object, isWhole?: boolean): void;
  /** Throws `MissingRight` if the caller lacks this right, which the content of the body requires. */
  demand(right: Right): void;
  /** Whether the caller has this right now. */
  may(right: Right): boolean;
  /** Fields of the body that are not in the schema. Every answer already warns about them, unless the endpoint has `namesUnknown`. */
  readonly unknown: readonly FieldError[];
  /** `?strict=1`: refuse content that would otherwise be dropped with a warning. */
  strict: boolean;
  /** The request's idempotency key. */
  key: string | undefined;
  req: Request;
  res: Response;
  /** The uploaded file. Its options are in `body`. */
  file?: SentFile | undefined;
};

/** `name`: the file name from the caller, or empty. */
export type SentFile = { bytes: Uint8Array; name: string };

/** Any object, unchanged. `handle` validates its fields one by one. A zod record would silently drop `__proto__`. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  'This has to be an object.',
);

/** An answer that is not JSON. */
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
 * The right that the caller needs. `public`: no sign-in. For a list, one of its rights is enough; `handle` demands the one that the body
 * requires.
 */
type NeededRight = Right | 'public' | readonly Right[];

/** How `limit` and `after` in the query split a list into pages. */
export type ListPage = {
  /** Returns the `after` of the next page, from the last element of this one. */
  after: (last: unknown) => string;
  /** Default page size. Undefined: all elements. */
  limit?: number;
  /** Whether another page can follow a page with fewer than `limit` elements. */
  mayEndEarly?: (elements: readonly unknown[]) => boolean;
};

/** Returns the header `Link` to the next page of a request. */
export function nextLink({ url, path }: Pick<Request, 'url' | 'path'>, after: string): string {
  const names = new URLSearchParams(url.split('?', 2)[1]);
  names.set('after', after);
  return `<${path}?${names.toString()}>; rel="next"`;
}

/** Returns the paging for a list whose `after` is this field of the last element. */
export function pageBy(field: string, limit?: number): ListPage {
  // Safe cast: the schema of the same endpoint validates the list.
  return {
    after: (last) => String((last as Record<string, unknown>)[field]),
    ...(limit === undefined ? {} : { limit }),
  };
}

type Described<P, Q, B> = {
  description?: string;
  /** A public endpoint that identifies callers who are signed in, because callers with the right `read` get more. */
  knowsCallers?: true;
  /** Matches requests that `path` cannot match. Its named groups are the parameters. The OpenAPI document shows `path`. */
  route?: RegExp;
  /** Ignores idempotency keys, because a stored answer cannot set or clear the cookie. */
  isKeyless?: true;
  /** The endpoint can act without changing rows, for example on a simulated button. Its answer is stored for repetitions even then. */
  actsOutside?: true;
  /** Converts the stored answer for a repetition. Default: unchanged. */
  replayed?: (answer: object) => object;
  /**
   * A GET that changes something. HEAD is refused, and so are browsers unless this station's page sends the request. Contract, section 3.
   */
  hasEffect?: true;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  /** The answer is an array that is read in pages. */
  page?: ListPage;
  /** The answer has the header `pickstation-revision`, from which the event stream continues. */
  namesRevision?: true;
  /** A stream that resumes after the event named in the header `Last-Event-ID`. */
  resumes?: true;
  /** Schema of the data in its events. */
  eventData?: z.ZodType;
  /** Examples of parameters whose schema has none. */
  parameterExamples?: Readonly<Record<string, string | number>>;
  body?: z.ZodType<B>;
  /** The schema of the body in the OpenAPI document, if `handle` validates the fields one by one. */
  documentedBody?: z.ZodType;
  /** The body is a form, which `dialect` receives as text. */
  isForm?: true;
  /**
   * The body can also be a file, with its options in the query, or a form with `file` and `options` (JSON). `handle` receives the file,
   * and the options as `body`.
   */
  files?: true;
  /**
   * The body is a file of this type with at most `limit` bytes, which `handle` reads from `req`. `isWhole`: of any type, recognized by its
   * content; `handle` receives it as `file`.
   */
  upload?: { contentType: string; limit: number; isWhole?: true };
  bodyOptional?: boolean;
  /**
   * `handle` itself warns about unknown fields, and refuses those from strict callers, together with its other warnings or for each
   * element.
   */
  namesUnknown?: true;
  /** Converts bodies of old clients to the canonical form before validation. Default: converts types only. */
  dialect?: (body: unknown) => unknown;
  /**
   * Fields with a digest in the entity tag. For a change, `handle` calls `refuseChanged`. Answers have the tag, except those to a POST,
   * which returns something else.
   */
  tagged?: readonly string[];
  /** The part of the answer from which these digests are computed. Default: all of it. */
  tagView?: (answer: object) => object;
  /** Largest body in bytes. */
  limit?: number;
  /** Examples of the body by name, with the summary shown above each. */
  examples?: Examples;
  /** Success status. Default: 200, or 204 without an answer. */
  status?: number;
  /** Other success statuses that `handle` may set. */
  otherStatuses?: readonly number[];
  /** Answers instead of a problem document, by status. */
  otherAnswers?: Readonly<Record<number, z.ZodType>>;
  /** Content type of the answer if the caller requests it by `Accept` or in the query. */
  alternative?: { contentType: string };
  /** Reasons for 404, 409 or other statuses that are specific to this endpoint. */
  refusals?: Readonly<Record<number, string>>;
  /** The OpenAPI document describes the callbacks of this endpoint. */
  sendsCallbacks?: true;
};

type Answered<A, C> = {
  /** Schema of the answer, or its content type if it is not JSON. */
  answer: z.ZodType<A> | { contentType: string };
  handle: (call: C) => A | Raw | Promise<A | Raw | undefined> | undefined;
};

type Unanswered<C> = { answer?: undefined; handle: (call: C) => void | Promise<void> };

/** What an endpoint adds to its route: validation, the answer, and descriptions for the OpenAPI document. */
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

/** Returns a function that defines endpoints under this tag. Method, path and answer type come from the table of routes. */
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

/** The parameter `{id}` of a path. */
export const idParams = (thing: string, example: string) =>
  z.object({ id: z.string().describe(`The id of the ${thing}.`).meta({ example }) });

/** The body of a POST that needs no fields. */
export const noFields = { body: z.object({}), bodyOptional: true } as const;

export function isRaw(answer: unknown): answer is Raw {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && answer.bytes instanceof Uint8Array;
}

/** Returns the success status of an endpoint. */
export function statusOf({ status, answer }: Pick<Endpoint, 'status' | 'answer'>): number {
  return status ?? (answer === undefined ? 204 : 200);
}

/** Sets status 207 if any element of a bulk call was refused. */
export function setMixedStatus(res: Response, results: readonly { status: number }[]): void {
  if (results.some(({ status }) => status >= 400)) res.status(207);
}

/** Returns the rights of which a caller needs any one. Empty for a public endpoint. */
export function neededRights({ right }: Pick<Endpoint, 'right'>): readonly Right[] {
  if (right === 'public') return [];
  return typeof right === 'string' ? [right] : right;
}
