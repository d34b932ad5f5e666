import type { Json } from './schemas.ts';

/**
 * What a schema cannot say of an endpoint: its name in generated clients, examples, and why it may be refused.
 */
export type Described = {
  /** The operationId: never changed, as it is a function's name in programs of others. */
  name: string;
  /** Examples of the parameters of the path and the query, where their schema has none. */
  parameters?: Readonly<Record<string, string | number>>;
  /** Examples of the body, by a name; `summary` stands above them. */
  bodies?: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Why this one answers 404, 409 or another status of its own. */
  refusals?: Readonly<Record<number, string>>;
  /** What the station sends to others because of it. */
  callbacks?: Json;
};

/** The operations of one resource, by method and path. */
export type DescribedByRoute = Readonly<Record<string, Described>>;

export const DEVICE = '51D000:000001';
export const OTHER_DEVICE = '51D000:000002';
export const NO_DEVICE = 'There is no such device.';
export const BACKUP = 'pickstation-20261120-080000Z-manual.sqlite';
export const NO_BACKUP = 'There is no such backup.';
