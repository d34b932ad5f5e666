import { endpoint, type Endpoint } from '../endpoint.ts';
import type { openApiDocument } from './document.ts';

type Tag = Endpoint['tag'];
type MakeDocument = typeof openApiDocument;

/** The documents that the specification names, and what is in each: they fill as endpoints get these tags. */
const PARTS: readonly { path: string; title: string; tags: readonly Tag[] }[] = [
  { path: '/devices/openapi.json', title: 'devices and turbos', tags: ['devices', 'turbos'] },
  { path: '/location-aliases/openapi.json', title: 'location aliases', tags: ['location-aliases'] },
  { path: '/sequence/openapi.json', title: 'sequences', tags: ['sequences'] },
  { path: '/orders/openapi.json', title: 'orders', tags: ['orders'] },
];

/** The endpoints that answer the OpenAPI documents of these and of themselves. Contract, section 13. */
export function documentEndpoints(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const parts = PARTS.flatMap(({ path, title, tags }) => {
    const described = endpoints.filter(({ tag }) => tags.includes(tag));
    const lead = described.length === 0 ? `This version of the station has no ${title}: nothing is described yet.` : '';
    const make = once((openApiDocument) =>
      openApiDocument(described, { title: `Pickstation: ${title}`, version, ...(lead === '' ? {} : { lead }) }),
    );
    return [path, `/api${path}`].map((at) => documentEndpoint(at, `OpenAPI of ${title}`, make));
  });
  const whole = documentEndpoint(
    '/api/openapi.json',
    'OpenAPI of everything',
    once((openApiDocument) => openApiDocument(all, { title: 'Pickstation', version })),
  );
  const all = [...endpoints, whole, ...parts];
  return [whole, ...parts];
}

function documentEndpoint(path: string, summary: string, make: () => Promise<Uint8Array>): Endpoint {
  return endpoint({
    method: 'GET',
    path,
    tag: 'documents',
    summary,
    right: 'public',
    answer: { contentType: 'application/json' },
    handle: async () => ({ contentType: 'application/json; charset=utf-8', bytes: await make() }),
  });
}

/** Made when it is first asked for; what makes it, and the examples in it, no start waits for. */
function once(document: (make: MakeDocument) => ReturnType<MakeDocument>): () => Promise<Uint8Array> {
  let made: Uint8Array | undefined;
  return async () => {
    const { openApiDocument } = await import('./document.ts');
    return (made ??= Buffer.from(JSON.stringify(document(openApiDocument), undefined, 2)));
  };
}
