import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { openApiDocument } from './document.ts';

type Tag = Endpoint['tag'];
type MakeDocument = typeof openApiDocument;

const define = endpointsOf('documents');

/** The documents that the specification names, and the tags of their endpoints. */
const PARTS: readonly { path: `/${string}`; name: string; title: string; tags: readonly Tag[] }[] = [
  { path: '/devices/openapi.json', name: 'Devices', title: 'devices and turbos', tags: ['devices', 'turbos'] },
  {
    path: '/location-aliases/openapi.json',
    name: 'LocationAliases',
    title: 'location aliases',
    tags: ['location-aliases'],
  },
  { path: '/sequence/openapi.json', name: 'Sequences', title: 'sequences', tags: ['sequences'] },
  { path: '/orders/openapi.json', name: 'Orders', title: 'orders', tags: ['orders'] },
];

/** The endpoints that answer the OpenAPI documents, which describe themselves too. Contract, section 13. */
export function documentEndpoints(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const parts = PARTS.flatMap(({ path, name, title, tags }) => {
    const described = endpoints.filter(({ tag }) => tags.includes(tag));
    const lead = described.length === 0 ? `This version of the station has no ${title}: nothing is described yet.` : '';
    const make = once((openApiDocument) =>
      openApiDocument(described, { title: `Pickstation: ${title}`, version, ...(lead === '' ? {} : { lead }) }),
    );
    return [
      documentEndpoint(`GET ${path}`, { operationId: `get${name}OpenApi`, summary: `OpenAPI of ${title}`, make }),
      documentEndpoint(`GET /api${path}`, {
        operationId: `get${name}OpenApiBelowApi`,
        summary: `OpenAPI of ${title}`,
        make,
      }),
    ];
  });
  const whole = documentEndpoint('GET /api/openapi.json', {
    operationId: 'getOpenApi',
    summary: 'OpenAPI of everything',
    make: once((openApiDocument) => openApiDocument(all, { title: 'Pickstation', version })),
  });
  const all = [...endpoints, whole, ...parts];
  return [whole, ...parts];
}

function documentEndpoint(
  route: `GET /${string}`,
  { make, ...named }: { operationId: string; summary: string; make: () => Promise<Uint8Array> },
): Endpoint {
  return define(route, {
    ...named,
    right: 'public',
    answer: { contentType: 'application/json' },
    handle: async () => ({ contentType: 'application/json; charset=utf-8', bytes: await make() }),
  });
}

/** Generates the document on the first request; a start does not load the generator. */
function once(document: (make: MakeDocument) => ReturnType<MakeDocument>): () => Promise<Uint8Array> {
  let made: Uint8Array | undefined;
  return async () => {
    const { openApiDocument } = await import('./document.ts');
    return (made ??= Buffer.from(JSON.stringify(document(openApiDocument), undefined, 2)));
  };
}
