import { writeXml } from '../../../electron/server/http/compat/xmlWriter.ts';
import {
  resolve,
  operations,
  type MediaTypes,
  type Described,
  type JsonObject,
  type OpenApi,
} from '../../contract/documents.ts';
import { asXmlCan } from '../../helpers/xmlRule.ts';
import type { FuzzCaller } from './callers.ts';
import type { Dice, Values } from './values.ts';

/** A request under construction. */
export type RequestDraft = {
  described: Described;
  /** The existing object that the request concerns. */
  about: JsonObject | undefined;
  caller: string;
  method: string;
  path: string;
  query: string[];
  headers: Record<string, string>;
  body: string | undefined;
  /** The only allowed statuses, or undefined to allow all documented statuses. */
  expected: readonly number[] | undefined;
};

export type Drafts = {
  /** Creates a request that the document allows. */
  draftOf(described: Described, caller: FuzzCaller): RequestDraft;
  /** Creates a body that the document allows. */
  validBody(described: Described, about: JsonObject | undefined): unknown;
  /** Sets the body of a request, in one of its allowed formats. */
  send(draft: RequestDraft, value: unknown): void;
};

export const FORM = 'application/x-www-form-urlencoded';
/** Maximum length of one part of an address. The server refuses longer parts before it interprets them. */
const MAX_ENCODED = 3_000;

export function createDrafts(parts: {
  document: OpenApi;
  dice: Dice;
  values: Values;
  /** Objects that a path may lead to, by the path's `prefixOf`. */
  things: ReadonlyMap<string, readonly JsonObject[]>;
}): Drafts {
  const { document, things } = parts;
  const { chance, pick } = parts.dice;
  const { valueOf, confined } = parts.values;
  const schemas = new Map(
    operations(document).flatMap(({ operation }) => {
      const [schema] = Object.values(operation.requestBody?.content ?? {}).map((content) => content.schema);
      return schema === undefined ? [] : [[operation.operationId, resolve(schema, document)] as const];
    }),
  );

  function validPath({ path, operation: { parameters = [] } }: Described, given: JsonObject | undefined): string {
    const about = path.includes('/items/') ? { ...given, ...itemOf(given) } : given;
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((each) => each.name === name);
      const isExample = about === undefined && parameter?.example !== undefined && chance(0.3);
      return encoded(isExample ? parameter.example : valueOf(parameter?.schema ?? {}, name, about)) || 'x';
    });
  }

  /** Returns one item of an order, or undefined for other objects. */
  function itemOf(about: JsonObject | undefined): JsonObject | undefined {
    const items = about?.['items'];
    return Array.isArray(items) && items.length > 0 ? pick(items as JsonObject[]) : undefined;
  }

  function validQuery({ operation: { parameters = [] } }: Described): string[] {
    const given = parameters.filter((parameter) => parameter.in === 'query' && (parameter.required || chance(0.4)));
    return given.map(({ name, schema }) => `${name}=${encoded(valueOf(schema, name))}`);
  }

  function validBody({ operation }: Described, about: JsonObject | undefined): unknown {
    const [content] = Object.values<MediaTypes[string]>(operation.requestBody?.content ?? {});
    const examples = Object.values(content?.examples ?? {});
    if (about === undefined && examples.length > 0 && chance(0.3)) return confined(pick(examples).value, '');
    return valueOf(schemas.get(operation.operationId) ?? {}, '', about);
  }

  function send(draft: RequestDraft, value: unknown): void {
    const types = Object.keys(draft.described.operation.requestBody?.content ?? {});
    const type = chance(0.7) ? (types[0] ?? '') : pick(types);
    draft.headers['content-type'] = type;
    if (type === FORM) {
      const fields = Object.entries(typeof value === 'object' && value !== null ? value : {});
      draft.body = fields.map(([name, part]) => `${name}=${encoded(part)}`).join('&');
    } else if (type === 'application/xml')
      draft.body = asXmlCan(writeXml(value, { name: 'request', namespace: undefined }));
    else draft.body = JSON.stringify(value);
  }

  function draftOf(described: Described, caller: FuzzCaller): RequestDraft {
    const known = things.get(prefixOf(described.path));
    const about = known !== undefined && known.length > 0 && chance(0.6) ? pick(known) : undefined;
    const draft: RequestDraft = {
      described,
      about,
      caller: caller.name,
      method: described.method,
      path: validPath(described, about),
      query: validQuery(described),
      headers: { ...caller.headers },
      body: undefined,
      expected: undefined,
    };
    const accept = pick([undefined, undefined, undefined, 'application/json', 'application/xml', '*/*']);
    if (accept !== undefined) draft.headers['accept'] = accept;
    const { requestBody } = described.operation;
    if (requestBody !== undefined && (requestBody.required || chance(0.7))) send(draft, validBody(described, about));
    return draft;
  }

  return { draftOf, validBody, send };
}

/**
 * Returns the key under which objects are stored. It differs for an operation that creates an object, because that concerns no existing
 * one.
 */
export function prefixOf(template: string): string {
  return template.includes('{') ? template.slice(0, template.indexOf('{')) : `${template}*`;
}

/** Encodes a value for an address, cut to the maximum length. */
export function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed().slice(0, MAX_ENCODED / 9));
}
