import { ACCESS_ROUTES } from './routes/access.ts';
import { ARTICLE_ROUTES } from './routes/articles.ts';
import { CART_ROUTES } from './routes/carts.ts';
import { CONNECTION_ROUTES } from './routes/connections.ts';
import { DEVICE_ROUTES } from './routes/devices.ts';
import { HISTORY_ROUTES } from './routes/history.ts';
import { IMPORT_ROUTES } from './routes/imports.ts';
import { ORDER_ROUTES } from './routes/orders.ts';
import { PLACE_ROUTES } from './routes/places.ts';
import { STATION_ROUTES } from './routes/station.ts';
import { TURBO_ROUTES } from './routes/turbos.ts';

/**
 * All routes of the REST API by operationId, from one table per noun. The station's endpoints and the page's calls take method, path and
 * types from them. The tables load no schema, because zod evaluates code, which the page's content security policy forbids.
 */
export const ROUTES = {
  ...ACCESS_ROUTES,
  ...ARTICLE_ROUTES,
  ...CART_ROUTES,
  ...CONNECTION_ROUTES,
  ...DEVICE_ROUTES,
  ...HISTORY_ROUTES,
  ...IMPORT_ROUTES,
  ...ORDER_ROUTES,
  ...PLACE_ROUTES,
  ...STATION_ROUTES,
  ...TURBO_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;

type TypesOf<Name extends RouteName> = NonNullable<(typeof ROUTES)[Name]['types']>;

/** The answer to a call. */
export type AnswerOf<Name extends RouteName> = TypesOf<Name> extends { answer: infer Answer } ? Answer : void;

/** The input of a call: the path parameters, query and body that its route has. */
export type InputOf<Name extends RouteName> = PathInput<(typeof ROUTES)[Name]['path']> &
  Omit<TypesOf<Name>, 'answer' | 'query'> &
  QueryInput<TypesOf<Name>>;

type PathInput<Path extends string> =
  ParameterOf<Path> extends never ? object : { path: { [Name in ParameterOf<Path>]: ParameterValue<Name> } };

/** Type of a path parameter. Some ids are numbers. */
type ParameterValue<Name> = Name extends 'id' | 'line' ? string | number : string;

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

type QueryInput<T> = T extends { query: infer Query } ? { query?: Partial<Query> } : object;
