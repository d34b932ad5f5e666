import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { whole, type InParts } from '#shared/lib/station/inParts.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { isNamed } from '../entityTags.ts';

type Tag = Endpoint['tag'];
/** Runs long work in parts. */
export type TakeAll = <T>(work: InParts<T>) => Promise<T>;

const define = endpointsOf('documents');
const gzipped = promisify(gzip);

/** The documents that the specification names, each with the tags of the endpoints in it. */
const PARTS = [
  { name: 'Devices', title: 'devices and turbos', tags: ['devices', 'turbos'] },
  { name: 'LocationAliases', title: 'location aliases', tags: ['location-aliases'] },
  { name: 'Sequences', title: 'sequences', tags: ['sequences'] },
  { name: 'Orders', title: 'orders', tags: ['orders'] },
] as const satisfies readonly { name: string; title: string; tags: readonly Tag[] }[];

/** An OpenAPI document: which endpoints it describes, and how. `file` is its name among the built documents. */
type ApiDocument = { file: string; endpoints: readonly Endpoint[]; title: string; lead?: string | undefined };

/** Returns the endpoints that serve the OpenAPI documents, and the documents. The documents also describe these endpoints. */
function describe(endpoints: readonly Endpoint[], make: (document: ApiDocument) => () => Promise<Made>) {
  const documents: ApiDocument[] = [];
  const maker = (document: ApiDocument): (() => Promise<Made>) => {
    documents.push(document);
    return make(document);
  };
  const parts = PARTS.flatMap(({ name, title, tags }) => {
    const described = endpoints.filter(({ tag }) => tags.some((one) => one === tag));
    const lead =
      described.length === 0
        ? `This version of the station has no ${title}, so this document contains no endpoints yet.`
        : undefined;
    const made = maker({ file: name, endpoints: described, title: `Pickstation: ${title}`, lead });
    const summary = `Get the OpenAPI document for ${title}`;
    return [
      documentEndpoint(`get${name}OpenApi`, summary, made),
      documentEndpoint(`get${name}OpenApiBelowApi`, summary, made),
    ];
  });
  const all: Endpoint[] = [];
  const made = maker({ file: 'Whole', endpoints: all, title: 'Pickstation' });
  all.push(...endpoints, documentEndpoint('getOpenApi', 'Get the complete OpenAPI document', made), ...parts);
  return { documents, serving: all.slice(endpoints.length) };
}

/**
 * Returns the endpoints that serve the OpenAPI documents. Contract, section 13. `folder` has the built documents. Documents that were not
 * built for these endpoints are made at their first request, in parts.
 */
export function documentEndpoints(
  endpoints: readonly Endpoint[],
  { version, folder, takeAll }: { version: string; folder: string; takeAll: TakeAll },
): Endpoint[] {
  return describe(endpoints, (document) =>
    once(async () => (await readBuilt(folder, document)) ?? pack(await takeAll(await writing(document, version)))),
  ).serving;
}

/** Makes all documents for `documentEndpoints`. Returns the contents of their files by name. */
export async function buildDocuments(
  endpoints: readonly Endpoint[],
  version: string,
): Promise<Map<string, string | Uint8Array>> {
  const files = new Map<string, string | Uint8Array>();
  const { documents } = describe(endpoints, () => () => Promise.reject(new Error('A build serves nothing.')));
  for (const document of documents) {
    const { tag, bytes, zipped } = await pack(whole(await writing(document, version)));
    files.set(`${document.file}.json`, bytes).set(`${document.file}.json.gz`, zipped);
    files.set(`${document.file}.about`, JSON.stringify({ tag, of: fingerprint(document) }));
  }
  return files;
}

/** Returns a built document, or undefined if there is none for these endpoints. */
async function readBuilt(folder: string, document: ApiDocument): Promise<Made | undefined> {
  const read = (ending: string): Promise<Buffer> => readFile(join(folder, document.file + ending));
  try {
    const { tag, of } = JSON.parse((await read('.about')).toString()) as { tag: string; of: string };
    if (of !== fingerprint(document)) return undefined;
    return { tag, bytes: await read('.json'), zipped: await read('.json.gz') };
  } catch {
    // Not built, or only in part.
    return undefined;
  }
}

/** Returns a text that differs if a document has other endpoints. Its schemas are not compared, because that takes as long as to make it. */
function fingerprint({ endpoints, title, lead }: ApiDocument): string {
  const rows = endpoints.map(({ method, path, operationId, right, summary, description }) => [
    method,
    path,
    operationId,
    right,
    summary,
    description,
  ]);
  return hash('sha256', JSON.stringify([title, lead, rows]), 'base64url');
}

async function writing({ endpoints, title, lead }: ApiDocument, version: string): Promise<InParts<string>> {
  // Loaded on demand, because most stations never need it.
  const { openApiDocument } = await import('./document.ts');
  return openApiDocument(endpoints, { title, version, lead });
}

async function pack(text: string): Promise<Made> {
  const bytes = Buffer.from(text);
  const tag = `"${hash('sha256', bytes, 'base64url').slice(0, 16)}"`;
  return { tag, bytes, zipped: await gzipped(bytes) };
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

/** Returns a function that makes a document at the first request, and again only if that failed. */
function once(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
