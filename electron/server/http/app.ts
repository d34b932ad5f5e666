import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type Request } from 'express';
import helmet from 'helmet';
import { findPage } from '#shared/lib/pagePaths.ts';
import type { Log } from '../ports.ts';
import type { Access } from '../services/access.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { guard, type Addresses } from './guard.ts';
import { openApiDocument } from './openapi.ts';
import { createRouter, problemHandler } from './router.ts';

/** The station's HTTP side: guard, API, the documents that describe it, and the page. */
export function createApp(parts: {
  endpoints: readonly Endpoint[];
  access: Access;
  addresses: Addresses;
  log: Log;
  version: string;
  /** Where the built page is; a folder that is not there is said, not served. */
  pageFolder: string;
  isStopping: () => boolean;
}): Express {
  const { endpoints, access, addresses, log, version, pageFolder, isStopping } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use(guard(addresses));
  app.use(createRouter({ endpoints: [...endpoints, ...documents(endpoints, version)], access, addresses, isStopping }));
  app.use(pageHeaders());
  app.use(express.static(pageFolder, { index: 'index.html', redirect: false, maxAge: 0 }));
  app.use((req, res) => {
    const page = join(pageFolder, 'index.html');
    if (!existsSync(page)) {
      res.status(404).type('text/plain').send('The page is not built. Run: npm run build\n');
      return;
    }
    const isPage = findPage(req.path) !== undefined;
    if ((req.method === 'GET' || req.method === 'HEAD') && (isPage || isSomebodyLost(req))) {
      res.status(isPage ? 200 : 404).sendFile(page);
    } else res.status(404).type('text/plain').send('There is no such page.\n');
  });
  app.use(problemHandler(log));
  return app;
}

/** A person who went to an address that does not exist: the window says so, and shows the way on. */
function isSomebodyLost(req: Request): boolean {
  return req.headers.accept?.includes('text/html') === true && !/\.\w+$/.test(req.path);
}

/** The documents are made when they are first asked for. */
function documents(endpoints: readonly Endpoint[], version: string): Endpoint[] {
  const bytes = (part: readonly Endpoint[], title: string) => {
    let made: Uint8Array | undefined;
    return () => {
      made ??= Buffer.from(JSON.stringify(openApiDocument(part, { title, version }), undefined, 2));
      return { contentType: 'application/json; charset=utf-8', bytes: made };
    };
  };
  const document = (path: string, part: readonly Endpoint[], title: string) =>
    endpoint({
      method: 'GET',
      path,
      tag: 'station',
      summary: `OpenAPI: ${title}`,
      scope: 'public',
      answer: { contentType: 'application/json' },
      handle: bytes(part, title),
    });
  const devices = endpoints.filter(({ tag }) => tag === 'devices' || tag === 'turbos');
  return [
    document('/api/openapi.json', endpoints, 'Pickstation'),
    document('/devices/openapi.json', devices, 'Pickstation: devices and turbos'),
    document('/api/devices/openapi.json', devices, 'Pickstation: devices and turbos'),
  ];
}

function pageHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        styleSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Writes of a session prove themselves by their referer.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });
}
