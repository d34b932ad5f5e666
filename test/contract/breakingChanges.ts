import {
  operations,
  resolve,
  responseOf,
  rightsNeeded,
  type JsonObject,
  type OpenApi,
  type DocumentedOperation,
} from './documents.ts';

/** What a schema describes. Callers write requests and read answers, so a change that breaks one direction may be harmless in the other. */
type Direction = 'request' | 'answer';

/** Scopes in ascending order. Each scope includes the ones before it. */
const SCOPES = ['read', 'control', 'admin'];

/**
 * Lists changes in `after` that could break a program written for `before`: parts that were removed or are newly required, requests that
 * accept less, answers that may contain more. Ignores additions.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const all = new Map(operations(after).map(({ path, method, operation }) => [`${method} ${path}`, operation]));
  return operations(before).flatMap(({ path, method, operation }) => {
    const where = `${method} ${path}`;
    const now = all.get(where);
    if (now === undefined) return [`${where} is gone`];
    return [
      ...operationChanges(operation, now),
      ...parameterChanges(operation, now, before, after),
      ...bodyChanges(operation, now, before, after),
      ...answerChanges(operation, now, before, after),
    ].map((change) => `${where}: ${change}`);
  });
}

/** Lists operations whose allowed callers have changed. Additional callers do not break programs, but can be a security hole. */
export function rightChanges(before: OpenApi, after: OpenApi): string[] {
  return operations(before).flatMap(({ path, method, operation }) => {
    const now = after.paths[path]?.[method.toLowerCase()];
    if (now === undefined) return [];
    const [was, is] = [operation, now].map((each) => `${rightsNeeded(each).join(' or ')} ${scopeOf(each)}`.trim());
    return was === is
      ? []
      : [`${method} ${path}: needs ${is === '' ? 'nothing' : is}, needed ${was === '' ? 'nothing' : was}`];
  });
}

function operationChanges(before: DocumentedOperation, after: DocumentedOperation): string[] {
  const changes: string[] = [];
  if (before.operationId !== after.operationId) changes.push(`operationId is ${after.operationId}`);
  if (before.security.length === 0 && after.security.length > 0) changes.push('needs a sign-in');
  const was = SCOPES.indexOf(scopeOf(before));
  const is = SCOPES.indexOf(scopeOf(after));
  if (was >= 0 && is > was) changes.push(`needs the scope ${scopeOf(after)}`);
  return changes;
}

/** Returns the required scope, or an empty string if none is stated. */
function scopeOf({ security }: DocumentedOperation): string {
  return security.flatMap((way) => (way['oauth2'] as string[] | undefined) ?? [])[0] ?? '';
}

