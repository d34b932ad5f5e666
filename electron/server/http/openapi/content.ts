import { PROBLEM_NAMESPACE, writeXml } from '../compat/xmlWriter.ts';
import type { Json } from './schemas.ts';

export type MediaExamples = Readonly<Record<string, { summary?: string; value: unknown }>>;

/** Returns the content of a body that can be JSON or XML. */
export function jsonAndXml(root: 'request' | 'response' | 'problem', schema: Json, examples: MediaExamples = {}): Json {
  const kind = root === 'problem' ? 'application/problem+' : 'application/';
  const namespace = root === 'problem' ? PROBLEM_NAMESPACE : undefined;
  const asXml = Object.entries(examples).map(
    ([name, example]) => [name, { ...example, value: writeXml(example.value, { name: root, namespace }) }] as const,
  );
  return {
    [`${kind}json`]: withExamples(schema, examples),
    [`${kind}xml`]: withExamples(schema, Object.fromEntries(asXml)),
  };
}

export function withExamples(schema: Json, examples: MediaExamples = {}): Json {
  return Object.keys(examples).length === 0 ? { schema } : { schema, examples };
}

/** Returns the content of a response that is not JSON. `eventData` is the schema of the data in each event. */
export function contentOfType(contentType: string, eventData?: Json): Json {
  if (eventData !== undefined) return { [contentType]: { schema: eventData } };
  if (contentType === 'application/json') return { [contentType]: { schema: { type: 'object' } } };
  const format = contentType.startsWith('text/') ? {} : { format: 'binary' };
  return { [contentType]: { schema: { type: 'string', ...format } } };
}
