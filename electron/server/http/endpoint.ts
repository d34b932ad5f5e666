import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Right } from '#shared/api/rights.ts';
import type { Caller } from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';

/** What a handler gets: validated, in canonical form. */
export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  caller: Caller;
  by: By;
  /** Throws `MissingRight` where the caller lacks a right that the body asks for. */
  demand(right: Right): void;
  req: Request;
  res: Response;
};

/** A body whose fields `handle` judges one by one, as they were sent: a record of zod would leave out `__proto__` in silence. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (body) => typeof body === 'object' && body !== null && !Array.isArray(body),
  'This has to be an object.',
);

/** An answer that is not JSON. */
export type Raw = { contentType: string; bytes: Uint8Array };

/**
 * One endpoint: from this definition come route, sign-in, validation and OpenAPI.
 * `answer` is the schema of the answer, or the content type of one that is not JSON.
 */
export type Definition<P, Q, B, A> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI style, below the root: `/api/device/{DeviceID}/`. */
  path: string;
  tag:
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
    | 'backups'
    | 'documents';
  /** What is matched, its named groups being the parameters, where `path` cannot say it: it stands in the document alone. */
  route?: RegExp;
  /** A GET that changes something: HEAD does not, nor does a browser that was not told to by this station's page. */
  hasEffect?: true;
  summary: string;
  description?: string;
  /** The right that the caller needs; `public` needs no sign-in. Several: one of them, and `handle` demands what the body asks for. */
  right: Right | 'public' | readonly Right[];
  /** Public, but `handle` learns who asks: callers who may read get more. */
  knowsCallers?: true;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** What the OpenAPI document says of the body, where `handle` judges its parts one by one. */
  documentedBody?: z.ZodType;
  /** The body is a form, and reaches `dialect` as the text it is. */
  isForm?: true;
  /** The body is a file of this type, of at most so many bytes: `handle` reads it from `req`. */
  upload?: { contentType: string; limit: number };
  /** True where a body may be left out. */
  bodyOptional?: boolean;
  /** Brings what old clients send into canonical form before it is validated; else types alone are read loosely. */
  dialect?: (body: unknown) => unknown;
  /** Largest body in bytes. */
  limit?: number;
  /** Status of success: one, or those that `handle` may choose from. */
  status?: number;
  otherStatuses?: readonly number[];
  answer: z.ZodType<A> | { contentType: string };
  /** What it answers itself in place of a problem, by status. */
  otherAnswers?: Readonly<Record<number, z.ZodType>>;
  /** What it answers instead to who asks for that by `Accept`. */
  alternative?: { contentType: string };
  handle: (call: Call<P, Q, B>) => A | Raw | Promise<A | Raw | undefined> | undefined;
};

/** A definition whose types were checked: the table holds endpoints of many shapes. */
export type Endpoint = Definition<unknown, unknown, unknown, unknown>;

export function endpoint<P = undefined, Q = undefined, B = undefined, A = undefined>(
  definition: Definition<P, Q, B, A>,
): Endpoint {
  // Sound: params, query and body reach `handle` only through the schemas of this same definition.
  return definition as Endpoint;
}

export function isRaw(answer: unknown): answer is Raw {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && answer.bytes instanceof Uint8Array;
}

/** The rights of which a caller needs one; none where the endpoint is public. */
export function neededRights({ right }: Pick<Endpoint, 'right'>): readonly Right[] {
  if (right === 'public') return [];
  return typeof right === 'string' ? [right] : right;
}
