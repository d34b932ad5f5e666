import type { RouteName } from '#shared/api/routes.ts';
import { StationError } from '../errors.ts';
import type { Log } from '../ports.ts';
import type { Caller, Rights } from '../services/access/index.ts';
import { neededRights, statusOf, type Call, type Endpoint } from './endpoint.ts';
import { readJson } from './bodies/jsonReader.ts';
import { internalProblem, problemOf } from './problem.ts';
import { type BodyValidator, bodyValidator } from './bodies/requestBody.ts';
import { validate } from './validation.ts';
import { withUnknown } from './warnings.ts';

/**
 * Executes requests that do not come over HTTP, with the rights, validation and responses of their endpoints. Only for endpoints that use
 * neither `req` nor `res`.
 */
export function createInvoker(parts: {
  endpoints: readonly Endpoint[];
  rights: Rights;
  log: Log;
  /** The caller and, in `way`, the channel of the requests for the audit log. */
  caller: Caller;
  way: string;
}) {
  const { endpoints, rights, log, caller, way } = parts;
  const by = { name: caller.name, address: way };
  const validators = new Map<RouteName, BodyValidator>();

  function find(operationId: RouteName): Endpoint {
    const endpoint = endpoints.find((each) => each.operationId === operationId);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${operationId}.`);
    return endpoint;
  }

  function validatorOf(endpoint: Endpoint): BodyValidator {
    const { operationId } = endpoint;
    const known = validators.get(operationId) ?? bodyValidator(endpoint);
    validators.set(operationId, known);
    return known;
  }

  function callOf(endpoint: Endpoint, { params, body }: Asked): Call<unknown, unknown, unknown> {
    const demand: Call<unknown, unknown, unknown>['demand'] = (right) =>
      void rights.demand(caller, [right], { by: () => by, request: `${way} ${endpoint.operationId}` });
    const none = undefined as never;
    const { convert, check, unknownIn } = validatorOf(endpoint);
    const sent = convert(body);
    const unknown = unknownIn(sent);
    return {
      params: endpoint.params === undefined ? undefined : validate(endpoint.params, params ?? {}, 'path'),
      query: endpoint.query === undefined ? undefined : validate(endpoint.query, {}, 'query'),
      body: check(sent, false),
      unknown,
      strict: false,
      caller,
      by,
      demand,
      may: (right) => rights.of(caller).includes(right),
      refuseChanged: () => undefined,
      key: undefined,
      req: none,
      res: none,
    };
  }

  async function invoke(operationId: RouteName, asked: Asked): Promise<{ status: number; body: unknown }> {
    try {
      const endpoint = find(operationId);
      rights.demand(caller, neededRights(endpoint), { by: () => by, request: `${way} ${operationId}` });
      const call = callOf(endpoint, asked);
      const answer: unknown = await endpoint.handle(call);
      const body = endpoint.namesUnknown === true ? answer : withUnknown(answer, call.unknown);
      return { status: statusOf(endpoint), body };
    } catch (error) {
      if (!(error instanceof StationError))
        log.error({ err: error, operationId, way }, 'a request failed because of a defect');
      const problem = error instanceof StationError ? problemOf(error) : internalProblem();
      return { status: problem.status, body: problem };
    }
  }

  return { invoke, read: readJson };
}

type Asked = { params?: Readonly<Record<string, string>>; body?: unknown };
