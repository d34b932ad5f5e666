import type { z } from 'zod';
import {
  operations,
  resolve,
  responseOf,
  type MediaTypes,
  type Described,
  type OpenApi,
} from '../../contract/documents.ts';
import { toZod, toZodOfTexts } from '../../contract/strict.ts';
import type { RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { readByRule } from '../../helpers/xmlRule.ts';
import type { GeneratedRequest } from './generator.ts';

/** Matches an address that contains a whole request, with any number of parts. */
const QUERY_STRING = /^\/api\/[0-9A-Fa-f]{6}(?::|%3[Aa])[0-9A-Fa-f]{6}\/(.*)$/;
/** Addresses where GET has an effect. */
const HAS_EFFECT = [QUERY_STRING, /^\/api\/launchsequence\/[^/]+\/$/];
const BY_ADDRESS = /^\/api\/\{DeviceID\}\/\{command\}\//;

export type Judge = {
  /** Returns how an answer violates the document, or undefined if it does not. */
  findFault(request: GeneratedRequest, answer: RawAnswer): string | undefined;
  /** Returns whether the request must not change anything, regardless of its answer. */
  isSafe(request: GeneratedRequest): boolean;
};

/** Creates a checker for answers. Create it only once, because this is slow. */
export function createJudge(document: OpenApi): Judge {
  const all = operations(document);
  const byAddress = all.filter(({ path }) => BY_ADDRESS.test(path));
  const routes = all
    .filter(({ path }) => !BY_ADDRESS.test(path))
    // Fixed parts of a path take precedence over parameters.
    .toSorted((one, other) => (one.path.replaceAll('{', '~') < other.path.replaceAll('{', '~') ? -1 : 1))
    .map((described) => ({
      described,
      pattern: new RegExp(
        `^${described.path
          .split(/\{\w+\}/)
          .map((part) => part.replaceAll('.', '\\.'))
          .join('[^/]+')}$`,
      ),
    }));
  const schemas = new Map<unknown, { json: z.ZodType; texts: z.ZodType }>();
  const schemaOf = (schema: unknown): { json: z.ZodType; texts: z.ZodType } => {
    const known = schemas.get(schema) ?? { json: toZod(schema, document), texts: toZodOfTexts(schema, document) };
    schemas.set(schema, known);
    return known;
  };
  const problem = resolve({ $ref: '#/components/schemas/Problem' }, document);
  const problems: MediaTypes = {
    'application/problem+json': { schema: problem },
    'application/problem+xml': { schema: problem },
  };

  function candidates(path: string): Described[] {
    const text = QUERY_STRING.exec(path)?.[1];
    if (text === undefined) return routes.filter(({ pattern }) => pattern.test(path)).map(({ described }) => described);
    const sections = text.split('/');
    const count = Math.max(1, sections.at(-1) === '' ? sections.length - 1 : sections.length);
    return byAddress.filter(({ path: each }) => each.split('/').length - 4 === Math.min(count, byAddress.length));
  }

  /** Finds the operation for the method and the address, or else the methods of the address. Finds neither if the address is unknown. */
  function reached({ method, path }: GeneratedRequest): { operation?: Described['operation']; methods: string[] } {
    const [address = ''] = path.split('?');
    const found = candidates(address);
    const wanted = method === 'HEAD' && !hasEffect(address) ? 'GET' : method;
    const operation = found.find((each) => each.method === wanted)?.operation;
    const methods = found.map((each) => each.method);
    return operation === undefined ? { methods } : { operation, methods };
  }

  function findFault(request: GeneratedRequest, answer: RawAnswer): string | undefined {
    const { status } = answer;
    if (status >= 500) return `${status}: ${answer.text}`;
    const { operation, methods } = reached(request);
    const { expected } = request;
    if (expected !== undefined && operation === request.operation && !expected.includes(status))
      return `${status} in place of ${expected.join(' or ')}: ${answer.text}`;
    const isCors = 'origin' in request.headers || status === 421;
    if (operation === undefined) {
      const [address = ''] = request.path.split('?');
      if (address.startsWith('http:')) return status === 421 ? undefined : `${status} to the address of another host`;
      // Everything outside the API is a page.
      if (!address.startsWith('/api/')) {
        const isOfPage = status === 404 || status === 405 || (status === 400 && !isDecodable(address));
        return isOfPage || isCors ? undefined : `${status} of a page`;
      }
      const possible = isCors ? [403, 421] : methods.length > 0 ? [405, 400] : [404, 400];
      return possible.includes(status)
        ? ofContent(request, answer, problems)
        : `${status} in place of ${possible.join(' or ')}: ${answer.text}`;
    }
    // A key cannot sign out, because it has no session.
    const mayKeyDo = operation.security.length > 0 && operation.operationId !== 'signOut';
    if (status === 401 && mayKeyDo && request.caller === 'key' && request.what !== 'a stranger')
      if (!answer.text.includes('password')) return `${status} to a key that there is: ${answer.text}`;
    if (request.kind === 'valid' && [405, 413, 415, 421].includes(status)) return `${status} to a valid request`;
    // 405 is documented for every path rather than for each operation.
    if (!(String(status) in operation.responses)) return `${status} is not named: ${answer.text}`;
    return ofContent(request, answer, responseOf(operation, status, document)?.content ?? {});
  }

  function ofContent(
    { method, headers }: GeneratedRequest,
    answer: RawAnswer,
    content: MediaTypes,
  ): string | undefined {
    const { status, text } = answer;
    const [type = ''] = answer.headers['content-type']?.split(';') ?? [];
    if (method === 'HEAD') return text === '' ? undefined : 'a body of HEAD';
    if (Object.keys(content).length === 0) return type === '' && text === '' ? undefined : `a body of ${type}`;
    const described = content[type];
    if (described === undefined) return `${status} is of the type ${type}`;
    const wantsXml = headers['accept'] === 'application/xml' && type.replace('json', 'xml') in content;
    const isEither = (isJson(type) || isXml(type)) && headers['accept']?.includes(';') !== true;
    if (isEither && wantsXml !== isXml(type)) return `${type}, which nobody asked for`;
    if (isJson(type)) {
      const body: unknown = JSON.parse(text);
      const { error } = schemaOf(described.schema).json.safeParse(body);
      return error === undefined ? undefined : `${error.message} in ${text}`;
    }
    if (!isXml(type)) return text === '' ? 'nothing' : undefined;
    const { error } = schemaOf(described.schema).texts.safeParse(readByRule(text).value);
    return error === undefined ? undefined : `${error.message} in ${text}`;
  }

  return {
    findFault,
    isSafe: ({ method, path }) =>
      ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method) && !hasEffect(path.split('?')[0] ?? ''),
  };
}

/** Returns whether the address can be percent-decoded. */
function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

function hasEffect(address: string): boolean {
  return HAS_EFFECT.some((pattern) => pattern.test(address));
}

/** Returns whether a content type is JSON. JSON Lines, a file format, does not count. */
function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/problem+json';
}

function isXml(type: string): boolean {
  return type === 'application/xml' || type === 'application/problem+xml';
}
