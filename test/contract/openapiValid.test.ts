import { afterAll, beforeAll, expect, test } from 'vitest';
import { shapeOf } from '../../electron/server/http/compat/bodyShape.ts';
import { readXmlBody } from '../../electron/server/http/compat/xmlBody.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { fetchDocument, operations, PARTS, responseOf, type OpenApi } from './documents.ts';
import { findFaults } from './lint.ts';
import { toZod } from './strict.ts';

let station: TestStation;
let whole: OpenApi;

beforeAll(async () => {
  station = await startTestStation();
  whole = await fetchDocument(station, '/api/openapi.json');
});

afterAll(() => station.stop());

test('every document is public, and two independent validators accept it', async () => {
  const paths = ['/api/openapi.json', ...PARTS.map(([part]) => part)];
  // Fetch without a key, like client generators. Fetch everything first, because validation blocks this process until the station closes
  // idle connections.
  const documents = await Promise.all(
    paths.map(async (path) => ({ path, document: await fetchDocument(station, path) })),
  );
  for (const { path, document } of documents) {
    expect(document.openapi, path).toMatch(/^3\.0\./);
    expect({ path, faults: await findFaults(document) }).toEqual({ path, faults: [] });
  }
});

/** Converts the values in a delivery's payload to text, because XML without a schema reads them as text. */
function withPayloadAsText(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) =>
      key === 'payload' ? Object.fromEntries(Object.entries(part as object).map(([k, v]) => [k, String(v)])) : part,
    ),
  );
}

test('every JSON body also exists in XML, with the same schema and examples', () => {
  for (const { operation } of operations(whole)) {
    const { operationId, requestBody, responses, tags } = operation;
    if (operationId === 'issueToken' || tags?.includes('documents') === true) continue;
    const answers = Object.keys(responses).map((status) => responseOf(operation, status, whole)?.content ?? {});
    for (const content of [requestBody?.content ?? {}, ...answers]) {
      for (const kind of ['application/', 'application/problem+']) {
        const json = content[`${kind}json`];
        const xml = content[`${kind}xml`];
        expect(xml?.schema, operationId).toEqual(json?.schema);
        if (json?.examples === undefined) continue;
        const shape = shapeOf(toZod(json.schema, whole));
        const read = Object.entries(xml?.examples ?? {}).map(([name, { value }]) => [
          name,
          readXmlBody(String(value), shape),
        ]);
        const expected = Object.entries(json.examples).map(([name, { value }]) => [
          name,
          operationId === 'testCallback'
            ? value
            : withPayloadAsText(operationId === 'listTurboFrames' ? framesAsText(value) : value),
        ]);
        expect(read, operationId).toEqual(expected);
      }
    }
  }
});

/** Converts frame fields to text, because XML does not preserve their types. */
function framesAsText(frames: unknown): unknown {
  if (!Array.isArray(frames)) return frames;
  const asText = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return String(value);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asText(part)]));
  };
  return (frames as { fields: object }[]).map((frame) => ({ ...frame, fields: asText(frame.fields) }));
}
