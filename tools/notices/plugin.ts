import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { collectThirdParty } from './collect.ts';
import { folderOfModule, readPackage } from './folders.ts';
import { toNotices, toSbom, toText } from './formats.ts';

/**
 * Creates the plugins for one build. They write the packages in its bundle and workers to `dist/bundled`. The page is built last, and its
 * build also writes the notices for all builds and for production packages.
 */
export function notices(root: string, part: 'main' | 'preload' | 'page'): { bundle: Plugin; worker: Plugin } {
  const folders = new Set<string>();
  const note = (bundle: Rolldown.OutputBundle): void => {
    for (const id of Object.values(bundle).flatMap(sourcesOf)) {
      const folder = folderOfModule(id);
      if (folder !== undefined) folders.add(folder);
    }
  };
  return {
    worker: { name: 'pickstation:notices-of-worker', generateBundle: (_, bundle) => note(bundle) },
    bundle: {
      name: 'pickstation:notices',
      apply: 'build',
      generateBundle(_, bundle) {
        note(bundle);
        const lists = join(root, 'dist/bundled');
        mkdirSync(lists, { recursive: true });
        writeFileSync(join(lists, `${part}.json`), JSON.stringify([...folders].toSorted(), null, 2));
        if (part !== 'page') return;
        const { name = '', version = '' } = readPackage(root);
        const all = collectThirdParty(root, bundledFolders(root));
        this.emitFile({ type: 'asset', fileName: 'notices.json', source: JSON.stringify(toNotices(all)) });
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: toText(all) });
        this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: toSbom(all, { name, version }) });
      },
    },
  };
}

/** Returns the folders of the packages that the last builds bundled, if they are still installed. */
export function bundledFolders(root: string): string[] {
  const lists = join(root, 'dist/bundled');
  const names = existsSync(lists) ? readdirSync(lists) : [];
  return names
    .flatMap((name) => JSON.parse(readFileSync(join(lists, name), 'utf8')) as string[])
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Returns the paths or module ids of the sources in an output file. */
function sourcesOf(output: Rolldown.OutputBundle[string]): string[] {
  return output.type === 'asset' ? output.originalFileNames : Object.keys(output.modules);
}