function parameterChanges(
  before: DocumentedOperation,
  after: DocumentedOperation,
  was: OpenApi,
  is: OpenApi,
): string[] {
  const now = new Map((after.parameters ?? []).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  const changes = (before.parameters ?? []).flatMap((parameter) => {
    const name = `${parameter.in} ${parameter.name}`;
    const same = now.get(name);
    now.delete(name);
    if (same === undefined) return [`parameter ${name} is gone`];
    if (same.required && !parameter.required) return [`parameter ${name} is required`];
    return schemaChanges(resolve(parameter.schema, was), resolve(same.schema, is), 'request', name);
  });
  const added = [...now].filter(([, parameter]) => parameter.required);
  return [...changes, ...added.map(([name]) => `parameter ${name} is new and required`)];
}

function bodyChanges(before: DocumentedOperation, after: DocumentedOperation, was: OpenApi, is: OpenApi): string[] {
  const now = after.requestBody;
  if (before.requestBody === undefined) return now?.required === true ? ['a body is required'] : [];
  if (now === undefined) return ['the body is gone'];
  const changes = now.required && !before.requestBody.required ? ['the body is required'] : [];
  for (const [type, { schema }] of Object.entries(before.requestBody.content)) {
    const same = now.content[type];
    if (same === undefined) changes.push(`a body of ${type} is refused`);
    else changes.push(...schemaChanges(resolve(schema, was), resolve(same.schema, is), 'request', 'body'));
  }
  return changes;
}

function answerChanges(before: DocumentedOperation, after: DocumentedOperation, was: OpenApi, is: OpenApi): string[] {
  return Object.keys(before.responses).flatMap((status) => {
    if (!(status in after.responses)) return [`answer ${status} is gone`];
    const content = responseOf(before, status, was)?.content ?? {};
    const now = responseOf(after, status, is);
    return Object.entries(content).flatMap(([type, { schema }]) => {
      const same = now?.content?.[type];
      if (same === undefined) return [`answer ${status} is no longer ${type}`];
      return schemaChanges(resolve(schema, was), resolve(same.schema, is), 'answer', `answer ${status}`);
    });
  });
}

/** Lists breaking changes between two schemas, which must not contain references. */
function schemaChanges(before: JsonObject, after: JsonObject, direction: Direction, at: string): string[] {
  const alternatives = before['anyOf'] as JsonObject[] | undefined;
  if (alternatives !== undefined || after['anyOf'] !== undefined)
    return alternativeChanges(before, after, direction, at);
  const changes: string[] = [];
  if (before['type'] !== undefined && before['type'] !== after['type']) {
    return [`${at} is ${JSON.stringify(after['type'])}, was ${JSON.stringify(before['type'])}`];
  }
  const nullableBefore = before['nullable'] === true;
  const nullableAfter = after['nullable'] === true;
  if (direction === 'request' && nullableBefore && !nullableAfter) changes.push(`${at} may not be null`);
  if (direction === 'answer' && !nullableBefore && nullableAfter) changes.push(`${at} may be null`);
  if (before['format'] !== after['format']) changes.push(`${at} has the format ${JSON.stringify(after['format'])}`);
  if (direction === 'request') changes.push(...limitChanges(before, after, at));
  changes.push(...objectChanges(before, after, direction, at));
  const items = before['items'] as JsonObject | undefined;
  if (items !== undefined) {
    changes.push(...schemaChanges(items, (after['items'] as JsonObject | undefined) ?? {}, direction, `${at}[]`));
  }
  return changes;
}

/** Checks that each earlier alternative still exists, and that an answer does not have new ones. */
function alternativeChanges(before: JsonObject, after: JsonObject, direction: Direction, at: string): string[] {
  const was = (before['anyOf'] as JsonObject[] | undefined) ?? [before];
  const is = (after['anyOf'] as JsonObject[] | undefined) ?? [after];
  const gone = was.flatMap((old, index) => {
    const tries = is.map((now) => schemaChanges(old, now, direction, `${at}(${index})`));
    if (tries.some((changes) => changes.length === 0)) return [];
    return tries[index] ?? [`${at}: alternative ${index} is gone`];
  });
  if (gone.length > 0 || direction === 'request') return gone;
  return is.flatMap((now, index) => {
    const isKnown = was.some((old) => schemaChanges(old, now, direction, at).length === 0);
    return isKnown ? [] : [`${at}: alternative ${index} is new`];
  });
}

function objectChanges(before: JsonObject, after: JsonObject, direction: Direction, at: string): string[] {
  const was = (before['properties'] ?? {}) as Record<string, JsonObject>;
  const is = (after['properties'] ?? {}) as Record<string, JsonObject>;
  const requiredBefore = new Set((before['required'] ?? []) as string[]);
  const requiredAfter = new Set((after['required'] ?? []) as string[]);
  const changes: string[] = [];
  for (const [name, property] of Object.entries(was)) {
    const now = is[name];
    if (now === undefined) changes.push(`${at}.${name} is gone`);
    else changes.push(...schemaChanges(property, now, direction, `${at}.${name}`));
  }
  if (direction === 'answer') {
    for (const name of requiredBefore) {
      if (name in is && !requiredAfter.has(name)) changes.push(`${at}.${name} may be missing`);
    }
    return changes;
  }
  for (const name of requiredAfter) if (!requiredBefore.has(name)) changes.push(`${at}.${name} is required`);
  if (before['additionalProperties'] !== false && after['additionalProperties'] === false)
    changes.push(`${at} takes no unknown fields`);
  return changes;
}

/** Returns whether the new pattern accepts everything that the old one did: it is the same, or it only adds words. */
function isWider(before: unknown, after: unknown): boolean {
  const [was, now] = [before, after].map((pattern) =>
    /^\^\(([\w|]+)\)\(,\(\1\)\)\*\$$/.exec(String(pattern))?.[1]?.split('|'),
  );
  return before === after || (was !== undefined && now !== undefined && was.every((word) => now.includes(word)));
}

function limitChanges(before: JsonObject, after: JsonObject, at: string): string[] {
  const changes: string[] = [];
  const tighter = (name: string, isTighter: (now: number, was: number) => boolean, none: number) => {
    const was = (before[name] as number | undefined) ?? none;
    const now = (after[name] as number | undefined) ?? none;
    if (isTighter(now, was)) changes.push(`${at}: ${name} is ${now}`);
  };
  for (const name of ['maximum', 'maxLength', 'maxItems', 'maxProperties'])
    tighter(name, (now, was) => now < was, Number.POSITIVE_INFINITY);
  for (const name of ['minimum', 'minLength', 'minItems'])
    tighter(name, (now, was) => now > was, Number.NEGATIVE_INFINITY);
  if (after['pattern'] !== undefined && !isWider(before['pattern'], after['pattern'])) {
    changes.push(`${at} has the pattern ${JSON.stringify(after['pattern'])}`);
  }
  const allowed = after['enum'] as unknown[] | undefined;
  if (allowed !== undefined) {
    const gone = ((before['enum'] as unknown[] | undefined) ?? []).filter((value) => !allowed.includes(value));
    if (before['enum'] === undefined) changes.push(`${at} is one of a list`);
    for (const value of gone) changes.push(`${at} may not be ${String(value)}`);
  }
  return changes;
}
