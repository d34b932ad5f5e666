/** Writes the OpenAPI documents into dist/openapi, so that stations serve them without generating them. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '../electron/server/http/endpoints/all.ts';
import { buildDocuments } from '../electron/server/http/openapi/documents.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist', 'openapi');

/** Used in place of all services, because describing an endpoint does not call it. */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing });

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const part = `${FOLDER}.${process.pid}.part`;
mkdirSync(part, { recursive: true });
for (const [name, content] of await buildDocuments(allEndpoints(nothing as never), version))
  writeFileSync(join(part, name), content);
rmSync(FOLDER, { recursive: true, force: true });
renameSync(part, FOLDER);
