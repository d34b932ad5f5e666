import { operations, resolve, type Described, type Json, type OpenApi } from '../contract/documents.ts';
import { seededFraction } from './seeded.ts';

/** Valid by the document; valid but for one thing; or nothing that a client would send by mistake alone. */
export type RequestKind = 'valid' | 'mutated' | 'hostile';

export type GeneratedRequest = {
  kind: RequestKind;
  operation: Described['operation'];
  method: string;
  /** With its query, as it is sent. */
  path: string;
  /** Without the credentials. */
  headers: Record<string, string>;
  body: string | undefined;
};

/** Values that lead somewhere, by the name of a field or parameter: what is random alone is refused at the door. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

const TEXTS = [
  '',
  'x',
  'Cable tie 200',
  '60',
  'a'.repeat(27),
  'ä€漢\u{1f600}',
  '\\bc4006381333931',
  '\\ic',
  'line~line',
  '"; DROP TABLE devices; --',
  '../../etc/passwd',
  '<b>&amp;</b>',
  '\u0000\u0007\u2028',
  '\ud800',
  '__proto__',
  'x'.repeat(5_000),
];
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  '-1',
  '1e3',
  ' 7 ',
  [],
  {},
  [[]],
  { toString: 1 },
  'x'.repeat(100_000),
];
/** Of one part of an address: longer ones are refused before anybody looks what they mean. */
const MAX_ENCODED = 3_000;
const HOSTILE_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"a":1}{"b":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '\ufeff{}',
  '{"line1":"\\ud800"}',
  '<!DOCTYPE x [<!ENTITY e "boo">]><x><line1>&e;</line1></x>',
  '<x><line1>text</line1></x>',
  '%00=%ff&&&=',
];
const HOSTILE_TYPES = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  '',
];
const HOSTILE_SEGMENTS = ['%00', '%ff', '..%2f', '%', 'x'.repeat(3_000), '~', '%F0%9F%98%80', "'--", '51D000:00000g'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Requests to the operations of a document: the same ones for the same seed. */
export function createRequests(parts: {
  document: OpenApi;
  seed: number;
  pools: Pools;
  /** The same, beside which nothing else may be tried. */
  only: Pools;
  /** Which operations, and how often beside the others; 0: never. */
  weightOf: (operationId: string) => number;
}): { next(): GeneratedRequest } {
  const { document, pools, only, weightOf } = parts;
  const fraction = seededFraction(parts.seed);
  const chance = (part: number): boolean => fraction() < part;
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[Math.floor(fraction() * list.length)];
    if (picked === undefined && list.length === 0) throw new Error('There is nothing to pick from.');
    return picked as T;
  };
  const weighted = operations(document).flatMap((each) =>
    Array.from({ length: weightOf(each.operation.operationId) }, () => each),
  );
  const bodySchemas = new Map(
    weighted.flatMap(({ operation }) => {
      const [first] = Object.entries(operation.requestBody?.content ?? {});
      return first === undefined ? [] : [[operation, { type: first[0], schema: resolve(first[1].schema, document) }]];
    }),
  );

  /** By its schema; `name` is what the field or parameter is called. */
  function valueOf(schema: Json, name: string): unknown {
    const all = only[name];
    if (all !== undefined) return pick(all);
    if (schema['nullable'] === true && chance(0.1)) return null;
    const pool = pools[name];
    if (pool !== undefined && chance(0.8)) return pick(pool);
    const alternatives = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(alternatives)) return valueOf(pick(alternatives as Json[]), name);
    if (Array.isArray(schema['enum'])) return pick(schema['enum'] as unknown[]);
    switch (schema['type']) {
      case 'object':
        return objectOf(schema);
      case 'array':
        return Array.from({ length: Math.floor(fraction() * 4) }, () => valueOf((schema['items'] ?? {}) as Json, name));
      case 'boolean':
        return chance(0.5);
      case 'integer':
      case 'number':
        return numberOf(schema);
      case 'string':
        return textOf(schema);
      default:
        return pick(ODD_VALUES);
    }
  }

  function objectOf(schema: Json): Json {
    const properties = (schema['properties'] ?? {}) as Record<string, Json>;
    const required = (schema['required'] ?? []) as string[];
    // Few fields go together; all of them seldom.
    const part = pick([0.1, 0.3, 0.9]);
    const kept = Object.entries(properties).filter(([name]) => required.includes(name) || chance(part));
    return Object.fromEntries(kept.map(([name, property]) => [name, valueOf(property, name)]));
  }

  function numberOf(schema: Json): number {
    const least = Number(schema['minimum'] ?? 0);
    const most = Math.min(Number(schema['maximum'] ?? 1_000), least + 1_000_000);
    const number = pick([least, most, least + (most - least) * fraction() ** 4]);
    return schema['type'] === 'integer' ? Math.round(number) : number;
  }

  function textOf(schema: Json): string {
    const text = pick(TEXTS);
    const least = Number(schema['minLength'] ?? 0);
    return (text.length < least ? text.padEnd(least, 'x') : text).slice(0, Number(schema['maxLength'] ?? Infinity));
  }

  function pathOf({ path, operation }: Described, kind: RequestKind): string {
    const parameters = operation.parameters ?? [];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (kind === 'hostile' && chance(0.3)) return pick(HOSTILE_SEGMENTS);
      const parameter = parameters.find((each) => each.name === name);
      const given = chance(0.5) && parameter?.example !== undefined ? parameter.example : undefined;
      return encoded(given ?? valueOf(parameter?.schema ?? {}, name)) || 'x';
    });
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && chance(0.4))
      .map(({ name, schema }) => {
        const value = kind === 'valid' ? valueOf(schema, name) : pick([...TEXTS, ...ODD_VALUES]);
        return `${name}=${encoded(value)}`;
      });
    if (kind === 'hostile' && chance(0.1)) query.push(pick(['limit=1&limit=2', 'x[y]=1', '%', '__proto__=1', '&&=']));
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  }

  /** One thing in it is otherwise: gone, of another type, at another place, or one too many. */
  function mutated(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0) {
      const at = Math.floor(fraction() * value.length);
      return chance(0.2) ? [...(value as unknown[]), pick(ODD_VALUES)] : value.with(at, mutated(value[at]));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(ODD_VALUES);
    const names = Object.keys(value);
    if (names.length === 0 || chance(0.1))
      return { ...value, [pick(['api', 'line1', '__proto__x', ''])]: pick(ODD_VALUES) };
    const name = pick(names);
    if (chance(0.3)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: mutated((value as Json)[name]) };
  }

  function bodyOf({ operation }: Described, kind: RequestKind): { type?: string; text?: string } {
    const described = bodySchemas.get(operation);
    if (kind === 'hostile') {
      return chance(0.8) ? { type: pick(HOSTILE_TYPES), text: pick(HOSTILE_BODIES) } : {};
    }
    if (described === undefined) return {};
    if (operation.requestBody?.required === false && chance(0.3)) return {};
    const valid = valueOf(described.schema, '');
    const value = kind === 'valid' ? valid : mutated(valid);
    if (described.type !== 'application/x-www-form-urlencoded')
      return { type: described.type, text: JSON.stringify(value) };
    const fields = Object.entries(typeof value === 'object' && value !== null ? value : {});
    return { type: described.type, text: fields.map(([name, part]) => `${name}=${encoded(part)}`).join('&') };
  }

  return {
    next() {
      const described = pick(weighted);
      const kind: RequestKind = pick(['valid', 'valid', 'mutated', 'hostile']);
      const { type, text } = bodyOf(described, kind);
      const method = kind === 'hostile' && chance(0.1) ? pick(METHODS) : described.method;
      const takesBody = method !== 'GET' && method !== 'HEAD' && text !== undefined;
      const headers: Record<string, string> = {};
      if (takesBody && type !== undefined && type !== '') headers['content-type'] = type;
      return {
        kind,
        operation: described.operation,
        method,
        path: pathOf(described, kind),
        headers,
        body: takesBody ? text : undefined,
      };
    },
  };
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed().slice(0, MAX_ENCODED / 9));
}
