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
  /** Throws `changed` if a field that the body sets has changed since the caller read it. `current`: the answer of GET within the use-case. */
  refuseChanged(current: object): void;
  /** Throws `MissingRight` if the caller lacks this right, which the body asks for. */
  demand(right: Right): void;
  /** Whether the caller has this right now. */
  may(right: Right): boolean;
  /** Fields of the body that the schema does not have. Those of endpoints without `namesUnknown` are warnings of every answer already. */
  readonly unknown: readonly FieldError[];
  /** `?strict=1`: refuse what would otherwise be left out with a warning. */
  strict: boolean;
  /** The request's idempotency key. */
  key: string | undefined;
  req: Request;
  res: Response;
  /** The uploaded file; `body` then has its options. */
  file?: SentFile | undefined;
};

/** `name`: the file name from the caller; can be empty. */
export type SentFile = { bytes: Uint8Array; name: string };

/** A body whose fields `handle` validates one by one, as sent: a record of zod would silently drop `__proto__`. */
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

/** The right that the caller needs; `public` needs no sign-in. With several, one suffices, and `handle` demands what the body asks for. */
type NeededRight = Right | 'public' | readonly Right[];

/** How `limit` and `after` in the query divide a list into pages. */
export type ListPage = {
  /** The `after` of the next page. */
  after: (last: unknown) => string;
  /** Default page size. Undefined: all elements. */
  limit?: number;
  /** Whether a page with fewer than `limit` elements can have a next page. */
  mayEndEarly?: (elements: readonly unknown[]) => boolean;
};

/** The header `Link` to the next page of a request. */
export function nextLink({ url, path }: Pick<Request, 'url' | 'path'>, after: string): string {
  const names = new URLSearchParams(url.split('?', 2)[1]);
  names.set('after', after);
  return `<${path}?${names.toString()}>; rel="next"`;
}

/** Pages whose `after` is this field of the last element. */
export function pageBy(field: string, limit?: number): ListPage {
  // The list is validated by the schema of the same endpoint.
  return {
    after: (last) => String((last as Record<string, unknown>)[field]),
    ...(limit === undefined ? {} : { limit }),
  };
}

type Described<P, Q, B> = {
  description?: string;
  /** A public endpoint whose `handle` learns who calls: callers with the right `read` get more. */
  knowsCallers?: true;
  /** Matches requests where `path` cannot; its named groups are the parameters. The document shows `path`. */
  route?: RegExp;
  /** Ignores idempotency keys, because a stored answer cannot set or clear the cookie. */
  isKeyless?: true;
  /** Can act without changing rows, for example on a simulated button. Its answer is stored even if no row changed. */
  actsOutside?: true;
  /** Converts the stored answer for a repetition. Default: unchanged. */
  replayed?: (answer: object) => object;
  /** A GET that changes something: no HEAD, and browsers only if this station's page asks. Contract, section 3. */
  hasEffect?: true;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  /** The answer is an array in pages. */
  page?: ListPage;
  /** The answer has the header `pickstation-revision`: the event stream continues the list from there. */
  namesRevision?: true;
  /** A stream that resumes after the event in the header `Last-Event-ID`. */
  resumes?: true;
  /** Schema of the data of its events. */
  eventData?: z.ZodType;
  /** Examples of parameters, where their schema has none. */
  parameterExamples?: Readonly<Record<string, string | number>>;
  body?: z.ZodType<B>;
  /** The schema of the body in the OpenAPI document, where `handle` validates the fields one by one. */
  documentedBody?: z.ZodType;
  /** The body is a form, and reaches `dialect` as text. */
  isForm?: true;
  /**
   * The body can also be a file, with its options in the query, or a form with `file` and `options` (JSON). `handle` receives the file,
   * and the options as `body`.
   */
  files?: true;
  /**
   * The body is a file of this type with at most `limit` bytes, which `handle` reads from `req`. `isWhole`: of any type, which its bytes
   * decide; `handle` receives all of it as `file`.
   */
  upload?: { contentType: string; limit: number; isWhole?: true };
  bodyOptional?: boolean;
  /** `handle` warns of unknown fields and refuses those of strict callers itself: in the same answer as its other doubts, or for each element. */
  namesUnknown?: true;
  /** Converts what old clients send to the canonical form before validation. Without it only types are converted. */
  dialect?: (body: unknown) => unknown;
  /**
   * Fields of the entity tag. `handle` of a change calls `refuseChanged`. Answers carry the tag, except to a POST, which returns something
   * else.
   */
  tagged?: readonly string[];
  /** What of the answer the digests of these fields are of. Default: all of it. */
  tagView?: (answer: object) => object;
  /** Largest body in bytes. */
  limit?: number;
  /** Examples of the body by name, with the summary shown above each. */
  examples?: Examples;
  /** Status of success; without it 200, or 204 where there is no answer. */
  status?: number;
  /** Further statuses of success that `handle` may set. */
  otherStatuses?: readonly number[];
  /** Answers that replace a problem, by status. */
  otherAnswers?: Readonly<Record<number, z.ZodType>>;
  /** Content type of the answer for callers that request it by `Accept` or in the query. */
  alternative?: { contentType: string };
  /** Why this endpoint answers 404, 409 or another status that not every endpoint has. */
  refusals?: Readonly<Record<number, string>>;
  /** The document describes the callbacks that the station sends because of it. */
  sendsCallbacks?: true;
};

type Answered<A, C> = {
  /** The schema of the answer, or the content type of one that is not JSON. */
  answer: z.ZodType<A> | { contentType: string };
  handle: (call: C) => A | Raw | Promise<A | Raw | undefined> | undefined;
};

type Unanswered<C> = { answer?: undefined; handle: (call: C) => void | Promise<void> };

/** One endpoint: its route, sign-in, validation and OpenAPI come from this definition. */
type Definition<P, Q, B, A> = Described<P, Q, B> & (Answered<A, Call<P, Q, B>> | Unanswered<Call<P, Q, B>>);

/** An endpoint whose types were checked: the table holds endpoints of many shapes. */
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

/** Returns the function that defines endpoints under this tag. Method, path and the type of the answer come from the table of routes. */
export function endpointsOf(tag: Tag) {
  return <Name extends RouteName, P = undefined, Q = undefined, B = undefined>(
    operationId: Name,
    right: NeededRight,
    summary: string,
    definition: Definition<P, Q, B, AnswerOf<Name>>,
  ): Endpoint => {
    const { method, path } = ROUTES[operationId];
    // Sound: params, query and body reach `handle` only through the schemas of the same definition.
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

/** The status of success. */
export function statusOf({ status, answer }: Pick<Endpoint, 'status' | 'answer'>): number {
  return status ?? (answer === undefined ? 204 : 200);
}

/** Answers a call with several elements with 207 if any was refused. */
export function tellMixed(res: Response, results: readonly { status: number }[]): void {
  if (results.some(({ status }) => status >= 400)) res.status(207);
}

/** The rights of which a caller needs one; none where the endpoint is public. */
export function neededRights({ right }: Pick<Endpoint, 'right'>): readonly Right[] {
  if (right === 'public') return [];
  return typeof right === 'string' ? [right] : right;
}
