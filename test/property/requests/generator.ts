import { operations, type Described, type JsonObject, type OpenApi } from '../../contract/documents.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import { includes, type FuzzCaller } from './callers.ts';
import { createChanges, neededBy, type Change } from './changes.ts';
import { createDrafts, type RequestDraft } from './drafts.ts';
import { createDice, createValues, type Pools } from './values.ts';

/** Kind of a request: valid according to the document, valid except for one mistake, or hostile. */
export type RequestKind = 'valid' | 'mutated' | 'hostile';

export type GeneratedRequest = {
  kind: RequestKind;
  /** Description of the mistake in the request. For a valid request, describes how the request was created. */
  what: string;
  /** The path template of the original operation. A changed method or path may lead elsewhere. */
  template: string;
  operation: Described['operation'];
  caller: string;
  method: string;
  /** Path and query as sent. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The only allowed statuses, or undefined to allow all documented statuses. */
  expected: readonly number[] | undefined;
};

/** Changes with many variants, which are therefore chosen more often. */
const RICH = new Set(['a field', 'a parameter', 'a part of the path', 'a body', 'headers']);

/** Generates requests to a document's operations. The seed and the answers determine the requests. */
export function createRequests(parts: {
  document: OpenApi;
  seed: number;
  /** Callers of the requests. The first caller has every right. */
  callers: readonly FuzzCaller[];
  pools: Pools;
  /** The only values allowed for these fields. */
  only: Pools;
  /** Objects that a path may lead to, by the part before its first parameter. */
  things: ReadonlyMap<string, readonly JsonObject[]>;
  /** Relative frequency of an operation. 0 means never. */
  weightOf: (operationId: string) => number;
  /** The usual caller of an operation, unless it is the first caller. */
  prefers: Readonly<Record<string, string>>;
  /** Whether the operation must be called at least once. */
  isDue: (operationId: string) => boolean;
}): { next(): GeneratedRequest } {
  const { document, callers, weightOf } = parts;
  const dice = createDice(seededFraction(parts.seed));
  const { chance, pick } = dice;
  const main = first(callers);
  const values = createValues({ ...parts, dice });
  const drafts = createDrafts({ ...parts, dice, values });
  const { mutations, hostilities } = createChanges({ dice, values, drafts, main });
  const weighted = operations(document).flatMap((each) =>
    Array.from({ length: weightOf(each.operation.operationId) }, () => each),
  );

  function changed(changes: Readonly<Record<string, Change>>): [what: string, draft: RequestDraft] {
    const names = Object.keys(changes);
    const what = pick([...names, ...names.filter((name) => RICH.has(name)).flatMap((name) => [name, name, name])]);
    for (;;) {
      const draft = drafts.draftOf(pick(weighted), main);
      if (changes[what]?.(draft) === true) return [what, draft];
    }
  }

  const due = operations(document)
    .filter(({ operation }) => parts.isDue(operation.operationId))
    .map((each) => ({ each, at: dice.fraction() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each);

  function valid(): [what: string, draft: RequestDraft] {
    const described = due.pop() ?? pick(weighted);
    const preferred = callers.find(({ name }) => name === parts.prefers[described.operation.operationId]);
    const caller = chance(0.6) ? (preferred ?? main) : pick(callers);
    const draft = drafts.draftOf(described, caller);
    // A signed-in caller does not get 401, unless a different caller ended the session.
    if (!includes(caller.scope, neededBy(described))) draft.expected = caller.renew === undefined ? [403] : [401, 403];
    return [draft.body === undefined ? 'without a body' : (draft.headers['content-type'] ?? ''), draft];
  }

  return {
    next() {
      const kind: RequestKind = pick(['valid', 'valid', 'mutated', 'hostile']);
      const [what, draft] = kind === 'valid' ? valid() : kind === 'mutated' ? changed(mutations) : changed(hostilities);
      const { described, query, caller, method, headers, body, expected } = draft;
      const { operation, path: template } = described;
      const path = query.length === 0 ? draft.path : `${draft.path}?${query.join('&')}`;
      return { kind, what, operation, template, caller, method, path, headers, body, expected };
    },
  };
}

function first<T>(list: readonly T[]): T {
  const [found] = list;
  if (found === undefined) throw new Error('There is none.');
  return found;
}
