import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { notices } from './tools/notices/plugin.ts';

const shipped = notices(import.meta.dirname, 'page');

/** Builds the window into dist/renderer, from where the station serves it at `/` under a strict CSP. */
export default defineConfig({
  root: `${import.meta.dirname}/renderer`,
  base: '/',
  plugins: [react(), englishOnly(), quietAboutComposes(), shipped.bundle, precompressed()],
  worker: { plugins: () => [shipped.worker] },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    sourcemap: false,
    // Supports tablets and browsers of recent years, not just Electron. The defaults of build tools differ.
    target: 'es2022',
    cssTarget: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    minify: 'oxc',
    cssMinify: 'lightningcss',
    // The polyfill would be an inline script and data: fonts another source: the CSP allows neither.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Half of it is the glyphs of the e-paper; the page comes from the same machine or its LAN.
    chunkSizeWarningLimit: 1_500,
    // The first `npm start` builds the page too, so print no timings of plugins.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Without side effects, a page loads only the words that it uses.
      treeshake: { moduleSideEffects: [{ test: /renderer\/src\/words\//, sideEffects: false }] },
      output: {
        // Otherwise, a page loads a hundred small files. `minShareCount`: how many files import the module.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /lucide-react/ },
            {
              name: 'common',
              test: /renderer.src.(?:kit|station|words|storage)|shared.(?:lib|api|led)/,
              minShareCount: 14,
            },
          ],
        },
      },
    },
  },
});

/** React Aria carries its messages in 34 languages; the window speaks English. */
function englishOnly(): Plugin {
  return {
    name: 'pickstation:english-only',
    enforce: 'pre',
    load(id) {
      const language =
        /react-(?:aria|stately)[^/]*\/(?:dist\/)?(?:private\/)?(?:.*\/)?intl\/(?:.*\/)?([a-z]{2}-[A-Z]{2})\.m?js$/.exec(
          id,
        )?.[1];
      return language !== undefined && language !== 'en-US' ? 'export default {};' : undefined;
    },
  };
}

/**
 * Hides a warning about rules that `composes` takes from another file: they have no position in the sources, which the build
 * tool reports as a mistake of a plugin. None of these rules contains a URL, so nothing is wrong.
 */
function quietAboutComposes(): Plugin {
  return {
    name: 'pickstation:quiet-about-composes',
    configResolved({ logger }) {
      const warnOnce = logger.warnOnce.bind(logger);
      logger.warnOnce = (message, options) => {
        if (!message.includes('did not pass the `from` option')) warnOnce(message, options);
      };
    },
  };
}

const COMPRESSIONS = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gz: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

/** Writes each text and WebAssembly file also as `.br` and `.gz`, so that the station compresses nothing itself. */
function precompressed(): Plugin {
  return {
    name: 'pickstation:precompressed',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
      const texts = names.filter((name) => /\.(js|css|html|json|svg|txt|wasm)$/.test(name));
      const write = async (name: string) => {
        const content = await readFile(join(dir, name));
        for (const [ending, compress] of Object.entries(COMPRESSIONS))
          await writeFile(join(dir, `${name}.${ending}`), await compress(content));
      };
      await Promise.all(texts.map(write));
    },
  };
}
