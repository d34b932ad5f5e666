import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { isNamed } from '../entityTags.ts';
import type { openApiDocument } from './document.ts';

type Tag = Endpoint['tag'];
type MakeDocument = typeof openApiDocument;

const define = endpointsOf('documents');
const gzipped = promisify(gzip);

/** The documents that the specification names, each with the tags of the endpoints in it. */
const PARTS = [
  { name: 'Devices', title: 'devices and turbos', tags: ['devices', 'turbos'] },
  { name: 'LocationAliases', title: 'location aliases', tags: ['location-aliases'] },
  { name: 'Sequences', title: 'sequences', tags: ['sequences'] },
  { name: 'Orders', title: 'orders', tags: ['orders'] },
] as const satisfies readonly { name: string; title: string; tags: readonly Tag[] }[];

/** Returns the endpoints that serve the OpenAPI documents. The documents also describe these endpoints. Contract, section 13. */
export function documentEndpoints(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const parts = PARTS.flatMap(({ name, title, tags }) => {
    const described = endpoints.filter(({ tag }) => tags.some((one) => one === tag));
    const lead =
      described.length === 0
        ? `This version of the station has no ${title}, so this document contains no endpoints yet.`
        : '';
    const make = once((openApiDocument) =>
      openApiDocument(described, { title: `Pickstation: ${title}`, version, ...(lead === '' ? {} : { lead }) }),
    );
    const summary = `Get the OpenAPI document for ${title}`;
    return [
      documentEndpoint(`get${name}OpenApi`, summary, make),
      documentEndpoint(`get${name}OpenApiBelowApi`, summary, make),
    ];
  });
  const whole = documentEndpoint(
    'getOpenApi',
    'Get the complete OpenAPI document',
    once((openApiDocument) => openApiDocument(all, { title: 'Pickstation', version })),
  );
  const all = [...endpoints, whole, ...parts];
  return [whole, ...parts];
}

function documentEndpoint(
  name: 'getOpenApi' | `get${(typeof PARTS)[number]['name']}OpenApi${'' | 'BelowApi'}`,
  summary: string,
  make: () => Promise<Made>,
): Endpoint {
  return define(name, 'public', summary, {
    answer: { contentType: 'application/json' },
    async handle({ req, res }) {
      const { tag, bytes, zipped } = await make();
      // Use a weak tag, because the plain and the compressed document share it.
      res.setHeader('etag', `W/${tag}`);
      res.setHeader('cache-control', 'no-cache');
      res.vary('accept-encoding');
      if (isNamed(req.headers['if-none-match'], tag)) {
        res.status(304).end();
        return undefined as never;
      }
      const isZipped = req.headers['accept-encoding'] !== undefined && req.acceptsEncodings('gzip') === 'gzip';
      if (isZipped) res.setHeader('content-encoding', 'gzip');
      return { contentType: 'application/json; charset=utf-8', bytes: isZipped ? zipped : bytes };
    },
  });
}

type Made = { tag: string; bytes: Uint8Array; zipped: Uint8Array };

/** Returns a function that generates a document on the first request, so that the generator is not loaded at startup. */
function once(document: (make: MakeDocument) => ReturnType<MakeDocument>): () => Promise<Made> {
  let made: Made | undefined;
  return async () => {
    const { openApiDocument } = await import('./document.ts');
    if (made !== undefined) return made;
    const bytes = Buffer.from(JSON.stringify(document(openApiDocument), undefined, 2));
    const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 16)}"`;
    made = { tag, bytes, zipped: await gzipped(bytes) };
    return made;
  };
}
