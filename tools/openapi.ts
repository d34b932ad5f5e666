/** Writes the OpenAPI documents that the station serves into dist/openapi, so that a station need not make them. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '../electron/server/http/endpoints/all.ts';
import { buildDocuments } from '../electron/server/http/openapi/documents.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist', 'openapi');

/** Stands for all services: endpoints are described, and never called. */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const part = `${FOLDER}.${process.pid}.part`;
mkdirSync(part, { recursive: true });
for (const [name, content] of await buildDocuments(allEndpoints(nothing as never), version))
  writeFileSync(join(part, name), content);
rmSync(FOLDER, { recursive: true, force: true });
renameSync(part, FOLDER);
