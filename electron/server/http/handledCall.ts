import type { Request, Response } from 'express';
import type { FieldError } from '#shared/api/problem.ts';
import type { Right } from '#shared/api/rights.ts';
import type { Caller, Rights } from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';
import type { Call, Endpoint, SentFile } from './endpoint.ts';
import { refuseChanged } from './entityTags.ts';
import { fileIn } from './bodies/fileBody.ts';
import { byOf, demandRight } from './signIn.ts';

/** The validated parts of a request. */
type Asked = Pick<Call<unknown, unknown, unknown>, 'params' | 'query' | 'body' | 'strict' | 'key'> & {
  findUnknown: () => readonly FieldError[];
};

/**
 * The call that a handler receives. Computes `by` and `unknown` only when they are read. A class, because getters on each object would be
 * slower.
 */
export class HandledCall implements Call<unknown, unknown, unknown> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly strict: boolean;
  readonly key: string | undefined;
  readonly caller: Caller;
  readonly req: Request;
  readonly res: Response;
  readonly file: SentFile | undefined;

  readonly #rights: Rights;
  readonly #tagged: readonly string[];
  readonly #tagView: (answer: object) => object;
  readonly #findUnknown: Asked['findUnknown'];

  constructor(
    asked: Asked,
    {
      rights,
      tagged = [],
      tagView,
    }: { rights: Rights } & Pick<Endpoint, 'tagged'> & Required<Pick<Endpoint, 'tagView'>>,
    req: Request,
    res: Response,
  ) {
    this.params = asked.params;
    this.query = asked.query;
    this.body = asked.body;
    this.strict = asked.strict;
    this.#findUnknown = asked.findUnknown;
    this.key = asked.key;
    this.caller = callerIn(res);
    this.#rights = rights;
    this.#tagged = tagged;
    this.#tagView = tagView;
    this.req = req;
    this.res = res;
    this.file = fileIn(res);
  }

  refuseChanged(current: object, kept?: readonly string[]): void {
    // PATCH and PUT conflict with changes to the fields that they set, DELETE and POST with any change.
    const isPart = kept === undefined && (this.req.method === 'PATCH' || this.req.method === 'PUT');
    const given = typeof this.body === 'object' && this.body !== null ? Object.keys(this.body) : [];
    const set = isPart
      ? given
      : this.#tagged.filter((field) => kept?.includes(field) !== true || given.includes(field));
    refuseChanged(this.req.headers['if-match'], this.#tagView(current), { fields: this.#tagged, set });
  }

  get unknown(): readonly FieldError[] {
    return this.#findUnknown();
  }

  get by(): By {
    return byOf(this.req, this.caller);
  }

  demand(right: Right): void {
    demandRight(this.req, this.caller, [right], this.#rights);
  }

  may(right: Right): boolean {
    return this.#rights.of(this.caller).includes(right);
  }
}

/** Returns the caller that the router has identified. */
export function callerIn(res: Response): Caller {
  // Safe cast: only `identify` writes it.
  return res.locals['caller'] as Caller;
}
