import type { z } from 'zod';

/** Types that a call sends and returns. Without `answer`, the station answers with 204. */
type Types = { query?: object; body?: unknown; answer?: unknown };

/** A route of the REST API. `types` exists only for the compiler. */
export type Route<Path extends string = string, T extends Types = Types> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with parameters in braces. */
  path: Path;
  types?: T;
};

const to =
  (method: Route['method']) =>
  <const Path extends string>(path: Path) =>
  <T extends Types = object>(): Route<Path, T> => ({ method, path });

export const get = to('GET');
export const post = to('POST');
export const put = to('PUT');
export const patch = to('PATCH');
export const del = to('DELETE');

/** A call whose body and answer have these types. */
export type WithBody<Schema extends z.ZodType, Answer> = { body: z.input<Schema>; answer: Answer };

/** Type of an answer that is not JSON. The page links to the address instead of calling it. */
export type Download = never;
