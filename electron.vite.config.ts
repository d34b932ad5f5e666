import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { notices } from './tools/notices/plugin.ts';
import page from './vite.config.ts';

const root = import.meta.dirname;

/** The desktop: main process, preload and page. What npm installs for production stays outside of the bundle. */
export default defineConfig({
  main: {
    plugins: [notices(root, 'main').bundle],
    build: {
      outDir: `${root}/dist/main`,
      externalizeDeps: true,
      // Keep names and lines, so that stack traces in logs can be read.
      minify: false,
      rolldownOptions: {
        // Electron's module, which does not treat archives as folders.
        external: ['original-fs'],
        // Each additional process needs its own file.
        input: {
          main: `${root}/electron/main/main.ts`,
          copyProcess: `${root}/electron/server/copier/copyProcess.ts`,
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  },
  preload: {
    plugins: [notices(root, 'preload').bundle],
    build: {
      outDir: `${root}/dist/preload`,
      rolldownOptions: {
        input: { preload: `${root}/electron/preload/preload.ts` },
        // A sandboxed page's preload is one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    ...page,
    plugins: [...(page.plugins ?? []), servedAtRoot()],
    build: {
      ...page.build,
      outDir: `${root}/dist/renderer`,
      rolldownOptions: { ...page.build?.rolldownOptions, input: `${root}/renderer/index.html` },
    },
  },
});

/** electron-vite makes a page for files, with paths beside it; ours is served, also at addresses below others. */
function servedAtRoot(): Plugin {
  return { name: 'pickstation:served-at-root', enforce: 'post', config: () => ({ base: '/' }) };
}
