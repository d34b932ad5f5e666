import { expect } from 'vitest';
import type { Snippet } from '../../helpers/snippets.ts';
import { frozenDocument, operations, responseOf, type Described, type MediaTypes } from '../../contract/documents.ts';
import { findMismatch } from '../../contract/strict.ts';
import type { Visit } from './visit.ts';

const document = frozenDocument();

/** Finds the operation for a line such as `POST /api/device/51D000:000001/` by its path without ids and query. */
function findOperation(value: string): Described & { target: string } {
  const [wanted = '', target = ''] = value.split(' ');
  const path = target.split('?')[0] ?? '';
  const matching = operations(document).find(({ method, path: described }) => {
    const pattern = described.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+');
    return method === wanted && new RegExp(`^${pattern}$`).test(path);
  });
  if (matching === undefined) throw new Error(`There is no request ${value}.`);
  return { ...matching, target };
}

function expectSchema(content: MediaTypes | undefined, value: unknown): void {
  const schema = content?.['application/json']?.schema;
  expect(schema).toBeDefined();
  expect(findMismatch(schema, value, document)).toBeUndefined();
}

/** Sends a block as the body of a request. JSON may contain only fields that the document describes. */
export async function sendBody(visit: Visit, { language, code, mark }: Snippet): Promise<void> {
  const { method, target, operation } = findOperation(mark?.value ?? '');
  if (language === 'json') expectSchema(operation.requestBody?.content, JSON.parse(code));
  const body = language === 'csv' ? JSON.stringify({ csv: code }) : code;
  const type = language === 'xml' ? 'application/xml' : 'application/json';
  const { status, text } = await visit.request(method, target, body, type);
  // 207: at least one of several requests was refused.
  expect(status >= 200 && status < 300 && status !== 207, `${status}: ${text}`).toBe(true);
  if (language === 'csv') expect(text).not.toMatch(/"outcome":\s*"(?:refused|held)"/);
}

/** Checks that a block with an answer or a callback has exactly the documented fields. */
export function checkAnswer({ code, mark }: Snippet): void {
  const value: unknown = JSON.parse(code);
  if (mark?.kind === 'callback') {
    const callbacks = document.paths['/api/settings/']?.['patch']?.callbacks ?? {};
    const described = callbacks[mark.value]?.['{$request.body#/callback_url}']?.['post'];
    return expectSchema(described?.requestBody?.content, value);
  }
  const { operation } = findOperation(mark?.value ?? '');
  const status = Object.keys(operation.responses).find((each) => each.startsWith('2')) ?? '';
  expectSchema(responseOf(operation, status, document)?.content, value);
}

/** Sends the lines of a block, such as `GET /api/device/`. Skips lines with `{names}`, which are only patterns. */
export async function sendLines(visit: Visit, { code }: Snippet): Promise<void> {
  for (const line of code.trim().split('\n')) {
    if (line.includes('{')) continue;
    const [method = '', target = ''] = line.split(' ');
    const { status, text } = await visit.request(method, target);
    expect(status, `${line}: ${text}`).toBeLessThan(300);
  }
}
