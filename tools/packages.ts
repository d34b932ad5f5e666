import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makePackages, type PackageKind } from './packages/make.ts';

/**
 * Makes deb and rpm from the folder that `npm run package -- --linux --dir` creates: docs/releasing.md.
 *
 * node tools/packages.ts deb rpm
 */

const PACKAGES_FOLDER = join(import.meta.dirname, '..', 'dist', 'packages');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unpacked: { type: 'string', default: join(PACKAGES_FOLDER, 'linux-unpacked') },
    out: { type: 'string', default: PACKAGES_FOLDER },
    fast: { type: 'boolean', default: false },
  },
});
const isKind = (text: string): text is PackageKind => text === 'deb' || text === 'rpm';
const kinds = positionals.filter(isKind);
if (kinds.length < positionals.length) throw new Error(`Usage: node tools/packages.ts [--fast] [deb] [rpm]`);
makePackages({
  unpacked: resolve(values.unpacked),
  outFolder: resolve(values.out),
  kinds: kinds.length === 0 ? ['deb', 'rpm'] : kinds,
  fast: values.fast,
});
