import { z } from 'zod';
import { problemSchema } from '#shared/api/problem.ts';
import type { Endpoint } from './endpoint.ts';

type Json = { [key: string]: unknown };

/** The OpenAPI 3.0 document of these endpoints, from the very schemas that validate. Contract, section 13. */
export function openApiDocument(endpoints: readonly Endpoint[], about: { title: string; version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {});
    operations[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.0.3',
    info: {
      title: about.title,
      version: about.version,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'API-KEY' },
        session: { type: 'apiKey', in: 'cookie', name: 'sessionid' },
      },
    },
  };
}

function operation(endpoint: Endpoint): Json {
  const problem = {
    description: 'A problem, in words',
    content: { 'application/problem+json': { schema: schemaOf(problemSchema, 'output') } },
  };
  const statuses = [endpoint.status ?? 200, ...(endpoint.otherStatuses ?? [])];
  const answer =
    'contentType' in endpoint.answer
      ? { [endpoint.answer.contentType]: { schema: { type: 'string', format: 'binary' } } }
      : endpoint.answer.type === 'undefined'
        ? undefined
        : { 'application/json': { schema: schemaOf(endpoint.answer, 'output') } };
  const described: Json = {
    operationId: operationId(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    security: endpoint.scope === 'public' ? [] : [{ apiKey: [] }, { session: [] }],
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: 'Done', ...(answer === undefined ? {} : { content: answer }) },
        ]),
      ),
      default: problem,
    },
  };
  if (endpoint.description !== undefined) described['description'] = endpoint.description;
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')];
  if (parameters.length > 0) described['parameters'] = parameters;
  if (endpoint.body !== undefined) {
    described['requestBody'] = {
      required: endpoint.bodyOptional !== true,
      content: { 'application/json': { schema: schemaOf(endpoint.documentedBody ?? endpoint.body, 'input') } },
    };
  }
  return described;
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function operationId(endpoint: Endpoint): string {
  const words = endpoint.path.split(/[^A-Za-z]+/).filter((word) => word !== '' && word !== 'api');
  return endpoint.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** A schema in place; parts that have an id are referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const inline = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    uri: componentUri,
    unrepresentable: 'any',
  } as never) as Json;
  // What has an id is a component of the document already.
  delete inline['definitions'];
  const described = clean(JSON.parse(JSON.stringify(inline).replaceAll('"#/definitions/', '"#/components/schemas/')));
  return (io === 'output' ? open(described) : described) as Json;
}

function componentUri(id: string): string {
  return `#/components/schemas/${id}`;
}

function componentSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: componentUri,
  } as never) as {
    schemas: Record<string, Json>;
  };
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => name !== '__shared')
      .map(([name, schema]) => [name, clean(schema) as Json]),
  );
}

/** An answer may have more fields in a later version. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, part]) => key !== 'additionalProperties' || part !== false);
  return Object.fromEntries(kept.map(([key, part]) => [key, open(part)]));
}

/** What the generator writes and OpenAPI 3.0 does not know. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  const result: Json = {};
  for (const [key, part] of Object.entries(value)) {
    // Names of the schema itself; a property may be called id, and is an object.
    if (typeof part === 'string' && (key === '$id' || key === '$schema' || key === 'id')) continue;
    // The limits of JavaScript, not of ours.
    if (part === Number.MIN_SAFE_INTEGER || part === Number.MAX_SAFE_INTEGER) continue;
    result[key] = clean(part);
  }
  // A nullable enum that does not list null allows no null.
  if (result['nullable'] === true && Array.isArray(result['enum']) && !result['enum'].includes(null)) {
    result['enum'] = [...(result['enum'] as unknown[]), null];
  }
  return result;
}
