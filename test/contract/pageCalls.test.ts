import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi, type OwnCalls } from '../../renderer/src/station/calls/api.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, type Described, type OpenApi } from './documents.ts';
import { CALLS } from './pageCallTable.ts';
import type { PageCall } from './pageCalls/pageCall.ts';
import { findMismatch } from './strict.ts';

const ROWS = Object.entries(CALLS).flatMap(([name, calls]) =>
  [calls].flat().map((call) => ({ name: name as keyof OwnCalls, ...(call as PageCall<keyof OwnCalls>) })),
);

let station: TestStation;
let document: OpenApi;

beforeAll(async () => {
  station = await startTestStation();
  document = await fetchDocument(station, '/api/openapi.json');
});

afterAll(() => station.stop());

/** Finds the operation for a URL. If several match, chooses the one with the fewest parameters, as the router does. */
function operationOf(sent: string): { described: Described; query: URLSearchParams } {
  const [method = '', address = ''] = sent.split(' ');
  const [path = '', query = ''] = address.split('?');
  const found = operations(document)
    .filter((one) => one.method === method && patternOf(one.path).test(path))
    .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length);
  const [described] = found;
  if (described === undefined) throw new Error(`The document has no ${method} ${path}.`);
  return { described, query: new URLSearchParams(query) };
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Sorts the query fields of a URL by name. */
function sorted(sent: string): string {
  const [address = '', query] = sent.split('?');
  return query === undefined ? address : `${address}?${query.split('&').toSorted().join('&')}`;
}

/** Lists the parts of a request that the document does not describe. */
function faultsOf(sent: string, init: RequestInit): string[] {
  const { described, query } = operationOf(sent);
  const { parameters = [], requestBody } = described.operation;
  const faults: string[] = [];
  for (const [name, text] of query) {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    const isNumber = ['integer', 'number'].includes(String(parameter?.schema['type']));
    const mismatch = parameter && findMismatch(parameter.schema, isNumber ? Number(text) : text, document);
    if (parameter === undefined || mismatch !== undefined) faults.push(`query ${name}: ${mismatch ?? 'unknown'}`);
  }
  for (const { name, in: where, required } of parameters) {
    if (where === 'query' && required && !query.has(name)) faults.push(`query ${name} is missing`);
  }
  // For a multipart body, the browser sets the content type.
  const type = init.body instanceof FormData ? 'multipart/form-data' : new Headers(init.headers).get('content-type');
  if (init.body === undefined || init.body === null) {
    if (requestBody?.required === true) faults.push('the body is missing');
    return faults;
  }
  const content = requestBody?.content[type ?? ''];
  if (content === undefined) return [...faults, `a body of ${type ?? 'no type'} is not described`];
  const mismatch =
    typeof init.body === 'string' ? findMismatch(content.schema, JSON.parse(init.body), document) : undefined;
  return mismatch === undefined ? faults : [...faults, mismatch];
}

test.each(ROWS)('$name sends $sent', async ({ name, given, answer = '[]', reads, sent, body }) => {
  const asked: { url: string; init: RequestInit }[] = [];
  const api = createApi({
    fetch: (url, init) => {
      asked.push({ url: url as string, init: init ?? {} });
      return Promise.resolve(new Response(answer, { status: 200 }));
    },
    cookies: () => 'csrftoken=t',
    now: () => 0,
    onSignedOut: () => undefined,
    onOtherSession: () => undefined,
  });
  await (api[name] as (...args: unknown[]) => Promise<unknown>)(...given);
  expect(asked.map(({ url, init }) => sorted(`${init.method} ${url}`))).toEqual([
    ...(reads === undefined ? [] : [reads]),
    sorted(sent),
  ]);
  const init: RequestInit = asked.at(-1)?.init ?? {};
  const text = init.body ?? undefined;
  expect(typeof text === 'string' ? (JSON.parse(text) as unknown) : text).toEqual(body);
  expect(faultsOf(sent, init)).toEqual([]);
});
