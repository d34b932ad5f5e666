import type { Described, JsonObject } from '../../contract/documents.ts';
import { STRANGERS, type FuzzCaller } from './callers.ts';
import { encoded, FORM, type RequestDraft, type Drafts } from './drafts.ts';
import { BODIES, HEADERS, HOSTS, METHODS, ODD_VALUES, ORIGINS, QUERIES, SEGMENTS, TEXTS, TYPES } from './hostile.ts';
import type { Dice, Values } from './values.ts';

/** A change to a request. Returns false if the change does not apply. */
export type Change = (draft: RequestDraft) => boolean;

/** Creates changes by name. `mutations` are mistakes, `hostilities` are attacks. */
export function createChanges(parts: { dice: Dice; values: Values; drafts: Drafts; main: FuzzCaller }): {
  mutations: Readonly<Record<string, Change>>;
  hostilities: Readonly<Record<string, Change>>;
} {
  const { dice, main } = parts;
  const { chance, pick } = dice;
  const { mutated } = parts.values;
  const { send, validBody } = parts.drafts;

  /** Allows only these statuses instead of all documented ones. */
  function refuse(draft: RequestDraft, ...statuses: number[]): true {
    draft.expected = statuses;
    return true;
  }

  const mutations: Record<string, Change> = {
    'a field'(draft) {
      if (draft.body === undefined) return false;
      send(draft, mutated(validBody(draft.described, draft.about)));
      return true;
    },
    'no body'(draft) {
      if (draft.described.operation.requestBody?.required !== true) return false;
      draft.body = undefined;
      delete draft.headers['content-type'];
      return refuse(draft, 400);
    },
    'another type of body'(draft) {
      if (draft.body === undefined || draft.headers['content-type'] === FORM) return false;
      // A file can have any of these types.
      const { requestBody } = draft.described.operation;
      if (requestBody?.content['multipart/form-data'] !== undefined) return false;
      draft.headers['content-type'] = pick(['text/plain', FORM, 'application/octet-stream']);
      return refuse(draft, 415);
    },
    'a parameter'(draft) {
      const { parameters = [] } = draft.described.operation;
      const inQuery = parameters.filter((parameter) => parameter.in === 'query');
      if (inQuery.length === 0) return false;
      draft.query = inQuery.map(({ name }) => `${name}=${encoded(pick([...TEXTS, ...ODD_VALUES]))}`);
      return true;
    },
    'a part of the path'(draft) {
      const template = draft.described.path.split('/');
      const at = pick(template.map((part, index) => (part.startsWith('{') ? index : -1)));
      if (at < 0) return false;
      const value = encoded(pick([...TEXTS, ...ODD_VALUES])) || 'x';
      draft.path = draft.path.split('/').with(at, value).join('/');
      return true;
    },
    'no last slash'(draft) {
      if (!draft.path.endsWith('/')) return false;
      draft.path = draft.path.slice(0, -1);
      return true;
    },
    'another method'(draft) {
      draft.method = pick(METHODS);
      if (draft.method === 'GET' || draft.method === 'HEAD') draft.body = undefined;
      return draft.method !== draft.described.method;
    },
    'a stranger'(draft) {
      for (const name of Object.keys(main.headers)) delete draft.headers[name];
      Object.assign(draft.headers, pick(STRANGERS));
      // A wrong password can also be answered with 429.
      return neededBy(draft.described) === undefined || refuse(draft, 401, 429);
    },
  };

  const hostilities: Record<string, Change> = {
    'a body'(draft) {
      const type = pick(TYPES);
      draft.body = pick(BODIES);
      if (type === '') delete draft.headers['content-type'];
      else draft.headers['content-type'] = type;
      return draft.method !== 'GET';
    },
    headers(draft) {
      Object.assign(draft.headers, pick(HEADERS));
      return true;
    },
    'a part of the path'(draft) {
      const parts = draft.path.split('/');
      draft.path = parts.with(1 + Math.floor(dice.fraction() * (parts.length - 1)), pick(SEGMENTS)).join('/');
      return true;
    },
    'a query'(draft) {
      draft.query.push(pick(QUERIES));
      return true;
    },
    'a host'(draft) {
      draft.headers['host'] = pick(HOSTS);
      return refuse(draft, 421);
    },
    'an origin'(draft) {
      draft.headers['origin'] = pick(ORIGINS);
      if (chance(0.3)) draft.headers['access-control-request-method'] = 'PUT';
      return refuse(draft, 403);
    },
    'an address'(draft) {
      draft.path = pick([
        (path: string) => `/${path}`,
        (path: string) => `http://evil.example${path}`,
        (path: string) => path.replace('/', '/./'),
        (path: string) => path.toUpperCase(),
        (path: string) => `${path}/`,
        (path: string) => path.replaceAll('i', '%69'),
        (path: string) => path.replaceAll('/', '%2F').replace('%2F', '/'),
      ])(draft.path);
      return true;
    },
  };

  return { mutations, hostilities };
}

/** Returns the scope that an operation needs, or undefined if no sign-in is needed. */
export function neededBy({ operation }: Pick<Described, 'operation'>): string | undefined {
  const scopes = operation.security.flatMap((each: JsonObject) => each['oauth2'] ?? []);
  return scopes.find((scope) => typeof scope === 'string');
}
