import { createHash } from 'node:crypto';
import { readFile } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import express, { type RequestHandler, type Router } from 'express';
import { MARK, PAGE, startScript, THEME_SCRIPT } from './page.ts';
import { STYLE } from './style.ts';

const compress = promisify(gzip);
const read = promisify(readFile);

type File = { type: string; text: (stationId: string) => string | Promise<string> };

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

const FILES = {
  '': { type: 'text/html; charset=utf-8', text: () => PAGE },
  'mark.svg': { type: 'image/svg+xml', text: () => MARK },
  'page.css': { type: CSS, text: () => STYLE },
  'theme.js': { type: JAVASCRIPT, text: () => THEME_SCRIPT },
  'start.js': { type: JAVASCRIPT, text: startScript },
  'swagger-ui.css': { type: CSS, text: () => textOf(import.meta.resolve('swagger-ui-dist/swagger-ui.css')) },
  'swagger-ui-bundle.js': {
    type: JAVASCRIPT,
    text: () => textOf(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  },
} satisfies Readonly<Record<string, File>>;

/** Creates a router that serves the API reference at `/docs/`, which works offline. Contract, section 13. */
export function reference(stationId: string): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/docs', (_req, res) => res.redirect(308, '/docs/'));
  for (const [name, file] of Object.entries(FILES)) router.get(`/docs/${name}`, serve(file, stationId));
  return router;
}

/** Returns a handler for a file, which is read, hashed and compressed on the first request. */
function serve({ type, text }: File, stationId: string): RequestHandler {
  let made: Promise<{ plain: Buffer; zipped: Buffer; tag: string }> | undefined;
  const make = async () => {
    const plain = Buffer.from(await text(stationId));
    const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return { plain, zipped: await compress(plain), tag };
  };
  return async (req, res) => {
    const { plain, zipped, tag } = await (made ??= make());
    const isZipped = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.setHeader('etag', `"${tag}${isZipped ? '-gzip' : ''}"`);
    // Browsers revalidate each time, and get 304 until the program is updated.
    res.setHeader('cache-control', 'no-cache');
    res.setHeader('content-type', type);
    res.vary('accept-encoding');
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    if (isZipped) res.setHeader('content-encoding', 'gzip');
    const bytes = isZipped ? zipped : plain;
    res.setHeader('content-length', bytes.length);
    res.end(bytes);
  };
}

function textOf(url: string): Promise<string> {
  return read(fileURLToPath(url), 'utf8');
}
