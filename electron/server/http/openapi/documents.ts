import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { openApiDocument } from './document.ts';

type Tag = Endpoint['tag'];
type MakeDocument = typeof openApiDocument;

const define = endpointsOf('documents');

/** The documents that the specification names, and the tags of their endpoints. */
const PARTS = [
  { name: 'Devices', title: 'devices and turbos', tags: ['devices', 'turbos'] },
  { name: 'LocationAliases', title: 'location aliases', tags: ['location-aliases'] },
  { name: 'Sequences', title: 'sequences', tags: ['sequences'] },
  { name: 'Orders', title: 'orders', tags: ['orders'] },
] as const satisfies readonly { name: string; title: string; tags: readonly Tag[] }[];

/** The endpoints that answer the OpenAPI documents, which describe themselves too. Contract, section 13. */
export function documentEndpoints(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const parts = PARTS.flatMap(({ name, title, tags }) => {
    const described = endpoints.filter(({ tag }) => tags.some((one) => one === tag));
    const lead = described.length === 0 ? `This version of the station has no ${title}: nothing is described yet.` : '';
    const make = once((openApiDocument) =>
      openApiDocument(described, { title: `Pickstation: ${title}`, version, ...(lead === '' ? {} : { lead }) }),
    );
    const summary = `OpenAPI of ${title}`;
    return [
      documentEndpoint(`get${name}OpenApi`, summary, make),
      documentEndpoint(`get${name}OpenApiBelowApi`, summary, make),
    ];
  });
  const whole = documentEndpoint(
    'getOpenApi',
    'OpenAPI of everything',
    once((openApiDocument) => openApiDocument(all, { title: 'Pickstation', version })),
  );
  const all = [...endpoints, whole, ...parts];
  return [whole, ...parts];
}

function documentEndpoint(
  name: 'getOpenApi' | `get${(typeof PARTS)[number]['name']}OpenApi${'' | 'BelowApi'}`,
  summary: string,
  make: () => Promise<Uint8Array>,
): Endpoint {
  return define(name, 'public', summary, {
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
