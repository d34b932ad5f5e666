import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Fields of a `package.json` that the notices need. */
export type PackageFile = {
  name?: string;
  version?: string;
  license?: string | { type: string };
  licenses?: { type: string }[];
  homepage?: string;
  repository?: string | { url: string };
  /** Systems for which the package contains compiled files. */
  os?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** Packages that electron-builder.yml excludes from our packages. */
const NOT_PACKAGED = ['@scarf/scarf'];
/** Matches the ids of modules that a build tool generates. */
const WRITTEN_BY = /^\0(?<tool>vite|rolldown)\//;

export function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}

/**
 * Returns the folder of the package to which a module or file of a bundle belongs, relative to the root of the repository. Returns
 * undefined for our own code.
 */
export function folderOfModule(id: string): string | undefined {
  const tool = WRITTEN_BY.exec(id)?.groups?.['tool'];
  if (tool !== undefined) return `node_modules/${tool}`;
  return /\bnode_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/'))?.[0];
}

/** Returns the folders of all packages that npm installs for production on this system, including indirect ones, relative to `root`. */
export function productionFolders(root: string): string[] {
  const found = new Set(['']);
  for (const folder of found) {
    const { dependencies, optionalDependencies } = readPackage(join(root, folder));
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = resolvePackage(root, folder, name);
      if (next === undefined && optionalDependencies?.[name] === undefined) throw new Error(`${name} is not installed`);
      if (next !== undefined && !NOT_PACKAGED.includes(name)) found.add(next);
    }
  }
  found.delete('');
  return [...found];
}

/** Finds a package as Node does, by searching each `node_modules` from the folder upwards. */
function resolvePackage(root: string, from: string, name: string): string | undefined {
  const here = join(from, 'node_modules', name).replaceAll(sep, '/');
  if (existsSync(join(root, here, 'package.json'))) return here;
  return from === ''
    ? undefined
    : resolvePackage(root, from === dirname(from) ? '' : dirname(from).replace(/^\.$/, ''), name);
}
