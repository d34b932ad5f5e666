import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import expressStaticGzip from 'express-static-gzip';
import helmet from 'helmet';
import { isPagePath } from '#shared/lib/station/pageRoutes.ts';
import type { StationError } from '../errors.ts';
import type { Clock, Log } from '../ports.ts';
import type { Access, Rights } from '../services/access/index.ts';
import type { KeyedRequests, KnownNames, RequestLog } from '../services/base/index.ts';
import type { Endpoint } from './endpoint.ts';
import { exactAddresses } from './port/addressText.ts';
import { guard, LOOPBACK, type Addresses } from './port/guard.ts';
import { documentEndpoints, type TakeAll } from './openapi/documents.ts';
import { recordRequests } from './recording.ts';
import { reference } from './reference/files.ts';
import { problemHandler } from './problemHandler.ts';
import { createPathHints } from './pathHints.ts';
import { createRouter, nothingAt } from './router.ts';

/** Creates the HTTP application: the guard, the API, the API documents, and the page. */
export function createApp(parts: {
  endpoints: readonly Endpoint[];
  access: Access;
  rights: Rights;
  keyedRequests: KeyedRequests;
  knownNames: KnownNames;
  addresses: Addresses;
  requestLog: Pick<RequestLog, 'isOn' | 'add'>;
  takeAll: TakeAll;
  clock: Clock;
  log: Log;
  version: string;
  /** Folder of the built page, beside that of the built documents. If it is missing, the response says how to build the page. */
  pageFolder: string;
  /** Id of the station, which is part of the page's cookie names. */
  stationId: string;
  isStopping: () => boolean;
  /** Returns why the station accepts no changes, or undefined if it does. */
  refusal: () => StationError | undefined;
  revision: () => number;
}): Express {
  const {
    endpoints,
    access,
    rights,
    keyedRequests,
    knownNames,
    addresses,
    requestLog,
    takeAll,
    clock,
    log,
    version,
    pageFolder,
    stationId,
    isStopping,
    refusal,
    revision,
  } = parts;
  const app = express();
  app.locals['stationId'] = stationId;
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // Take the caller's address and scheme from headers of trusted proxies only.
  app.set('trust proxy', addresses.isTrustedProxy);
  app.use(recordRequests(requestLog, clock));
  app.use(guard(addresses));
  app.use(exactAddresses());
  // Match documents first, because some endpoint paths have a parameter that would match their addresses.
  const all = [
    ...documentEndpoints(endpoints, { version, folder: join(pageFolder, '..', 'openapi'), takeAll }),
    ...endpoints,
  ];
  const hintFor = createPathHints(all);
  app.use(
    createRouter({
      endpoints: all,
      clock,
      access,
      rights,
      keyedRequests,
      knownNames,
      addresses,
      isStopping,
      refusal,
      revision,
      hintFor,
    }),
  );
  app.use(pageHeaders());
  app.use(reference(stationId));
  app.use(builtPage(pageFolder));
  app.use((req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    // Do not send the page to a program that asks for data.
    if (!isRead || asksForData(req)) throw nothingAt(req.path, hintFor);
    const page = join(pageFolder, 'index.html');
    const isPage = isPagePath(req.path);
    if (isPage || isSomebodyLost(req)) {
      if (existsSync(page)) res.status(isPage ? 200 : 404).sendFile(page);
      else res.status(404).type('text/plain').send('The page is not built. Run: npm run build\n');
    } else
      res
        .status(404)
        .type('text/plain')
        .send(`${nothingAt(req.path, hintFor).message}\n`);
  });
  app.use(problemHandler(log, access));
  return app;
}

/**
 * Path of the script that reads codes from the camera. The script is a worker with its own policy, because the page itself must not compile
 * WebAssembly.
 */
const WASM_WORKER = /[\\/]zxingWorker-[\w-]+\.js(?:\.\w+)?$/;
const WASM_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";

/**
 * Serves the built page, with compressed files if the build created them and the browser accepts them. Browsers cache assets for a year,
 * because an asset's name contains a hash of its content, but revalidate all other files.
 */
function builtPage(folder: string): ReturnType<typeof expressStaticGzip> {
  const assets = join(folder, 'assets');
  return expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: 'index.html',
    serveStatic: {
      redirect: false,
      cacheControl: false,
      setHeaders(res, path) {
        if (WASM_WORKER.test(path)) res.setHeader('Content-Security-Policy', WASM_POLICY);
        res.setHeader(
          'Cache-Control',
          path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'public, max-age=0',
        );
      },
    },
  });
}

/** Whether the caller accepts JSON or XML but not a page. */
function asksForData(req: Request): boolean {
  const { accept = '' } = req.headers;
  return /\b(?:json|xml)\b/i.test(accept) && !accept.includes('text/html');
}

/** Whether a person opened an unknown address. If so, the page reports this and offers links. */
function isSomebodyLost(req: Request): boolean {
  return req.headers.accept?.includes('text/html') === true && !/\.\w+$/.test(req.path);
}

/**
 * Sets the security headers of the page. Omits two of them over plain HTTP from another machine, where Chromium ignores them and logs an
 * error.
 */
function pageHeaders() {
  const trusted = headersOfPages(true);
  const plain = headersOfPages(false);
  return (req: Request, res: Response, next: NextFunction): void => {
    (req.secure || LOOPBACK.includes(req.hostname) ? trusted : plain)(req, res, next);
  };
}

function headersOfPages(isTrusted: boolean) {
  return helmet({
    crossOriginOpenerPolicy: isTrusted,
    originAgentCluster: isTrusted,
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
    // Browsers must send the referer to the station, which requires it for writes in a session.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });
}
